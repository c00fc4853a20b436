// The job `nonlinear` in the browser: a boundary by a kernel, additional features or a network, evaluated on a grid.
// Counterpart of jobs/nonlinear_job.py.
import { networkBoundary } from "./network_job.js";
import { float } from "../runs/python_call.js";
import { checkedPoints, isNumbers, refuse } from "../requests.js";
import { pack } from "../../state/codec.js";

const MOST_POINTS = 1_000; // for a kernel; its work grows with the square of their number
const MOST_GRAM = 200; // maximum number of points for which the Gram matrix is sent
const MOST_CELLS = 20_000;
const MOST_EPOCHS = 2_000;
const BLOCK = 2_000; // grid points that are scored together

// The additional features of two columns, as pairs of factors: 0 and 1 are the first and the second column.
const FEATURES = { product: [[0, 1]], squares: [[0, 0], [1, 1]], quadratic: [[0, 0], [0, 1], [1, 1]] };

export function nonlinearJob(engine, catalogue, body) {
  const method = { kernel: kernelBoundary, features: featureBoundary, network: networkBoundary }[body.method] ?? refuse("method must be one of kernel, features, network.");
  const points = checkedPoints(body);
  const grid = gridOf(body, points.features);
  return engine.scope(() => {
    const { codes = null, scores = null, ...answer } = method(engine, catalogue, points, grid, body);
    return { ...answer, ...cells(grid, scores, codes) };
  });
}

// The centres of the cells, as points of the data: with more than two columns, (u, v) is origin + u·across + v·up.
function gridOf({ frame, size = [80, 60], plane }, features) {
  if (!isNumbers(frame, 4)) refuse("frame must be four numbers: left, right, low, high.");
  const [left, right, low, high] = frame;
  if (!(left < right && low < high)) refuse("a frame goes from left to right and from low to high.");
  const [columns, rows] = size;
  if (columns * rows > MOST_CELLS) refuse(`the grid has ${columns * rows} cells; at most ${MOST_CELLS} are computed.`);
  const { origin, across, up } = features === 2 ? { origin: [0, 0], across: [1, 0], up: [0, 1] } : plane ?? {};
  if (![origin, across, up].every((part) => isNumbers(part, features))) refuse(`plane must have origin, across and up, ${features} finite numbers each.`);
  const x = new Float64Array(features * columns * rows);
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      const u = left + ((right - left) * (i + 0.5)) / columns;
      const v = low + ((high - low) * (j + 0.5)) / rows;
      for (let k = 0; k < features; k++) x[features * (j * columns + i) + k] = origin[k] + u * across[k] + v * up[k];
    }
  }
  return { columns, rows, x };
}

// Encodes the class of each cell, and its score if the boundary can be interpolated from scores.
function cells({ columns, rows }, scores, codes = null) {
  const classes = codes ?? Uint8Array.from(scores, (score) => (score > 0 ? 1 : 0));
  return { grid: { columns, rows, scores: scores && pack(scores), codes: pack(classes, true) } };
}

function endingOf(catalogue, { ending, period, epochs, mistakes }) {
  return { status: ending, meaning: catalogue.engine.endings[ending], cycle: period, epochs, mistakes };
}

function kernelBoundary(engine, catalogue, points, grid, body) {
  const { x, y, features } = points;
  if (y.length > MOST_POINTS) refuse(`${y.length.toLocaleString("en")} points; a kernel compares all pairs, and the lab takes ${MOST_POINTS.toLocaleString("en")} here.`);
  const kernel = kernelOf(body, x, features);
  const classes = [...new Set(y)].sort((a, b) => a - b);
  const labels = Int32Array.from(y, (c) => classes.indexOf(c));
  const gram = engine.kernel(kernel, x, x, features);
  const positives = classes.length === 2 ? [1] : classes.map((_, place) => place);
  const plan = {
    eta0: 1, tie: "mistake", error_tie: "mistake", fit_intercept: true, margin: 0, step: "constant", aggressiveness: 1, rivals: "best", joint: false,
    batch: false, average: false, pocket: false, ratchet: false, record: true, order: "cyclic", seed: 0, max_iter: MOST_EPOCHS,
    max_steps: null, patience: null, max_error: 0, may_stall: false, ask_before_stall: false,
  };
  const found = engine.dual({ plan, labels, positives, gram });
  const worst = found.outcomes.reduce((a, b) => (a.ending === "separated" ? b : a));
  const ending = endingOf(catalogue, {
    ending: worst.ending,
    period: found.outcomes.length === 1 ? worst.period : null,
    epochs: Math.max(...found.outcomes.map(({ epochs }) => epochs)),
    mistakes: found.outcomes.reduce((sum, { mistakes }) => sum + mistakes, 0),
  });
  const support = [...labels.keys()].filter((i) => found.coefficients.some((row) => row[i] !== 0));
  const answer = { method: "kernel", classes, ending, python: kernelPython(kernel, body), support: support.length };
  if (y.length <= MOST_GRAM) {
    const order = [...labels.keys()].sort((a, b) => labels[a] - labels[b] || a - b);
    answer.gram = { order: pack(Float64Array.from(order), true), values: pack(Float64Array.from(order.flatMap((a) => order.map((b) => gram[a * y.length + b])))) };
  }
  if (classes.length > 2) {
    // Several problems: only the end of their runs is shown.
    const planes = positives.map((_, c) => scoresOf(engine, kernel, points, found.coefficients[c], found.offsets[c]));
    const best = (z) => {
      const scores = planes.map((plane) => plane(z));
      return Uint8Array.from(scores[0], (_, i) => scores.reduce((top, plane, c) => (plane[i] > scores[top][i] ? c : top), 0));
    };
    const errors = best(x).reduce((sum, code, i) => sum + (code !== labels[i]), 0);
    return { ...answer, codes: best(grid.x), moment: null, errors, alphas: null };
  }
  const last = found.updates.example.length;
  const moment = Math.min(body.moment ?? last, last);
  const alphas = new Float64Array(y.length);
  for (let m = 0; m < moment; m++) alphas[found.updates.example[m]] += 1;
  const coefficients = alphas.map((alpha, i) => (labels[i] ? alpha : -alpha));
  const scores = scoresOf(engine, kernel, points, coefficients, coefficients.reduce((sum, value) => sum + value, 0));
  const errors = scores(x).reduce((sum, score, i) => sum + (score * (labels[i] ? 1 : -1) <= 0), 0);
  return { ...answer, scores: scores(grid.x), moment, errors, alphas: pack(alphas) };
}

// Returns a function that computes the scores of flat rows: Σ coefficient·k(x_i, z) + offset.
function scoresOf(engine, kernel, { x, features }, coefficients, offset) {
  const used = [...coefficients.keys()].filter((i) => coefficients[i] !== 0);
  const support = Float64Array.from(used.flatMap((i) => Array.from(x.subarray(features * i, features * (i + 1)))));
  return (z) => {
    const out = new Float64Array(z.length / features).fill(offset);
    if (!used.length) return out;
    for (let begin = 0; begin < out.length; begin += BLOCK) {
      const some = z.subarray(features * begin, features * Math.min(out.length, begin + BLOCK));
      const values = engine.scope(() => engine.kernel(kernel, some, support, features));
      for (let k = 0; k < some.length / features; k++) {
        let sum = 0;
        for (let j = 0; j < used.length; j++) sum += values[k * used.length + j] * coefficients[used[j]];
        out[begin + k] = sum + offset;
      }
    }
    return out;
  };
}

function kernelOf({ kernel: name = "rbf", gamma = "scale", degree = 2, coef0 = 1 }, x, features) {
  if (!["rbf", "poly", "linear", "laplacian"].includes(name)) refuse("kernel must be one of rbf, poly, linear, laplacian.");
  if (name === "linear") return { name };
  const width = gamma === "scale" ? scaleOf(x, features) : gamma;
  if (!(width > 0 && width <= 1e12)) refuse("gamma must be a number from 1e-12 to 1e+12.");
  return name === "poly" ? { name, gamma: width, degree, coef0 } : { name, gamma: width };
}

// 1 / (features · variance of all values), scikit-learn's gamma="scale".
function scaleOf(x, features) {
  const mean = pairwiseSum(x) / x.length;
  const variance = pairwiseSum(x.map((value) => (value - mean) * (value - mean))) / x.length;
  return variance > 0 ? 1 / (features * variance) : 1;
}

// Sums in NumPy's order, for equal bits: pairwise, with eight partial sums in blocks of at most 128.
function pairwiseSum(values) {
  const n = values.length;
  if (n < 8) return values.reduce((sum, value) => sum + value, 0);
  if (n > 128) {
    let half = Math.floor(n / 2);
    half -= half % 8;
    return pairwiseSum(values.subarray(0, half)) + pairwiseSum(values.subarray(half));
  }
  const r = Array.from(values.subarray(0, 8));
  let i = 8;
  for (; i < n - (n % 8); i += 8) for (let k = 0; k < 8; k++) r[k] += values[i + k];
  let sum = r[0] + r[1] + (r[2] + r[3]) + (r[4] + r[5] + (r[6] + r[7]));
  for (; i < n; i++) sum += values[i];
  return sum;
}

function kernelPython({ name, degree, coef0 }, { gamma }) {
  const parts = [`kernel='${name}'`];
  if (name !== "linear") parts.push(`gamma=${gamma === "scale" ? "'scale'" : float(gamma)}`);
  if (name === "poly") parts.push(`degree=${degree}`, `coef0=${float(coef0)}`);
  return `KernelPerceptron(${parts.join(", ")}, order="cyclic", max_iter=${MOST_EPOCHS}).fit(X, y)`;
}

function featureBoundary(engine, catalogue, points, grid, body) {
  const { x, y, features: width } = points;
  const chosen = body.chosen ?? [0, 1];
  if (!Array.isArray(chosen) || chosen.length !== 2 || !chosen.every((c) => Number.isInteger(c) && c >= 0 && c < width)) refuse(`columns must be two numbers from 0 to ${width - 1}.`);
  const factors = (FEATURES[body.features ?? "product"] ?? refuse("features must be one of product, squares, quadratic.")).map(([a, b]) => [chosen[a], chosen[b]]);
  const classes = [...new Set(y)].sort((a, b) => a - b);
  if (classes.length > 2) refuse(`further features are shown for two classes; here are ${classes.length}.`);
  const labels = Int32Array.from(y, (c) => classes.indexOf(c));
  const features = width + factors.length;
  const more = (z) => Float64Array.from({ length: (z.length / width) * features }, (_, k) => {
    const [first, j] = [width * Math.floor(k / features), k % features];
    if (j < width) return z[first + j];
    const [a, b] = factors[j - width];
    return z[first + a] * z[first + b];
  });
  const rows = more(x);
  const plan = { ...catalogue.engine.algorithms.perceptron.plan, joint: false, batch: false, average: false, pocket: false, order: "cyclic", max_steps: 100_000, record: true, ask_before_stall: false };
  const run = engine.online({ plan, x: rows, features, labels, chosen: null, positives: [1], start: [new Array(features + 1).fill(0)] });
  try {
    while (run.advance(false) !== "done") if (run.notFinite) refuse("the weights left the range of floating-point numbers.");
    const { example } = run.updates();
    const moment = Math.min(body.moment ?? example.length, example.length);
    const w = new Float64Array(features + 1);
    for (let m = 0; m < moment; m++) {
      const sign = labels[example[m]] ? 1 : -1;
      w[0] += sign;
      for (let j = 0; j < features; j++) w[1 + j] += sign * rows[example[m] * features + j];
    }
    const scores = (z) => engine.scores(more(z), features, [w]);
    const errors = scores(x).reduce((sum, score, i) => sum + (score * (labels[i] ? 1 : -1) <= 0), 0);
    return {
      method: "features",
      classes,
      ending: endingOf(catalogue, run.outcome(0)),
      python: `Perceptron(order="cyclic").fit(np.column_stack([X, ${factors.map(([a, b]) => (a === b ? `X[:, ${a}] ** 2` : `X[:, ${a}] * X[:, ${b}]`)).join(", ")}]), y)`,
      names: ["1", ...Array.from({ length: width }, (_, j) => `x${j + 1}`), ...factors.map(([a, b]) => (a === b ? `x${a + 1}²` : `x${a + 1}·x${b + 1}`))],
      w: Array.from(w),
      moment,
      errors,
      scores: scores(grid.x),
    };
  } finally {
    run.destroy();
  }
}
