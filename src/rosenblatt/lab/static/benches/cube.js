// Positions in the drawing of the corners of a cube of one, two or three variables, and its section by a unit's plane.
// Three variables are drawn in perspective from above and in front; fewer are drawn flat.
const SPACE = { origin: [105, 170], axes: [[135, 22], [-70, 34], [0, -135]] };
const FLAT = { origin: [30, 200], axes: [[160, 0], [0, -160]] };

export function cornerAt(values) {
  const { origin, axes } = values.length === 3 ? SPACE : FLAT;
  return values.reduce(([x, y], value, j) => [x + value * axes[j][0], y + value * axes[j][1]], origin);
}

// Pairs of rows that differ in one variable.
export function edges(n) {
  const found = [];
  for (let row = 0; row < 1 << n; row++) {
    for (let j = 0; j < n; j++) if (!(row & (1 << j))) found.push([row, row | (1 << j)]);
  }
  return found;
}

// The intersection of the unit's plane with the cube (polygon, line or point), in coordinates of the drawing.
export function cut(rows, unit) {
  const points = [];
  for (const [a, b] of edges(rows[0].length)) {
    const [sa, sb] = [unit.sums[a] + unit.offset, unit.sums[b] + unit.offset];
    if (sa > 0 === sb > 0) continue;
    const t = sa / (sa - sb);
    points.push(cornerAt(rows[a].map((value, j) => value + t * (rows[b][j] - value))));
  }
  const middle = [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length);
  const angle = ([x, y]) => Math.atan2(y - middle[1], x - middle[0]);
  return points.sort((p, q) => angle(p) - angle(q));
}
