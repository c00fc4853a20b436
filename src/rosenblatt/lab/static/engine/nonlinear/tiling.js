// Networks of threshold units for any two classes: the tiling algorithm with the pocket. Counterpart of learning/tiling.py, which
// explains it; the same sums in the same order give the same bits.
import { refuse } from "../requests.js";

const EPOCHS = 200; // of the pocket's run for one unit
const MOST_UNITS = 200;

// `x` holds the rows one after the other, `positive` one flag per row. Returns the layers: arrays of units [w0, w1, …].
export function tile(engine, catalogue, x, features, positive) {
  const trainer = new Trainer(engine, catalogue);
  const goal = majority(x, features, positive);
  const layers = [];
  let values = { x, width: features };
  let scaling = scalingOf(x, features);
  let known = null; // a unit that is better than the master of the last layer
  for (;;) {
    let master = trainer.unit(values, goal, scaling);
    if (known && errors(engine, values, goal, known) < errors(engine, values, goal, master)) master = known;
    const units = [master];
    if (errors(engine, values, goal, master)) trainer.makeFaithful(units, values, goal, scaling);
    layers.push(units);
    const outputs = outputsOf(engine, values, units);
    if (units.length === 1) return { layers, fired: outputs.map((row) => row[0] > 0) };
    known = betterThanMaster(outputs, goal);
    values = { x: Float64Array.from(outputs.flat()), width: units.length };
    scaling = null;
  }
}

// Whether the network fires for each row.
export function tiledFires(engine, layers, x, features) {
  let values = { x, width: features };
  for (const units of layers) values = { x: Float64Array.from(outputsOf(engine, values, units).flat()), width: units.length };
  return Array.from(values.x, (value) => value > 0);
}

function fires(engine, { x, width }, units) {
  const scores = engine.scope(() => engine.scores(x, width, units));
  return Array.from({ length: x.length / width }, (_, i) => units.map((_, k) => scores[i * units.length + k] > 0));
}

function outputsOf(engine, values, units) {
  return fires(engine, values, units).map((row) => row.map((fired) => (fired ? 1 : -1)));
}

function errors(engine, values, goal, unit) {
  return fires(engine, values, [unit]).filter(([fired], i) => fired !== goal[i]).length;
}

function splits(engine, values, unit) {
  const fired = fires(engine, values, [unit]).flat();
  return fired.includes(true) && fired.includes(false);
}

function rowsOf({ x, width }, members) {
  return { x: Float64Array.from(members.flatMap((i) => Array.from(x.subarray(i * width, (i + 1) * width)))), width };
}

class Trainer {
  constructor(engine, catalogue) {
    this.engine = engine;
    this.used = 0;
    this.plan = {
      ...catalogue.engine.algorithms.pocket.plan, joint: false, batch: false, average: false, ratchet: true, order: "shuffle", seed: 0,
      max_iter: EPOCHS, may_stall: false, ask_before_stall: false, record: false,
    };
  }

  unit({ x, width }, goal, scaling) {
    this.used += 1;
    if (this.used > MOST_UNITS) refuse(`more than ${MOST_UNITS} units would be needed. Use fewer examples, or a kernel or further features.`);
    if (!goal.includes(true) || !goal.includes(false)) return [goal[0] ? 1 : -1, ...new Array(width).fill(0)];
    const near = scaling ? x.map((value, k) => (value - scaling[k % width].middle) / scaling[k % width].half) : x;
    const labels = Int32Array.from(goal, (flag) => (flag ? 1 : 0));
    const [w0, ...w] = this.engine.scope(() => {
      const run = this.engine.online({ plan: this.plan, x: near, features: width, labels, chosen: null, positives: [1], start: [new Array(width + 1).fill(0)] });
      try {
        while (run.advance(false) !== "done") if (run.notFinite) refuse("the weights left the range of floating-point numbers.");
        return run.weights(0, "pocket")[0];
      } finally {
        run.destroy();
      }
    });
    if (!scaling) return [w0, ...w];
    const made = w.map((value, j) => value / scaling[j].half);
    return [made.reduce((sum, value, j) => sum - value * scaling[j].middle, w0), ...made];
  }

  // Adds units until examples of different classes have different outputs.
  makeFaithful(units, values, goal, scaling) {
    const { engine } = this;
    const stuck = new Set();
    for (;;) {
      const mixed = mixedGroups(outputsOf(engine, values, units), goal).filter((group) => !stuck.has(group.join()));
      if (!mixed.length) return;
      const group = mixed.reduce((largest, other) => (other.length > largest.length ? other : largest));
      const some = rowsOf(values, group);
      let unit = this.unit(some, group.map((i) => goal[i]), scaling);
      if (!splits(engine, some, unit)) unit = cutOff(some);
      if (splits(engine, some, unit)) units.push(unit);
      else stuck.add(group.join()); // the examples differ by less than a rounding error
    }
  }
}

// The middle and half the width of each column's range.
function scalingOf(x, features) {
  return Array.from({ length: features }, (_, j) => {
    const column = x.filter((_, k) => k % features === j);
    const [low, high] = [column.reduce((a, b) => Math.min(a, b)), column.reduce((a, b) => Math.max(a, b))];
    const half = (high - low) / 2;
    return { middle: (low + high) / 2, half: half > 0 ? half : 1 };
  });
}

// Groups the indices of rows by equal values, in the order of their first rows.
function groupsOf(rows) {
  const groups = new Map();
  rows.forEach((row, i) => {
    const key = row.join();
    if (groups.has(key)) groups.get(key).push(i);
    else groups.set(key, [i]);
  });
  return [...groups.values()];
}

// The class of each example; equal examples get the class of their majority, or the first class.
function majority(x, features, positive) {
  const goal = new Array(positive.length);
  for (const group of groupsOf(positive.map((_, i) => Array.from(x.subarray(i * features, (i + 1) * features))))) {
    const most = 2 * group.filter((i) => positive[i]).length > group.length;
    for (const i of group) goal[i] = most;
  }
  return goal;
}

function mixedGroups(outputs, goal) {
  return groupsOf(outputs).filter((group) => group.some((i) => goal[i]) && group.some((i) => !goal[i]));
}

// A unit that fires for the example farthest from the middle of the range only.
function cutOff({ x, width }) {
  const rows = Array.from({ length: x.length / width }, (_, i) => x.subarray(i * width, (i + 1) * width));
  const middle = scalingOf(x, width).map((column) => column.middle);
  const distance = rows.map((row) => row.reduce((sum, value, j) => sum + (value - middle[j]) * (value - middle[j]), 0));
  const corner = rows[distance.reduce((best, value, i) => (value > distance[best] ? i : best), 0)];
  const w = Array.from(corner, (value, j) => value - middle[j]);
  const scores = rows.map((row) => row.reduce((sum, value, j) => sum + w[j] * value, 0));
  const top = scores.reduce((a, b) => Math.max(a, b));
  const rest = scores.filter((score) => score < top);
  return [rest.length ? -(top + rest.reduce((a, b) => Math.max(a, b))) / 2 : 0, ...w];
}

// The unit of the next layer that corrects one group of the master's errors and keeps all that it has right.
function betterThanMaster(outputs, goal) {
  const wrong = [...outputs.keys()].filter((i) => outputs[i][0] > 0 !== goal[i]);
  const groups = groupsOf(wrong.map((i) => outputs[i]));
  const largest = groups.reduce((best, group) => (group.length > best.length ? group : best));
  const example = wrong[largest[0]];
  const sign = goal[example] ? 1 : -1;
  const unit = [sign, ...outputs[example].map((value) => sign * value)];
  unit[1] = outputs[0].length - 1;
  return unit;
}
