// The time of the bench of nonlinear boundaries: the boundary and the coefficients after any number of mistakes.
import { h } from "../ui/dom.js";
import { number, t } from "../ui/strings.js";

export const momentPanel = {
  id: "moment",
  area: "bottom",
  label: "time.label",
  benches: ["nonlinear"],
  needsEngine: true,
  mount(box, { store }) {
    const last = () => store.state.nonlinear.answer?.ending?.mistakes ?? 0;
    const now = () => store.state.nonlinear.moment ?? last();
    const go = (moment) => store.set({ nonlinear: { ...store.state.nonlinear, moment: Math.max(0, Math.min(last(), moment)) } });
    const scrub = h("input", { type: "range", class: "scrub", min: 0, step: 1, "aria-label": t("nonlinear.moment_label"), oninput: (event) => go(Number(event.target.value)) });
    const button = (text, label, action) => h("button", { type: "button", class: "step", "aria-label": t(label), title: t(label), onclick: action }, text);
    const where = h("p", { class: "moment-place soft" });
    const content = h("div", { class: "moment" },
      scrub,
      h("div", { class: "controls" },
        button("|‹", "time.to_start", () => go(0)),
        button(`‹ ${t("time.unit.mistake")}`, "time.back_mistake", () => go(now() - 1)),
        button(`${t("time.unit.mistake")} ›`, "time.next_mistake", () => go(now() + 1)),
        button("›|", "time.to_end", () => go(Infinity))),
      where);
    box.append(content);
    const update = () => {
      const { answer } = store.state.nonlinear;
      content.hidden = !answer || answer.moment === null || !last();
      if (content.hidden) return;
      scrub.max = last();
      if (document.activeElement !== scrub) scrub.value = answer.moment;
      where.textContent = t("nonlinear.moment", { at: number(answer.moment), n: last() });
    };
    store.subscribe(["nonlinear"], update);
    update();
  },
};
