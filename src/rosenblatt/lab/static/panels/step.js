// The step in numbers: what was scored, whether it was a mistake, and what was added to w.
import { h } from "../dom.js";
import { score } from "../geometry.js";
import { GLYPHS } from "../looks.js";
import { count, exact, pair, plus, short, vector } from "../numbers.js";

export const stepPanel = {
  id: "step",
  area: "right",
  title: "This step",
  mount(box, { store }) {
    const content = h("div", { class: "step-content" });
    box.append(content);
    const update = () => {
      const { sides, active, compare, data } = store.state;
      const shown = compare ? [0, 1] : [active];
      content.replaceChildren(
        ...shown.map((which) =>
          h("div", { class: "side-step", "data-side": which }, compare ? h("h3", {}, `${"AB"[which]} · ${sides[which].rule?.convention ?? ""}`) : null, describe(sides[which], data)),
        ),
      );
    };
    store.subscribe(["sides", "active", "compare", "data"], update);
    update();
  },
};

function describe(side, data) {
  const { replay, at, focus } = side;
  if (!replay) return [h("p", { class: "soft" }, side.busy ? "The engine is at work." : side.error ?? "No run yet.")];
  const track = replay.leading(at, focus);
  if (track.planes > 1) return joint(replay, track, at, data);
  const parts = [];
  if (replay.tracks.length > 1) parts.push(h("p", { class: "soft" }, problemName(replay, track, data)));
  if (at === 0) {
    parts.push(h("p", {}, "Nothing has been learnt yet. Press → to present the first example."));
  } else if (track.batchAt(at)) {
    parts.push(...batch(track, at));
  } else if (track.exampleAt(at) >= 0) {
    parts.push(...online(replay, track, at, data));
  }
  parts.push(weightsLine(track.weights(Math.min(at, track.presented)), replay.payload.fit_intercept));
  return parts;
}

function online(replay, track, at, data) {
  const i = track.exampleAt(at);
  const point = replay.points[i];
  const m = track.updateAt(at);
  const before = m >= 0 ? track.weightsAfter(m) : track.weights(at);
  const y = track.sign(i);
  const s = score(before, point.x, point.y);
  const offset = replay.payload.fit_intercept;
  const products = `${offset ? `${short(before[0])} ` : ""}${offset ? plus(before[1]) : short(before[1])}·${wrapped(point.x)} ${plus(before[2])}·${wrapped(point.y)}`;
  const parts = [
    h("p", {}, h("span", { class: `class-${point.c}` }, `${GLYPHS[point.c]} ${data.classes[point.c] ?? point.c}`), ` at ${pair(point.x, point.y)}, so y = ${y > 0 ? "+1" : "−1"}`),
    math("score = ", products, " = ", h("b", { class: "score", "data-exact": s }, short(s))),
  ];
  if (m < 0) {
    parts.push(verdict("right", s === 0 ? "A tie, which counts as right here: w stays." : "On the right side: w stays."));
    return parts;
  }
  const step = track.stepOf(m);
  const x = offset ? [1, point.x, point.y] : [point.x, point.y];
  const old = offset ? before : before.slice(1);
  const after = track.weightsAfter(m + 1);
  const later = score(after, point.x, point.y);
  parts.push(verdict("wrong", s === 0 ? "A tie, which counts as a mistake." : y * s > 0 ? "Right, but too close: inside the margin." : "A mistake."));
  parts.push(
    math(h("i", {}, "w"), " + ", h("i", {}, "ηyx"), " = ", vector(old), ` + ${wrapped(step)}·${y > 0 ? "1" : "(−1)"}·${vector(x)}`),
    math("= ", h("b", { class: "sum" }, vector(offset ? after : after.slice(1)))),
    h("p", { class: "soft" }, `Its score is now ${short(later)}: y·score grew by η‖x‖² = ${short(y * later - y * s)}.`),
  );
  if (track.undershot[m]) parts.push(h("p", { class: "undershoot" }, "Undershoot: still on the wrong side. One step was not enough."));
  return parts;
}

function batch(track, at) {
  const size = track.batchAt(at).length;
  if (!size) return [verdict("right", "No example is misclassified: w stays.")];
  return [verdict("wrong", `${count(size, "example is", "examples are")} misclassified, and ηyx of all is added at once.`)];
}

function joint(replay, track, at, data) {
  const parts = [];
  const i = track.exampleAt(at);
  const w = track.weights(Math.min(at, track.presented));
  if (i >= 0) {
    const point = replay.points[i];
    const m = track.updateAt(at);
    parts.push(h("p", {}, h("span", { class: `class-${point.c}` }, `${GLYPHS[point.c]} ${data.classes[point.c]}`), ` at ${pair(point.x, point.y)}`));
    if (m < 0) parts.push(verdict("right", "Its own class has the largest score: nothing moves."));
    else {
      const rival = data.classes[replay.payload.classes[track.rivals[m]]];
      parts.push(verdict("wrong", `A mistake: ηx is added to ${data.classes[point.c]} and taken from ${rival}.`));
    }
  }
  for (let plane = 0; plane < track.planes; plane++) {
    const c = replay.payload.classes[plane];
    parts.push(h("p", { class: "math" }, h("span", { class: `class-${c}` }, `${GLYPHS[c]} `), vector(w.slice(3 * plane, 3 * plane + 3))));
  }
  return parts;
}

export function problemName(replay, track, data) {
  const { kind, classes, pairs } = replay.payload;
  const name = (place) => data.classes[classes[place]] ?? String(classes[place]);
  if (kind !== "ovo") return `${name(track.positive)} against all others`;
  const [a, b] = pairs[replay.tracks.indexOf(track)];
  return `${name(b)} against ${name(a)}`;
}

// w to the last digit, as the engine has it.
function weightsLine(w, offset) {
  const shown = offset ? Array.from(w) : Array.from(w).slice(1);
  return h("p", { class: "math weights" }, h("i", {}, "w"), " = ", h("output", { class: "w", "data-w": JSON.stringify(shown) }, vector(shown, exact)));
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
