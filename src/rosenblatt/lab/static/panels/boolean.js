// The Boolean bench: an expression or a truth table; its unit, the range of the offset, the cube, the network.
import { flipped, followBoolean, resized } from "../boolean.js";
import { drawCube, drawNetwork, drawRange } from "../boolean_pictures.js";
import { field, h, select } from "../dom.js";
import { count } from "../numbers.js";

const TRY = ["a and b", "a xor b", "majority(a, b, c)", "a and (b or not c)", "atleast(2, a, b, c, d)", "a <-> b <-> c"];
const TIES = [["negative", "no"], ["positive", "yes"], ["mistake", "always wrong"]];

export const booleanPanel = {
  id: "boolean",
  area: "wide",
  title: "Boolean functions",
  benches: ["boolean"],
  needsEngine: true,
  mount(box, lab) {
    const { store } = lab;
    const set = (patch) => store.set({ boolean: { ...store.state.boolean, ...patch } });
    const input = h("input", { type: "text", class: "expression", "aria-label": "Expression", spellcheck: "false", autocomplete: "off" });
    const ask = (expression) => set({ expression, table: null, variables: null });
    const form = h("form", { class: "row expression-form", onsubmit: (event) => { event.preventDefault(); ask(input.value); } },
      input, h("button", { class: "primary" }, "Show"));
    const tries = h("div", { class: "row tries", role: "group", "aria-label": "Examples" },
      TRY.map((text) => h("button", { type: "button", class: "quiet", onclick: () => ask(text) }, text)));
    const problem = h("pre", { class: "error boolean-error", role: "alert" });
    const table = h("div", { class: "truth" });
    const found = h("div", { class: "boolean-found", "aria-live": "polite" });
    box.append(h("p", { class: "soft" }, "Write and, or, not, xor, ->, <->, majority(…), atleast(k, …); or click values in the table."),
      form, tries, problem, h("div", { class: "boolean-columns" }, table, found));
    let shown = null;
    const update = () => {
      const { boolean, bench } = store.state;
      if (bench !== "boolean") return;
      const { answer, error, tie } = boolean;
      box.dataset.state = boolean.busy ? "busy" : error ? "error" : answer ? "ready" : "idle";
      problem.textContent = error ?? "";
      problem.hidden = !error;
      const text = boolean.table === null ? boolean.expression : "";
      if (document.activeElement !== input) input.value = text;
      input.placeholder = boolean.table === null ? "" : `the table ${boolean.table}`;
      found.hidden = Boolean(error);
      if (!answer || (shown?.answer === answer && shown.tie === tie)) return;
      shown = { answer, tie };
      const focused = table.contains(document.activeElement) ? document.activeElement.dataset.row : null;
      table.replaceChildren(...truthTable(answer, set));
      if (focused) table.querySelector(`[data-row="${focused}"]`)?.focus();
      found.replaceChildren(...findings(answer, tie, set));
    };
    store.subscribe(["boolean", "bench"], update);
    followBoolean(lab);
    update();
  },
};

function truthTable(answer, set) {
  const { variables, rows, bits, refutation } = answer;
  const times = new Map([...(refutation?.true ?? []), ...(refutation?.false ?? [])]);
  const size = select([1, 2, 3, 4, 5, 6].map((n) => [String(n), count(n, "variable")]), String(variables.length), (n) => set({ expression: "", ...resized(answer, Number(n)) }), { "aria-label": "Number of variables" });
  return [
    size,
    h("table", {},
      h("thead", {}, h("tr", {}, variables.map((name) => h("th", { scope: "col" }, name)), h("th", { scope: "col" }, "value"), refutation ? h("th", { scope: "col" }, "×") : null)),
      h("tbody", {}, rows.map((values, row) => h("tr", {},
        values.map((value) => h("td", {}, value)),
        h("td", {}, h("button", { type: "button", class: `bit bit-${bits[row]}`, "data-row": row, "aria-pressed": String(bits[row] === "1"),
          "aria-label": `Value for ${variables.map((name, j) => `${name} = ${values[j]}`).join(", ")}`,
          onclick: () => set({ expression: "", ...flipped(answer, row) }) }, bits[row])),
        refutation ? h("td", { class: "times" }, times.get(row) ?? "") : null)))),
  ];
}

function findings(answer, tie, set) {
  const { unit, refutation, network, rows } = answer;
  const made = [];
  if (unit) {
    made.push(h("section", {}, h("h3", {}, "One unit computes it"), h("p", { class: "math unit" }, minus(unit.text)),
      h("p", { class: "soft" }, "The smallest whole weights.")));
    made.push(h("section", { class: "range" }, h("h3", {}, "The offset's range"),
      field("A score of 0 is", select(TIES, tie, (value) => set({ tie: value }), { "aria-label": "A score of 0 is" })),
      drawRange(answer, tie),
      h("p", { class: "math" }, "w₀ in ", h("b", { class: "interval" }, minus(unit.ranges[tie].text))),
      h("p", { class: "soft" }, "A row that must be 1 (●) needs w₀ above −w·x; one that must be 0 (▲) needs it below.")));
  } else {
    made.push(h("section", {}, h("h3", {}, "No unit computes it"), h("p", { class: "refutation" }, refutation.words)));
  }
  if (rows[0].length <= 3 && rows[0].length >= 1) made.push(h("section", {}, h("h3", {}, rows[0].length === 3 ? "On the cube" : "On the square"), drawCube(answer)));
  made.push(h("section", { class: "network" }, h("h3", {}, unit ? "As a network" : `A network of ${count(network.n_hidden, "hidden unit")} does`),
    drawNetwork(network),
    h("pre", { class: "python network-text" }, network.text.map(minus).join("\n")),
    h("p", { class: "soft" }, network.fewest ? "No two-layer network has fewer hidden units: proved." : "Few hidden units; whether they are the fewest is not proved.")));
  made.push(h("pre", { class: "python", tabindex: 0, "aria-label": "The same in Python" }, answer.python));
  return made;
}

function minus(text) {
  return text.replaceAll("-", "−");
}
