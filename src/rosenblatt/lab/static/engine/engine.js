// The engine as WebAssembly (core/wasm/engine.cpp), with typed arrays in and out.
export const ENDINGS = ["separated", "cycled", "error_reached", "unchanged", "early_stopped", "inseparable", "stalled", "max_updates", "max_steps", "max_iter"];

const TIES = ["mistake", "positive", "negative"];
const STEPS = ["constant", "pa", "pa1", "pa2"];
const RIVALS = ["best", "all"];
const ORDERS = ["cyclic", "shuffle", "misclassified"];
const KERNELS = ["linear", "poly", "rbf", "laplacian"];
export const PAUSES = ["slice", "epoch", "question", "done"];

const number = (value) => value;
const flag = (value) => (value ? 1 : 0);
const limit = (value) => value ?? -1;
const choice = (names) => (value) => names.indexOf(value);

// The fields of a plan, in the order in which engine.cpp reads them.
const PLAN_FIELDS = [
  ["eta0", number], ["tie", choice(TIES)], ["error_tie", choice(TIES)], ["fit_intercept", flag], ["margin", number],
  ["step", choice(STEPS)], ["aggressiveness", number], ["rivals", choice(RIVALS)], ["joint", flag], ["batch", flag], ["average", flag], ["pocket", flag],
  ["ratchet", flag], ["record", flag], ["order", choice(ORDERS)], ["seed", number], ["max_iter", limit], ["max_steps", limit],
  ["patience", limit], ["max_error", number], ["may_stall", flag], ["ask_before_stall", flag],
];

const SLICE = 20_000_000; // number of values processed between two calls of the caller: a fraction of a second

// Compiles the module. `bytes` is the content of engine.wasm.
export async function loadEngine(bytes) {
  const stop = () => {
    throw new Error("the engine stopped.");
  };
  const none = () => 0;
  const { instance } = await WebAssembly.instantiate(bytes, {
    env: { emscripten_notify_memory_growth: none },
    wasi_snapshot_preview1: { proc_exit: stop, environ_sizes_get: none, environ_get: none },
  });
  instance.exports._initialize();
  return new Engine(instance.exports);
}

export class Engine {
  constructor(core) {
    this.core = core;
    this.allocated = [];
  }

  // Runs `job`, then frees all memory that it has allocated.
  scope(job) {
    const outer = this.allocated;
    this.allocated = [];
    try {
      return job();
    } finally {
      for (const pointer of this.allocated) this.core.engine_release(pointer);
      this.allocated = outer;
    }
  }

  room(bytes) {
    const pointer = this.core.engine_allocate(Math.max(8, bytes));
    if (!pointer) throw new Error("there is not enough memory for this. Use fewer points.");
    this.allocated.push(pointer);
    return pointer;
  }

  put(array) {
    const pointer = this.room(array.byteLength);
    new array.constructor(this.core.memory.buffer, pointer, array.length).set(array);
    return pointer;
  }

  // A copy of `count` values.
  get(Type, pointer, count) {
    return new Type(this.core.memory.buffer, pointer, count).slice();
  }

  plan(fields) {
    return this.put(Float64Array.from(PLAN_FIELDS, ([name, encode]) => encode(fields[name])));
  }

  // A run of problems that share each pass. `start` has one row [w0, w1, …] per plane.
  online({ plan, x, features, labels, chosen, positives, start }) {
    const w = new Float64Array(positives.length * features);
    start.forEach((row, plane) => w.set(row.slice(1), plane * features));
    const pointer = this.core.online_create(
      this.plan(plan), this.put(x), labels.length, features, this.put(labels),
      chosen ? this.put(chosen) : 0, chosen ? chosen.length : 0, this.put(Int32Array.from(positives)), positives.length,
      this.put(w), this.put(Float64Array.from(start, (row) => row[0])),
    );
    return new OnlineRun(this, pointer, plan.joint ? positives.length : 1, features);
  }

  // The whole dual run on a Gram matrix: outcome, coefficients, offsets and updates of each plane.
  dual({ plan, labels, positives, gram }) {
    const { core } = this;
    const n = labels.length;
    const pointer = core.dual_create(this.plan(plan), n, this.put(labels), this.put(Int32Array.from(positives)), positives.length);
    try {
      const matrix = this.put(gram);
      while (core.dual_advance(pointer, matrix, SLICE) !== 4) {
        if (core.dual_not_finite(pointer)) throw new Error("the scores left the range of floating-point numbers. Use smaller values or a smaller γ.");
      }
      const out = this.room(8 * positives.length * (n + 1));
      core.dual_coefficients(pointer, out);
      const values = this.get(Float64Array, out, positives.length * (n + 1));
      const updates = this.updates(core.dual_update_count(pointer), (...room) => core.dual_updates(pointer, ...room));
      return {
        outcomes: positives.map((_, problem) => this.outcome((room) => core.dual_outcome(pointer, problem, room))),
        coefficients: positives.map((_, plane) => values.slice(plane * n, (plane + 1) * n)),
        offsets: values.slice(positives.length * n),
        updates,
      };
    } finally {
      core.dual_destroy(pointer);
    }
  }

  outcome(write) {
    const room = this.room(7 * 8);
    write(room);
    const [ending, epochs, mistakes, presented, period] = this.get(Float64Array, room, 7);
    return { ending: ENDINGS[ending], epochs, mistakes, presented, period: period || null };
  }

  updates(count, write) {
    const rooms = [0, 1, 2].map(() => this.room(4 * count));
    write(...rooms);
    const [presented, problem, example] = rooms.map((room) => this.get(Uint32Array, room, count));
    return { presented, problem, example };
  }

  // k(a_i, b_j), row by row; `a` and `b` are flat.
  kernel({ name, gamma = 1, coef0 = 0, degree = 1 }, a, b, features) {
    const [rows, columns] = [a.length / features, b.length / features];
    const out = this.room(8 * rows * columns);
    // The core also has the sigmoid kernel; its numbers are those of KernelFunction::Name.
    const finite = this.core.kernel_matrix(KERNELS.indexOf(name), gamma, coef0, degree, this.put(a), rows, this.put(b), columns, features, out);
    if (!finite) throw new Error("a kernel value left the range of floating-point numbers. Use smaller values or a smaller γ.");
    return this.get(Float64Array, out, rows * columns);
  }

  // The scores of flat rows: one value per row and plane [w0, w1, …].
  scores(x, features, planes) {
    const rows = x.length / features;
    const w = new Float64Array(planes.length * features);
    planes.forEach((plane, c) => w.set(plane.slice(1), c * features));
    const out = this.room(8 * rows * planes.length);
    this.core.plane_scores(this.put(x), rows, features, this.put(w), this.put(Float64Array.from(planes, (plane) => plane[0])), planes.length, out);
    return this.get(Float64Array, out, rows * planes.length);
  }

  epochOrder(seed, epoch, n) {
    const out = this.room(4 * n);
    this.core.shuffled_order(seed, epoch, n, out);
    return this.get(Uint32Array, out, n);
  }

  randomStart(seed, size, problem, scale) {
    const out = this.room(8 * size);
    this.core.random_weights(seed, size, problem, scale, out);
    return this.get(Float64Array, out, size);
  }

  // A floating-point guess at the rows whose hull contains the point of least norm of the hull of all rows.
  leastNormGuess(rows, dim) {
    const count = rows.length / dim;
    const members = this.room(4 * (dim + 2));
    const multipliers = this.room(8 * (dim + 2));
    const found = this.core.least_norm_guess(this.put(rows), count, dim, 1e-9, 2e9, members, multipliers);
    return Array.from(this.get(Uint32Array, members, found));
  }
}

class OnlineRun {
  constructor(engine, pointer, planes, features) {
    Object.assign(this, { engine, pointer, planes, features });
  }

  advance(pauseAtEpoch) {
    return PAUSES[this.engine.core.online_advance(this.pointer, SLICE, pauseAtEpoch ? 1 : 0)];
  }

  question() {
    return this.engine.core.online_question(this.pointer);
  }

  answer(goOn, otherwise) {
    this.engine.core.online_answer(this.pointer, goOn ? 1 : 0, ENDINGS.indexOf(otherwise));
  }

  get presented() {
    return this.engine.core.online_presented(this.pointer);
  }

  get epochs() {
    return this.engine.core.online_epochs(this.pointer);
  }

  get notFinite() {
    return this.engine.core.online_not_finite(this.pointer);
  }

  outcome(problem) {
    return this.engine.outcome((room) => this.engine.core.online_outcome(this.pointer, problem, room));
  }

  // [w0, w1, …] of each plane of a problem: the "last", the "average" or the "pocket" weights.
  weights(problem, which = "last") {
    const { engine, planes, features } = this;
    const room = engine.room(8 * planes * (features + 1));
    engine.core.online_weights(this.pointer, problem, ["last", "average", "pocket"].indexOf(which), room);
    const values = engine.get(Float64Array, room, planes * (features + 1));
    return Array.from({ length: planes }, (_, plane) => [values[planes * features + plane], ...values.slice(plane * features, (plane + 1) * features)]);
  }

  updates() {
    const { core } = this.engine;
    return this.engine.updates(core.online_update_count(this.pointer), (...room) => core.online_updates(this.pointer, ...room));
  }

  // The factor of y·x in each update, or null if it was always η.
  scales() {
    const count = this.engine.core.online_scale_count(this.pointer);
    if (!count) return null;
    const room = this.engine.room(8 * count);
    this.engine.core.online_scales(this.pointer, room);
    return this.engine.get(Float64Array, room, count);
  }

  destroy() {
    this.engine.core.online_destroy(this.pointer);
  }
}
