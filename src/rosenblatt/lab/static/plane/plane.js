// The plane: a canvas that shows the run of one side. gestures.js handles the pointer and the keys.
import { drawCanvas } from "./draw_canvas.js";
import { listenToGestures } from "./gestures.js";
import { h } from "../ui/dom.js";
import { LAYER_KEYS, layered } from "./layers.js";
import { createMotion } from "./motion.js";
import { THEMES } from "./looks.js";
import { pointShapes } from "./scene.js";
import { pictureOf } from "../state/picture.js";
import { createView, fitted, toPixel } from "./view.js";
import { columnName } from "../ui/numbers.js";
import { number, t } from "../ui/strings.js";

export function createPlane(lab, which) {
  const { store } = lab;
  const canvas = h("canvas", { class: "plane", tabindex: 0, role: "application" });
  const context = canvas.getContext("2d");
  let view = createView(600, 440);
  let cached = null; // cached drawing of the points, valid for one view, theme and set of points
  let planned = false;

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

  const picture = () => pictureOf(store.state.data, side());
  const gestures = listenToGestures({
    canvas,
    lab,
    which,
    side,
    picture,
    redraw: plan,
    get view() {
      return view;
    },
    set view(changed) {
      view = changed;
    },
  });

  // The content of the plane. While w is dragged, the line follows the pointer.
  function contents() {
    const { show, data, bench } = store.state;
    const { replay, at, focus } = side();
    const { dragged } = gestures;
    const run = bench === "line" ? dragged ?? replay : null;
    // In the plane through w the points move with w; the line stays.
    const moving = run === replay && data.slice?.kind !== "weights" ? motion.current() : null;
    return { replay: run, at: dragged ? 0 : at, focus, show, columns: axisNames(data), picture: picture(), which, state: store.state, moving };
  }

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
    if (gestures.cursor && document.activeElement === canvas) drawCursor();
    lab.onDraw?.(which, view);
    if (motion.current()) plan();
  }

  function drawCursor() {
    const [px, py] = toPixel(view, ...gestures.cursor);
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
