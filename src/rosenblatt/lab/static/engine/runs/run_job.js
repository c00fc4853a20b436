// The job `run` in the browser. It gives the same run and the same answer as jobs/run_job.py.
import { checkedPoints, given, refuse } from "../requests.js";
import { problemsOf } from "./run_encoding.js";
import { prove } from "../proofs/separability.js";
import { pythonCall } from "./python_call.js";

const SEVERITY = ["separated", "error_reached", "unchanged", "early_stopped", "stalled", "max_updates", "max_steps", "max_iter", "inseparable", "cycled"];

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
  const status = statuses.reduce((worst, next) => (SEVERITY.indexOf(next) > SEVERITY.indexOf(worst) ? next : worst));
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
