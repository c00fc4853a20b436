// Data with more than two columns. A run uses all columns; the picture shows a plane in their space.
//
// A slice is { chosen: [a, b], means, columns, kind }: the two columns that are shown, the mean of every column, their names, and
// the kind of the plane: "columns" (two columns, with the others at their mean) or "weights" (through w and the main principal
// direction). A point of such data has all its values as `v`; x and y are those of the two columns. Without a slice a point has x
// and y only.
//
// A plane is { origin, across, up }: the point (u, v) of the picture is origin + u·across + v·up.
import { principalDirections } from "./principal.js";
import { t } from "../ui/strings.js";

export function sliceOf(rows, chosen, columns, kind = "columns") {
  const means = columns.map((_, j) => rows.reduce((sum, row) => sum + row[j], 0) / rows.length);
  return { chosen, means, columns, kind };
}

// The values of a point that a run uses.
export function valuesOf(point) {
  return point.v ?? [point.x, point.y];
}

// The plane of two columns, with the others at their mean; null without a slice.
export function columnPlane(slice) {
  if (!slice) return null;
  const [a, b] = slice.chosen;
  const unit = (k) => slice.means.map((_, j) => (j === k ? 1 : 0));
  return { origin: slice.means.map((mean, j) => (j === a || j === b ? 0 : mean)), across: unit(a), up: unit(b) };
}

// The plane through w and the main principal direction of the points. Across is along w, and up is orthogonal to it, so that
// every point is on the side of the line on which the score puts it. Without w: the two main directions.
export function weightPlane(slice, points, w) {
  const [first, second] = principalDirections(points, slice.means);
  const across = unitVector(Array.from(w).slice(1)) ?? first;
  const up = unitVector(without(first, across), 1e-6) ?? unitVector(without(second, across));
  return { origin: slice.means, across, up };
}

function without(vector, direction) {
  const share = dot(vector, direction);
  return vector.map((value, j) => value - share * direction[j]);
}

function unitVector(vector, least = 0) {
  const length = Math.hypot(...vector);
  return length > least ? vector.map((value) => value / length) : null;
}

function dot(a, b) {
  return a.reduce((sum, value, j) => sum + value * b[j], 0);
}

// The position [u, v] of a row of all values in the picture.
export function projected({ origin, across, up }, values) {
  let [u, v] = [0, 0];
  for (let j = 0; j < values.length; j++) {
    u += across[j] * (values[j] - origin[j]);
    v += up[j] * (values[j] - origin[j]);
  }
  return [u, v];
}

// Converts a place (x, y) of the picture to a point of the data. A point that is moved (`from`) keeps what the picture does not show.
export function liftedPoint(slice, x, y, c, from = null, plane = columnPlane(slice)) {
  if (!slice) return { x, y, c };
  let values;
  if (slice.kind === "columns") {
    values = [...(from?.v ?? slice.means)];
    [values[slice.chosen[0]], values[slice.chosen[1]]] = [x, y];
  } else {
    const base = from?.v ?? plane.origin;
    const [u, v] = projected(plane, base);
    values = base.map((value, j) => value + (x - u) * plane.across[j] + (y - v) * plane.up[j]);
  }
  return { x: values[slice.chosen[0]], y: values[slice.chosen[1]], c, v: values };
}

// [w0, w1, w2] of the line in which a plane meets the hyperplane [w0, w1, …].
export function lineOf(plane, w) {
  if (!plane) return w;
  const part = (vector) => vector.reduce((sum, value, j) => sum + w[1 + j] * value, 0);
  return Float64Array.of(w[0] + part(plane.origin), part(plane.across), part(plane.up));
}

// Converts a start to other columns: w0 is kept, and w1 and w2 become the weights of the columns that are shown.
export function fittedStart(slice, start) {
  const fit = (row) => {
    if (!slice) return row.slice(0, 3);
    if (row.length === slice.means.length + 1) return row;
    const made = [row[0], ...slice.means.map(() => 0)];
    made[1 + slice.chosen[0]] = row[1];
    made[1 + slice.chosen[1]] = row[2];
    return made;
  };
  return Array.isArray(start[0]) ? start.map(fit) : fit(start);
}

// Which columns a verdict is about, if there are more than two: " in all 4 columns".
export function columnWords(data) {
  if (data.slice) return ` ${t("proof.in_all_columns", { n: data.slice.columns.length })}`;
  return data.allColumns.length > 2 ? ` ${t("proof.in_two_columns")}` : "";
}

// What the picture shows of the columns, if there are more than two.
export function sliceWords(data) {
  if (data.slice) {
    const n = data.slice.columns.length;
    return data.slice.kind === "weights" ? t("slice.weights", { n }) : t("slice.all", { all: n, n: n - 2 });
  }
  return data.allColumns.length > 2 ? t("slice.only_two", { n: data.allColumns.length }) : "";
}
