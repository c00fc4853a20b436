// Decides whether a plane separates two classes: a guess in floating point, then a proof in integers.
//
// z = y·(1, x), or y·x through the origin. The point of least norm in the hull of the z is the separator of widest margin. If
// it is the origin, its weights λ are a witness: Σ λ·z = 0. Every weak separator is then zero on the witness, so the search is
// repeated modulo the span of the witness, until no rows remain (inseparable) or the remaining rows are separable (weak).
import { asIntegers, dot, fractionText, isqrt, primitive, products, rootOf, wordsOf } from "./exact.js";
import { leastNorm, OutOfWork } from "./least_norm.js";
import { checkedPoints, isNumbers, refuse } from "../requests.js";

const MOST_WORK = 1e10; // nanoseconds of an ordinary processor, as `products` counts them: a few seconds, the same on every machine
const LONGEST_FRACTION = 40; // longest fraction that is shown, in characters

// { kind, best, witness }: `best` is the point of least norm if the kind is separable, or null if that would take too long.
export function prove(engine, points, members, signOf, fitIntercept) {
  const work = workLimit();
  const { rows, shift } = integerRows(points, members, signOf, fitIntercept);
  let separated = false; // whether some point of the search has positive exact scores on all rows
  try {
    const best = leastOf(engine, rows, work, () => (separated = true));
    if (best.p.some((value) => value !== 0n)) return { kind: "separable", best, rows, shift, work, witness: null };
    const witness = best.terms.map(({ key, weight }) => ({ index: members[key], weight }));
    return { kind: kindWithout(rows, best.terms, work), best: null, rows, shift, work, witness };
  } catch (error) {
    if (!(error instanceof OutOfWork)) throw error;
    return { kind: separated ? "separable" : "undecided", best: null, witness: null };
  }
}

function workLimit() {
  let used = 0;
  return (amount) => {
    used += amount;
    if (used > MOST_WORK) throw new OutOfWork();
  };
}

function integerRows({ x, features }, members, signOf, fitIntercept) {
  const values = members.flatMap((i) => {
    const row = Array.from(x.subarray(i * features, (i + 1) * features));
    return fitIntercept ? [1, ...row] : row;
  });
  const { integers, shift } = asIntegers(values);
  const width = features + (fitIntercept ? 1 : 0);
  const rows = members.map((i, k) => {
    const row = integers.slice(k * width, (k + 1) * width);
    return signOf(i) > 0 ? row : row.map((value) => -value);
  });
  return { rows, shift };
}

// The exact point of least norm. The search starts from the rows found in floating point. `onSeparator` is called for a point that
// separates the rows, which is known before the point of least norm is.
function leastOf(engine, rows, work, onSeparator = () => {}) {
  const among = (keys) => (p) => {
    work(products(keys.length * p.length, wordsOf(p)));
    let best = null;
    for (const key of keys) {
      const score = dot(p, rows[key]);
      if (best === null || score < best.score) best = { key, v: rows[key], score };
    }
    if (keys === all && best.score > 0n) onSeparator();
    return { key: best.key, v: best.v };
  };
  const all = [...rows.keys()];
  const guessed = engine ? guess(engine, rows) : [];
  const hinted = among(guessed.length ? guessed : all.slice(0, 1));
  const everywhere = among(all);
  const first = guessed[0] ?? 0;
  // First searches the rows found in floating point. If none of them has p·v ≤ 0, searches all rows.
  const nearest = (p) => {
    const near = hinted(p);
    return dot(p, near.v) <= 0n ? near : everywhere(p);
  };
  return leastNorm({ key: first, v: rows[first] }, guessed.length > 1 ? nearest : everywhere, work);
}

function guess(engine, rows) {
  const dim = rows[0].length;
  const bits = rows.flat().reduce((most, value) => Math.max(most, (value < 0n ? -value : value).toString(2).length), 1);
  const drop = BigInt(Math.max(0, bits - 60));
  const flat = Float64Array.from(rows.flat(), (value) => Number(value >> drop) / 2 ** Math.min(bits, 60));
  return engine.scope(() => engine.leastNormGuess(flat, dim)).filter((key) => key < rows.length);
}

// Whether some plane that is zero on the witness is positive on other rows: "weak", else "inseparable".
function kindWithout(rows, terms, work) {
  let span = terms.map(({ v }) => v);
  for (;;) {
    const { reduce, rank } = elimination(span, work);
    if (rank === rows[0].length) return "inseparable"; // a plane that is zero on the whole space is no plane
    const left = rows.map(reduce).filter((row) => row.some((value) => value !== 0n));
    if (!left.length) return "inseparable";
    const best = leastOf(null, left, work);
    if (best.p.some((value) => value !== 0n)) return "weak";
    span = [...span, ...best.terms.map(({ v }) => v)];
  }
}

// The rank of the span, and a function that reduces a row modulo the span and scales the result to an integer vector of the same
// direction.
function elimination(span, work) {
  const pivots = []; // { row, column }; each row is zero in the pivot columns of the other rows
  const reduce = (row) => {
    let made = row;
    for (const { row: by, column } of pivots) {
      const factor = made[column];
      if (factor === 0n) continue;
      work(products(2 * row.length, wordsOf([factor]), wordsOf([by[column]])));
      const scale = by[column] < 0n ? -by[column] : by[column];
      const sign = by[column] < 0n ? -1n : 1n;
      made = made.map((value, j) => scale * value - sign * factor * by[j]);
    }
    return primitive(made);
  };
  for (const row of span) {
    const made = reduce(row);
    const column = made.findIndex((value) => value !== 0n);
    if (column >= 0) pivots.push({ row: made, column });
  }
  return { reduce, rank: pivots.length };
}

// The answer of the job `proof`, as jobs/proof_job.py gives it.
export function proofJob(engine, body) {
  const points = checkedPoints(body);
  const { positive, negative, fit_intercept: fitIntercept = true, eta0 = 1 } = body;
  const present = new Set(points.y);
  if (!present.has(positive) || (negative !== null && !present.has(negative)) || positive === negative) refuse("positive and negative must be two classes that have points; negative may be null.");
  const size = points.features + (fitIntercept ? 1 : 0);
  const start = body.start ?? new Array(size).fill(0);
  if (!isNumbers(start, size)) refuse(`the start has ${size} finite numbers here.`);
  const members = [...points.y.keys()].filter((i) => negative === null || points.y[i] === positive || points.y[i] === negative);
  const signOf = (i) => (points.y[i] === positive ? 1 : -1);
  const found = prove(engine, points, members, signOf, fitIntercept);
  const answer = { kind: found.kind, fit_intercept: fitIntercept, margin: null, witness: null };
  if (found.witness) {
    const multipliers = primitive(found.witness.map(({ weight }) => weight));
    answer.witness = { indices: found.witness.map(({ index }) => index), multipliers: multipliers.map(String) };
  }
  if (found.best) answer.margin = marginOf(found, fitIntercept, eta0, start);
  return answer;
}

// γ, R and the bound on mistakes, in the space that the run uses; and the geometric margin.
function marginOf({ best, rows, shift, work }, fitIntercept, eta0, start) {
  const unit = 1n << BigInt(2 * shift); // squared norms of the integer rows = squared norms of the data × unit
  const square = dot(best.p, best.p);
  const gamma = [square, best.denominator * best.denominator * unit];
  const geometric = fitIntercept ? geometricSquare(rows, unit, work) : gamma;
  const largest = rows.reduce((most, row) => (dot(row, row) > most ? dot(row, row) : most), 0n);
  const length = rootOf(square, 1n);
  return {
    gamma: rootOf(...gamma),
    gamma_squared: readable(gamma),
    geometric: geometric && rootOf(...geometric),
    geometric_squared: geometric && readable(geometric),
    radius: rootOf(largest, unit),
    bound: boundOf(largest, gamma, unit, eta0, start),
    separator: best.p.map((value) => Number(value) / length).map((value) => value || 0),
  };
}

// Square of half the distance between the hulls of the classes, from the point of least norm of their difference set.
function geometricSquare(rows, unit, work) {
  const side = (sign) => rows.flatMap((row, key) => (row[0] > 0n === sign > 0 ? [{ key, v: row.slice(1) }] : []));
  const [above, below] = [side(1), side(-1)]; // below holds −x, since z = y·(1, x)
  const least = (list, p) => {
    work(products(list.length * p.length, wordsOf(p)));
    let best = null;
    for (const entry of list) {
      const score = dot(p, entry.v);
      if (best === null || score < best.score) best = { entry, score };
    }
    return best.entry;
  };
  const difference = (a, b) => ({ key: `${a.key},${b.key}`, v: a.v.map((value, j) => value + b.v[j]) });
  const nearest = (p) => difference(least(above, p), least(below, p));
  try {
    const { p, denominator } = leastNorm(difference(above[0], below[0]), nearest, work);
    return [dot(p, p), 4n * denominator * denominator * unit];
  } catch (error) {
    if (!(error instanceof OutOfWork)) throw error;
    return null;
  }
}

// ⌊R²/γ² + 2‖v‖/(η·γ)⌋ from the start v (L3, eq. 15), in integers.
function boundOf(largest, [num, den], unit, eta0, start) {
  const ratio = [largest * den, unit * num]; // R²/γ²
  if (start.every((value) => value === 0)) return Number(ratio[0] / ratio[1]);
  const { integers } = asIntegers([...start, eta0]);
  const eta = integers.pop();
  const square = [dot(integers, integers) * den, eta * eta * num]; // the common power of two cancels
  const scale = 1n << 64n;
  const root = isqrt((square[0] * scale * scale) / square[1]) + 1n; // an upper bound of the square root, times 2^64
  return Number((ratio[0] * scale + 2n * root * ratio[1]) / (ratio[1] * scale));
}

function readable([numerator, denominator]) {
  const text = fractionText(numerator, denominator);
  return text.length <= LONGEST_FRACTION ? text : null;
}
