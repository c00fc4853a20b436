// The rule panel: the convention by name, and each of its choices with the place in the lecture.
import { field, h, select } from "../ui/dom.js";
import { departures, dialectName, optionsOf } from "../state/rules.js";
import { translated } from "../ui/messages.js";
import { t } from "../ui/strings.js";
import { problemName } from "./problems.js";

const LECTURES = ["L0", "L1", "L1_offset", "L2", "L3", "L4"];

// The lectures' dialects, and the user's own dialect if the lab was opened with one.
function dialects(catalogue) {
  const own = Object.keys(catalogue.conventions).filter((name) => !LECTURES.includes(name));
  return [...LECTURES, ...own].map((name) => [name, dialectName(name)]);
}

export const rulePanel = {
  id: "rule",
  area: "left",
  title: "rule.title",
  needsEngine: true,
  mount(box, { store, actions }) {
    const content = h("div", { class: "fields" });
    box.append(content);
    let shown = null;
    const update = () => {
      const { sides, active, compare, catalogue } = store.state;
      const side = sides[active];
      const key = [side.rule, active, compare, catalogue, side.payload, side.focus];
      if (!catalogue || (shown && key.every((value, k) => value === shown[k]))) return;
      shown = key;
      const focused = content.contains(document.activeElement) ? document.activeElement.dataset.key : null;
      const open = content.querySelector("details")?.open ?? false;
      content.replaceChildren(...fields(store, actions, open));
      if (focused) content.querySelector(`[data-key="${focused}"]`)?.focus();
    };
    store.subscribe(["sides", "active", "compare", "catalogue"], update);
    update();
  },
};

function fields(store, actions, open) {
  const { sides, active, compare, catalogue } = store.state;
  const { rule, replay, payload, focus } = sides[active];
  const changed = departures(rule, catalogue);
  const sources = catalogue.conventions[rule.convention]?.sources ?? {};
  const set = (key) => (value) => actions.setRule({ [key]: value });
  // A source quotes the lecture, which is in English.
  const hint = (key) => (sources[key] && !changed.includes(key) && rule.algorithm === "perceptron" ? h("small", { class: "hint", lang: "en" }, sources[key]) : null);
  const choice = (key) => field(t(`rule.${key}`), select(optionsOf(key), rule[key], set(key), { "data-key": key }), hint(key));
  const number = (key, attributes = {}) =>
    field(t(`rule.${key}`), h("input", { type: "number", step: "any", "data-key": key, value: rule[key] ?? "", ...attributes,
      onchange: (event) => actions.setRule({ [key]: event.target.value === "" ? null : Number(event.target.value) }) }), hint(key));
  const made = [];
  if (compare) {
    made.push(
      h("div", { class: "tools", role: "group", "aria-label": t("rule.which_run") },
        [0, 1].map((which) => h("button", { type: "button", "aria-pressed": String(active === which), onclick: () => store.set({ active: which }) }, t("rule.run", { name: "AB"[which] })))),
    );
  }
  made.push(
    field(t("rule.convention"), select(changed.length ? [["", t("rule.own")], ...dialects(catalogue)] : dialects(catalogue), changed.length ? "" : rule.convention, (name) => name && actions.setConvention(name), { "data-key": "convention" }),
      changed.length ? h("small", { class: "hint changed" }, t("rule.departs", { lecture: lectureOf(rule.convention), changes: changed.map((key) => t(`rule.word.${key}`)).join(", ") })) : h("small", { class: "hint" }, dialectWords(rule.convention, catalogue))),
    choice("algorithm"),
    choice("tie"),
  );
  if (rule.algorithm !== "batch") made.push(choice("order"));
  made.push(number("eta0", { min: 0 }), choice("init"));
  if (rule.init === "given") made.push(startFields(rule, actions));
  if (rule.init === "random") made.push(number("init_scale", { min: 0 }));
  made.push(
    h("label", { class: "check" },
      h("input", { type: "checkbox", checked: rule.fit_intercept, "data-key": "fit_intercept", onchange: (event) => actions.setRule({ fit_intercept: event.target.checked }) }),
      t("rule.fit_intercept"), hint("fit_intercept")),
  );
  if (payload && payload.classes.length > 2) {
    made.push(choice("multi_class"));
    if (payload.kind === "joint") made.push(choice("rivals"));
    else {
      const options = replay.tracks.map((track, k) => [String(k), problemName(replay, track, store.state.data)]);
      if (payload.kind === "ova") options.unshift(["all", t("rule.all_problems")]);
      made.push(field(t("rule.focus"), select(options, focus === null ? "all" : String(focus), (value) => actions.setFocus(value === "all" ? null : Number(value)), { "data-key": "focus" })));
    }
  }
  if (rule.algorithm === "margin") made.push(number("margin", { min: 0 }));
  if (["pa1", "pa2"].includes(rule.algorithm)) made.push(number("C", { min: 0 }));
  if (rule.algorithm === "pocket") {
    made.push(h("label", { class: "check" }, h("input", { type: "checkbox", checked: rule.ratchet, "data-key": "ratchet", onchange: (event) => actions.setRule({ ratchet: event.target.checked }) }), t("rule.ratchet")));
  }
  made.push(
    h("details", { open },
      h("summary", {}, t("rule.limits")),
      number("max_iter", { min: 1, step: 1, placeholder: t("rule.no_limit") }),
      number("max_steps", { min: 1, step: 1, max: catalogue.limits.steps }),
      number("max_error", { min: 0, max: 1 }),
      number("patience", { min: 1, step: 1, placeholder: t("rule.never") }),
      number("random_state", { min: 0, step: 1 })),
  );
  return made;
}

// The lecture as a subtitle, with its choices in words.
function dialectWords(name, catalogue) {
  const words = (catalogue.conventions[name]?.words ?? "").split(", ").map((choice) => translated(choice, "words.")).join(", ");
  return t("rule.subtitle", { lecture: lectureOf(name), words });
}

function lectureOf(name) {
  return LECTURES.includes(name) ? t("rule.lecture", { name: name.replace("_offset", "") }) : name;
}

function startFields(rule, actions) {
  const names = rule.fit_intercept ? ["w₀", "w₁", "w₂"] : [null, "w₁", "w₂"];
  const rows = Array.isArray(rule.start[0]) ? rule.start[0] : rule.start;
  return h("div", { class: "row start" },
    names.map((name, j) =>
      name === null ? null
        : field(name, h("input", { type: "number", step: "any", value: rows[j], "aria-label": t("rule.start_label", { name }), "data-key": `start${j}`,
            onchange: (event) => {
              const start = [...rows];
              start[j] = Number(event.target.value) || 0;
              actions.setRule({ start });
            } }))));
}
