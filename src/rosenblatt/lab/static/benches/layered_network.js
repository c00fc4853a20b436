// The drawing and the formulas of a network of several layers, as the tiling algorithm builds it.
import { svg } from "../ui/dom.js";
import { short } from "../ui/numbers.js";

const [WIDTH, ROW, TOP, SIDE] = [420, 26, 22, 30];
const RADIUS = 8;
const MOST_ROWS = 16; // units of one layer that are drawn; more are stated as a number

// Inputs on the left, one column per layer, the output on the right. A dashed line is a negative weight.
export function drawLayers(layers, columns) {
  const sizes = [columns.length, ...layers.map((units) => units.length)];
  const tallest = Math.min(MOST_ROWS, Math.max(...sizes));
  const height = 2 * TOP + ROW * tallest;
  const x = (column) => SIDE + ((WIDTH - 2 * SIDE) * column) / (sizes.length - 1);
  const shown = sizes.map((size) => Math.min(size, MOST_ROWS));
  const y = (column, k) => height / 2 + (k - (shown[column] - 1) / 2) * ROW;
  const edges = layers.flatMap((units, layer) => {
    const largest = Math.max(...units.flatMap(([, ...w]) => w.map(Math.abs)), 1e-300);
    return units.slice(0, MOST_ROWS).flatMap(([, ...w], to) =>
      w.slice(0, MOST_ROWS).flatMap((weight, from) =>
        weight ? [svg("line", { class: weight < 0 ? "edge negative" : "edge", x1: x(layer) + RADIUS, y1: y(layer, from), x2: x(layer + 1) - RADIUS, y2: y(layer + 1, to), "stroke-width": 0.5 + (2 * Math.abs(weight)) / largest })] : []));
  });
  const nodes = shown.flatMap((size, column) => [
    ...Array.from({ length: size }, (_, k) => svg("circle", { class: column ? "node" : "node input", cx: x(column), cy: y(column, k), r: RADIUS })),
    sizes[column] > size ? svg("text", { x: x(column), y: height - 4, "text-anchor": "middle" }, `+ ${sizes[column] - size}`) : null,
  ]);
  return svg("svg", { class: "bool-picture network-picture", viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": sizes.join(" → ") }, edges, nodes);
}

// Each unit as an inequality, with rounded weights. The units of a layer are named after it: a1, a2, …; b1, …
export function layerTexts(layers, columns) {
  let inputs = columns;
  return layers.map((units, layer) => {
    const names = units.map((_, k) => (layer === layers.length - 1 ? "out" : `${String.fromCharCode(97 + layer)}${k + 1}`));
    const texts = units.map((unit, k) => `${names[k]}: ${inequality(unit, inputs)}`);
    inputs = names;
    return texts;
  }).flat();
}

function inequality([offset, ...weights], names) {
  const terms = [...weights.map((w, j) => [w, names[j]]), [offset, ""]].filter(([w]) => w !== 0);
  const text = terms.map(([w, name], k) => {
    const size = short(Number(Math.abs(w).toPrecision(4)));
    const sign = w < 0 ? "− " : k ? "+ " : "";
    return `${sign}${size === "1" && name ? "" : size}${name && size !== "1" ? "·" : ""}${name}`;
  });
  return `${text.join(" ") || "0"} > 0`;
}
