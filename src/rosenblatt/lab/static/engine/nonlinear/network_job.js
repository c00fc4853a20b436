// A network of units for painted points: of the fewest hidden units for a truth table, else by tiling.
// Counterpart of jobs/network_job.py.
import { booleanNetwork, networkFires } from "../boolean/boolean_job.js";
import { refuse } from "../requests.js";
import { tile, tiledFires } from "./tiling.js";

export function networkBoundary(engine, catalogue, points, grid) {
  const classes = [...new Set(points.y)].sort((a, b) => a - b);
  if (classes.length > 2) refuse(`a network is built for two classes; here are ${classes.length}.`);
  const positive = points.y.map((c) => c === classes[1]);
  const bits = truthTable(points, positive);
  const found = bits ? fromTable(catalogue, points, positive, bits, grid) : tiled(engine, catalogue, points, positive, grid);
  return { method: "network", classes, ending: null, moment: null, ...found };
}

// The truth table as text if the points are the four corners of the square, each of one class; otherwise null.
function truthTable({ x, features }, positive) {
  if (features !== 2 || x.some((value) => value !== 0 && value !== 1)) return null;
  const bits = new Map();
  for (let i = 0; i < positive.length; i++) {
    const row = 2 * x[2 * i] + x[2 * i + 1];
    if (bits.has(row) && bits.get(row) !== positive[i]) return null;
    bits.set(row, positive[i]);
  }
  return bits.size === 4 ? [0, 1, 2, 3].map((row) => (bits.get(row) ? "1" : "0")).join("") : null;
}

function fromTable(catalogue, { x }, positive, bits, grid) {
  const { drawn, hidden, output } = booleanNetwork(catalogue, bits, ["x1", "x2"]);
  const fires = (z, i) => networkFires(hidden, output, [z[2 * i], z[2 * i + 1]]);
  return {
    python: `BooleanFunction.from_table("${bits}").network()`,
    network: drawn,
    layers: null,
    lines: hidden,
    errors: positive.filter((flag, i) => fires(x, i) !== flag).length,
    codes: Uint8Array.from({ length: grid.x.length / 2 }, (_, i) => (fires(grid.x, i) ? 1 : 0)),
  };
}

function tiled(engine, catalogue, { x, features }, positive, grid) {
  const { layers, fired } = tile(engine, catalogue, x, features, positive);
  return {
    python: "tile(X, y)",
    network: null,
    layers,
    lines: layers[0],
    errors: positive.filter((flag, i) => fired[i] !== flag).length,
    codes: Uint8Array.from(tiledFires(engine, layers, grid.x, features), (fired) => (fired ? 1 : 0)),
  };
}
