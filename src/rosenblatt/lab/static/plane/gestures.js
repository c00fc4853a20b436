// The pointer and the keys on the plane: painting, erasing, dragging points and w, moving and zooming the view.
import { vectorFrame } from "./scene.js";
import { toData, toPixel, zoomed } from "./view.js";

// `plane` is { canvas, lab, which, side, picture, redraw } with the changeable field `view`. Returns an object with the fields `dragged`,
// the replay that is shown while w is dragged, and `cursor`, the place of the keyboard's cross; both may be null.
export function listenToGestures(plane) {
  const { canvas, lab, which, side, picture, redraw } = plane;
  const { store, actions } = lab;
  let cursor = null; // the position of the keyboard cursor in the plane
  let drag = null; // the state of the current pointer gesture
  const fingers = new Map();

  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };

  function nearest(px, py, reach = 16) {
    let best = -1;
    let least = reach;
    const { place } = picture();
    store.state.data.points.forEach((point, k) => {
      const [qx, qy] = toPixel(plane.view, ...place(point));
      const distance = Math.hypot(px - qx, py - qy);
      if (distance < least) [best, least] = [k, distance];
    });
    return best;
  }

  // Returns the vector frame if the pointer is at the tip of w, which can be dragged; otherwise null.
  function handle(px, py) {
    const { replay, at, focus } = side();
    if (!replay || store.state.bench !== "line" || !store.state.show.vectors || !lab.transport.canRun || replay.payload.kind !== "two" || replay.slice) return null;
    const found = vectorFrame(plane.view, replay, at, focus, picture());
    if (!found) return null;
    const tip = found.place([found.after[1], found.after[2]]);
    return Math.hypot(px - tip[0], py - tip[1]) < 14 ? found : null;
  }

  function paint(px, py) {
    const [x, y] = toData(plane.view, px, py);
    const digits = Math.max(0, Math.ceil(Math.log10(plane.view.scale / 4)));
    actions.addPoint(Number(x.toFixed(digits)), Number(y.toFixed(digits)), store.state.brush, picture().plane);
  }

  function down(event) {
    canvas.focus({ preventScroll: true });
    canvas.setPointerCapture(event.pointerId);
    lab.gesture ??= {};
    const [px, py] = place(event);
    fingers.set(event.pointerId, [px, py]);
    if (fingers.size === 2) {
      drag = { kind: "pinch", distance: spread(), view: plane.view };
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
      else drag = { kind: "pan", from: [px, py], view: plane.view };
    }
    redraw();
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
      plane.view = zoomed(drag.view, (ax + bx) / 2, (ay + by) / 2, spread() / drag.distance);
    } else if (drag.kind === "paint" && Math.hypot(px - drag.last[0], py - drag.last[1]) > 26) {
      paint(px, py);
      drag.last = [px, py];
    } else if (drag.kind === "erase") erase(px, py);
    else if (drag.kind === "point") {
      const [x, y] = toData(plane.view, px, py);
      const digits = Math.max(0, Math.ceil(Math.log10(plane.view.scale / 4)));
      actions.movePoint(drag.k, Number(x.toFixed(digits)), Number(y.toFixed(digits)), picture().plane);
    } else if (drag.kind === "pan") {
      lab.touchedView = true;
      const { from, view: start } = drag;
      plane.view = { ...start, cx: start.cx - (px - from[0]) / start.scale, cy: start.cy + (py - from[1]) / start.scale };
    } else if (drag.kind === "w") dragW(px, py);
    redraw();
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
    redraw();
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
      cursor ??= [plane.view.cx, plane.view.cy];
      const by = (event.shiftKey ? 4 : 16) / plane.view.scale;
      cursor = [cursor[0] + by * moves[event.key][0], cursor[1] + by * moves[event.key][1]];
    } else if (event.key === "Enter") {
      cursor ??= [plane.view.cx, plane.view.cy];
      const [px, py] = toPixel(plane.view, ...cursor);
      if (tool === "paint") paint(px, py);
      else erase(px, py);
    } else return;
    event.preventDefault();
    event.stopPropagation();
    redraw();
  }

  canvas.addEventListener("pointerdown", down);
  canvas.addEventListener("pointermove", move);
  canvas.addEventListener("pointerup", up);
  canvas.addEventListener("pointercancel", up);
  canvas.addEventListener("keydown", key);
  canvas.addEventListener("focus", redraw);
  canvas.addEventListener("blur", redraw);
  canvas.addEventListener("dblclick", () => store.state.tool === "move" && lab.fit());
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    lab.touchedView = true;
    plane.view = zoomed(plane.view, ...place(event), Math.exp(-event.deltaY / 400));
    redraw();
  }, { passive: false });

  return {
    get dragged() {
      return drag?.replay ?? null;
    },
    get cursor() {
      return cursor;
    },
  };
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
