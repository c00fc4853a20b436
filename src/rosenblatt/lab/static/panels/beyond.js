// Beyond the line: choose a way, and see how it fares on the points.
import { followBeyond, standingOf } from "../beyond.js";
import { field, h, select } from "../dom.js";
import { count } from "../numbers.js";

const WAYS = [["kernel", "Kernel"], ["network", "Network"], ["features", "Features"]];
const KERNELS = [["rbf", "Gaussian (RBF)"], ["poly", "polynomial"], ["laplacian", "Laplacian"], ["linear", "linear"]];
const FEATURES = [["product", "x1·x2"], ["squares", "x1², x2²"], ["quadratic", "x1², x1·x2, x2²"]];

export const beyondPanel = {
  id: "beyond",
  area: "left",
  title: "Beyond the line",
  benches: ["beyond"],
  needsEngine: true,
  mount(box, lab) {
    const { store } = lab;
    const set = (patch) => store.set({ beyond: { ...store.state.beyond, moment: null, ...patch } });
    const ways = h("div", { class: "tools", role: "group", "aria-label": "Way" });
    const fields = h("div", { class: "fields" });
    const line = h("p", { class: "soft line-ending" });
    const said = h("p", { class: "standing", "aria-live": "polite" });
    const scrub = h("input", { type: "range", min: 0, step: 1, "aria-label": "After so many mistakes", oninput: (event) => set({ moment: Number(event.target.value) }) });
    const moment = h("div", { class: "moment" }, h("span", { class: "soft" }), scrub);
    const python = h("pre", { class: "python", tabindex: 0, "aria-label": "The same in Python" });
    box.append(line, ways, fields, said, moment, python);
    let shown = null;
    const update = () => {
      const { beyond, bench, sides } = store.state;
      if (bench !== "beyond") return;
      const { answer } = beyond;
      box.dataset.state = standingOf(beyond);
      const ending = sides[0].payload?.ending;
      line.textContent = ending ? `One line: ${words(ending)}.` : "";
      line.dataset.status = ending?.status ?? "";
      const key = JSON.stringify([beyond.way, beyond.kernel, beyond.gamma, beyond.degree, beyond.coef0, beyond.features]);
      if (key !== shown) {
        shown = key;
        const focused = box.contains(document.activeElement) ? document.activeElement.dataset.key : null;
        ways.replaceChildren(...WAYS.map(([way, label]) => h("button", { type: "button", "data-key": `way-${way}`, "aria-pressed": String(beyond.way === way), onclick: () => set({ way }) }, label)));
        fields.replaceChildren(...chosenFields(beyond, set));
        if (focused) box.querySelector(`[data-key="${focused}"]`)?.focus();
      }
      said.replaceChildren(...standing(beyond));
      const last = answer?.ending?.mistakes ?? 0;
      moment.hidden = !answer || answer.moment === null || !last;
      if (!moment.hidden) {
        scrub.max = last;
        if (document.activeElement !== scrub) scrub.value = answer.moment;
        moment.firstChild.textContent = `After ${answer.moment.toLocaleString("en")} of ${count(last, "mistake")}`;
      }
      python.textContent = answer?.python ?? "";
      python.hidden = !answer;
    };
    store.subscribe(["beyond", "bench", "sides"], update);
    followBeyond(lab);
    update();
  },
};

function chosenFields(beyond, set) {
  const numberField = (key, label, attributes) => field(label, h("input", { type: "number", "data-key": key, value: beyond[key], ...attributes,
    onchange: (event) => set({ [key]: Number(event.target.value) }) }));
  if (beyond.way === "features") return [field("Further", select(FEATURES, beyond.features, (features) => set({ features }), { "data-key": "features" }))];
  if (beyond.way === "network") return [h("p", { class: "hint" }, "Units in two layers, from the truth table that the points make.")];
  const made = [field("Kernel", select(KERNELS, beyond.kernel, (kernel) => set({ kernel }), { "data-key": "kernel" }))];
  if (beyond.kernel !== "linear") {
    made.push(field("γ", h("input", { type: "number", "data-key": "gamma", step: "any", min: 0, value: beyond.gamma === "scale" ? "" : beyond.gamma, placeholder: "by the data's spread",
      onchange: (event) => set({ gamma: event.target.value === "" ? "scale" : Number(event.target.value) }) })));
  }
  if (beyond.kernel === "poly") made.push(numberField("degree", "Degree", { min: 1, max: 10, step: 1 }), numberField("coef0", "Constant", { min: 0, step: "any" }));
  return made;
}

function standing(beyond) {
  const { answer, error } = beyond;
  if (error) return [h("span", { class: "error" }, error)];
  if (!answer) return [h("span", { class: "soft" }, "The engine is at work.")];
  const done = answer.errors === 0;
  const errors = done ? "Every point is on its side. " : `${count(answer.errors, "point")} on the wrong side. `;
  const how = answer.way === "network" ? `${count(answer.network.n_hidden, "hidden unit")}.` : `The run: ${words(answer.ending)}${answer.support ? `, with ${count(answer.support, "support vector")}` : ""}.`;
  return [h("strong", { class: done ? "ending good" : "ending" }, errors), how];
}

function words({ status, cycle, mistakes }) {
  return `${status.replaceAll("_", " ")}${cycle ? `, period ${cycle.toLocaleString("en")}` : ""} after ${count(mistakes, "mistake")}`;
}
