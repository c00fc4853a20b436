// The data panel: built-in data sets, the user's text or file, the choice of two columns, and the painting tools.
import { field, h, select } from "../ui/dom.js";
import { GLYPHS } from "../plane/looks.js";
import { columnName, short } from "../ui/numbers.js";
import { startOf } from "../state/rules.js";
import { linkedState, openFromUrl } from "../state/url.js";
import { pairsDialog } from "./pairs.js";
import { usualKernel } from "../benches/nonlinear_state.js";
import { hasText, t } from "../ui/strings.js";

const TOOLS = ["move", "paint", "erase"];
const MOST_RATIO = 30; // of the ranges of two columns that can be seen at one scale

export const dataPanel = {
  id: "data",
  area: "left",
  benches: ["line", "nonlinear"],
  title: "data.title",
  needsEngine: true,
  mount(box, lab) {
    const { store, actions } = lab;
    const sets = h("div", {});
    const columns = h("div", { class: "row" });
    const tools = h("div", { class: "tools", role: "group", "aria-label": t("data.tools") });
    const brushes = h("div", { class: "brushes", role: "group", "aria-label": t("data.brushes") });
    const summary = h("p", { class: "soft summary" });
    const dialog = textDialog(lab);
    const undo = h("button", { type: "button", title: "Ctrl+Z", onclick: () => actions.undo() }, t("data.undo"));
    const redo = h("button", { type: "button", title: "Ctrl+Shift+Z", onclick: () => actions.redo() }, t("data.redo"));
    const showHistory = () => {
      undo.disabled = !store.state.canUndo;
      redo.disabled = !store.state.canRedo;
    };
    store.subscribe(["canUndo", "canRedo"], showHistory);
    showHistory();
    const file = h("input", { type: "file", accept: ".csv,.tsv,.txt,.lab,text/csv,text/plain", class: "file", "aria-label": t("data.upload_label"),
      onchange: async (event) => {
        const [chosen] = event.target.files;
        if (chosen?.name.endsWith(".lab")) await openFromUrl(lab, (await chosen.text()).trim());
        else if (chosen) await actions.loadText(await chosen.text(), chosen.name);
        event.target.value = "";
      } });
    box.append(
      sets,
      columns,
      tools,
      brushes,
      summary,
      h("div", { class: "row buttons" },
        h("button", { type: "button", onclick: () => dialog.showModal() }, t("data.paste")),
        h("label", { class: "button upload" }, t("data.upload"), file),
        h("button", { type: "button", onclick: () => { actions.clear(); store.set({ tool: "paint" }); } }, t("data.clear")),
        h("button", { type: "button", onclick: () => lab.fit() }, t("data.see_all")),
        undo,
        redo),
      dialog,
    );

    const showSets = () => {
      const { catalogue, data } = store.state;
      if (!catalogue) return;
      const current = data.source.job === "data" ? data.source.name : "";
      const options = Object.keys(catalogue.datasets).map((name) => [name, name]);
      if (catalogue.given) options.unshift(["given", catalogue.given]);
      if (!current) options.unshift(["", data.name || t("data.own")]);
      const description = hasText(`dataset.${current}`) ? t(`dataset.${current}`) : catalogue.datasets[current];
      sets.replaceChildren(
        field(t("data.set"), select(options, current, (name) => name && choose(name), { "aria-label": t("data.set_label") })),
        description ? h("p", { class: "hint" }, description) : "",
      );
    };
    // Given initial weights belong to the data set before; L4's example brings its own.
    const choose = (name) => {
      const sides = store.state.sides.map((side, which) => {
        const isExample = name === "lecture4" && which === 0;
        if (!isExample && side.rule?.init !== "given") return side;
        return { ...side, rule: { ...side.rule, ...startOf(name), fit_intercept: isExample || side.rule.fit_intercept } };
      });
      lab.touchedView = false;
      return actions.asOneStep(() => {
        const kernel = usualKernel(name);
        store.set({ sides, nonlinear: { ...store.state.nonlinear, gamma: "scale", ...kernel }, bench: kernel ? "nonlinear" : store.state.bench });
        return actions.loadSet(name, ...usual(name));
      });
    };

    const pairs = pairsDialog(lab);
    box.append(pairs.element);
    const showColumns = () => {
      const { data } = store.state;
      const fromTable = data.source.job !== "points";
      columns.replaceChildren();
      const scale = Boolean(data.source.standardize);
      const check = (label, checked, key, onchange) => columns.append(h("label", { class: "check" }, h("input", { type: "checkbox", checked, "data-key": key, onchange }), label));
      const scales = () => {
        const unequal = scale || data.slice?.kind === "weights" ? null : unequalRanges(data);
        if (unequal) columns.append(h("p", { class: "hint", "data-key": "unequal" }, t("data.unequal", unequal)));
        if (unequal || scale || data.allColumns.length > 2) check(t("data.standardize"), scale, "standardize", (event) => actions.columns(data.chosen, event.target.checked));
      };
      columns.hidden = !(data.slice || fromTable);
      if (columns.hidden) return;
      if (data.allColumns.length < 3) {
        scales();
        columns.hidden = !columns.childElementCount;
        return;
      }
      const options = data.allColumns.map((name, k) => [String(k), columnName(name)]);
      const kind = data.slice?.kind;
      const change = (chosen) => (data.slice ? actions.showPlane(chosen, "columns") : actions.columns(chosen, scale));
      const views = ["columns", "weights"].map((name) => [name, t(`data.view.${name}`)]);
      if (data.slice) columns.append(field(t("data.view"), select(views, kind, (name) => actions.showPlane(data.chosen, name), { "aria-label": t("data.view"), "data-key": "view" })));
      if (kind !== "weights") {
        [0, 1].forEach((axis) => {
          const label = t(axis ? "data.up" : "data.across");
          columns.append(field(label, select(options, String(data.chosen[axis]), (value) => change(data.chosen.map((old, k) => (k === axis ? Number(value) : old))), { "aria-label": label })));
        });
      }
      if (data.slice) columns.append(h("button", { type: "button", class: "quiet", onclick: () => pairs.open() }, t("data.pairs")));
      if (fromTable) scales();
      if (fromTable && data.canSlice) check(t("data.only_two"), !data.slice, "only-two", (event) => actions.columns(data.chosen, scale, event.target.checked));
      else if (data.slice) columns.append(h("button", { type: "button", class: "quiet", "data-key": "only-two", onclick: () => actions.keepTwoColumns() }, t("data.only_two")));
    };

    const showTools = () => {
      const { tool, brush, data, catalogue } = store.state;
      tools.replaceChildren(
        ...TOOLS.map((name) =>
          h("button", { type: "button", "aria-pressed": String(tool === name), onclick: () => store.set({ tool: name }) }, t(`data.${name}`))),
      );
      const known = Math.max(2, data.classes.length);
      const classes = Array.from({ length: known }, (_, c) => c);
      const more = known < (catalogue?.limits.classes ?? 8);
      brushes.replaceChildren(
        ...classes.map((c) =>
          h("button", { type: "button", class: `brush class-${c}`, "aria-pressed": String(tool === "paint" && brush === c),
              "aria-label": t("data.paint_class", { name: data.classes[c] }), title: t("data.paint_class", { name: data.classes[c] }),
              onclick: () => store.set({ brush: c, tool: "paint" }) },
            h("span", { "aria-hidden": "true" }, GLYPHS[c]), " ", data.classes[c])),
        more
          ? h("button", { type: "button", class: "brush more", "aria-label": t("data.another_class"), title: t("data.another_class"),
              onclick: () => store.set({ data: { ...data, classes: [...data.classes, nameOf(data.classes)] }, brush: known, tool: "paint" }) }, "+")
          : "",
      );
      const [points, classCount] = [t("count.points_in", { n: data.points.length }), t("count.classes_in", { n: new Set(data.points.map(({ c }) => c)).size })];
      const counted = data.leftOut ? t("data.summary_left_out", { points, classes: classCount, n: data.leftOut }) : t("data.summary", { points, classes: classCount });
      summary.textContent = data.sampledFrom ? `${counted} ${t("data.sampled", { n: data.sampledFrom })}` : counted;
    };
    store.subscribe(["catalogue", "data"], showSets);
    store.subscribe(["data"], showColumns);
    store.subscribe(["tool", "brush", "data", "catalogue"], showTools);
    showSets();
    showColumns();
    showTools();
  },
};

// The columns that are shown, if the points look like a line because the range of one is at least MOST_RATIO times that of the other.
function unequalRanges({ points, columns }) {
  const ranges = ["x", "y"].map((axis) => points.reduce(([low, high], { [axis]: value }) => [Math.min(low, value), Math.max(high, value)], [Infinity, -Infinity]));
  const [across, up] = ranges.map(([low, high]) => high - low);
  const ratio = Math.max(across, up) / Math.min(across, up);
  if (!(ratio >= MOST_RATIO && ratio < Infinity)) return null;
  const [wide, narrow] = across > up ? columns : [...columns].reverse();
  return { wide: columnName(wide), narrow: columnName(narrow), ratio: short(Number(ratio.toPrecision(2))) };
}

// The two columns shown first for a data set, and whether to standardize them: the most informative pair, else the first two.
function usual(name) {
  return { iris: [[2, 3]], wine: [[0, 6], true], breast_cancer: [[7, 20], true], digits: [[20, 42]] }[name] ?? [[0, 1]];
}

function nameOf(classes) {
  for (let k = 0; ; k++) {
    const name = String.fromCharCode(65 + k);
    if (!classes.includes(name)) return name;
  }
}

function textDialog(lab) {
  const { actions, store } = lab;
  const text = h("textarea", { rows: 10, spellcheck: "false", "aria-label": t("data.rows_label"),
    placeholder: "x1,x2,class\n5,7,+1\n2,6,-1" });
  const problem = h("p", { class: "error", role: "alert" });
  const use = h("button", { type: "button", class: "primary", onclick: async () => {
    problem.textContent = "";
    use.disabled = true;
    const linked = linkedState(text.value);
    if (linked) await openFromUrl(lab, linked);
    else await actions.loadText(text.value, t("data.pasted"));
    use.disabled = false;
    if (store.state.notice?.kind !== "error") dialog.close();
    else problem.textContent = store.state.notice.text;
  } }, t("data.use"));
  const dialog = h("dialog", { class: "paste", "aria-label": t("data.paste_title") },
    h("h2", {}, t("data.paste_title")),
    h("p", {}, t("data.paste_text")),
    text, problem,
    h("div", { class: "row buttons" }, use, h("button", { type: "button", onclick: () => dialog.close() }, t("common.cancel"))));
  return dialog;
}
