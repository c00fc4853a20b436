// Drawings of a Boolean function: the range of the offset on a number line, the cube with the unit's plane, the network.
import { cornerAt, cut, edges } from "./cube.js";
import { svg } from "../ui/dom.js";
import { short } from "../ui/numbers.js";
import { t } from "../ui/strings.js";

const LINE = 420;

// The number line of w₀: the limit that each row sets, and the interval of correct offsets.
export function drawRange({ unit, bits, rows }, tie) {
  const { low, high, low_closed: lowClosed, high_closed: highClosed } = unit.ranges[tie];
  const limits = unit.sums.map((sum) => (sum === 0 ? 0 : -sum));
  const from = Math.min(...limits) - 1;
  const to = Math.max(...limits) + 1;
  const x = (value) => 14 + ((value - from) / (to - from)) * (LINE - 28);
  const stacked = new Map();
  const marks = rows.map((values, row) => {
    const key = limits[row];
    const level = stacked.get(key) ?? 0;
    stacked.set(key, level + 1);
    const [px, py] = [x(key), 62 - 15 * level];
    const title = svg("title", {}, t(bits[row] === "1" ? "boolean.above" : "boolean.below", { row: values.join(""), limit: short(key) }));
    return bits[row] === "1"
      ? svg("circle", { class: "true", cx: px, cy: py, r: 5.5 }, title)
      : svg("path", { class: "false", d: `M${px} ${py - 6.5}l6 11h-12z` }, title);
  });
  const tallest = Math.max(...stacked.values());
  const top = Math.min(0, 62 - 15 * tallest - 4);
  const left = x(low ?? from);
  const right = x(high ?? to);
  const ends = [[low, left, lowClosed], [high, right, highClosed]].filter(([value]) => value !== null);
  const whole = Array.from({ length: Math.floor(to) - Math.ceil(from) + 1 }, (_, k) => Math.ceil(from) + k);
  const every = Math.ceil(whole.length / 12);
  return svg("svg", { class: "bool-picture range-picture", viewBox: `0 ${top} ${LINE} ${112 - top}`, role: "img", "aria-label": t("boolean.range_label", { range: unit.ranges[tie].text }) },
    svg("line", { class: "axis", x1: 4, x2: LINE - 4, y1: 84, y2: 84 }),
    whole.filter((value) => value % every === 0).map((value) => [
      svg("line", { class: "axis", x1: x(value), x2: x(value), y1: 80, y2: 88 }), svg("text", { x: x(value), y: 104, "text-anchor": "middle" }, short(value))]).flat(),
    svg("line", { class: "allowed", x1: left, x2: right, y1: 84, y2: 84 }),
    ends.map(([, px, closed]) => svg("circle", { class: closed ? "end closed" : "end open", cx: px, cy: 84, r: 5 })),
    svg("line", { class: "chosen", x1: x(unit.offset), x2: x(unit.offset), y1: 76, y2: 92 }),
    marks);
}

// The corners of the square or cube: ● where the function is 1, ▲ where it is 0; the unit's plane, or the witness's rows.
export function drawCube({ rows, bits, unit, refutation, variables }) {
  const n = variables.length;
  const times = new Map([...(refutation?.true ?? []), ...(refutation?.false ?? [])]);
  const axisEnds = variables.map((name, j) => {
    const [px, py] = cornerAt(variables.map((_, k) => (k === j ? 0.5 : 0)));
    return svg("text", { x: px - (j === n - 1 ? 12 : 0), y: py + (j === n - 1 && n > 1 ? 4 : 18), class: "soft-text", "text-anchor": "middle" }, name);
  });
  const polygon = unit ? cut(rows, unit) : [];
  const height = n === 1 ? 90 : 236;
  return svg("svg", { class: "bool-picture cube-picture", viewBox: `0 ${n === 3 ? 14 : 232 - height} 290 ${height}`, role: "img", "aria-label": t("boolean.cube_label", { rows: rows.length, n: [...bits].filter((bit) => bit === "1").length }) },
    edges(n).map(([a, b]) => {
      const [[x1, y1], [x2, y2]] = [cornerAt(rows[a]), cornerAt(rows[b])];
      return svg("line", { class: "axis", x1, y1, x2, y2 });
    }),
    polygon.length > 2 ? svg("polygon", { class: "cut", points: polygon.map((p) => p.join()).join(" ") }) : null,
    polygon.length === 2 ? svg("line", { class: "cut-line", x1: polygon[0][0], y1: polygon[0][1], x2: polygon[1][0], y2: polygon[1][1] }) : null,
    polygon.length === 1 ? svg("line", { class: "cut-line", x1: polygon[0][0], y1: polygon[0][1] - 18, x2: polygon[0][0], y2: polygon[0][1] + 18 }) : null,
    axisEnds,
    rows.map((values, row) => {
      const [px, py] = cornerAt(values);
      return svg("g", { class: "corner", "data-value": bits[row] },
        times.has(row) ? svg("circle", { class: "witness-ring", cx: px, cy: py, r: 13 }) : null,
        bits[row] === "1" ? svg("circle", { class: "true", cx: px, cy: py, r: 8 }) : svg("path", { class: "false", d: `M${px} ${py - 9}l8.5 15h-17z` }),
        svg("text", { x: px + 12, y: py - 10 }, values.join("")));
    }));
}

// Draws variables, hidden units and the output at the positions that the engine computed.
export function drawNetwork(network) {
  const { width, height, nodes, edges: lines, radius } = network;
  return svg("svg", { class: "bool-picture network-picture", viewBox: `0 28 ${width} ${height - 78}`, role: "img", "aria-label": network.text.join("; ") },
    lines.map(({ start, end, weight, width: thick }) =>
      svg("line", { class: weight.startsWith("-") ? "edge negative" : "edge", x1: start[0], y1: start[1], x2: end[0], y2: end[1], "stroke-width": thick })),
    lines.filter(({ label }) => label).map(({ label, weight }) => svg("text", { class: "edge-label", x: label[0], y: label[1] + 5, "text-anchor": "middle" }, weight.replace("-", "−"))),
    nodes.map(({ x, y, name, offset }) => [
      svg("circle", { class: offset === null ? "node input" : "node", cx: x, cy: y, r: radius }),
      svg("text", { x, y: y + 5, "text-anchor": "middle" }, offset ?? name),
      offset === null ? null : svg("text", { class: "soft-text", x, y: y - radius - 6, "text-anchor": "middle" }, name)]).flat());
}
