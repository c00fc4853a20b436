// The data: built-in sets, your own text or file, two columns of a wider table, and the tools that paint.
import { field, h, select } from "../dom.js";
import { GLYPHS } from "../looks.js";
import { count } from "../numbers.js";

const TOOLS = [["move", "Move"], ["paint", "Paint"], ["erase", "Erase"]];

export const dataPanel = {
  id: "data",
  area: "left",
  benches: ["line", "beyond"],
  title: "Data",
  needsEngine: true,
  mount(box, lab) {
    const { store, actions } = lab;
    const sets = h("div", {});
    const columns = h("div", { class: "row" });
    const tools = h("div", { class: "tools", role: "group", "aria-label": "Tools" });
    const brushes = h("div", { class: "brushes", role: "group", "aria-label": "Class to paint" });
    const summary = h("p", { class: "soft summary" });
    const dialog = textDialog(lab);
    const file = h("input", { type: "file", accept: ".csv,.tsv,.txt,text/csv,text/plain", class: "file", "aria-label": "Upload a CSV file",
      onchange: async (event) => {
        const [chosen] = event.target.files;
        if (chosen) await actions.loadText(await chosen.text(), chosen.name);
        event.target.value = "";
      } });
    box.append(
      sets,
      columns,
      tools,
      brushes,
      summary,
      h("div", { class: "row buttons" },
        h("button", { type: "button", onclick: () => dialog.showModal() }, "Paste…"),
        h("label", { class: "button upload" }, "Upload…", file),
        h("button", { type: "button", onclick: () => { actions.clear(); store.set({ tool: "paint" }); } }, "Clear"),
        h("button", { type: "button", onclick: () => lab.fit() }, "See all")),
      dialog,
    );

    const showSets = () => {
      const { catalogue, data } = store.state;
      if (!catalogue) return;
      const current = data.source.job === "data" ? data.source.name : "";
      const options = Object.keys(catalogue.datasets).map((name) => [name, name]);
      if (catalogue.given) options.unshift(["given", catalogue.given]);
      if (!current) options.unshift(["", data.name || "your own"]);
      const description = catalogue.datasets[current];
      sets.replaceChildren(
        field("Set", select(options, current, (name) => name && choose(name), { "aria-label": "Data set" })),
        description ? h("p", { class: "hint" }, description) : "",
      );
    };
    // L4's example has a start of its own; other sets begin at zero unless their lecture says otherwise.
    const choose = (name) => {
      const sides = store.state.sides.map((side) =>
        side.rule?.init === "given" && name !== "lecture4" ? { ...side, rule: { ...side.rule, init: "zeros" } } : side,
      );
      if (name === "lecture4") sides[0] = { ...sides[0], rule: { ...sides[0].rule, init: "given", start: [-5, 0, 1], fit_intercept: true } };
      store.set({ sides });
      lab.touchedView = false;
      return actions.loadSet(name, ...usual(name));
    };

    const showColumns = () => {
      const { data } = store.state;
      columns.replaceChildren();
      columns.hidden = data.source.job === "points" || data.allColumns.length < 3;
      if (columns.hidden) return;
      const options = data.allColumns.map((name, k) => [String(k), name]);
      const scale = Boolean(data.source.standardize);
      [0, 1].forEach((axis) => {
        const change = (value) => {
          const chosen = [...data.chosen];
          chosen[axis] = Number(value);
          actions.columns(chosen, scale);
        };
        columns.append(field(axis ? "Up" : "Across", select(options, String(data.chosen[axis]), change, { "aria-label": axis ? "Up" : "Across" })));
      });
      columns.append(
        h("label", { class: "check" },
          h("input", { type: "checkbox", checked: scale, onchange: (event) => actions.columns(data.chosen, event.target.checked) }),
          "to mean 0 and deviation 1"),
      );
    };

    const showTools = () => {
      const { tool, brush, data, catalogue } = store.state;
      tools.replaceChildren(
        ...TOOLS.map(([name, label]) =>
          h("button", { type: "button", "aria-pressed": String(tool === name), onclick: () => store.set({ tool: name }) }, label)),
      );
      const known = Math.max(2, data.classes.length);
      const classes = Array.from({ length: known }, (_, c) => c);
      const more = known < (catalogue?.limits.classes ?? 8);
      brushes.replaceChildren(
        ...classes.map((c) =>
          h("button", { type: "button", class: `brush class-${c}`, "aria-pressed": String(tool === "paint" && brush === c),
              "aria-label": `Paint class ${data.classes[c]}`, title: `Paint class ${data.classes[c]}`,
              onclick: () => store.set({ brush: c, tool: "paint" }) },
            h("span", { "aria-hidden": "true" }, GLYPHS[c]), " ", data.classes[c])),
        more
          ? h("button", { type: "button", class: "brush more", "aria-label": "Another class", title: "Another class",
              onclick: () => store.set({ data: { ...data, classes: [...data.classes, nameOf(data.classes)] }, brush: known, tool: "paint" }) }, "+")
          : "",
      );
      const left = data.leftOut ? `; ${count(data.leftOut, "point")} of further classes left out` : "";
      summary.textContent = `${count(data.points.length, "point")} in ${count(new Set(data.points.map(({ c }) => c)).size, "class", "classes")}${left}.`;
    };
    store.subscribe(["catalogue", "data"], showSets);
    store.subscribe(["data"], showColumns);
    store.subscribe(["tool", "brush", "data", "catalogue"], showTools);
    showSets();
    showColumns();
    showTools();
  },
};

// The two columns that say most, where the first two say little, and whether to bring them to one scale.
function usual(name) {
  return { iris: [[2, 3]], wine: [[0, 6], true], breast_cancer: [[7, 20], true], digits: [[20, 42]] }[name] ?? [[0, 1]];
}

function nameOf(classes) {
  for (let k = 0; ; k++) {
    const name = String.fromCharCode(65 + k);
    if (!classes.includes(name)) return name;
  }
}

function textDialog({ actions }) {
  const text = h("textarea", { rows: 10, spellcheck: "false", "aria-label": "Rows of numbers and a class",
    placeholder: "x1,x2,class\n5,7,+1\n2,6,-1" });
  const problem = h("p", { class: "error", role: "alert" });
  const use = h("button", { type: "button", class: "primary", onclick: async () => {
    problem.textContent = "";
    use.disabled = true;
    const fine = await actions.loadText(text.value, "pasted text");
    use.disabled = false;
    if (fine) dialog.close();
    else problem.textContent = document.querySelector(".notice")?.textContent ?? "";
  } }, "Use it");
  const dialog = h("dialog", { class: "paste", "aria-label": "Paste data" },
    h("h2", {}, "Paste data"),
    h("p", {}, "Rows of numbers with a class in the last column (or in one named class, label, target or y). A first row of names is welcome."),
    text, problem,
    h("div", { class: "row buttons" }, use, h("button", { type: "button", onclick: () => dialog.close() }, "Cancel")));
  return dialog;
}
