// Shapes for the regions and the boundary that the engine computed on a grid, and for the coefficients as sizes of points.
import { unpack } from "../state/codec.js";
import { chord } from "../plane/geometry.js";
import { short } from "../ui/numbers.js";
import { lineOf } from "../state/slice.js";
import { frame as viewFrame, toPixel } from "../plane/view.js";

const cache = new WeakMap(); // the unpacked arrays of each answer

export function arraysOf(answer) {
  if (!cache.has(answer)) {
    const { grid, alphas } = answer;
    cache.set(answer, {
      codes: unpack(grid.codes),
      scores: grid.scores && unpack(grid.scores),
      alphas: alphas ? unpack(alphas) : null,
    });
  }
  return cache.get(answer);
}

export function nonlinearShapes(view, theme, { state, which, picture }) {
  const { bench, nonlinear, data } = state;
  const { answer } = nonlinear;
  if (bench !== "nonlinear" || which !== 0 || !answer || answer.points !== data.points || answer.plane !== picture.plane) return {};
  const back = [...cells(view, theme, answer), ...contour(view, theme, answer)];
  const width = answer.lines?.length > 8 ? 1 : 2.2;
  for (const w of answer.lines ?? []) {
    const ends = chord(viewFrame(view), lineOf(picture.plane, w));
    if (ends) back.push({ kind: "line", a: toPixel(view, ...ends[0]), b: toPixel(view, ...ends[1]), stroke: theme.line, width, dash: null });
  }
  back.push(...sizes(view, theme, answer, data.points, picture));
  return { back };
}

// One rectangle for each sequence of equal cells in a row. Corners lie on whole pixels, so that no seams are visible.
function cells(view, theme, answer) {
  const { columns, rows } = answer.grid;
  const { codes, scores } = arraysOf(answer);
  if (scores?.every((score) => score === 0)) return []; // before the first mistake no class is predicted anywhere
  const [left, right, low, high] = answer.frame;
  const corner = (i, j) => toPixel(view, left + ((right - left) * i) / columns, low + ((high - low) * j) / rows).map(Math.round);
  const made = [];
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; ) {
      const code = codes[j * columns + i];
      let end = i + 1;
      while (end < columns && codes[j * columns + end] === code) end += 1;
      const [x1, y1] = corner(i, j);
      const [x2, y2] = corner(end, j + 1);
      made.push({ kind: "polygon", points: [[x1, y1], [x2, y1], [x2, y2], [x1, y2]], fill: theme.classes[answer.classes[code]], opacity: theme.region });
      i = end;
    }
  }
  return made;
}

// Line segments where the score is zero, interpolated between the centres of neighbouring cells (marching squares).
export function zeroPieces({ columns, rows }, scores) {
  const pieces = [];
  const at = (i, j) => scores[j * columns + i];
  for (let j = 0; j + 1 < rows; j++) {
    for (let i = 0; i + 1 < columns; i++) {
      const corners = [[i, j], [i + 1, j], [i + 1, j + 1], [i, j + 1]];
      const crossings = [];
      for (let k = 0; k < 4; k++) {
        const [a, b] = [corners[k], corners[(k + 1) % 4]];
        const [sa, sb] = [at(...a), at(...b)];
        if (sa > 0 === sb > 0) continue;
        const t = sa / (sa - sb);
        crossings.push([a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])]);
      }
      for (let k = 0; k + 1 < crossings.length; k += 2) pieces.push([crossings[k], crossings[k + 1]]);
    }
  }
  return pieces;
}

function contour(view, theme, answer) {
  const { scores } = arraysOf(answer);
  if (!scores) return [];
  const { columns, rows } = answer.grid;
  const [left, right, low, high] = answer.frame;
  const pixel = ([i, j]) => toPixel(view, left + ((right - left) * (i + 0.5)) / columns, low + ((high - low) * (j + 0.5)) / rows);
  return zeroPieces(answer.grid, scores).map(([a, b]) => ({ kind: "line", a: pixel(a), b: pixel(b), stroke: theme.line, width: 2.4, dash: null }));
}

// Discs under the points. The radius grows with √α, where α is the number of mistakes on the point.
function sizes(view, theme, answer, points, { place }) {
  const { alphas } = arraysOf(answer);
  if (!alphas) return [];
  const largest = Math.max(...alphas, 1);
  const most = points.length > 80 ? 9 : 20; // pixels that the largest α adds to the radius
  const made = [];
  alphas.forEach((alpha, i) => {
    if (!alpha) return;
    const at = toPixel(view, ...place(points[i]));
    made.push({ kind: "marker", at, shape: "circle", r: 6 + most * Math.sqrt(alpha / largest), fill: `${theme.classes[points[i].c]}55`, stroke: theme.classes[points[i].c], width: 1.4 });
    if (points.length <= 12) made.push({ kind: "text", at: [at[0] + 30, at[1] - 12], text: `α = ${short(alpha)}`, fill: theme.ink, anchor: "start", italic: true });
  });
  return made;
}
