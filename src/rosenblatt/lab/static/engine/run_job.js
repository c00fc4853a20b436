// The job `run` in the browser. It gives the same run and the same answer as jobs/run_job.py.
import { checkedPoints, given, refuse } from "./requests.js";
import { pack } from "../state/codec.js";
import { rivalsOf } from "../state/track.js";
import { prove } from "./separability.js";
import { pythonCall } from "./python_call.js";

const BADNESS = ["separated", "error_reached", "unchanged", "early_stopped", "stalled", "max_updates", "max_steps", "max_iter", "inseparable", "cycled"];
const SAMPLES = 600; // maximum number of updates at which training error and loss are computed
const SCORES = 2_000_000; // maximum number of scores computed for them

export function runJob(engine, catalogue, body, report) {
  const points = checkedPoints(body);
  const rule = body.rule ?? refuse("rule must be an object with the parameters of the run.");
  const algorithm = catalogue.engine.algorithms[rule.algorithm] ?? refuse(`there is no algorithm '${rule.algorithm}'; there are: ${Object.keys(catalogue.engine.algorithms).join(", ")}.`);
  const problem = problemOf(points, rule, algorithm);
  return engine.scope(() => {
    const runs = problem.groups.map((group) => runGroup(engine, problem, group, report));
    try {
      return answer(engine, catalogue, rule, algorithm, problem, runs);
    } finally {
      for (const { run } of runs) run.destroy();
    }
  });
}

// Prepares a run: points with classes 0, 1, …, the plan, and the groups of problems that share each pass.
function problemOf(points, rule, algorithm) {
  const classes = [...new Set(points.y)].sort((a, b) => a - b);
  const labels = Int32Array.from(points.y, (c) => classes.indexOf(c));
  const kind = classes.length === 2 ? "two" : rule.multi_class;
  if (algorithm.plan.batch && kind !== "two" && kind !== "ova") refuse("the batch perceptron is shown one class against the rest. Choose one-vs-all.");
  const plan = planOf(rule, algorithm, points, kind);
  const all = classes.map((_, place) => place);
  let groups = [{ positives: all, chosen: null }];
  if (kind === "two") groups = [{ positives: [1], chosen: null }];
  else if (kind === "ovo") groups = pairsOf(all).map(([a, b]) => ({ positives: [b], chosen: Uint32Array.from(membersOf(labels, a, b)) }));
  else if (kind === "ova" && plan.order === "misclassified") groups = all.map((place) => ({ positives: [place], chosen: null }));
  let first = 0;
  for (const group of groups) {
    group.first = first;
    first += group.positives.length;
  }
  return { points, classes, labels, kind, plan, groups, planes: first, rule };
}

export function pairsOf(all) {
  return all.flatMap((a) => all.filter((b) => b > a).map((b) => [a, b]));
}

function membersOf(labels, a, b) {
  return [...labels.keys()].filter((i) => labels[i] === a || labels[i] === b);
}

function planOf(rule, algorithm, points, kind) {
  const batch = Boolean(algorithm.plan.batch);
  const plan = {
    joint: kind === "joint", batch: false, average: false, pocket: false, ...algorithm.plan,
    eta0: rule.eta0, tie: rule.tie, error_tie: rule.error_tie ?? rule.tie, fit_intercept: rule.fit_intercept,
    seed: rule.random_state ?? 0, max_error: rule.max_error ?? 0, rivals: rule.rivals ?? "best",
  };
  if (plan.rivals === "all" && plan.step !== "constant") refuse(`${algorithm.estimator}: rivals='all' has constant steps only; got step='${plan.step}', which is computed for one rival. Choose rivals='best' or step='constant'.`);
  if (batch) plan.max_iter = Math.min(rule.max_iter ?? 1000, 10_000);
  else Object.assign(plan, { order: rule.order, max_steps: rule.max_steps ?? 100_000, patience: rule.patience ?? null, record: true, max_iter: rule.max_iter ?? plan.max_iter });
  if (rule.algorithm === "margin") plan.margin = rule.margin;
  if (["pa1", "pa2"].includes(rule.algorithm)) plan.aggressiveness = rule.C;
  if (rule.algorithm === "pocket") plan.ratchet = rule.ratchet;
  plan.may_stall = plan.max_iter === null;
  plan.ask_before_stall = !plan.joint;
  return plan;
}

// The initial weights of a group, one row [w0, w1, …] per plane.
function startOf(engine, { plan, rule, points, planes }, group) {
  const size = points.features + (plan.fit_intercept ? 1 : 0);
  if (rule.init === "given") {
    const rows = given(rule.start, points.features + 1);
    if (rows.length !== 1 && rows.length !== planes) refuse(`the start has ${rows.length} planes; these points need ${planes}.`);
    return group.positives.map((_, k) => {
      const row = [...(rows.length === 1 ? rows[0] : rows[group.first + k])];
      if (!plan.fit_intercept) row[0] = 0;
      return row;
    });
  }
  return group.positives.map((_, k) => {
    if (rule.init !== "random") return new Array(points.features + 1).fill(0);
    const start = Array.from(engine.randomStart(plan.seed, size, plan.joint ? k : 0, rule.init_scale ?? 0.5));
    return plan.fit_intercept ? start : [0, ...start];
  });
}

function runGroup(engine, problem, group, report) {
  const { plan, points, labels } = problem;
  const start = startOf(engine, problem, group);
  const run = engine.online({ plan, x: points.x, features: points.features, labels, chosen: group.chosen, positives: group.positives, start });
  const states = [start]; // for a batch: the weights after each epoch
  let seenEpochs = 0;
  for (;;) {
    const pause = run.advance(plan.batch);
    if (run.notFinite) refuse(`The weights left the range of floating-point numbers in epoch ${run.notFinite}. Use smaller values or a smaller η.`);
    if (run.epochs > seenEpochs && (pause === "epoch" || pause === "done")) {
      seenEpochs = run.epochs;
      if (plan.batch) states.push(group.positives.flatMap((_, c) => run.weights(c)));
    }
    if (pause === "question") {
      const positive = group.positives[run.question()];
      const members = group.chosen ? Array.from(group.chosen) : [...labels.keys()];
      const found = prove(engine, points, members, (i) => (labels[i] === positive ? 1 : -1), plan.fit_intercept);
      run.answer(found.kind === "separable", found.kind === "undecided" ? "stalled" : "inseparable");
    }
    if (pause === "done") return { run, group, start, states };
    report({ epoch: run.epochs, mistakes: 0 });
  }
}

function answer(engine, catalogue, rule, algorithm, problem, runs) {
  const { plan, kind, classes, groups } = problem;
  const outcomes = runs.flatMap(({ run, group }) => (plan.joint ? [run.outcome(0)] : group.positives.map((_, c) => run.outcome(c))));
  const statuses = outcomes.map(({ ending }) => ending);
  const status = statuses.reduce((worst, next) => (BADNESS.indexOf(next) > BADNESS.indexOf(worst) ? next : worst));
  const cycles = outcomes.map(({ period }) => period);
  const presented = runs.map(({ run }) => run.presented);
  const shared = groups.every(({ chosen }) => chosen === null);
  const hasScales = runs.some(({ run }) => run.scales() !== null); // then a problem without a mistake has an empty list
  return {
    version: 1,
    algorithm: rule.algorithm,
    kind,
    classes,
    pairs: kind === "ovo" ? pairsOf(classes.map((_, place) => place)) : null,
    fit_intercept: plan.fit_intercept,
    tie: plan.tie,
    margin: rule.algorithm === "margin" ? plan.margin : null,
    ending: {
      status,
      meaning: catalogue.engine.endings[status],
      statuses,
      cycle: cycles.length === 1 ? cycles[0] : null,
      cycles,
      epochs: Math.max(...outcomes.map(({ epochs }) => epochs)),
      mistakes: outcomes.reduce((sum, { mistakes }) => sum + mistakes, 0),
      presented: shared ? Math.max(...presented) : presented.reduce((a, b) => a + b, 0),
    },
    problems: runs.flatMap((one) => problemsOf(engine, { ...problem, hasScales }, one, outcomes)),
    published: published(rule, runs, plan),
    python: pythonCall(catalogue.engine, rule, algorithm, problem.planes),
  };
}

// The weights that the estimator publishes, if they are not the last weights of the run.
function published(rule, runs, plan) {
  const which = { pocket: "pocket", averaged: "average" }[rule.algorithm];
  if (!which) return null;
  return { name: rule.algorithm, w: runs.flatMap(({ run, group }) => (plan.joint ? run.weights(0, which) : group.positives.flatMap((_, c) => run.weights(c, which)))) };
}

function problemsOf(engine, problem, { run, group, start, states }, outcomes) {
  const { plan } = problem;
  if (plan.batch) return group.positives.map((positive, c) => batchProblem(engine, problem, positive, states.map((state) => state[c])));
  const updates = run.updates();
  const scales = problem.hasScales ? run.scales() ?? new Float64Array(0) : null;
  return (plan.joint ? [null] : group.positives).map((positive, c) => {
    // Under the joint rule, an update is recorded once for each of its rivals.
    const isFirst = (m) => m === 0 || updates.presented[m] !== updates.presented[m - 1];
    const ownUpdates = [...updates.problem.keys()].filter((m) => (plan.joint ? isFirst(m) : updates.problem[m] === c));
    const track = {
      positive,
      start: plan.joint ? start : [start[c]],
      k: Uint32Array.from(ownUpdates, (m) => updates.presented[m] - 1),
      i: Uint32Array.from(ownUpdates, (m) => updates.example[m]),
      rivals: plan.joint ? updates.problem : null,
      firstRivals: plan.joint && plan.rivals === "all" ? Uint32Array.from(ownUpdates) : null,
      scales: scales && Float64Array.from(ownUpdates, (m) => scales[m]),
      members: group.chosen ?? Uint32Array.from(problem.labels.keys()),
      outcome: outcomes[plan.joint ? 0 : group.first + c],
    };
    return onlineProblem(engine, problem, track);
  });
}

function onlineProblem(engine, problem, track) {
  const { plan } = problem;
  const weights = weightsAfterUpdates(problem, track);
  const n = track.members.length;
  const { presented, epochs } = track.outcome;
  const shown = (row) => (plan.fit_intercept ? Array.from(row) : Array.from(row).slice(1));
  const made = {
    positive: track.positive,
    start: plan.joint ? track.start.map(shown) : shown(track.start[0]),
    presented,
    epoch_ends: pack(Float64Array.from({ length: epochs }, (_, epoch) => Math.min((epoch + 1) * n, presented)), true),
    examples: plan.order === "cyclic" ? { cyclic: pack(track.members, true) } : { list: pack(presentedExamples(engine, plan, track, presented), true) },
    k: pack(track.k, true),
    i: pack(track.i, true),
    scale: track.scales ? pack(track.scales) : plan.eta0,
    undershot: pack(Uint8Array.from(track.k, (_, m) => undershot(problem, track, weights[m + 1], m)), true),
    curve: curve(engine, problem, track, weights),
  };
  if (track.rivals) made.rivals = pack(track.rivals, true);
  if (track.firstRivals) made.first_rivals = pack(track.firstRivals, true);
  return made;
}

function presentedExamples(engine, plan, track, presented) {
  if (plan.order === "misclassified") return track.i;
  const n = track.members.length;
  const found = new Uint32Array(presented);
  for (let epoch = 0; epoch * n < presented; epoch++) {
    engine.scope(() => {
      const order = engine.epochOrder(plan.seed, epoch, n);
      for (let k = 0; k < n && epoch * n + k < presented; k++) found[epoch * n + k] = track.members[order[k]];
    });
  }
  return found;
}

// The weights after 0, 1, 2, … updates, with all planes concatenated, summed in the order of the run.
function weightsAfterUpdates({ points, labels, plan }, track) {
  const size = points.features + 1;
  const states = [Float64Array.from(track.start.flat())];
  for (let m = 0; m < track.k.length; m++) {
    const w = states[m].slice();
    const i = track.i[m];
    const scale = track.scales ? track.scales[m] : plan.eta0;
    const add = (plane, by) => {
      if (plan.fit_intercept) w[plane * size] += by;
      for (let j = 0; j < points.features; j++) w[plane * size + 1 + j] += by * points.x[i * points.features + j];
    };
    if (track.positive === null) {
      const rivals = rivalsOf(track, m);
      add(labels[i], scale * rivals.length);
      for (const rival of rivals) add(rival, -scale);
    } else add(0, labels[i] === track.positive ? scale : -scale);
    states.push(w);
  }
  return states;
}

// Whether an update undershot: its example is still wrong afterwards (L1).
function undershot({ points, labels, plan }, track, w, m) {
  const { features, x } = points;
  const i = track.i[m];
  const scores = Array.from({ length: w.length / (features + 1) }, (_, plane) => {
    let score = 0;
    for (let j = 0; j < features; j++) score += w[plane * (features + 1) + 1 + j] * x[i * features + j];
    return plan.fit_intercept ? score + w[plane * (features + 1)] : score;
  });
  if (track.positive === null) return scores.every((score, c) => c === labels[i] || score < scores[labels[i]]) ? 0 : 1;
  return isWrong(scores[0], labels[i] === track.positive, plan.tie) ? 1 : 0;
}

export function isWrong(score, positive, tie) {
  if (score === 0) return tie === "mistake" || positive !== (tie === "positive");
  return score > 0 !== positive;
}

// Training errors and L2's loss after evenly spaced updates, or after every update if there are few.
function curve(engine, { points, labels, plan }, track, weights) {
  const { features } = points;
  const budget = track.positive === null ? SCORES / 20 : SCORES;
  const most = Math.max(2, Math.min(SAMPLES, Math.floor(budget / Math.max(track.members.length, 1))));
  const last = weights.length - 1;
  const count = Math.min(most, last + 1);
  const chosen = [...new Set(Array.from({ length: count }, (_, k) => roundHalfEven(count > 1 ? (last * k) / (count - 1) : 0)))];
  const x = new Float64Array(track.members.length * features);
  track.members.forEach((i, k) => x.set(points.x.subarray(i * features, (i + 1) * features), k * features));
  const errors = [];
  const losses = [];
  for (const m of chosen) {
    const planes = Array.from({ length: weights[m].length / (features + 1) }, (_, c) => weights[m].slice(c * (features + 1), (c + 1) * (features + 1)));
    const scores = engine.scope(() => engine.scores(x, features, planes));
    let [wrong, loss] = [0, 0];
    track.members.forEach((i, k) => {
      if (track.positive === null) {
        const own = scores[k * planes.length + labels[i]];
        const agreement = Math.min(...planes.flatMap((_, c) => (c === labels[i] ? [] : [own - scores[k * planes.length + c]])));
        wrong += agreement <= 0;
        loss += agreement <= 0 ? -agreement : 0;
      } else {
        wrong += isWrong(scores[k], labels[i] === track.positive, plan.error_tie);
        loss += isWrong(scores[k], labels[i] === track.positive, plan.tie) ? Math.abs(scores[k]) : 0;
      }
    });
    errors.push(wrong);
    losses.push(loss);
  }
  return { updates: pack(Float64Array.from(chosen), true), errors: pack(Float64Array.from(errors), true), loss: pack(Float64Array.from(losses)) };
}

function roundHalfEven(value) {
  const low = Math.floor(value);
  if (value - low !== 0.5) return Math.round(value);
  return low % 2 ? low + 1 : low;
}

// One problem of a batch run; `states` are its weights after 0, 1, 2, … epochs. A step is an epoch.
function batchProblem(engine, { points, labels, plan }, positive, states) {
  const same = (a, b) => a.every((value, j) => value === b[j]);
  const firstUnchanged = states.findIndex((state, m) => m > 0 && same(states[m - 1], state));
  const ended = firstUnchanged < 0 ? states.length - 1 : firstUnchanged;
  const kept = states.slice(0, ended + 1);
  const scores = engine.scores(points.x, points.features, kept);
  const sets = kept.map((_, m) => [...labels.keys()].filter((i) => isWrong(scores[i * kept.length + m], labels[i] === positive, plan.tie)));
  const changed = kept.flatMap((state, m) => (m > 0 && !same(kept[m - 1], state) ? [m - 1] : []));
  const moments = [...changed, kept.length - 1];
  const errors = moments.map((m) => labels.reduce((sum, label, i) => sum + isWrong(scores[i * kept.length + m], label === positive, plan.error_tie), 0));
  const loss = moments.map((m) => sets[m].reduce((sum, i) => sum + Math.abs(scores[i * kept.length + m]), 0));
  return {
    positive,
    start: plan.fit_intercept ? Array.from(kept[0]) : Array.from(kept[0]).slice(1),
    presented: ended,
    epoch_ends: pack(Float64Array.from({ length: ended }, (_, k) => k + 1), true),
    examples: { sets: pack(Float64Array.from(sets.flat()), true), sizes: pack(Float64Array.from(sets, (set) => set.length), true) },
    k: pack(Float64Array.from(changed), true),
    states: pack(Float64Array.from(changed.flatMap((m) => Array.from(kept[m + 1])))),
    scale: plan.eta0,
    undershot: pack(new Uint8Array(changed.length), true),
    curve: { updates: pack(Float64Array.from(moments.keys()), true), errors: pack(Float64Array.from(errors), true), loss: pack(Float64Array.from(loss)) },
  };
}
