// The rule: the lecture by name, and each of its choices, with the place where the lecture makes it.
import { field, h, select } from "../dom.js";
import { NAMES, departures } from "../rules.js";
import { problemName } from "./step.js";

const LECTURES = [["L0", "L0"], ["L1", "L1, origin"], ["L1_offset", "L1, offset"], ["L2", "L2"], ["L3", "L3"], ["L4", "L4"]];

export const rulePanel = {
  id: "rule",
  area: "left",
  title: "Rule",
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
  const hint = (key) => (sources[key] && !changed.includes(key) && rule.algorithm === "perceptron" ? h("small", { class: "hint" }, sources[key]) : null);
  const choice = (key, label) => field(label, select(Object.entries(NAMES[key]), rule[key], set(key), { "data-key": key }), hint(key));
  const number = (key, label, attributes = {}) =>
    field(label, h("input", { type: "number", step: "any", "data-key": key, value: rule[key] ?? "", ...attributes,
      onchange: (event) => actions.setRule({ [key]: event.target.value === "" ? null : Number(event.target.value) }) }), hint(key));
  const made = [];
  if (compare) {
    made.push(
      h("div", { class: "tools", role: "group", "aria-label": "Which run" },
        [0, 1].map((which) => h("button", { type: "button", "aria-pressed": String(active === which), onclick: () => store.set({ active: which }) }, `Run ${"AB"[which]}`))),
    );
  }
  made.push(
    field("Lecture", select(LECTURES, rule.convention, (name) => actions.setConvention(name), { "data-key": "convention" }),
      changed.length ? h("small", { class: "hint changed" }, `with another ${changed.map((key) => WORDS[key] ?? key).join(", ")}`) : null),
    choice("algorithm", "Algorithm"),
    choice("tie", "A score of 0"),
  );
  if (rule.algorithm !== "batch") made.push(choice("order", "Order"));
  made.push(number("eta0", "η, the step", { min: 0 }), choice("init", "Start"));
  if (rule.init === "given") made.push(startFields(rule, actions));
  made.push(
    h("label", { class: "check" },
      h("input", { type: "checkbox", checked: rule.fit_intercept, "data-key": "fit_intercept", onchange: (event) => actions.setRule({ fit_intercept: event.target.checked }) }),
      "with an offset w₀", hint("fit_intercept")),
  );
  if (payload && payload.classes.length > 2) {
    made.push(choice("multi_class", "Many classes"));
    if (payload.kind !== "joint") {
      const options = replay.tracks.map((track, k) => [String(k), problemName(replay, track, store.state.data)]);
      if (payload.kind === "ova") options.unshift(["all", "all at once"]);
      made.push(field("Watch", select(options, focus === null ? "all" : String(focus), (value) => actions.setFocus(value === "all" ? null : Number(value)), { "data-key": "focus" })));
    }
  }
  if (rule.algorithm === "margin") made.push(number("margin", "Margin to reach", { min: 0 }));
  if (["pa1", "pa2"].includes(rule.algorithm)) made.push(number("C", "C, aggressiveness", { min: 0 }));
  if (rule.algorithm === "pocket") {
    made.push(h("label", { class: "check" }, h("input", { type: "checkbox", checked: rule.ratchet, "data-key": "ratchet", onchange: (event) => actions.setRule({ ratchet: event.target.checked }) }), "with ratchet"));
  }
  made.push(
    h("details", { open },
      h("summary", {}, "Limits and seed"),
      number("max_iter", "At most, epochs", { min: 1, step: 1, placeholder: "no limit" }),
      number("max_steps", "At most, examples", { min: 1, step: 1, max: catalogue.limits.steps }),
      number("max_error", "Stop at error ≤ μ", { min: 0, max: 1 }),
      number("patience", "Stop after unchanged", { min: 1, step: 1, placeholder: "never" }),
      number("random_state", "Seed", { min: 0, step: 1 })),
  );
  return made;
}

const WORDS = { tie: "tie", order: "order", eta0: "η", init: "start", fit_intercept: "offset", error_tie: "count of ties", max_error: "μ" };

function startFields(rule, actions) {
  const names = rule.fit_intercept ? ["w₀", "w₁", "w₂"] : [null, "w₁", "w₂"];
  const rows = Array.isArray(rule.start[0]) ? rule.start[0] : rule.start;
  return h("div", { class: "row start" },
    names.map((name, j) =>
      name === null ? null
        : field(name, h("input", { type: "number", step: "any", value: rows[j], "aria-label": `Start ${name}`, "data-key": `start${j}`,
            onchange: (event) => {
              const start = [...rows];
              start[j] = Number(event.target.value) || 0;
              actions.setRule({ start });
            } }))));
}
