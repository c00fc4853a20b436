// Reads and writes the state in the address: data, rule and position, which restore the same step of the same run.
import { BENCHES } from "../benches/names.js";
import { NONLINEAR_KEYS, emptyNonlinear, usualKernel } from "../benches/nonlinear_state.js";
import { DEFAULT_RULE, startOf, withConvention } from "./rules.js";
import { sliceOf, valuesOf } from "./slice.js";
import { stepAddress, storyOf } from "../stories/stories.js";
import { preferred, t } from "../ui/strings.js";

const MOST_CHARACTERS = 8000; // of the user's points in an address: what mail and chat programs carry

// The state as an address. Points that are too many for one are left out, but not from a file (`whole`).
export function toHash(state, whole = false) {
  const { data, sides, compare, show } = state;
  const parts = new URLSearchParams();
  if (data.source.job === "data" && data.source.name !== "given") {
    parts.set("data", data.source.name);
    if (String(data.source.columns) !== "0,1") parts.set("columns", data.source.columns.join(","));
    if (data.source.standardize) parts.set("standardize", "1");
    if (data.source.onlyTwo) parts.set("only_two", "1");
  } else if (whole || fitsAddress(data)) {
    parts.set("points", pointsText(data));
    parts.set("classes", data.classes.map(encodeURIComponent).join(","));
    parts.set("columns", (data.slice?.columns ?? data.columns).map(encodeURIComponent).join(","));
    if (data.slice) parts.set("shown", data.slice.chosen.join(","));
  }
  if (data.slice?.kind === "weights") parts.set("view", "weights");
  ruleInto(parts, "", sides[0].rule);
  if (compare && sides[1].rule) ruleInto(parts, "b.", sides[1].rule);
  if (sides[0].at) parts.set("at", sides[0].at);
  if (compare) parts.set("b.at", sides[1].at);
  if (sides[0].focus !== null) parts.set("watch", sides[0].focus);
  if (compare && sides[1].focus !== null) parts.set("b.watch", sides[1].focus);
  const also = Object.keys(state.extraLines).filter((key) => state.extraLines[key]);
  if (also.length) parts.set("also", also.join(","));
  benchInto(parts, state);
  const hidden = Object.keys(show).filter((key) => !show[key]);
  if (hidden.length) parts.set("hide", hidden.join(","));
  if (state.embed) parts.set("embed", "1");
  if (state.lang !== preferred("")) parts.set("lang", state.lang); // else a link opens in the language of its reader
  const text = parts.toString().replaceAll("%2C", ",").replaceAll("%3B", ";");
  return `#chars=${text.length}&${text}`; // the length shows whether an address was cut
}

function pointsText({ points }) {
  return points.map((point) => [...valuesOf(point), point.c].join(",")).join(";");
}

// Whether an address is shorter than when it was written.
function wasCut(hash) {
  const [, length, rest] = /^#?chars=(\d+)&(.*)$/s.exec(hash) ?? [];
  return length !== undefined && rest.length < Number(length);
}

function ruleInto(parts, prefix, rule) {
  parts.set(`${prefix}rule`, rule.convention);
  const usual = usualRule(parts);
  for (const [key, value] of Object.entries(rule)) {
    if (key === "convention" || String(value) === String(usual[key])) continue;
    if (key === "start" && rule.init !== "given") continue;
    parts.set(prefix + key, value === null ? "" : String(value));
  }
}

// The open bench and its state.
function benchInto(parts, { bench, boolean, nonlinear, story }) {
  if (story?.id) parts.set("story", story.id);
  if (story?.step) parts.set("step", story.step + 1);
  if (bench === "line") return;
  parts.set("bench", bench);
  if (bench === "nonlinear") for (const key of NONLINEAR_KEYS) parts.set(`nonlinear.${key}`, nonlinear[key] ?? "");
  if (bench === "boolean" && boolean.table !== null) {
    parts.set("table", boolean.table);
    if (boolean.variables) parts.set("variables", boolean.variables.join(","));
  } else if (bench === "boolean") parts.set("expression", boolean.expression);
}

function benchFrom(parts, state) {
  const also = (parts.get("also") ?? "").split(",");
  const extraLines = Object.fromEntries(Object.keys(state.extraLines).map((key) => [key, also.includes(key)]));
  const bench = BENCHES.some(([name]) => name === parts.get("bench")) ? parts.get("bench") : "line";
  const patch = { extraLines, bench, story: storyFrom(parts, state.story) };
  if (parts.has("table")) {
    patch.boolean = { ...state.boolean, table: parts.get("table"), variables: parts.get("variables")?.split(",") ?? null };
  } else if (parts.has("expression")) patch.boolean = { ...state.boolean, expression: parts.get("expression"), table: null };
  const nonlinear = { ...state.nonlinear, ...usualKernel(parts.get("data")) };
  for (const key of NONLINEAR_KEYS) {
    if (parts.has(`nonlinear.${key}`)) nonlinear[key] = valueLike(emptyNonlinear()[key], parts.get(`nonlinear.${key}`), key);
  }
  if (nonlinear.gamma !== "scale") nonlinear.gamma = Number(nonlinear.gamma) || 1;
  patch.nonlinear = nonlinear;
  return patch;
}

// The open step of a story; a prediction already made in it is kept.
function storyFrom(parts, open) {
  const story = storyOf(parts.get("story"));
  if (!story) return null;
  const step = Math.min(Math.max(1, Number(parts.get("step")) || 1), story.steps.length) - 1;
  return open?.id === story.id && open.step === step ? open : { id: story.id, step, choice: null };
}

// The stories that replaced the lessons of version 0.1.
const LESSONS = { represent: "unit", learn: "update", converge: "walls", inseparable: "xor", noise: "pocket", classes: "classes", kernel: "kernel" };

// The parts of an address. Links of version 0.1 call the bench of nonlinear boundaries "beyond", and have lessons.
function partsOf(hash) {
  const parts = new URLSearchParams();
  for (const [key, value] of new URLSearchParams(hash.replace(/^#/, ""))) {
    if (key === "chars") continue;
    if (key === "lesson") {
      if (value in LESSONS) parts.append("story", LESSONS[value]);
      continue;
    }
    const name = key === "beyond.way" ? "nonlinear.method" : key.replace(/^beyond\./, "nonlinear.");
    parts.append(name, key === "bench" && value === "beyond" ? "nonlinear" : value);
  }
  return parts;
}

// The rule of an address that names none.
function usualRule(parts) {
  return { ...DEFAULT_RULE, ...(parts.has("data") ? startOf(parts.get("data")) : {}) };
}

export function ruleFrom(parts, prefix = "") {
  const rule = usualRule(parts);
  if (parts.has(`${prefix}rule`)) rule.convention = parts.get(`${prefix}rule`);
  for (const key of Object.keys(DEFAULT_RULE)) {
    if (key === "convention" || !parts.has(prefix + key)) continue;
    rule[key] = valueLike(DEFAULT_RULE[key], parts.get(prefix + key), key);
  }
  if (parts.has(`${prefix}start`) && !parts.has(`${prefix}init`)) rule.init = "given";
  return rule;
}

function valueLike(like, text, key) {
  if (key === "start") return text.split(",").map(Number);
  if (text === "") return null;
  if (typeof like === "boolean") return text === "true";
  if (typeof like === "number" || ["max_iter", "patience", "moment"].includes(key)) return Number(text);
  return text;
}

// The state in a link that was copied from some lab: what follows its #. Null for any other text, such as a table.
export function linkedState(text) {
  return /^(?:\w+:\/\/[^\s#]*)?(#\S+=\S*)$/.exec(text.trim())?.[1] ?? null;
}

// Sets the lab to the state in an address, by default L4's worked example. To undo, this is one step.
export async function openFromUrl(lab, hash) {
  lab.store.set({ notice: null });
  await lab.actions.asOneStep(() => opened(lab, hash));
  if (wasCut(hash)) lab.store.set({ notice: { kind: "error", text: t("url.cut") } });
}

async function opened(lab, hash) {
  const { store, actions } = lab;
  let parts = partsOf(hash);
  const story = storyFrom(parts, null);
  if (story && [...parts.keys()].every((key) => ["story", "step", "lang", "embed"].includes(key))) {
    const lone = parts;
    parts = partsOf(stepAddress(storyOf(story.id), story.step));
    if (lone.has("embed")) parts.set("embed", "1");
  }
  const { catalogue } = store.state;
  const sides = [...store.state.sides];
  const given = catalogue.given && !parts.has("data") && !parts.has("points");
  sides[0] = { ...sides[0], rule: given && !parts.has("rule") ? { ...DEFAULT_RULE, init: "zeros" } : ruleFrom(parts) };
  if (catalogue.opens_with && !parts.has("rule")) {
    sides[0].rule = withConvention({ ...DEFAULT_RULE, init: "zeros" }, catalogue.opens_with, catalogue);
  }
  const compare = parts.has("b.rule");
  if (compare) sides[1] = { ...sides[1], rule: ruleFrom(parts, "b.") };
  if (!(sides[0].rule.convention in catalogue.conventions)) sides[0].rule.convention = "L4";
  const hidden = (parts.get("hide") ?? "").split(",");
  const show = Object.fromEntries(Object.keys(store.state.show).map((key) => [key, !hidden.includes(key)]));
  store.set({ sides, compare, show, lang: partsOf(hash).has("lang") ? preferred(hash) : store.state.lang, embed: parts.has("embed"), ...benchFrom(parts, store.state) });
  const positions = ["at", "b.at"].map((key) => Number(parts.get(key) ?? 0) || 0);
  await dataFrom(parts, lab, positions);
  ["watch", "b.watch"].forEach((key, which) => {
    const focus = Number(parts.get(key) || NaN);
    if (store.state.sides[which].replay?.tracks[focus]) actions.setFocus(focus, which);
  });
}

async function dataFrom(parts, { store, actions }, positions) {
  const { catalogue } = store.state;
  if (parts.has("points")) {
    const points = parts.get("points").split(";").filter(Boolean).map((text) => {
      return text.split(",").map(Number);
    });
    const classes = names(parts.get("classes") ?? "−1,+1");
    await actions.setPoints({ source: { job: "points" }, name: t("data.your_points"), classes, ...pointsOf(points, parts) }, positions);
    return;
  }
  const name = parts.get("data") ?? (catalogue.given ? "given" : "lecture4");
  const columns = (parts.get("columns") ?? "0,1").split(",").map(Number);
  await actions.loadSet(name, columns, parts.get("standardize") === "1", positions, parts.get("only_two") === "1", parts.get("view") ?? undefined);
}

// Parses the points of an address: rows of two or more values and a class.
function pointsOf(rows, parts) {
  const width = (rows[0]?.length ?? 3) - 1;
  const given = names(parts.get("columns") ?? "");
  const columns = Array.from({ length: Math.max(2, width) }, (_, j) => given[j] ?? `x${j + 1}`);
  if (width <= 2) return { points: rows.map(([x, y, c]) => ({ x, y, c })), columns, allColumns: [], slice: null };
  const chosen = (parts.get("shown") ?? "0,1").split(",").map(Number);
  const slice = sliceOf(rows.map((row) => row.slice(0, width)), chosen, columns, parts.get("view") ?? undefined);
  const points = rows.map((row) => ({ x: row[chosen[0]], y: row[chosen[1]], c: row[width], v: row.slice(0, width) }));
  return { points, columns: chosen.map((j) => columns[j]), allColumns: columns, slice, chosen };
}

function names(text) {
  return text.split(",").filter(Boolean).map((name) => {
    try {
      return decodeURIComponent(name);
    } catch {
      return name;
    }
  });
}

// Whether the address can hold all of the data, not only the rule.
export function fitsAddress(data) {
  return (data.source.job === "data" && data.source.name !== "given") || pointsText(data).length <= MOST_CHARACTERS;
}

// Keeps the address up to date, without adding history entries.
export function followUrl(lab) {
  let timer = null;
  let written = location.hash;
  const write = () => {
    if (lab.store.state.playing) return;
    written = toHash(lab.store.state);
    history.replaceState(null, "", written);
  };
  lab.store.subscribe(["data", "sides", "compare", "show", "playing", "extraLines", "bench", "boolean", "nonlinear", "story", "lang"], () => {
    clearTimeout(timer);
    timer = setTimeout(write, 250);
  });
  addEventListener("hashchange", () => {
    if (location.hash !== written) openFromUrl(lab, location.hash);
  });
  write();
}
