// The top of the page: its name, theme, comparison, help, and what went wrong.
import { h } from "../dom.js";
import { KEYS } from "../keyboard.js";

export const bannerPanel = {
  id: "banner",
  area: "top",
  benches: ["line", "beyond", "boolean"],
  label: "Lab",
  mount(box, { store, actions, transport }) {
    const help = helpDialog();
    const compare = h("button", { type: "button", class: "quiet", "aria-pressed": "false", onclick: () => actions.setCompare(!store.state.compare) }, "Compare two runs");
    const theme = h("button", { type: "button", class: "quiet", onclick: () => store.set({ theme: store.state.dark ? "light" : "dark" }) });
    const notice = h("p", { class: "notice", role: "alert", hidden: true });
    box.append(
      h("div", { class: "banner" },
        h("div", { class: "brand" }, h("span", { class: "brand-mark", "aria-hidden": "true" }), h("h1", {}, "rosenblatt lab")),
        h("p", { class: "tagline" }, transport.canRun ? "the perceptron, step by step" : "a recorded run"),
        h("div", { class: "banner-tools" },
          transport.canRun ? compare : null,
          theme,
          h("button", { type: "button", class: "quiet help-button", onclick: () => help.showModal() }, "Help"),
        ),
      ),
      notice,
      help,
    );
    const update = () => {
      const { state } = store;
      compare.setAttribute("aria-pressed", String(state.compare));
      theme.textContent = state.dark ? "Light" : "Dark";
      theme.setAttribute("aria-label", state.dark ? "Switch to light" : "Switch to dark");
      notice.hidden = !state.notice;
      notice.textContent = state.notice?.text ?? "";
    };
    store.subscribe(["compare", "dark", "notice"], update);
    update();
  },
};

function helpDialog() {
  const dialog = h("dialog", { class: "help", "aria-label": "Help" });
  dialog.append(
    h("h2", {}, "What is what"),
    h("p", {}, "The line is where the score w·x + w₀ is zero; w points to the positive side. Each example in turn is scored. If it is on the wrong side, ηyx is added to w, and the line moves."),
    h("p", {}, "Take a point and drag it, or take the tip of w. Paint with the brush. The run is computed anew by the engine; the page only adds up what the engine did."),
    h("h2", {}, "Keys"),
    h("dl", { class: "keys" }, KEYS.flatMap(([keys, what]) => [h("dt", {}, h("kbd", {}, keys)), h("dd", {}, what)])),
    h("form", { method: "dialog" }, h("button", {}, "Close")),
  );
  return dialog;
}
