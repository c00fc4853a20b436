// The two main principal directions of the points, by power iteration.
const ITERATIONS = 60;
const cache = new WeakMap(); // the directions of each list of points

export function principalDirections(points, means) {
  if (!cache.has(points)) {
    const centred = points.map(({ v }) => v.map((value, j) => value - means[j]));
    const largest = centred.reduce((most, row) => row.reduce((best, value) => Math.max(best, Math.abs(value)), most), 0) || 1;
    const rows = centred.map((row) => row.map((value) => value / largest));
    const first = mainDirection(rows, means.length, []);
    cache.set(points, [first, mainDirection(rows, means.length, [first])]);
  }
  return cache.get(points);
}

function mainDirection(rows, width, found) {
  // Any start that is not orthogonal to the main direction: the spread of each column, unequal to avoid symmetry.
  const spread = Array.from({ length: width }, (_, j) => (1 + (j % 7) / 10) * rows.reduce((sum, row) => sum + Math.abs(row[j]), 1e-12));
  let direction = orthogonal(spread, found) ?? spread.map((_, j) => (j ? 0 : 1));
  for (let k = 0; k < ITERATIONS; k++) {
    const next = new Array(width).fill(0);
    for (const row of rows) {
      let share = 0;
      for (let j = 0; j < width; j++) share += row[j] * direction[j];
      for (let j = 0; j < width; j++) next[j] += share * row[j];
    }
    const made = orthogonal(next, found);
    if (!made) break;
    direction = made;
  }
  return direction;
}

// The vector without its parts along the directions found before, as a unit vector; null if nothing is left.
function orthogonal(vector, found) {
  const left = found.reduce((rest, other) => {
    const share = rest.reduce((sum, value, j) => sum + value * other[j], 0);
    return rest.map((value, j) => value - share * other[j]);
  }, vector);
  const length = Math.hypot(...left);
  return length > 0 ? left.map((value) => value / length) : null;
}
