// Encodes the problems of a run, so that the page can replay it. Counterpart of replay.py and batches.py in encoding/.
import { pack } from "../../state/codec.js";
import { rivalsOf } from "../../state/track.js";

const SAMPLES = 600; // maximum number of updates at which training error and loss are computed
const SCORES = 2_000_000; // maximum number of scores computed for them

export function problemsOf(engine, problem, { run, group, start, states }, outcomes) {
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

function isWrong(score, positive, tie) {
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
