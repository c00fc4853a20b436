// The tabs that select a bench.
import { BENCHES } from "../benches/names.js";
import { h, shortenable } from "../ui/dom.js";
import { t } from "../ui/strings.js";

export const benchTabsPanel = {
  id: "benches",
  area: "top",
  label: "benches.label",
  benches: BENCHES.map(([name]) => name),
  needsEngine: true,
  mount(box, lab) {
    const { store, actions } = lab;
    const open = (name) => {
      actions.pause();
      store.set({ bench: name });
    };
    const buttons = BENCHES.map(([name, label]) => h("button", { type: "button", class: "quiet", "data-bench": name, onclick: () => open(name) }, shortenable(t(label), t(`benches.${name}_short`))));
    const stories = h("button", { type: "button", class: "quiet stories-button", onclick: () => (store.state.story ? store.set({ story: null }) : lab.openStories()) }, t("stories.label"));
    box.append(h("nav", { class: "benches", "aria-label": t("benches.label") }, buttons, stories));
    const update = () => {
      buttons.forEach((button, k) => button.setAttribute("aria-pressed", String(store.state.bench === BENCHES[k][0])));
      stories.setAttribute("aria-pressed", String(Boolean(store.state.story)));
    };
    store.subscribe(["bench", "story"], update);
    update();
  },
};
