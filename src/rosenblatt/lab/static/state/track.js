// One recorded problem. Its weights after any number of examples are the start plus the changes by each update, added in the
// order of the run. These are the same additions of the same doubles as in the engine, so the bits are equal.
import { unpack } from "./codec.js";
import { columnPlane, lineOf, valuesOf } from "./slice.js";

const EVERY = 256; // number of updates between two stored weight vectors

export class Track {
  constructor(problem, run, points, slice = null) {
    this.run = run;
    this.columnPlane = columnPlane(slice);
    this.size = 1 + (slice ? slice.means.length : 2); // length of the weights of one plane, including the offset
    this.points = points;
    this.positive = problem.positive; // index into run.classes; null under the joint rule
    this.presented = problem.presented;
    this.epochEnds = unpack(problem.epoch_ends);
    this.k = unpack(problem.k);
    this.i = problem.i ? unpack(problem.i) : null;
    this.undershot = unpack(problem.undershot);
    this.rivals = problem.rivals ? unpack(problem.rivals) : null;
    this.firstRivals = problem.first_rivals ? unpack(problem.first_rivals) : null;
    this.scales = typeof problem.scale === "number" ? null : unpack(problem.scale);
    this.scale = typeof problem.scale === "number" ? problem.scale : null;
    this.states = problem.states ? unpack(problem.states) : null;
    this.curve = {
      updates: unpack(problem.curve.updates),
      errors: unpack(problem.curve.errors),
      loss: unpack(problem.curve.loss),
    };
    this.examples = examplesOf(problem.examples);
    this.kept = [startOf(problem.start, run.fit_intercept)];
    this.planes = this.kept[0].length / this.size;
  }

  get updates() {
    return this.k.length;
  }

  // The number of updates among the first `at` examples.
  updatesBefore(at) {
    let low = 0;
    let high = this.k.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.k[middle] < at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  // [w0, w1, …] after m updates; under the joint rule, the weights of all classes are concatenated.
  weightsAfter(m) {
    if (this.states) return m === 0 ? this.kept[0] : this.states.subarray(this.size * (m - 1), this.size * m);
    while (this.kept.length <= Math.floor(m / EVERY)) {
      const from = (this.kept.length - 1) * EVERY;
      const w = this.kept[this.kept.length - 1].slice();
      for (let u = from; u < from + EVERY; u++) this.add(u, w);
      this.kept.push(w);
    }
    const block = Math.floor(m / EVERY);
    const w = this.kept[block].slice();
    for (let u = block * EVERY; u < m; u++) this.add(u, w);
    return w;
  }

  weights(at) {
    return this.weightsAfter(this.updatesBefore(at));
  }

  // The update that example number `at` (from 1) caused, or -1.
  updateAt(at) {
    const m = this.updatesBefore(at);
    return m > 0 && this.k[m - 1] === at - 1 ? m - 1 : -1;
  }

  // Which point was presented as example number `at` (from 1); -1 before the first, after the last, and in a batch.
  exampleAt(at) {
    if (at < 1 || at > this.presented || this.examples.sets) return -1;
    const { cyclic, list } = this.examples;
    return list ? list[at - 1] : cyclic[(at - 1) % cyclic.length];
  }

  // The points that a batch step added: all points that were misclassified before it.
  batchAt(at) {
    const { sets, starts } = this.examples;
    return sets && at >= 1 && at <= this.presented ? sets.subarray(starts[at - 1], starts[at]) : null;
  }

  epochOf(at) {
    let epoch = 0;
    let high = this.epochEnds.length;
    while (epoch < high) {
      const middle = (epoch + high) >> 1;
      if (this.epochEnds[middle] < at) epoch = middle + 1;
      else high = middle;
    }
    return Math.min(epoch, Math.max(0, this.epochEnds.length - 1));
  }

  // The label of a point in this problem: +1 or -1.
  sign(point) {
    return this.place(point) === this.positive ? 1 : -1;
  }

  place(point) {
    return this.run.classes.indexOf(this.points[point].c);
  }

  // The line [w0, w1, w2] of one problem's weights in the plane of the picture.
  line(w, problem = 0, plane = this.columnPlane) {
    return lineOf(plane, w.slice(this.size * problem, this.size * (problem + 1)));
  }

  // The score of a point under the weights [w0, w1, …] of one plane.
  scoreOf(w, point) {
    return valuesOf(this.points[point]).reduce((sum, value, j) => sum + w[1 + j] * value, 0) + w[0];
  }

  stepOf(m) {
    return this.scales ? this.scales[m] : this.scale;
  }

  add(m, w) {
    const point = this.i[m];
    const scale = this.stepOf(m);
    if (this.positive !== null) {
      this.addTo(w, 0, point, this.sign(point) > 0 ? scale : -scale);
    } else {
      const rivals = rivalsOf(this, m);
      this.addTo(w, this.place(point), point, scale * rivals.length);
      for (const rival of rivals) this.addTo(w, rival, point, -scale);
    }
  }

  addTo(w, plane, point, scale) {
    const first = this.size * plane;
    if (this.run.fit_intercept) w[first] += scale;
    valuesOf(this.points[point]).forEach((value, j) => (w[first + 1 + j] += scale * value));
  }
}

// The classes that update m punished under the joint rule: one, unless `firstRivals` has the index of each update's first.
export function rivalsOf({ rivals, firstRivals }, m) {
  if (!firstRivals) return rivals.subarray(m, m + 1);
  return rivals.subarray(firstRivals[m], m + 1 < firstRivals.length ? firstRivals[m + 1] : rivals.length);
}

function startOf(start, hasOffset) {
  const rows = Array.isArray(start[0]) ? start : [start];
  return Float64Array.from(rows.flatMap((row) => (hasOffset ? row : [0, ...row])));
}

function examplesOf(examples) {
  if (examples.cyclic) return { cyclic: unpack(examples.cyclic) };
  if (examples.list) return { list: unpack(examples.list) };
  const sizes = unpack(examples.sizes);
  const starts = [0];
  for (const size of sizes) starts.push(starts[starts.length - 1] + size);
  return { sets: unpack(examples.sets), starts };
}
