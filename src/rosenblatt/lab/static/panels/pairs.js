// A dialog with a small picture of every pair of columns; a click shows that pair on the plane.
import { chord } from "../plane/geometry.js";
import { drawCanvas } from "../plane/draw_canvas.js";
import { h } from "../ui/dom.js";
import { THEMES } from "../plane/looks.js";
import { pointShapes } from "../plane/scene.js";
import { columnPlane, sliceOf } from "../state/slice.js";
import { columnName } from "../ui/numbers.js";
import { t } from "../ui/strings.js";
import { fitted, frame, toPixel } from "../plane/view.js";

const MOST_COLUMNS = 6; // of more columns, those with the largest share in the scores are shown: |w| times their spread
const [WIDTH, HEIGHT] = [150, 112];

export function pairsDialog({ store, actions }) {
  const grid = h("div", { class: "pairs" });
  const words = h("p", { class: "soft" });
  const dialog = h("dialog", { class: "pairs-dialog", "aria-label": t("data.pairs_title") },
    h("h2", {}, t("data.pairs_title")), words, grid, h("form", { method: "dialog" }, h("button", {}, t("common.close"))));
  const open = () => {
    const { data, sides, active, dark } = store.state;
    const side = sides[active];
    const shown = mainColumns(data, side);
    words.textContent = data.allColumns.length > shown.length ? t("data.pairs_some", { n: shown.length, all: data.allColumns.length }) : t("data.pairs_all", { n: data.allColumns.length });
    const choose = (pair) => {
      dialog.close();
      actions.showPlane(pair, "columns");
    };
    grid.replaceChildren(...shown.flatMap((a, k) => shown.slice(k + 1).map((b) => {
      const name = `${columnName(data.allColumns[a])} · ${columnName(data.allColumns[b])}`;
      return h("button", { type: "button", "data-pair": `${a},${b}`, "aria-label": name, onclick: () => choose([a, b]) }, picture(data, side, [a, b], THEMES[dark ? "dark" : "light"]), h("span", {}, name));
    })));
    dialog.showModal();
  };
  return { element: dialog, open };
}

function mainColumns({ slice, points }, side) {
  const w = side.replay ? side.replay.tracks.map((track) => track.weights(Math.min(side.at, track.presented)).slice(1, track.size)) : [];
  const share = slice.means.map((mean, j) => {
    const spread = Math.sqrt(points.reduce((sum, { v }) => sum + (v[j] - mean) ** 2, 0));
    return spread * (w.length ? Math.max(...w.map((weights) => Math.abs(weights[j]))) : 1);
  });
  const order = [...share.keys()].sort((a, b) => share[b] - share[a] || a - b);
  return order.slice(0, MOST_COLUMNS).sort((a, b) => a - b);
}

function picture({ points, slice }, { replay, at }, pair, theme) {
  const ratio = window.devicePixelRatio || 1;
  const canvas = h("canvas", { width: WIDTH * ratio, height: HEIGHT * ratio, "aria-hidden": "true" });
  const pen = canvas.getContext("2d");
  pen.scale(ratio, ratio);
  const place = ({ v }) => [v[pair[0]], v[pair[1]]];
  const view = fitted(points.map(place), [], WIDTH, HEIGHT);
  const lines = replay ? replay.planes(at, columnPlane(sliceOf(points.map(({ v }) => v), pair, slice.columns))) : [];
  pen.fillStyle = theme.paper;
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  const markers = pointShapes(view, theme, points, { place }).map((marker) => ({ ...marker, r: Math.min(marker.r, 3.2), width: 0.6 }));
  const boundaries = lines.map((w) => chord(frame(view), w)).filter(Boolean).map(([a, b]) => ({ kind: "line", a: toPixel(view, ...a), b: toPixel(view, ...b), stroke: theme.line, width: 1.4 }));
  drawCanvas(pen, [...markers, ...boundaries], theme.halo);
  return canvas;
}
