// Places labels so that no two overprint. Labels are taken in order of importance; one that would cover another moves aside, and is
// left out if there is no free place near it.
import { fontOf } from "./draw_canvas.js";

const HEIGHT = 14;
const POINT = 6; // half the width of a point, in pixels
const EDGE = 2; // pixels that stay free at the edge of the picture
let pen = null; // measures texts
const STEPS = [[0, 0], [0, -16], [0, 16], [22, 0], [-22, 0], [0, -32], [0, 32], [26, -16], [-26, -16], [26, 16], [-26, 16], [0, -48], [0, 48]];

// The labels of a picture at free places. `back` is drawn under the points: its labels, of the axes, give way to those of `front`.
// A label of `front` does not cover a point of `places` or a marker, unless there is no other free place.
export function withFreeLabels(view, { back, front }, places = []) {
  const taken = [];
  const markers = [...places.map((at) => ({ at, r: POINT })), ...front.filter(({ kind }) => kind === "marker")];
  const covered = markers.map(({ at: [x, y], r }) => [x - r, y - r, x + r, y + r]);
  const placed = (shape, moves, kept) => {
    for (const [dx, dy] of moves) {
      const moved = { ...shape, at: [shape.at[0] + dx, shape.at[1] + dy] };
      const box = boxOf(moved);
      if (!outside(view, box) && ![...taken, ...kept].some((other) => overlap(box, other))) return moved;
    }
    return null;
  };
  const free = (shapes, moves, kept = []) => shapes.flatMap((shape) => {
    if (shape.kind !== "text") return [shape];
    if (!overlap(boxOf(shape), [0, 0, view.width, view.height])) return [];
    const whole = inside(view, shortened(view, shape));
    const found = placed(whole, moves, kept) ?? placed(whole, moves, []);
    if (found) taken.push(boxOf(found));
    return found ? [found] : [];
  });
  const above = free(front, STEPS, covered);
  // Names of the axes come before their numbers; both stay at their axis or are left out.
  const isName = (shape) => shape.kind === "text" && shape.italic;
  const names = new Map(back.filter(isName).map((shape) => [shape, free([shape], STEPS.slice(0, 1))]));
  const below = back.flatMap((shape) => names.get(shape) ?? free([shape], STEPS.slice(0, 1)));
  return { back: below, front: above };
}

// The rectangle [left, top, right, bottom] that a label covers.
export function boxOf({ at: [x, y], text, anchor, italic }) {
  pen ??= document.createElement("canvas").getContext("2d");
  pen.font = fontOf(italic);
  const { width } = pen.measureText(text);
  const left = anchor === "middle" ? x - width / 2 : anchor === "end" ? x - width : x;
  return [left, y - HEIGHT + 3, left + width, y + 3];
}

// A label that is wider than the picture, such as the name of a column, with an ellipsis.
function shortened(view, shape) {
  let { text } = shape;
  const widthOf = () => {
    const [left, , right] = boxOf({ ...shape, text });
    return right - left;
  };
  while (text.length > 2 && widthOf() > view.width - 2 * EDGE) text = `${text.slice(0, -2)}…`;
  return { ...shape, text };
}

// A label that is cut off by the edge of the picture, moved inside.
function inside(view, shape) {
  const [left, top, right, bottom] = boxOf(shape);
  const dx = Math.max(EDGE - left, 0) || Math.min(view.width - EDGE - right, 0);
  const dy = Math.max(EDGE - top, 0) || Math.min(view.height - EDGE - bottom, 0);
  return { ...shape, at: [shape.at[0] + dx, shape.at[1] + dy] };
}

function overlap(a, b) {
  return a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
}

function outside({ width, height }, [left, top, right, bottom]) {
  return left < 0 || top < 0 || right > width || bottom > height;
}
