// Which bench is open.
import { BENCHES } from "../benches.js";
import { h } from "../dom.js";

export const benchesPanel = {
  id: "benches",
  area: "top",
  label: "Benches",
  benches: BENCHES.map(([name]) => name),
  needsEngine: true,
  mount(box, { store, actions }) {
    const open = (name) => {
      actions.pause();
      store.set({ bench: name });
    };
    const buttons = BENCHES.map(([name, label]) => h("button", { type: "button", class: "quiet", "data-bench": name, onclick: () => open(name) }, label));
    box.append(h("nav", { class: "benches", "aria-label": "Benches" }, buttons));
    const update = () => buttons.forEach((button, k) => button.setAttribute("aria-pressed", String(store.state.bench === BENCHES[k][0])));
    store.subscribe(["bench"], update);
    update();
  },
};
