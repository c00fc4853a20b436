// The step panel: the score of the example, whether it was a mistake, the change of w, the pocket, and every problem of the run.
import { h } from "../ui/dom.js";
import { GLYPHS } from "../plane/looks.js";
import { exact, pair, plus, short, shortVector, vector } from "../ui/numbers.js";
import { hasPocket, pocketCounters } from "../proof/pocket_and_average.js";
import { problemName, problemTable } from "./problems.js";
import { ruleName } from "../state/rules.js";
import { valuesOf } from "../state/slice.js";
import { rivalsOf } from "../state/track.js";
import { number, parts as textParts, t } from "../ui/strings.js";

export const stepPanel = {
  id: "step",
  area: "right",
  title: "step.title",
  mount(box, lab) {
    const { store } = lab;
    const content = h("div", { class: "step-content" });
    const spoken = h("p", { class: "spoken", role: "status" });
    box.append(content, spoken);
    const update = () => {
      const { sides, active, compare, data, playing } = store.state;
      const shown = compare ? [0, 1] : [active];
      content.replaceChildren(
        ...shown.map((which) =>
          h("div", { class: sides[which].at ? "side-step begun" : "side-step", "data-side": which }, compare ? h("h3", {}, `${"AB"[which]} · ${ruleName(sides[which].rule, store.state.catalogue)}`) : null, describe(sides[which], data, store)),
        ),
      );
      // While the run plays, steps follow each other faster than a screen reader speaks.
      if (!playing) spoken.textContent = shown.map((which) => spokenStep(sides[which], data)).join(" ");
    };
    store.subscribe(["sides", "active", "compare", "data", "exact", "extraLines", "playing"], update);
    update();
  },
};

function describe(side, data, store) {
  const { replay, at, focus } = side;
  if (!replay) return [h("p", { class: "soft" }, side.busy ? t("common.busy") : side.error ?? t("step.no_run"))];
  const track = replay.leading(at, focus);
  if (track.planes > 1) return joint(replay, track, at, data, store.state.exact);
  const parts = [];
  if (replay.tracks.length > 1) parts.push(h("p", { class: "soft" }, problemName(replay, track, data)));
  if (at === 0) {
    parts.push(h("p", {}, t("step.start")));
  } else if (track.batchAt(at)) {
    parts.push(verdict(...batch(track, at)));
  } else if (track.exampleAt(at) >= 0) {
    parts.push(...online(replay, track, at, data, store.state.exact));
  }
  parts.push(weightsLine(track.weights(Math.min(at, track.presented)), replay.payload.fit_intercept, store, replay.points[track.exampleAt(at)]));
  if (hasPocket(replay, side.rule) && (side.rule.algorithm === "pocket" || store.state.extraLines.pocket)) parts.push(pocketTable(replay, track, at));
  if (replay.tracks.length > 1) parts.push(problemTable(replay, at, data));
  return parts;
}

// What happened to the example of a step: its label y, its score before the step, the update m (or −1) and the verdict.
function stepFacts(replay, track, at) {
  const i = track.exampleAt(at);
  const m = track.updateAt(at);
  const before = m >= 0 ? track.weightsAfter(m) : track.weights(at);
  const y = track.sign(i);
  const score = track.scoreOf(before, i);
  const kind = m < 0 ? (score === 0 ? "tie_right" : "right") : score === 0 ? "tie_wrong" : y * score > 0 ? "close" : "wrong";
  return { i, point: replay.points[i], m, before, y, score, right: m < 0, text: t(`step.${kind}`) };
}

function online(replay, track, at, data, precise) {
  const { i, point, m, before, y, score, right, text } = stepFacts(replay, track, at);
  const offset = replay.payload.fit_intercept;
  const values = valuesOf(point);
  const parts = [
    h("p", {}, textParts("step.example", { n: i + 1, point: named(point, data), place: shownPlace(point, precise), y: y > 0 ? "+1" : "−1" })),
    math(t("step.score"), " = ", products(before, values, offset), " = ", h("b", { class: "score", "data-exact": score }, short(score))),
    verdict(right ? "right" : "wrong", text),
  ];
  if (right) return parts;
  const step = track.stepOf(m);
  const x = offset ? [1, ...values] : values;
  const old = offset ? before : before.slice(1);
  const after = track.weightsAfter(m + 1);
  const later = track.scoreOf(after, i);
  parts.push(
    math(h("i", {}, "w"), " + ", h("i", {}, "ηyx"), " = ", shortVector(old), ` + ${wrapped(step)}·${y > 0 ? "1" : "(−1)"}·${shortVector(x)}`),
    math("= ", h("b", { class: "sum" }, shortVector(offset ? after : after.slice(1)))),
    h("p", { class: "soft" }, t("step.score_now", { score: short(later), growth: short(y * later - y * score) })),
  );
  if (track.undershot[m]) parts.push(h("p", { class: "undershoot" }, t("step.undershoot")));
  return parts;
}

// Writes out w0 + w1·x1 + w2·x2, or w0 + w·x if there are many columns.
function products(w, values, offset) {
  const first = offset ? `${short(w[0])} ` : "";
  if (values.length > 4) return `${first}${offset ? "+ " : ""}w·x`;
  return first + values.map((value, j) => `${j || offset ? plus(w[1 + j]) : short(w[1 + j])}·${wrapped(value)}`).join(" ");
}

function batch(track, at) {
  const size = track.batchAt(at).length;
  return size ? ["wrong", t("step.batch", { n: size })] : ["right", t("step.batch_none")];
}

function joint(replay, track, at, data, precise) {
  const parts = [];
  const i = track.exampleAt(at);
  const w = track.weights(Math.min(at, track.presented));
  const m = i >= 0 ? track.updateAt(at) : -1;
  const planeOf = (weights, plane) => weights.slice(track.size * plane, track.size * (plane + 1));
  if (i < 0) parts.push(h("p", {}, t("step.start")));
  else {
    parts.push(h("p", {}, textParts("step.example_joint", { n: i + 1, point: named(replay.points[i], data), place: shownPlace(replay.points[i], precise) })));
    parts.push(verdict(m < 0 ? "right" : "wrong", jointText(replay, track, i, m, data)));
  }
  const before = m >= 0 ? track.weightsAfter(m) : w;
  const rows = Array.from({ length: track.planes }, (_, plane) => {
    const c = replay.payload.classes[plane];
    return h("tr", {}, h("td", {}, named({ c }, data)), i >= 0 ? h("td", { class: "number score" }, short(track.scoreOf(planeOf(before, plane), i))) : null, h("td", { class: "math" }, shortVector(planeOf(w, plane))));
  });
  const head = h("tr", {}, h("th", { scope: "col" }, t("step.class")), i >= 0 ? h("th", { scope: "col" }, t("step.score")) : null, h("th", { scope: "col" }, "w"));
  parts.push(h("table", { class: "problems" }, h("thead", {}, head), h("tbody", {}, rows)));
  return parts;
}

function jointText(replay, track, i, m, data) {
  if (m < 0) return t("step.joint_right");
  const rivals = Array.from(rivalsOf(track, m), (place) => data.classes[replay.payload.classes[place]]);
  const to = data.classes[replay.points[i].c];
  return rivals.length === 1 ? t("step.joint_wrong", { to, from: rivals[0] }) : t("step.joint_several", { to, times: rivals.length, from: rivals.join(", ") });
}

// L0's counters: the current run of right examples, the run of the weights in the pocket, and these weights.
function pocketTable(replay, track, at) {
  const { run, runPocket, w } = pocketCounters(track, at, replay.payload.ending.statuses[replay.tracks.indexOf(track)]);
  const shown = replay.payload.fit_intercept ? w : w.slice(1);
  const row = (name, meaning, value, key) => [h("dt", { title: meaning }, name), h("dd", { "data-pocket": key }, value)];
  return h("dl", { class: "pocket-counters", "aria-label": t("step.pocket") },
    row("run", t("step.run"), number(run), "run"), row("run_pocket", t("step.run_pocket"), number(runPocket), "run_pocket"), row("w_pocket", t("step.w_pocket"), shortVector(shown), "w_pocket"));
}

// One sentence about the step, for screen readers.
function spokenStep({ replay, at, focus }, data) {
  if (!replay) return "";
  if (at === 0) return t("step.start");
  const track = replay.leading(at, focus);
  const where = t("step.spoken_place", { at: number(at), n: replay.length });
  if (track.batchAt(at)) return `${where} ${batch(track, at)[1]}`;
  const i = track.exampleAt(at);
  if (i < 0) return where;
  const point = replay.points[i];
  const name = data.classes[point.c] ?? String(point.c);
  if (track.planes > 1) return `${where} ${t("step.spoken_class", { name, place: placeOf(point) })} ${jointText(replay, track, i, track.updateAt(at), data)}`;
  const { score, text } = stepFacts(replay, track, at);
  const w = track.weights(at);
  return `${where} ${t("step.spoken", { name, place: placeOf(point), score: short(score), verdict: text, w: shortVector(replay.payload.fit_intercept ? w : w.slice(1)) })}`;
}

// The coordinates of a point, rounded or to the last digit.
function shownPlace(point, precise) {
  const whole = vector(valuesOf(point), exact);
  return h("span", { class: "place", title: whole }, precise ? whole : placeOf(point));
}

// w, rounded or to the last digit.
function weightsLine(w, offset, store, point) {
  const shown = offset ? Array.from(w) : Array.from(w).slice(1);
  const rounded = vector(shown, exact) !== shortVector(shown) || (point && vector(valuesOf(point), exact) !== shortVector(valuesOf(point)));
  return h("p", { class: "math weights" }, h("i", {}, "w"), " = ", h("output", { class: "w", "data-w": JSON.stringify(shown), title: vector(shown, exact) }, store.state.exact ? vector(shown, exact) : shortVector(shown)),
    !rounded ? null : h("button", { type: "button", class: "quiet exact", "aria-pressed": String(store.state.exact), onclick: () => store.set({ exact: !store.state.exact }) }, t("step.exact")));
}

function placeOf(point) {
  return point.v ? shortVector(point.v) : pair(point.x, point.y);
}

// A point by the glyph and the name of its class.
function named({ c }, data) {
  return h("span", { class: `class-${c}` }, `${GLYPHS[c]} ${data.classes[c] ?? c}`);
}

function verdict(kind, text) {
  return h("p", { class: `verdict ${kind}` }, text);
}

function math(...parts) {
  return h("p", { class: "math" }, parts);
}

function wrapped(value) {
  return value < 0 ? `(${short(value)})` : short(value);
}
