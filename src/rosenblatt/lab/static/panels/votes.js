// The votes panel: the score of each problem at one position in the plane, for one-vs-all or one-vs-one.
import { pictureOf } from "../state/picture.js";
import { field, h } from "../ui/dom.js";
import { GLYPHS } from "../plane/looks.js";
import { columnName, short } from "../ui/numbers.js";
import { parts, t } from "../ui/strings.js";
import { toData } from "../plane/view.js";
import { votesAt } from "../plane/voting.js";

export const votesPanel = {
  id: "votes",
  area: "right",
  title: "votes.title",
  mount(box, lab) {
    const { store, transport } = lab;
    const inputs = [0, 1].map((axis) => h("input", { type: "number", step: "any", "aria-label": t("votes.place", { axis: axis ? "y" : "x" }),
      onchange: (event) => {
        const probe = [...place()];
        probe[axis] = Number(event.target.value);
        store.set({ probe });
      } }));
    const axisNames = [h("span", {}), h("span", {})];
    const both = h("button", { type: "button", class: "quiet", onclick: () => compareSchemes(lab) }, t("votes.both"));
    const tables = h("div", { class: "votes", "aria-live": "polite" });
    box.append(h("p", { class: "soft" }, t("votes.point")), h("div", { class: "row place" }, inputs.map((input, axis) => field(axisNames[axis], input))), tables, transport.canRun ? both : "");
    const place = () => {
      const { probe, data, sides, active } = store.state;
      return probe ?? middle(data.points.map(pictureOf(data, sides[active]).place));
    };
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
      const names = data.slice?.kind === "weights" ? [t("plane.along_w"), t("plane.main_direction")] : data.columns.map(columnName);
      inputs.forEach((input, axis) => {
        axisNames[axis].textContent = names[axis];
        input.setAttribute("aria-label", t("votes.place", { axis: names[axis] }));
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
  const mean = (axis) => {
    const spread = Math.max(...points.map((point) => Math.abs(point[axis]))) || 1;
    const value = points.reduce((sum, point) => sum + point[axis], 0) / points.length;
    return Number((value / spread).toFixed(4)) * spread;
  };
  return [mean(0), mean(1)].map((value) => Number(value.toPrecision(4)));
}

function table(side, which, x, y, data) {
  const run = side.payload;
  const { rows, totals, votes, winner } = votesAt(run, side.replay.planes(side.at, pictureOf(data, side).plane), x, y);
  const name = (at) => {
    const c = run.classes[at];
    return h("span", { class: `class-${c}` }, `${GLYPHS[c]} ${data.classes[c] ?? c}`);
  };
  const body = rows.map(({ value, place, pair }) =>
    h("tr", {}, h("td", {}, pair ? parts("votes.or", { first: name(pair[1]), second: name(pair[0]) }) : name(place)), h("td", { class: "number" }, short(Number(value.toPrecision(4)))), pair ? h("td", {}, "→ ", name(place)) : null));
  return h("div", { class: "vote-table", "data-side": which, "data-winner": run.classes[winner], "data-totals": JSON.stringify(totals) },
    h("h3", {}, t(`votes.scheme.${run.kind}`)),
    h("table", {}, h("tbody", {}, body)),
    votes ? h("p", { class: "soft counts" }, t("votes.counts"), " ", votes.flatMap((n, at) => [at ? ", " : "", name(at), ` ${n}`])) : null,
    h("p", {}, parts("votes.winner", { name: h("strong", {}, name(winner)) })));
}

// Compares schemes under the same rule: one-vs-all on the left, one-vs-one on the right.
async function compareSchemes({ store, actions }) {
  const rule = store.state.sides[0].rule;
  const sides = [{ ...store.state.sides[0], rule: { ...rule, multi_class: "ova" } }, { ...store.state.sides[1], rule: { ...rule, multi_class: "ovo" }, replay: null }];
  store.set({ sides, compare: true, active: 0 });
  await actions.runAll([Infinity, Infinity]);
}
