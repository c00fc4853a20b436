// Validates the page's requests to the engine, with the same messages as requests/request_values.py.
export class RefusedError extends Error {}

export function refuse(message) {
  throw new RefusedError(message);
}

const MOST_POINTS = 10_000;
const MOST_CLASSES = 8;

// { x, features, y }: the values of all points one after the other, and their class numbers.
export function checkedPoints(body, columns = null) {
  const { x, y } = body;
  if (!Array.isArray(x) || !Array.isArray(y) || x.length !== y.length) refuse("x and y must be lists of the same length: rows of numbers, and class numbers.");
  if (x.length > MOST_POINTS) refuse(`${x.length.toLocaleString("en")} points; the lab takes at most ${MOST_POINTS.toLocaleString("en")}. Take a sample of them.`);
  const features = columns ?? x[0]?.length ?? 2;
  x.forEach((row, k) => {
    if (!isNumbers(row, features)) refuse(`point ${k + 1} is not ${features === 2 ? "a pair" : `a list of ${features}`} of finite numbers.`);
  });
  y.forEach((label, k) => {
    if (!Number.isInteger(label) || label < 0 || label >= MOST_CLASSES) refuse(`point ${k + 1}: a class is a whole number from 0 to ${MOST_CLASSES - 1}.`);
  });
  if (!y.length) refuse("there are no points yet. Paint some, of at least two classes.");
  if (new Set(y).size < 2) refuse("all points are of one class. Paint some of another: a perceptron tells classes apart.");
  return { x: Float64Array.from(x.flat()), features, y };
}

export function isNumbers(row, size) {
  return Array.isArray(row) && row.length === size && row.every((value) => typeof value === "number" && Math.abs(value) < 1e150);
}

// A given start as rows [w0, w1, …].
export function given(start, size) {
  const rows = Array.isArray(start) && Array.isArray(start[0]) ? start : [start];
  if (!rows.every((row) => isNumbers(row, size))) refuse(`a given start has ${size} finite numbers per plane: ${Array.from({ length: size }, (_, j) => `w${j}`).join(", ")}.`);
  return rows;
}
