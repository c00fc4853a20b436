// The panel of the Boolean bench: input of an expression or truth table; its unit, the range of the offset, the cube, the network.
import { flipped, requestBoolean, resized } from "./boolean_state.js";
import { drawCube, drawNetwork, drawRange } from "./boolean_pictures.js";
import { booleanCode } from "../state/python_code.js";
import { field, h, select } from "../ui/dom.js";
import { t } from "../ui/strings.js";

const EXAMPLES = ["a and b", "a xor b", "majority(a, b, c)", "a and (b or not c)", "atleast(2, a, b, c, d)", "a <-> b <-> c"];
const TIES = ["negative", "positive", "mistake"];

export const booleanPanel = {
  id: "boolean",
  area: "wide",
  title: "benches.boolean",
  benches: ["boolean"],
  needsEngine: true,
  mount(box, lab) {
    const { store } = lab;
    const set = (patch) => store.set({ boolean: { ...store.state.boolean, ...patch } });
    const input = h("input", { type: "text", class: "expression", "aria-label": t("boolean.expression"), spellcheck: "false", autocomplete: "off" });
    const ask = (expression) => set({ expression, table: null, variables: null });
    const form = h("form", { class: "row expression-form", onsubmit: (event) => { event.preventDefault(); ask(input.value); } },
      input, h("button", { class: "primary" }, t("boolean.show")));
    const examples = h("div", { class: "row tries", role: "group", "aria-label": t("boolean.examples") },
      EXAMPLES.map((text) => h("button", { type: "button", class: "quiet", onclick: () => ask(text) }, text)));
    const problem = h("pre", { class: "error boolean-error", role: "alert" });
    const table = h("div", { class: "truth" });
    const found = h("div", { class: "boolean-found", "aria-live": "polite" });
    box.append(h("p", { class: "soft" }, t("boolean.how")),
      form, examples, problem, h("div", { class: "boolean-columns" }, table, found));
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
      input.placeholder = boolean.table === null ? "" : t("boolean.the_table", { table: boolean.table });
      found.hidden = Boolean(error);
      if (!answer || (shown?.answer === answer && shown.tie === tie)) return;
      shown = { answer, tie };
      const focused = table.contains(document.activeElement) ? document.activeElement.dataset.row : null;
      table.replaceChildren(...truthTable(answer, set));
      if (focused) table.querySelector(`[data-row="${focused}"]`)?.focus();
      found.replaceChildren(...findings(answer, tie, set));
    };
    store.subscribe(["boolean", "bench"], update);
    requestBoolean(lab);
    update();
  },
};

function truthTable(answer, set) {
  const { variables, rows, bits, refutation } = answer;
  const times = new Map([...(refutation?.true ?? []), ...(refutation?.false ?? [])]);
  const size = select([1, 2, 3, 4, 5, 6].map((n) => [String(n), t("count.variable", { n })]), String(variables.length), (n) => set({ expression: "", ...resized(answer, Number(n)) }), { "aria-label": t("boolean.variables") });
  return [
    size,
    h("table", {},
      h("thead", {}, h("tr", {}, variables.map((name) => h("th", { scope: "col" }, name)), h("th", { scope: "col" }, t("boolean.value")), refutation ? h("th", { scope: "col" }, "×") : null)),
      h("tbody", {}, rows.map((values, row) => h("tr", {},
        values.map((value) => h("td", {}, value)),
        h("td", {}, h("button", { type: "button", class: `bit bit-${bits[row]}`, "data-row": row, "aria-pressed": String(bits[row] === "1"),
          "aria-label": t("boolean.value_for", { row: variables.map((name, j) => `${name} = ${values[j]}`).join(", ") }),
          onclick: () => set({ expression: "", ...flipped(answer, row) }) }, bits[row])),
        refutation ? h("td", { class: "times" }, times.get(row) ?? "") : null)))),
  ];
}

function findings(answer, tie, set) {
  const { unit, refutation, network, rows } = answer;
  const made = [];
  if (unit) {
    made.push(h("section", {}, h("h3", {}, t("boolean.unit")), h("p", { class: "math unit" }, minus(unit.text)),
      h("p", { class: "soft" }, t("boolean.smallest"))));
    made.push(h("section", { class: "range" }, h("h3", {}, t("boolean.range")),
      field(t("boolean.tie"), select(TIES.map((name) => [name, t(`boolean.tie.${name}`)]), tie, (value) => set({ tie: value }), { "aria-label": t("boolean.tie") })),
      drawRange(answer, tie),
      h("p", { class: "math" }, t("boolean.offset_in"), " ", h("b", { class: "interval" }, minus(unit.ranges[tie].text))),
      h("p", { class: "soft" }, t("boolean.range_text"))));
  } else {
    made.push(h("section", {}, h("h3", {}, t("boolean.no_unit")), h("p", { class: "refutation" }, refutationText(answer))));
  }
  if (rows[0].length <= 3 && rows[0].length >= 1) made.push(h("section", {}, h("h3", {}, t(rows[0].length === 3 ? "boolean.cube" : "boolean.square")), drawCube(answer)));
  made.push(h("section", { class: "network" }, h("h3", {}, unit ? t("boolean.as_network") : t("boolean.network", { n: network.n_hidden })),
    drawNetwork(network),
    h("pre", { class: "python network-text" }, network.text.map(minus).join("\n")),
    h("p", { class: "soft" }, t(network.fewest ? "boolean.fewest" : "boolean.few"))));
  made.push(h("pre", { class: "python", tabindex: 0, "aria-label": t("common.python_label") }, booleanCode(answer.python)));
  return made;
}

// The proof that no unit computes the function: rows with multipliers whose sums are equal.
function refutationText({ refutation, variables, rows }) {
  const side = (list) => list.map(([row, times]) => `${times === 1 ? "" : `${times}·`}${rows[row].join("")}`).join(" + ");
  const sum = variables.map((_, j) => refutation.true.reduce((total, [row, times]) => total + times * rows[row][j], 0));
  return t("boolean.refutation", { variables: variables.join(", "), true: side(refutation.true), false: side(refutation.false), sum: sum.join(", ") });
}

function minus(text) {
  return text.replaceAll("-", "−");
}
