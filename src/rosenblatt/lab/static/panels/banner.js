// The top of the page: name, theme, comparison, help, and error messages.
import { h, select, shortenable } from "../ui/dom.js";
import { KEYS } from "../ui/keyboard.js";
import { LANGUAGES, currentLanguage, t } from "../ui/strings.js";

export const bannerPanel = {
  id: "banner",
  area: "top",
  benches: ["line", "nonlinear", "boolean"],
  label: "banner.label",
  mount(box, { store, actions, transport }) {
    const help = helpDialog();
    const compare = h("button", { type: "button", class: "quiet", "aria-pressed": "false", onclick: () => actions.setCompare(!store.state.compare) }, shortenable(t("banner.compare"), t("banner.compare_short")));
    const theme = h("button", { type: "button", class: "quiet", onclick: () => store.set({ theme: store.state.dark ? "light" : "dark" }) });
    const notice = h("p", { class: "notice", role: "alert", hidden: true });
    box.append(
      h("div", { class: "banner" },
        h("div", { class: "brand" }, h("span", { class: "brand-mark", "aria-hidden": "true" }), h("h1", {}, t("banner.name"))),
        h("p", { class: "tagline" }, t(transport.canRun ? "banner.tagline" : "banner.recorded")),
        h("div", { class: "banner-tools" },
          transport.canRun ? compare : null,
          select(Object.entries(LANGUAGES), currentLanguage(), (lang) => store.set({ lang }), { class: "language", "aria-label": t("banner.language") }),
          theme,
          h("button", { type: "button", class: "quiet help-button", onclick: () => help.showModal() }, t("banner.help")),
        ),
      ),
      notice,
      help,
    );
    const update = () => {
      const { state } = store;
      compare.setAttribute("aria-pressed", String(state.compare));
      theme.textContent = t(state.dark ? "banner.light" : "banner.dark");
      theme.setAttribute("aria-label", t(state.dark ? "banner.to_light" : "banner.to_dark"));
      notice.hidden = !state.notice;
      notice.textContent = state.notice?.text ?? "";
    };
    store.subscribe(["compare", "dark", "notice"], update);
    update();
  },
};

function helpDialog() {
  const dialog = h("dialog", { class: "help", "aria-label": t("banner.help") });
  dialog.append(
    h("h2", {}, t("help.title")),
    h("p", {}, t("help.line")),
    h("p", {}, t("help.drag")),
    h("h2", {}, t("help.keys")),
    h("dl", { class: "keys" }, KEYS.flatMap(([keys, what]) => [h("dt", {}, h("kbd", {}, t(keys))), h("dd", {}, t(what))])),
    h("form", { method: "dialog" }, h("button", {}, t("common.close"))),
  );
  return dialog;
}
