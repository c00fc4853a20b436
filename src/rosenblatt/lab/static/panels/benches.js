// Which bench is open.
import { BENCHES } from "../benches.js";
import { h } from "../dom.js";
import { LESSONS } from "../lessons.js";

export const benchesPanel = {
  id: "benches",
  area: "top",
  label: "Benches",
  benches: BENCHES.map(([name]) => name),
  needsEngine: true,
  mount(box, lab) {
    const { store, actions } = lab;
    const open = (name) => {
      actions.pause();
      store.set({ bench: name });
    };
    const buttons = BENCHES.map(([name, label]) => h("button", { type: "button", class: "quiet", "data-bench": name, onclick: () => open(name) }, label));
    const next = () => Math.max(0, LESSONS.findIndex(({ id }) => !store.state.learnt.includes(id)));
    const lessons = h("button", { type: "button", class: "quiet lessons-button", "aria-pressed": "false", onclick: () => (store.state.lesson ? store.set({ lesson: null }) : lab.openLesson(next())) }, "Lessons");
    store.subscribe(["lesson"], () => lessons.setAttribute("aria-pressed", String(Boolean(store.state.lesson))));
    box.append(h("nav", { class: "benches", "aria-label": "Benches" }, buttons, lessons));
    const update = () => buttons.forEach((button, k) => button.setAttribute("aria-pressed", String(store.state.bench === BENCHES[k][0])));
    store.subscribe(["bench"], update);
    update();
  },
};
