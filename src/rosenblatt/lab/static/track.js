// One recorded problem. Its weights after any number of examples are the start plus what each update added, in the
// order of the run: the same additions of the same doubles as in the engine, so the same bits.
import { unpack } from "./codec.js";

const EVERY = 256; // updates between two remembered weight vectors

export class Track {
  constructor(problem, run, points) {
    this.run = run;
    this.points = points;
    this.positive = problem.positive; // place in run.classes; null where all classes learn jointly
    this.presented = problem.presented;
    this.epochEnds = unpack(problem.epoch_ends);
    this.k = unpack(problem.k);
    this.i = problem.i ? unpack(problem.i) : null;
    this.undershot = unpack(problem.undershot);
    this.rivals = problem.rivals ? unpack(problem.rivals) : null;
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
    this.planes = this.kept[0].length / 3;
  }

  get updates() {
    return this.k.length;
  }

  // How many updates happened among the first `at` examples.
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

  // [w0, w1, w2] after m updates; under the joint rule such three numbers for each class, one after the other.
  weightsAfter(m) {
    if (this.states) return m === 0 ? this.kept[0] : this.states.subarray(3 * (m - 1), 3 * m);
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

  // The points that a batch step added: all that were misclassified before it.
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

  // +1 or -1: the label of a point as this problem sees it.
  sign(point) {
    return this.place(point) === this.positive ? 1 : -1;
  }

  place(point) {
    return this.run.classes.indexOf(this.points[point].c);
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
      this.addTo(w, this.place(point), point, scale);
      this.addTo(w, this.rivals[m], point, -scale);
    }
  }

  addTo(w, plane, point, scale) {
    const { x, y } = this.points[point];
    if (this.run.fit_intercept) w[3 * plane] += scale;
    w[3 * plane + 1] += scale * x;
    w[3 * plane + 2] += scale * y;
  }
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
