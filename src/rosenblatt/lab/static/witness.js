// The proof that no line separates two classes, as a picture: points with weights whose weighted means are the same.
import { GLYPHS } from "./looks.js";
import { pair } from "./numbers.js";
import { toPixel } from "./view.js";

// The weighted mean of the witness's points of each sign; equal where the rule has an offset.
export function meetingPoint(witness, points, positive) {
  let [sum, x, y] = [0, 0, 0];
  witness.indices.forEach((i, k) => {
    if (points[i].c !== positive) return;
    const weight = Number(witness.multipliers[k]);
    sum += weight;
    x += weight * points[i].x;
    y += weight * points[i].y;
  });
  return [x / sum, y / sum];
}

export function witnessShapes(view, theme, { replay, which, state }) {
  const proof = state.proofs[which];
  if (!replay || proof?.payload !== replay.payload || proof.answer?.kind !== "inseparable") return {};
  const { witness, fit_intercept: offset } = proof.answer;
  const { points } = replay;
  const back = [];
  const front = [];
  for (const positive of [true, false]) {
    const mine = witness.indices.filter((i) => (points[i].c === proof.positive) === positive);
    if (!mine.length) continue;
    const corners = mine.map((i) => toPixel(view, points[i].x, points[i].y));
    const colour = theme.classes[points[mine[0]].c];
    if (corners.length > 2) back.push({ kind: "polygon", points: corners, fill: colour, opacity: 0.18 });
    corners.forEach((corner, k) => {
      const next = corners[(k + 1) % corners.length];
      if (corners.length > 1 && !(corners.length === 2 && k)) back.push({ kind: "line", a: corner, b: next, stroke: colour, width: 2.4, dash: [6, 4] });
    });
  }
  const largest = Math.max(...witness.multipliers.map(Number));
  witness.indices.forEach((i, k) => {
    const at = toPixel(view, points[i].x, points[i].y);
    const share = Math.sqrt(Number(witness.multipliers[k]) / largest);
    front.push({ kind: "ring", at, r: 11 + 9 * share, stroke: theme.classes[points[i].c], width: 3 });
    const text = witness.multipliers[k].length > 8 ? Number(witness.multipliers[k]).toExponential(2) : witness.multipliers[k];
    front.push({ kind: "text", at: [at[0] + 24, at[1] - 10], text: `λ = ${text}`, fill: theme.ink, anchor: "start", italic: true });
  });
  if (offset) {
    const at = toPixel(view, ...meetingPoint(witness, points, proof.positive));
    front.push({ kind: "marker", at, shape: "cross", r: 8, fill: theme.change, stroke: theme.halo, width: 1.5 });
  }
  return { back, front };
}

// The witness in words: each point with its weight.
export function witnessWords(witness, points, classes) {
  return witness.indices.map((i, k) => {
    const { x, y, c } = points[i];
    return { weight: witness.multipliers[k], c, text: `${GLYPHS[c]} ${classes[c] ?? c} ${pair(x, y)}` };
  });
}
