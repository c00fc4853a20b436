// Multi-class prediction at one position in the plane: the score of each problem, and the winning class.
import { score } from "./geometry.js";
import { toPixel } from "./view.js";

// { rows, totals, winner }: a row is a problem with its score; `totals` has the value per class that the scheme compares.
export function votesAt(run, planes, x, y) {
  const scores = planes.map((w) => score(w, x, y));
  if (run.kind !== "ovo") {
    return { rows: scores.map((value, place) => ({ value, place })), totals: scores, winner: largest(scores) };
  }
  const votes = run.classes.map(() => 0);
  const sums = run.classes.map(() => 0);
  const rows = run.pairs.map(([a, b], pair) => {
    const value = scores[pair];
    const place = (run.tie === "positive" ? value >= 0 : value > 0) ? b : a;
    votes[place] += 1;
    sums[b] += value;
    sums[a] -= value;
    return { value, place, pair: [a, b] };
  });
  // Equal votes are decided by summed scores, as in the engine.
  const totals = votes.map((n, place) => n + sums[place] / (2 * (Math.abs(sums[place]) + 1)));
  return { rows, totals, votes, winner: largest(totals) };
}

function largest(values) {
  return values.reduce((best, value, place) => (value > values[best] ? place : best), 0);
}

export function probeShapes(view, theme, { replay, state }) {
  if (!state.probe || !replay || replay.payload.classes.length < 3) return {};
  const [px, py] = toPixel(view, ...state.probe);
  const look = { stroke: theme.ink, width: 1.6, dash: null };
  return {
    front: [
      { kind: "line", a: [px - 9, py], b: [px + 9, py], ...look },
      { kind: "line", a: [px, py - 9], b: [px, py + 9], ...look },
      { kind: "ring", at: [px, py], r: 5, stroke: theme.change, width: 1.6 },
    ],
  };
}
