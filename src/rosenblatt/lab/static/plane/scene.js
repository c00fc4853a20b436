// The picture of one run at one position, as a list of shapes in pixels. Both canvas and SVG output draw this list.
import { chord, clip, regions } from "./geometry.js";
import { SHAPES } from "./looks.js";
import { between } from "./motion.js";
import { short, tick } from "../ui/numbers.js";
import { lineOf } from "../state/slice.js";
import { frame, ticks, toPixel } from "./view.js";
import { t } from "../ui/strings.js";

// All shapes that change from step to step: `back` is drawn under the points, `front` over them.
export function scene(view, theme, { replay, at, focus, show, columns, picture, moving = null }) {
  const axes = grid(view, theme, columns);
  const back = axes.filter(({ kind }) => kind !== "text");
  const front = [];
  if (replay) {
    const planes = between(moving, replay.planes(at, picture.plane));
    if (show.regions) back.push(...regionShapes(view, theme, replay, planes));
    // Through w the picture has all scores; a slice through two columns has not, and no band.
    if (show.margin && replay.payload.kind === "two" && replay.slice?.kind !== "columns") back.push(...band(view, theme, replay, planes[0], picture));
    back.push(...boundaries(view, theme, replay, planes, at, focus, show, picture));
    front.push(...considered(view, theme, replay, at, focus, picture));
    if (show.vectors) front.push(...vectors(view, theme, replay, at, focus, picture, moving && planes));
  }
  back.push(...axes.filter(({ kind }) => kind === "text")); // over regions and the margin, which would fade them
  return { back, front };
}

export function pointShapes(view, theme, points, { place }) {
  const r = points.length > 400 ? 3.4 : points.length > 80 ? 4.8 : 7;
  const above = r > 4 ? classesAbove(points, place) : null;
  return points.map((point, k) => ({
    kind: "marker",
    at: toPixel(view, ...place(point)),
    shape: SHAPES[point.c],
    r: above?.[k] ? r * 1.6 ** above[k] : r,
    fill: theme.classes[point.c],
    stroke: theme.halo,
    width: r > 4 ? 1.4 : 0.7,
  }));
}

// For each point, how many other classes have a later point at the same place, which would cover it. A slice through data of more
// than two columns has many such places. A covered point is drawn larger, so that it can be seen behind the others.
function classesAbove(points, place) {
  const seen = new Map();
  const above = new Array(points.length);
  for (let k = points.length - 1; k >= 0; k--) {
    const key = place(points[k]).join();
    if (!seen.has(key)) seen.set(key, new Set());
    const classes = seen.get(key);
    above[k] = classes.size - classes.has(points[k].c);
    classes.add(points[k].c);
  }
  return above;
}

function grid(view, theme, columns) {
  const made = [];
  const [[left, low], , [right, high]] = frame(view);
  const across = ticks(left, right, view.scale);
  for (const x of across.values) {
    const [px] = toPixel(view, x, 0);
    made.push(line([px, 0], [px, view.height], x === 0 ? theme.axis : theme.grid, 1));
    if (px > 24 && px < view.width - 24 - 7 * columns[0].length) made.push(label([px, view.height - 8], tick(x, across.step), theme.soft, "middle"));
  }
  const up = ticks(low, high, view.scale);
  for (const y of up.values) {
    const [, py] = toPixel(view, 0, y);
    made.push(line([0, py], [view.width, py], y === 0 ? theme.axis : theme.grid, 1));
    if (py > 64 && py < view.height - 24) made.push(label([8, py + 4], tick(y, up.step), theme.soft, "start"));
  }
  made.push(label([view.width - 10, view.height - 8], columns[0], theme.soft, "end", true));
  made.push(label([8, 50], columns[1], theme.soft, "start", true)); // below the caption
  return made;
}

function regionShapes(view, theme, replay, planes) {
  return regions(replay.payload, planes, frame(view)).map(({ place, polygon }) => ({
    kind: "polygon",
    points: polygon.map(([x, y]) => toPixel(view, x, y)),
    fill: theme.classes[replay.payload.classes[place]],
    opacity: theme.region,
  }));
}

// The margin: the band between the boundary and the nearest points on both sides, drawn if it contains no points.
function band(view, theme, replay, w, { place }) {
  const length = Math.hypot(w[1], w[2]);
  if (!length) return [];
  const track = replay.tracks[0];
  let margin = Infinity;
  replay.points.forEach((point, k) => {
    const [x, y] = place(point);
    margin = Math.min(margin, track.sign(k) * (w[1] * x + w[2] * y + w[0]));
  });
  if (!(margin > 0)) return [];
  const inside = clip(clip(frame(view), [w[0] + margin, w[1], w[2]]), [margin - w[0], -w[1], -w[2]]);
  const fill = { kind: "polygon", points: inside.map(([x, y]) => toPixel(view, x, y)), fill: theme.paper, opacity: 0.75 };
  const edges = [margin, -margin]
    .map((level) => chord(frame(view), w, level))
    .filter(Boolean)
    .map(([a, b]) => line(toPixel(view, ...a), toPixel(view, ...b), theme.soft, 1.2, [2, 5]));
  return [fill, ...edges];
}

function boundaries(view, theme, replay, planes, at, focus, show, { plane }) {
  const made = [];
  const { kind } = replay.payload;
  const add = (w, stroke, width, dash = null) => {
    const ends = chord(frame(view), w);
    if (ends) made.push(line(toPixel(view, ...ends[0]), toPixel(view, ...ends[1]), stroke, width, dash));
  };
  if (kind === "two") {
    const track = replay.tracks[0];
    const m = track.updateAt(at);
    if (show.ghost && m >= 0) add(track.line(track.weightsAfter(m), 0, plane), theme.ghost, 1.8, [7, 6]);
    add(planes[0], theme.line, 2.6);
    made.push(...normal(view, theme, planes[0]));
  } else if (kind !== "joint") {
    replay.tracks.forEach((track, k) => {
      if (focus !== null && focus !== k) return;
      const colour = theme.classes[replay.payload.classes[track.positive]];
      if (focus === k && track.updateAt(at) >= 0) add(track.line(track.weightsAfter(track.updateAt(at)), 0, plane), theme.ghost, 1.6, [7, 6]);
      add(planes[k], colour, focus === k ? 2.6 : 1.4, focus === k ? null : [8, 4]);
    });
  }
  const published = replay.payload.published;
  if (published && at >= replay.length) published.w.forEach((w) => add(lineOf(plane, w), theme.change, 2.2, [2, 4]));
  return made;
}

// A short arrow on the boundary in the direction of w, which is the positive side.
function normal(view, theme, w) {
  const length = Math.hypot(w[1], w[2]);
  const ends = chord(frame(view), w);
  if (!length || !ends) return [];
  const [a, b] = ends.map(([x, y]) => toPixel(view, x, y));
  const foot = [a[0] + 0.86 * (b[0] - a[0]), a[1] + 0.86 * (b[1] - a[1])];
  return [arrow(foot, [foot[0] + (30 * w[1]) / length, foot[1] - (30 * w[2]) / length], theme.line, 2)];
}

// A ring around the presented example; in a batch, around all examples that are added.
function considered(view, theme, replay, at, focus, { place }) {
  const track = replay.leading(at, focus);
  const batch = track.batchAt(at);
  const chosen = batch ? Array.from(batch) : [track.exampleAt(at)].filter((point) => point >= 0);
  const wrong = batch ? true : replay.isMistake(at, focus);
  return chosen.map((point) => ({
    kind: "ring",
    at: toPixel(view, ...place(replay.points[point])),
    r: replay.points.length > 80 ? 10 : 14,
    stroke: wrong ? theme.change : theme.ink,
    width: wrong ? 2.6 : 1.8,
  }));
}

// The origin of the vectors and their common scale factor, chosen so that they fit. One factor for all keeps sums correct.
export function vectorFrame(view, replay, at, focus, { plane }) {
  const track = replay.leading(at, focus);
  if (track.planes > 1 || (replay.payload.kind !== "two" && focus === null)) return null;
  const m = track.updateAt(at);
  const after = track.line(track.weights(Math.min(at, track.presented)), 0, plane);
  const before = m >= 0 ? track.line(track.weightsAfter(m), 0, plane) : null;
  const zero = toPixel(view, 0, 0);
  const inside = zero[0] > 30 && zero[0] < view.width - 30 && zero[1] > 30 && zero[1] < view.height - 30;
  const origin = inside ? zero : [view.width * 0.2, view.height * 0.75];
  const tips = [after, before].filter(Boolean).map((w) => [w[1], w[2]]);
  const natural = view.scale;
  const longest = Math.max(...tips.map(([a, b]) => Math.hypot(a, b))) * natural;
  if (!longest) return null; // w is zero and has no direction
  const free = Math.min(...tips.map(([a, b]) => Math.min(reach(origin[0], a, view.width), reach(origin[1], -b, view.height))));
  const most = free / natural;
  const factor = most >= 1 && longest >= 18 ? 1 : roundedDown(Math.min(most, (0.3 * Math.min(view.width, view.height)) / longest));
  const place = ([a, b]) => [origin[0] + a * natural * factor, origin[1] - b * natural * factor];
  return { track, m, before, after, origin, factor, inside, place, unit: natural * factor };
}

const RING = 11; // radius of the handle of w around a point

function distance(a, b) {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

// `moving` has the planes of the moment while w moves; its tip is on its way then.
function vectors(view, theme, replay, at, focus, picture, moving) {
  const found = vectorFrame(view, replay, at, focus, picture);
  if (!found) return [];
  const { track, m, before, after, origin, factor, place } = found;
  const made = [];
  const [, across, up] = moving ? moving[replay.tracks.indexOf(track)] : after;
  const tip = place([across, up]);
  const places = replay.points.map((point) => toPixel(view, ...picture.place(point)));
  const hidesPoint = (end) => distance(end, origin) > 2 * RING && places.some((at) => distance(end, at) < RING);
  // An arrow from the origin that ends before a point at its tip.
  const fromOrigin = (end, stroke, width) => {
    const short = hidesPoint(end) ? RING / distance(end, origin) : 0;
    return arrow(origin, end.map((value, k) => value - short * (value - origin[k])), stroke, width);
  };
  // The handle of w is a ring around a point that it would hide.
  const covers = hidesPoint(tip);
  const labelAt = (end) => beyondTip(origin, end, hidesPoint(end) ? 30 : 18);
  if (!found.inside) made.push({ kind: "marker", at: origin, shape: "circle", r: 2.5, fill: theme.soft, stroke: theme.halo, width: 1 });
  if (before && !track.states) {
    const point = track.i[m];
    const colour = theme.classes[replay.points[point].c];
    const old = place([before[1], before[2]]);
    if (before[1] || before[2]) made.push(fromOrigin(old, theme.ghost, 2.2));
    if (distance(tip, old) > 12) {
      made.push(arrow(old, tip, colour, 2.6));
      made.push(label(beside(old, tip), "ηyx", colour, "start", true));
    }
    if (before[1] || before[2]) made.push(label(labelAt(old), "w", theme.ghost, "middle", true));
    made.push(fromOrigin(tip, theme.ink, 3));
    if (distance(tip, origin) > 6) made.push(label(labelAt(tip), "w + ηyx", theme.ink, "middle", true));
  } else {
    made.push(fromOrigin(tip, theme.ink, 3));
    if (distance(tip, origin) > 6) {
      made.push(label(labelAt(tip), "w", theme.ink, "middle", true));
    }
  }
  if (distance(tip, origin) > 6) {
    made.push(covers ? { kind: "ring", at: tip, r: RING, stroke: theme.ink, width: 2 } : { kind: "marker", at: tip, shape: "circle", r: 5, fill: theme.paper, stroke: theme.ink, width: 2 });
  }
  if (factor !== 1) {
    made.push(label([view.width - 10, view.height - 28], t("plane.vectors_scaled", { factor: short(factor) }), theme.soft, "end"));
  }
  return made;
}

// The largest factor by which a vector with component `by` at `from` stays in the view, with room for its label.
function reach(from, by, size) {
  if (by === 0) return Infinity;
  return Math.max(20, by > 0 ? size - 34 - from : from - 34) / Math.abs(by);
}

// The largest of 1, 2 and 5 times a power of ten that is at most `value`.
function roundedDown(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return Number(([5, 2, 1].find((m) => m * power <= value) * power).toPrecision(3));
}

function beside(a, b) {
  return [(a[0] + b[0]) / 2 + 10, (a[1] + b[1]) / 2 + 4];
}

// A position beyond the tip of an arrow, at a distance in pixels.
function beyondTip(from, to, far) {
  const length = distance(from, to) || 1;
  return [to[0] + (far * (to[0] - from[0])) / length, to[1] + (far * (to[1] - from[1])) / length + 4];
}

function line(a, b, stroke, width, dash = null) {
  return { kind: "line", a, b, stroke, width, dash };
}

function arrow(a, b, stroke, width) {
  return { kind: "arrow", a, b, stroke, width };
}

function label(at, text, fill, anchor, italic = false) {
  return { kind: "text", at, text, fill, anchor, italic };
}
