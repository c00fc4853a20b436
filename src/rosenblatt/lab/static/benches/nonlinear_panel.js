// The panel of nonlinear boundaries: the choice of a method, and how it classifies the points.
import { requestNonlinear, statusOf } from "./nonlinear_state.js";
import { pythonCode } from "../state/python_code.js";
import { columnWords } from "../state/slice.js";
import { field, h, select } from "../ui/dom.js";
import { endingName } from "../state/rules.js";
import { t } from "../ui/strings.js";

const METHODS = ["kernel", "network", "features"];
const KERNELS = ["rbf", "poly", "laplacian", "linear"];
const FEATURES = [["product", "x1·x2"], ["squares", "x1², x2²"], ["quadratic", "x1², x1·x2, x2²"]];

export const nonlinearPanel = {
  id: "nonlinear",
  area: "left",
  title: "benches.nonlinear",
  benches: ["nonlinear"],
  needsEngine: true,
  mount(box, lab) {
    const { store } = lab;
    const set = (patch) => store.set({ nonlinear: { ...store.state.nonlinear, moment: null, ...patch } });
    const methods = h("div", { class: "tools", role: "group", "aria-label": t("nonlinear.method") });
    const fields = h("div", { class: "fields" });
    const line = h("p", { class: "soft line-ending" });
    const status = h("p", { class: "bench-status", "aria-live": "polite" });
    const python = h("pre", { class: "python", tabindex: 0, "aria-label": t("common.python_label") });
    box.append(line, methods, fields, status, python);
    let shown = null;
    const update = () => {
      const { nonlinear, bench, sides } = store.state;
      if (bench !== "nonlinear") return;
      const { answer } = nonlinear;
      box.dataset.state = statusOf(nonlinear);
      const ending = sides[0].payload?.ending;
      line.textContent = ending ? t("nonlinear.one_line", { ending: words(ending) }) : "";
      line.dataset.status = ending?.status ?? "";
      const key = JSON.stringify([nonlinear.method, nonlinear.kernel, nonlinear.gamma, nonlinear.degree, nonlinear.coef0, nonlinear.features]);
      if (key !== shown) {
        shown = key;
        const focused = box.contains(document.activeElement) ? document.activeElement.dataset.key : null;
        methods.replaceChildren(...METHODS.map((method) => h("button", { type: "button", "data-key": `method-${method}`, "aria-pressed": String(nonlinear.method === method), onclick: () => set({ method }) }, t(`nonlinear.${method}`))));
        fields.replaceChildren(...chosenFields(nonlinear, set));
        if (focused) box.querySelector(`[data-key="${focused}"]`)?.focus();
      }
      status.replaceChildren(...statusParts(nonlinear, store.state.data));
      python.textContent = pythonCode(store.state.data, answer?.python);
      python.hidden = !answer;
    };
    store.subscribe(["nonlinear", "bench", "sides"], update);
    requestNonlinear(lab);
    update();
  },
};

function chosenFields(nonlinear, set) {
  const numberField = (key, label, attributes) => field(label, h("input", { type: "number", "data-key": key, value: nonlinear[key], ...attributes,
    onchange: (event) => set({ [key]: Number(event.target.value) }) }));
  if (nonlinear.method === "features") return [field(t("nonlinear.further"), select(FEATURES, nonlinear.features, (features) => set({ features }), { "data-key": "features" }))];
  if (nonlinear.method === "network") return [h("p", { class: "hint" }, t("nonlinear.network_hint"))];
  const made = [field(t("nonlinear.kernel"), select(KERNELS.map((kernel) => [kernel, t(`nonlinear.kernel.${kernel}`)]), nonlinear.kernel, (kernel) => set({ kernel }), { "data-key": "kernel" }))];
  if (nonlinear.kernel !== "linear") {
    made.push(field(t("nonlinear.gamma"), h("input", { type: "number", "data-key": "gamma", step: "any", min: 0, value: nonlinear.gamma === "scale" ? "" : nonlinear.gamma, placeholder: t("nonlinear.gamma_scale"),
      onchange: (event) => set({ gamma: event.target.value === "" ? "scale" : Number(event.target.value) }) })));
  }
  if (nonlinear.kernel === "poly") made.push(numberField("degree", t("nonlinear.degree"), { min: 1, max: 10, step: 1 }), numberField("coef0", t("nonlinear.coef0"), { min: 0, step: "any" }));
  return made;
}

function statusParts(nonlinear, data) {
  const { answer, error } = nonlinear;
  if (error) return [h("span", { class: "error" }, error)];
  if (!answer) return [h("span", { class: "soft" }, t("common.busy"))];
  const done = answer.errors === 0;
  const errors = `${done ? t("nonlinear.all_right") : t("nonlinear.errors", { n: answer.errors })} `;
  const how = answer.method === "network" ? networkWords(answer) : answer.support ? t("nonlinear.run_support", { ending: words(answer.ending), n: answer.support }) : t("nonlinear.run", { ending: words(answer.ending) });
  const about = columnWords(data).trim(); // which columns the verdict is about, if there are more than two
  return [h("strong", { class: done ? "ending good" : "ending" }, errors), how, about ? h("span", { class: "soft" }, ` (${about})`) : ""];
}

function networkWords({ network, layers }) {
  if (network) return t("nonlinear.hidden_units", { n: network.n_hidden });
  const sizes = layers.map((units) => units.length);
  return t("nonlinear.tiled", { n: sizes.reduce((sum, size) => sum + size, 0), sizes: sizes.join(" → ") });
}

function words(ending) {
  return t("nonlinear.ending", { ending: endingName(ending), n: ending.mistakes });
}
