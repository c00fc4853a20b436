// Computes the positions of variables, hidden units and output in the drawing of a network.
// Counterpart of boolean/drawing/network_layout.py.
import { halves } from "./unit_text.js";

const RADIUS = 26;
const [ROW, SIDE, TOP, LEGEND] = [84, 60, 56, 64];
const LETTER = 9; // approximate width of a letter
const INSIDE = 4; // longer names are written beside the circle
const STEPS = Array.from({ length: 31 }, (_, k) => 0.2 + (0.6 * k) / 30);

export function networkDrawing(hidden, output, variables, names) {
  const columns = [variables, names, ["out"]];
  const tallest = Math.max(...columns.map((column) => column.length));
  const longest = Math.max(0, ...variables.map((name) => name.length).filter((length) => length > INSIDE));
  const side = SIDE + LETTER * longest;
  const columnWidth = 210 + Math.min(150, 7 * Math.max(0, hidden.length * variables.length - 8));
  const middle = TOP + (tallest * ROW) / 2;
  const offsets = [variables.map(() => null), hidden.map(([offset]) => minus(halves(offset))), [minus(halves(output[0]))]];
  const placed = columns.map((column, c) => column.map((name, r) => ({ x: side + c * columnWidth, y: middle + (r - (column.length - 1) / 2) * ROW, name, offset: offsets[c][r] })));
  const layers = [hidden.map((unit) => unit.slice(1)), [output.slice(1)]];
  const edges = layers.flatMap((layer, c) => {
    const lines = layer.flatMap((into, t) => into.flatMap((w, s) => (w ? [{ a: placed[c][s], b: placed[c + 1][t], w }] : [])));
    const places = labelPlaces(lines);
    return lines.map((line, k) => edgeOf(line, places[k]));
  });
  return { radius: RADIUS, width: side + 2 * columnWidth + SIDE, height: TOP + tallest * ROW + LEGEND, nodes: placed.flat(), edges };
}

function minus(text) {
  return text.replace("-", "−");
}

// Chooses the position of each label along its line, one label after the other: the one farthest from other lines and labels.
function labelPlaces(lines) {
  const taken = [];
  return lines.map(({ a, b }, k) => {
    let [best, most] = [0.5, -Infinity];
    for (const step of STEPS) {
      const [x, y] = [a.x + step * (b.x - a.x), a.y + step * (b.y - a.y)];
      let room = 0.02 * (1 - Math.abs(step - 0.5));
      if (taken.length) room += Math.min(30, ...taken.map((other) => Math.hypot(x - other[0], y - other[1])));
      const across = lines.flatMap((line, j) => {
        if (j === k) return [];
        const [ux, uy] = [line.b.x - line.a.x, line.b.y - line.a.y];
        return [Math.abs(ux * (y - line.a.y) - uy * (x - line.a.x)) / Math.hypot(ux, uy)];
      });
      if (across.length) room += Math.min(15, ...across);
      if (room > most) [best, most] = [step, room];
    }
    taken.push([a.x + best * (b.x - a.x), a.y + best * (b.y - a.y)]);
    return best;
  });
}

function edgeOf({ a, b, w }, place) {
  const length = Math.hypot(b.x - a.x, b.y - a.y);
  const [ux, uy] = [(b.x - a.x) / length, (b.y - a.y) / length];
  return {
    start: [a.x + RADIUS * ux, a.y + RADIUS * uy],
    end: [b.x - (RADIUS + 2) * ux, b.y - (RADIUS + 2) * uy],
    weight: String(w),
    width: Math.min(1.4 + 0.6 * Math.abs(w), 4.4),
    label: [a.x + place * (b.x - a.x), a.y + place * (b.y - a.y)],
  };
}
