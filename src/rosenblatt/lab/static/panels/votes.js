// Votes: what each problem says of one place of the plane, one against all others or in pairs.
import { field, h } from "../dom.js";
import { GLYPHS } from "../looks.js";
import { short } from "../numbers.js";
import { toData } from "../view.js";
import { votesAt } from "../votes.js";

export const votesPanel = {
  id: "votes",
  area: "right",
  title: "Votes",
  mount(box, lab) {
    const { store, transport } = lab;
    const inputs = [0, 1].map((axis) => h("input", { type: "number", step: "any", "aria-label": `Place, ${axis ? "y" : "x"}`,
      onchange: (event) => {
        const probe = [...place()];
        probe[axis] = Number(event.target.value);
        store.set({ probe });
      } }));
    const both = h("button", { type: "button", class: "quiet", onclick: () => compareSchemes(lab) }, "One vs all beside one vs one");
    const tables = h("div", { class: "votes", "aria-live": "polite" });
    box.append(h("p", { class: "soft" }, "Point at the plane, or type a place."), h("div", { class: "row place" }, field("x", inputs[0]), field("y", inputs[1])), tables, transport.canRun ? both : "");
    const place = () => store.state.probe ?? middle(store.state.data.points);
    for (const plane of lab.planes) {
      plane.element.addEventListener("pointermove", (event) => {
        if (event.buttons || !many(store.state)) return;
        const { left, top } = plane.element.getBoundingClientRect();
        store.set({ probe: toData(plane.view, event.clientX - left, event.clientY - top).map((value) => Number(value.toPrecision(4))) });
      });
    }
    const update = () => {
      const { sides, active, compare, data } = store.state;
      box.classList.toggle("few", !many(store.state));
      if (!many(store.state)) return;
      const [x, y] = place();
      inputs.forEach((input, axis) => {
        if (document.activeElement !== input) input.value = [x, y][axis];
      });
      const shown = compare ? [0, 1] : [active];
      tables.replaceChildren(...shown.filter((which) => sides[which].replay).map((which) => table(sides[which], which, x, y, data)));
    };
    store.subscribe(["sides", "active", "compare", "data", "probe"], update);
    update();
  },
};

function many({ sides, active }) {
  return (sides[active].payload?.classes.length ?? 0) > 2;
}

function middle(points) {
  const mean = (key) => Number((points.reduce((sum, point) => sum + point[key], 0) / points.length).toPrecision(4));
  return [mean("x"), mean("y")];
}

const SCHEMES = { ova: "One against all others: the largest score", ovo: "In pairs: most votes", joint: "Jointly: the largest score" };

function table(side, which, x, y, data) {
  const run = side.payload;
  const { rows, totals, votes, winner } = votesAt(run, side.replay.planes(side.at), x, y);
  const name = (at) => {
    const c = run.classes[at];
    return h("span", { class: `class-${c}` }, `${GLYPHS[c]} ${data.classes[c] ?? c}`);
  };
  const body = rows.map(({ value, place, pair }) =>
    h("tr", {}, h("td", {}, pair ? [name(pair[1]), " or ", name(pair[0])] : name(place)), h("td", { class: "number" }, short(Number(value.toPrecision(4)))), pair ? h("td", {}, "→ ", name(place)) : null));
  return h("div", { class: "vote-table", "data-side": which, "data-winner": run.classes[winner], "data-totals": JSON.stringify(totals) },
    h("h3", {}, SCHEMES[run.kind]),
    h("table", {}, h("tbody", {}, body)),
    votes ? h("p", { class: "soft counts" }, "Votes: ", votes.flatMap((n, at) => [at ? ", " : "", name(at), ` ${n}`])) : null,
    h("p", {}, h("strong", {}, name(winner)), " wins."));
}

// The same rule twice: one against all others on the left, in pairs on the right.
async function compareSchemes({ store, actions }) {
  const rule = store.state.sides[0].rule;
  const sides = [{ ...store.state.sides[0], rule: { ...rule, multi_class: "ova" } }, { ...store.state.sides[1], rule: { ...rule, multi_class: "ovo" }, replay: null }];
  store.set({ sides, compare: true, active: 0 });
  await actions.runAll([Infinity, Infinity]);
}
