// The problems of a run with more than two classes: their names, and the arithmetic of each at one position.
import { h } from "../ui/dom.js";
import { plus, short, shortVector } from "../ui/numbers.js";
import { t } from "../ui/strings.js";

export function problemName(replay, track, data) {
  const { kind, classes, pairs } = replay.payload;
  const name = (place) => data.classes[classes[place]] ?? String(classes[place]);
  if (kind !== "ovo") return t("problem.ova", { name: name(track.positive) });
  const [a, b] = pairs[replay.tracks.indexOf(track)];
  return t("problem.ovo", { name: name(b), other: name(a) });
}

// The rows of each problem: the label and score of the example that it was shown, whether that was a mistake, and its weights now.
export function problemTable(replay, at, data) {
  const rows = replay.tracks.map((track, k) => {
    const i = track.exampleAt(at);
    const m = i >= 0 ? track.updateAt(at) : -1;
    const w = track.weights(Math.min(at, track.presented));
    const before = m >= 0 ? track.weightsAfter(m) : w;
    const shown = replay.payload.fit_intercept ? w : w.slice(1);
    const name = h("tr", {}, h("th", { scope: "rowgroup", colspan: 3 }, problemName(replay, track, data)));
    return h("tbody", { "data-problem": k, class: m >= 0 ? "changed-row" : "" }, name, h("tr", {},
      h("td", { class: "number" }, i < 0 ? "–" : track.sign(i) > 0 ? "+1" : "−1"),
      h("td", { class: "number score" }, i < 0 ? t(at > track.presented ? "problem.ended" : "problem.waits") : sumOf(track, before, i)),
      h("td", { class: "math" }, m >= 0 ? "→ " : "", shortVector(shown))));
  });
  const head = ["y", t("step.score"), "w"].map((name) => h("th", { scope: "col" }, name));
  return h("table", { class: "problems" }, h("caption", {}, t("problem.all")), h("thead", {}, h("tr", {}, head)), rows);
}

// The score as a sum of its summands, or only the score if there are many columns.
function sumOf(track, w, i) {
  const score = short(track.scoreOf(w, i));
  const values = track.points[i].v ?? [track.points[i].x, track.points[i].y];
  if (values.length > 2) return score;
  return `${short(w[0])} ${values.map((value, j) => plus(Number((w[1 + j] * value).toPrecision(5)))).join(" ")} = ${score}`;
}
