// The proof that no line separates two classes, as a picture: weighted points of both classes with the same weighted mean.
import { GLYPHS } from "../plane/looks.js";
import { pair, shortVector } from "../ui/numbers.js";
import { t } from "../ui/strings.js";
import { toPixel } from "../plane/view.js";

// The multipliers as doubles, divided by a common power of ten: they can have more digits than a double can hold.
function relativeWeights({ multipliers }) {
  const digits = Math.max(...multipliers.map((text) => text.length));
  const unit = 10n ** BigInt(Math.max(0, digits - 300));
  return multipliers.map((text) => Number(BigInt(text) / unit));
}

// Shortens an integer with many digits to its first digits.
export function shortInteger(text) {
  return text.length <= 12 ? text : `${text[0]}.${text.slice(1, 5)}…·10^${text.length - 1}`;
}

// The weighted mean of the witness's points of each sign; they are equal if the rule has an offset.
export function meetingPoint(witness, points, places, positive) {
  const weights = relativeWeights(witness);
  let [sum, x, y] = [0, 0, 0];
  witness.indices.forEach((i, k) => {
    if (points[i].c !== positive) return;
    const weight = weights[k];
    sum += weight;
    x += weight * places[i][0];
    y += weight * places[i][1];
  });
  return [x / sum, y / sum];
}

export function witnessShapes(view, theme, { replay, which, state, picture }) {
  const proof = state.proofs[which];
  if (!replay || state.show.proof === false || proof?.payload !== replay.payload || proof.answer?.kind !== "inseparable") return {};
  const { witness, fit_intercept: offset } = proof.answer;
  const { points } = replay;
  const places = points.map(picture.place);
  const back = [];
  const front = [];
  for (const positive of [true, false]) {
    const mine = witness.indices.filter((i) => (points[i].c === proof.positive) === positive);
    if (!mine.length) continue;
    const corners = mine.map((i) => toPixel(view, ...places[i]));
    const colour = theme.classes[points[mine[0]].c];
    if (corners.length > 2) back.push({ kind: "polygon", points: corners, fill: colour, opacity: 0.18 });
    corners.forEach((corner, k) => {
      const next = corners[(k + 1) % corners.length];
      if (corners.length > 1 && !(corners.length === 2 && k)) back.push({ kind: "line", a: corner, b: next, stroke: colour, width: 2.4, dash: [6, 4] });
    });
  }
  const weights = relativeWeights(witness);
  const largest = Math.max(...weights);
  witness.indices.forEach((i, k) => {
    const at = toPixel(view, ...places[i]);
    const share = Math.sqrt(weights[k] / largest);
    front.push({ kind: "ring", at, r: 11 + 9 * share, stroke: theme.classes[points[i].c], width: 3 });
    front.push({ kind: "text", at: [at[0] + 24, at[1] - 10], text: `λ = ${shortInteger(witness.multipliers[k])}`, fill: theme.ink, anchor: "start", italic: true });
  });
  if (offset) {
    const at = toPixel(view, ...meetingPoint(witness, points, places, proof.positive));
    front.push({ kind: "marker", at, shape: "cross", r: 8, fill: theme.change, stroke: theme.halo, width: 1.5 });
  }
  return { back, front };
}

// The witness in words: each point with its weight.
export function witnessWords(witness, points, classes) {
  return witness.indices.map((i, k) => {
    const { x, y, c, v } = points[i];
    return { weight: witness.multipliers[k], c, text: `${t("proof.example", { n: i + 1 })}: ${GLYPHS[c]} ${classes[c] ?? c} ${v ? shortVector(v) : pair(x, y)}` };
  });
}
