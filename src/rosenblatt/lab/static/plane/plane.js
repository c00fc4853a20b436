// The plane: a canvas that shows the run of one side and handles pointer and keyboard input.
import { drawCanvas } from "./draw_canvas.js";
import { h } from "../ui/dom.js";
import { LAYER_KEYS, layered } from "./layers.js";
import { createMotion } from "./motion.js";
import { THEMES } from "./looks.js";
import { pointShapes, vectorFrame } from "./scene.js";
import { pictureOf } from "../state/picture.js";
import { createView, fitted, toData, toPixel, zoomed } from "./view.js";
import { columnName } from "../ui/numbers.js";
import { number, t } from "../ui/strings.js";

export function createPlane(lab, which) {
  const { store, actions } = lab;
  const canvas = h("canvas", { class: "plane", tabindex: 0, role: "application" });
  const context = canvas.getContext("2d");
  let view = createView(600, 440);
  let cached = null; // cached drawing of the points, valid for one view, theme and set of points
  let planned = false;
  let cursor = null; // the position of the keyboard cursor in the plane
  let drag = null; // the state of the current pointer gesture
  const fingers = new Map();

  const theme = () => THEMES[store.state.dark ? "dark" : "light"];
  const side = () => store.state.sides[which];
  const plan = () => {
    if (planned) return;
    planned = true;
    requestAnimationFrame(() => {
      planned = false;
      draw();
    });
  };

  const motion = createMotion(plan);
  const follow = () => motion.follow(side().replay, side().at);
  follow();

  // The content of the plane. While w is dragged, the line follows the pointer.
  function contents() {
    const { show, data, bench } = store.state;
    const { replay, at, focus } = side();
    const run = bench === "line" ? drag?.replay ?? replay : null;
    // In the plane through w the points move with w; the line stays.
    const moving = run === replay && data.slice?.kind !== "weights" ? motion.current() : null;
    return { replay: run, at: drag?.replay ? 0 : at, focus, show, columns: axisNames(data), picture: picture(), which, state: store.state, moving };
  }

  const picture = () => pictureOf(store.state.data, side());

  function shapes() {
    const { back, front } = layered(view, theme(), contents());
    return [...back, ...pointShapes(view, theme(), store.state.data.points, picture()), ...front];
  }

  function pointsLayer(ratio) {
    const { points } = store.state.data;
    const shown = picture();
    const key = [view.cx, view.cy, view.scale, view.width, view.height, ratio, store.state.dark].join();
    if (cached?.key !== key || cached.points !== points || cached.shown !== shown) {
      const layer = document.createElement("canvas");
      layer.width = canvas.width;
      layer.height = canvas.height;
      const pen = layer.getContext("2d");
      pen.scale(ratio, ratio);
      drawCanvas(pen, pointShapes(view, theme(), points, shown), theme().halo);
      cached = { key, points, shown, layer };
    }
    return cached.layer;
  }

  function draw() {
    const ratio = window.devicePixelRatio || 1;
    const { back, front } = layered(view, theme(), contents());
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = theme().paper;
    context.fillRect(0, 0, canvas.width, canvas.height); // in device pixels, because the view may end inside one
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawCanvas(context, back, theme().halo);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(pointsLayer(ratio), 0, 0);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawCanvas(context, front, theme().halo);
    if (cursor && document.activeElement === canvas) drawCursor();
    lab.onDraw?.(which, view);
    if (motion.current()) plan();
  }

  function drawCursor() {
    const [px, py] = toPixel(view, ...cursor);
    const look = { stroke: theme().change, width: 1.5, dash: null };
    drawCanvas(context, [
      { kind: "line", a: [px - 12, py], b: [px + 12, py], ...look },
      { kind: "line", a: [px, py - 12], b: [px, py + 12], ...look },
    ], theme().halo);
  }

  function fit() {
    const { points, slice } = store.state.data;
    const { place } = picture();
    view = fitted(points.map(place), slice ? [] : tips(side().replay), view.width, view.height);
    plan();
  }

  function resize() {
    const { width, height } = canvas.getBoundingClientRect();
    if (!width || !height) return;
    const ratio = window.devicePixelRatio || 1;
    const factor = Math.min(width, height) / Math.min(view.width, view.height);
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    view = { ...view, width, height, scale: view.scale * factor };
    if (!lab.touchedView) fit();
    draw();
  }

  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };

  function nearest(px, py, reach = 16) {
    let best = -1;
    let least = reach;
    const { place } = picture();
    store.state.data.points.forEach((point, k) => {
      const [qx, qy] = toPixel(view, ...place(point));
      const distance = Math.hypot(px - qx, py - qy);
      if (distance < least) [best, least] = [k, distance];
    });
    return best;
  }

  // Returns the vector frame if the pointer is at the tip of w, which can be dragged; otherwise null.
  function handle(px, py) {
    const { replay, at, focus } = side();
    if (!replay || store.state.bench !== "line" || !store.state.show.vectors || !lab.transport.canRun || replay.payload.kind !== "two" || replay.slice) return null;
    const found = vectorFrame(view, replay, at, focus, picture());
    if (!found) return null;
    const tip = found.place([found.after[1], found.after[2]]);
    return Math.hypot(px - tip[0], py - tip[1]) < 14 ? found : null;
  }

  function paint(px, py) {
    const [x, y] = toData(view, px, py);
    const digits = Math.max(0, Math.ceil(Math.log10(view.scale / 4)));
    actions.addPoint(Number(x.toFixed(digits)), Number(y.toFixed(digits)), store.state.brush, picture().plane);
  }

  function down(event) {
    canvas.focus({ preventScroll: true });
    canvas.setPointerCapture(event.pointerId);
    lab.gesture ??= {};
    const [px, py] = place(event);
    fingers.set(event.pointerId, [px, py]);
    if (fingers.size === 2) {
      drag = { kind: "pinch", distance: spread(), view };
      return;
    }
    const { tool } = store.state;
    const editable = lab.transport.canRun;
    if (tool === "paint" && editable) {
      paint(px, py);
      drag = { kind: "paint", last: [px, py] };
    } else if (tool === "erase" && editable) {
      drag = { kind: "erase" };
      erase(px, py);
    } else {
      const taken = handle(px, py);
      const k = nearest(px, py);
      if (taken) drag = { kind: "w", frame: taken, w: Array.from(taken.after), replay: null };
      else if (k >= 0 && editable) drag = { kind: "point", k };
      else drag = { kind: "pan", from: [px, py], view };
    }
    plan();
  }

  function move(event) {
    const [px, py] = place(event);
    if (fingers.has(event.pointerId)) fingers.set(event.pointerId, [px, py]);
    if (!drag) {
      canvas.classList.toggle("grab", handle(px, py) !== null || nearest(px, py) >= 0);
      return;
    }
    if (drag.kind === "pinch" && fingers.size === 2) {
      const [[ax, ay], [bx, by]] = [...fingers.values()];
      lab.touchedView = true;
      view = zoomed(drag.view, (ax + bx) / 2, (ay + by) / 2, spread() / drag.distance);
    } else if (drag.kind === "paint" && Math.hypot(px - drag.last[0], py - drag.last[1]) > 26) {
      paint(px, py);
      drag.last = [px, py];
    } else if (drag.kind === "erase") erase(px, py);
    else if (drag.kind === "point") {
      const [x, y] = toData(view, px, py);
      const digits = Math.max(0, Math.ceil(Math.log10(view.scale / 4)));
      actions.movePoint(drag.k, Number(x.toFixed(digits)), Number(y.toFixed(digits)), picture().plane);
    } else if (drag.kind === "pan") {
      lab.touchedView = true;
      const { from, view: start } = drag;
      view = { ...start, cx: start.cx - (px - from[0]) / start.scale, cy: start.cy + (py - from[1]) / start.scale };
    } else if (drag.kind === "w") dragW(px, py);
    plan();
  }

  // Sets w to the pointer's position. The offset is chosen so that the line keeps its point in the plane, if it has one.
  function dragW(px, py) {
    const { origin, unit, after } = drag.frame;
    const rounded = (value) => Number(value.toPrecision(3));
    const w1 = rounded((px - origin[0]) / unit);
    const w2 = rounded(-(py - origin[1]) / unit);
    const square = after[1] ** 2 + after[2] ** 2;
    const foot = square ? [(-after[0] * after[1]) / square, (-after[0] * after[2]) / square] : [0, 0];
    const offset = side().replay.payload.fit_intercept;
    const w0 = !offset ? 0 : square ? rounded(-(w1 * foot[0] + w2 * foot[1])) : after[0];
    drag.w = [w0, w1, w2];
    drag.replay = draggedReplay(side().replay, drag.w);
  }

  function up(event) {
    fingers.delete(event.pointerId);
    if (!fingers.size) lab.gesture = null;
    if (drag?.kind === "w" && drag.replay) {
      actions.pause();
      const w = drag.w;
      drag = null;
      actions.go(0);
      actions.setRule({ init: "given", start: w }, which);
    }
    drag = null;
    plan();
  }

  function erase(px, py) {
    const k = nearest(px, py, 14);
    if (k >= 0) actions.removePoint(k);
  }

  function spread() {
    const [[ax, ay], [bx, by]] = [...fingers.values()];
    return Math.max(10, Math.hypot(ax - bx, ay - by));
  }

  // If a tool is selected, the arrow keys move a cross, and Enter applies the tool there.
  function key(event) {
    const { tool } = store.state;
    const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    if (tool === "move" || !lab.transport.canRun) return;
    if (event.key in moves) {
      cursor ??= [view.cx, view.cy];
      const by = (event.shiftKey ? 4 : 16) / view.scale;
      cursor = [cursor[0] + by * moves[event.key][0], cursor[1] + by * moves[event.key][1]];
    } else if (event.key === "Enter") {
      cursor ??= [view.cx, view.cy];
      const [px, py] = toPixel(view, ...cursor);
      if (tool === "paint") paint(px, py);
      else erase(px, py);
    } else return;
    event.preventDefault();
    event.stopPropagation();
    plan();
  }

  canvas.addEventListener("pointerdown", down);
  canvas.addEventListener("pointermove", move);
  canvas.addEventListener("pointerup", up);
  canvas.addEventListener("pointercancel", up);
  canvas.addEventListener("keydown", key);
  canvas.addEventListener("focus", plan);
  canvas.addEventListener("blur", plan);
  canvas.addEventListener("dblclick", () => store.state.tool === "move" && lab.fit());
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    lab.touchedView = true;
    view = zoomed(view, ...place(event), Math.exp(-event.deltaY / 400));
    plan();
  }, { passive: false });
  new ResizeObserver(resize).observe(canvas);

  const name = () => {
    const { data } = store.state;
    const { replay, at } = side();
    const where = replay ? t("plane.after", { at: number(at), n: replay.length }) : t("plane.no_run");
    canvas.setAttribute("aria-label", t("plane.label", { n: data.points.length, where }));
  };
  store.subscribe(["sides"], follow);
  store.subscribe(["sides", "data", "dark", "show", "tool", "brush", ...LAYER_KEYS], () => {
    name();
    plan();
  });
  store.subscribe(["fit"], fit);
  name();

  return {
    element: canvas,
    fit,
    draw,
    shapes,
    get view() {
      return view;
    },
    theme,
  };
}

function axisNames({ slice, columns }) {
  return slice?.kind === "weights" ? [t("plane.along_w"), t("plane.main_direction")] : columns.map(columnName);
}

// The tips of w during a short run of two classes.
function tips(replay) {
  if (!replay || replay.payload.kind !== "two" || replay.tracks[0].updates > 60) return [];
  const [track] = replay.tracks;
  return Array.from({ length: track.updates + 1 }, (_, m) => Array.from(track.line(track.weightsAfter(m)).slice(1)));
}

// A replay that consists only of its start, with the dragged w.
function draggedReplay(replay, w) {
  const track = Object.create(replay.tracks[0]);
  const start = Float64Array.from(w);
  Object.assign(track, { weights: () => start, weightsAfter: () => start, updateAt: () => -1, exampleAt: () => -1, batchAt: () => null });
  return {
    payload: { ...replay.payload, published: null },
    points: replay.points,
    tracks: [track],
    length: 1,
    planes: () => [start],
    leading: () => track,
    isMistake: () => false,
  };
}
