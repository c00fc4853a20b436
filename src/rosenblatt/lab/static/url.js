// The state in the address: readable, and enough to see the same moment of the same run again.
import { BENCHES } from "./benches.js";
import { BEYOND_KEYS, emptyBeyond } from "./beyond.js";
import { LESSONS, lessonAddress } from "./lessons.js";
import { DEFAULT_RULE } from "./rules.js";

const MOST_POINTS = 400; // of your own, in an address

export function toHash(state) {
  const { data, sides, compare, show } = state;
  const parts = new URLSearchParams();
  if (data.source.job === "data") {
    parts.set("data", data.source.name);
    if (String(data.source.columns) !== "0,1") parts.set("columns", data.source.columns.join(","));
    if (data.source.standardize) parts.set("standardize", "1");
  } else if (fitsAddress(data)) {
    parts.set("points", data.points.map(({ x, y, c }) => `${x},${y},${c}`).join(";"));
    parts.set("classes", data.classes.map(encodeURIComponent).join(","));
    parts.set("columns", data.columns.map(encodeURIComponent).join(","));
  }
  ruleInto(parts, "", sides[0].rule);
  if (compare && sides[1].rule) ruleInto(parts, "b.", sides[1].rule);
  if (sides[0].at) parts.set("at", sides[0].at);
  if (compare) parts.set("b.at", sides[1].at);
  const also = Object.keys(state.beside).filter((key) => state.beside[key]);
  if (also.length) parts.set("also", also.join(","));
  benchInto(parts, state);
  const hidden = Object.keys(show).filter((key) => !show[key]);
  if (hidden.length) parts.set("hide", hidden.join(","));
  return `#${parts.toString().replaceAll("%2C", ",").replaceAll("%3B", ";")}`;
}

function ruleInto(parts, prefix, rule) {
  parts.set(`${prefix}rule`, rule.convention);
  for (const [key, value] of Object.entries(rule)) {
    if (key === "convention" || String(value) === String(DEFAULT_RULE[key])) continue;
    if (key === "start" && rule.init !== "given") continue;
    parts.set(prefix + key, value === null ? "" : String(value));
  }
}

// The bench that is open, and what is on it.
function benchInto(parts, { bench, boolean, beyond, lesson }) {
  if (lesson) parts.set("lesson", lesson);
  if (bench === "line") return;
  parts.set("bench", bench);
  if (bench === "beyond") for (const key of BEYOND_KEYS) parts.set(`beyond.${key}`, beyond[key] ?? "");
  if (bench === "boolean" && boolean.table !== null) {
    parts.set("table", boolean.table);
    if (boolean.variables) parts.set("variables", boolean.variables.join(","));
  } else if (bench === "boolean") parts.set("expression", boolean.expression);
}

function benchFrom(parts, state) {
  const also = (parts.get("also") ?? "").split(",");
  const beside = Object.fromEntries(Object.keys(state.beside).map((key) => [key, also.includes(key)]));
  const bench = BENCHES.some(([name]) => name === parts.get("bench")) ? parts.get("bench") : "line";
  const patch = { beside, bench, lesson: LESSONS.find(({ id }) => id === parts.get("lesson"))?.id ?? null };
  if (parts.has("table")) {
    patch.boolean = { ...state.boolean, table: parts.get("table"), variables: parts.get("variables")?.split(",") ?? null };
  } else if (parts.has("expression")) patch.boolean = { ...state.boolean, expression: parts.get("expression"), table: null };
  const beyond = { ...state.beyond };
  for (const key of BEYOND_KEYS) {
    if (parts.has(`beyond.${key}`)) beyond[key] = valueLike(emptyBeyond()[key], parts.get(`beyond.${key}`), key);
  }
  if (beyond.gamma !== "scale") beyond.gamma = Number(beyond.gamma) || 1;
  patch.beyond = beyond;
  return patch;
}

export function ruleFrom(parts, prefix = "") {
  const rule = { ...DEFAULT_RULE };
  if (parts.has(`${prefix}rule`)) rule.convention = parts.get(`${prefix}rule`);
  for (const key of Object.keys(DEFAULT_RULE)) {
    if (key === "convention" || !parts.has(prefix + key)) continue;
    rule[key] = valueLike(DEFAULT_RULE[key], parts.get(prefix + key), key);
  }
  return rule;
}

function valueLike(like, text, key) {
  if (key === "start") return text.split(",").map(Number);
  if (text === "") return null;
  if (typeof like === "boolean") return text === "true";
  if (typeof like === "number" || ["max_iter", "patience", "moment"].includes(key)) return Number(text);
  return text;
}

// Brings the lab to what an address says; without one, to L4's worked example.
export async function openFromUrl(lab, hash) {
  const { store, actions } = lab;
  let parts = new URLSearchParams(hash.replace(/^#/, ""));
  const lesson = LESSONS.find(({ id }) => id === parts.get("lesson"));
  if (lesson && [...parts.keys()].length === 1) parts = new URLSearchParams(lessonAddress(lesson).slice(1));
  const { catalogue } = store.state;
  const sides = [...store.state.sides];
  const given = catalogue.given && !parts.has("data") && !parts.has("points");
  sides[0] = { ...sides[0], rule: given && !parts.has("rule") ? { ...DEFAULT_RULE, init: "zeros" } : ruleFrom(parts) };
  const compare = parts.has("b.rule");
  if (compare) sides[1] = { ...sides[1], rule: ruleFrom(parts, "b.") };
  if (!(sides[0].rule.convention in catalogue.conventions)) sides[0].rule.convention = "L4";
  const hidden = (parts.get("hide") ?? "").split(",");
  const show = Object.fromEntries(Object.keys(store.state.show).map((key) => [key, !hidden.includes(key)]));
  store.set({ sides, compare, show, ...benchFrom(parts, store.state) });
  const positions = [Number(parts.get("at") ?? 0) || 0, Number(parts.get("b.at") ?? 0) || 0];
  if (parts.has("points")) {
    const points = parts.get("points").split(";").filter(Boolean).map((text) => {
      const [x, y, c] = text.split(",").map(Number);
      return { x, y, c };
    });
    const classes = names(parts.get("classes") ?? "−1,+1");
    const columns = [...names(parts.get("columns") ?? ""), "x1", "x2"].slice(0, 2);
    await actions.setPoints({ source: { job: "points" }, name: "your points", points, classes, columns, allColumns: [] }, positions);
    return;
  }
  const name = parts.get("data") ?? (catalogue.given ? "given" : "lecture4");
  const columns = (parts.get("columns") ?? "0,1").split(",").map(Number);
  await actions.loadSet(name, columns, parts.get("standardize") === "1", positions);
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

// Whether all of the data is in the address, or only its rule.
export function fitsAddress(data) {
  return data.source.job === "data" || data.points.length <= MOST_POINTS;
}

// Keeps the address up to date, without a new entry in the history for each step.
export function followUrl(lab) {
  let soon = null;
  let written = location.hash;
  const write = () => {
    if (lab.store.state.playing) return;
    written = toHash(lab.store.state);
    history.replaceState(null, "", written);
  };
  lab.store.subscribe(["data", "sides", "compare", "show", "playing", "beside", "bench", "boolean", "beyond", "lesson"], () => {
    clearTimeout(soon);
    soon = setTimeout(write, 250);
  });
  addEventListener("hashchange", () => {
    if (location.hash !== written) openFromUrl(lab, location.hash);
  });
  write();
}
