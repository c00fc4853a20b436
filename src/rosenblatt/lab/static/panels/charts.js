// Charts of mistakes, training error and loss over time, with a mark at the current position. A click moves to that position.
import { h, svg } from "../ui/dom.js";
import { short } from "../ui/numbers.js";
import { number, t } from "../ui/strings.js";

const WIDTH = 300;
const HEIGHT = 84;
const TOP = 6;
const COLOURS = ["curve-a", "curve-b"];

const CHARTS = [
  { id: "mistakes", title: "charts.mistakes", value: (replay, at, focus) => replay.mistakes(at, focus), curve: mistakeCurve, words: (v) => number(v) },
  { id: "errors", title: "charts.errors", value: (replay, at, focus) => sampled(replay, at, focus, "errors"), curve: (replay, focus) => sampledCurve(replay, focus, "errors"), words: (v) => short(v) },
  { id: "loss", title: "charts.loss", value: (replay, at, focus) => sampled(replay, at, focus, "loss"), curve: (replay, focus) => sampledCurve(replay, focus, "loss"), words: (v) => short(v) },
];

export const chartsPanel = {
  id: "charts",
  area: "right",
  title: "charts.title",
  mount(box, { store, actions }) {
    const charts = CHARTS.map((chart) => new Chart(chart, actions));
    box.append(...charts.map((chart) => chart.element));
    const update = () => {
      const { sides, active, compare } = store.state;
      const shown = compare ? [0, 1] : [active];
      for (const chart of charts) chart.show(shown.map((which) => sides[which]));
    };
    store.subscribe(["sides", "active", "compare"], update);
    update();
  },
};

class Chart {
  constructor(chart, actions) {
    this.chart = chart;
    this.drawn = [];
    this.lines = COLOURS.map((name) => svg("path", { class: `curve ${name}`, "vector-effect": "non-scaling-stroke" }));
    this.cursors = COLOURS.map((name) => svg("line", { class: `cursor ${name}`, y1: 0, y2: HEIGHT, "vector-effect": "non-scaling-stroke" }));
    this.now = h("output", { class: "now", "data-chart": chart.id });
    this.name = h("span", {}, t(chart.title));
    this.svg = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": t(chart.title),
      onclick: (event) => {
        const { left, width } = this.svg.getBoundingClientRect();
        if (this.length) actions.go(((event.clientX - left) / width) * this.length);
      } },
      svg("line", { class: "base", x1: 0, x2: WIDTH, y1: HEIGHT, y2: HEIGHT, "vector-effect": "non-scaling-stroke" }), this.cursors, this.lines);
    this.element = h("div", { class: "chart" }, h("div", { class: "chart-head" }, this.name, this.now), this.svg);
  }

  show(sides) {
    const runs = sides.map((side) => side.replay && { replay: side.replay, focus: side.focus });
    const same = runs.length === this.drawn.length && runs.every((run, k) => run?.replay === this.drawn[k]?.replay && run?.focus === this.drawn[k]?.focus);
    if (!same) this.draw(runs);
    const words = [];
    sides.forEach((side, k) => {
      const cursor = this.cursors[k];
      cursor.setAttribute("visibility", side.replay ? "visible" : "hidden");
      if (!side.replay) return;
      const x = (WIDTH * side.at) / Math.max(this.length, 1);
      cursor.setAttribute("x1", x);
      cursor.setAttribute("x2", x);
      words.push(this.chart.words(this.chart.value(side.replay, side.at, side.focus)));
    });
    for (let k = sides.length; k < 2; k++) this.cursors[k].setAttribute("visibility", "hidden");
    this.now.textContent = words.join(" · ");
  }

  draw(runs) {
    this.drawn = runs;
    const curves = runs.map((run) => run && this.chart.curve(run.replay, run.focus));
    const problems = Math.max(1, ...runs.map((run) => run?.replay.focused(run.focus).length ?? 1));
    this.name.textContent = problems > 1 ? t("charts.problems", { title: t(this.chart.title), n: problems }) : t(this.chart.title);
    this.length = Math.max(0, ...runs.filter(Boolean).map(({ replay }) => replay.length));
    const highest = Math.max(1e-300, ...curves.filter(Boolean).flatMap((curve) => curve.map(([, v]) => v)));
    this.lines.forEach((line, k) => {
      const curve = curves[k];
      line.classList.toggle("fine", Boolean(curve && curve.length > 150));
      line.setAttribute("d", curve ? steps(curve, this.length, highest, runs[k].replay.length) : "");
    });
  }
}

// A step curve: each value holds until the next.
function steps(curve, length, highest, end) {
  const x = (at) => ((WIDTH * at) / Math.max(length, 1)).toFixed(2);
  const y = (value) => (HEIGHT - 1 - ((HEIGHT - TOP) * value) / highest).toFixed(2);
  let path = `M0 ${y(curve[0][1])}`;
  for (const [at, value] of curve.slice(1)) path += `H${x(at)}V${y(value)}`;
  return `${path}H${x(end)}`;
}

function mistakeCurve(replay, focus) {
  const at = replay.focused(focus).flatMap((track) => Array.from(track.k, (k) => k + 1)).sort((a, b) => a - b);
  const every = Math.max(1, Math.ceil(at.length / 800));
  const curve = [[0, 0]];
  at.forEach((k, m) => {
    if ((m + 1) % every === 0 || m === at.length - 1) curve.push([k, m + 1]);
  });
  return curve;
}

// The last exact value at or before a position, summed over the problems.
function sampled(replay, at, focus, name) {
  return replay.focused(focus).reduce((sum, track) => sum + track.curve[name][sampleBefore(track, track.updatesBefore(at))], 0);
}

function sampleBefore(track, m) {
  const { updates } = track.curve;
  let low = 0;
  let high = updates.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (updates[middle] <= m) low = middle;
    else high = middle - 1;
  }
  return low;
}

function sampledCurve(replay, focus, name) {
  const places = new Set([0]);
  for (const track of replay.focused(focus)) {
    for (const m of track.curve.updates) if (m > 0) places.add(track.k[m - 1] + 1);
  }
  return [...places].sort((a, b) => a - b).map((at) => [at, sampled(replay, at, focus, name)]);
}
