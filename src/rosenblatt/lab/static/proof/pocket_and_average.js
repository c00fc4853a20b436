// The weights of the pocket and of the average at any position of a run. Both are computed from the recorded updates; no example
// is scored here.
import { chord } from "../plane/geometry.js";
import { frame, toPixel } from "../plane/view.js";
import { t } from "../ui/strings.js";

const cache = new WeakMap(); // the pockets and sums of each track

// Whether a run has a pocket and an average: it presents examples one at a time, including correctly classified ones.
export function hasPocketAndAverage(replay, rule) {
  return Boolean(replay) && replay.tracks[0].planes === 1 && Boolean(replay.tracks[0].i) && rule?.order !== "misclassified";
}

// The ratchet also compares training errors, which the page does not compute; its pocket is known at the end only.
export function hasPocket(replay, rule) {
  return hasPocketAndAverage(replay, rule) && !(rule.algorithm === "pocket" && rule.ratchet);
}

// The pocket after `at` examples (L0): { run, runPocket, w }. `run` is the current sequence of correctly classified examples; the
// pocket has the weights with the longest sequence before a mistake. A run that ends separated puts its last weights into it.
export function pocketCounters(track, at, status) {
  const { pockets, longest } = prepared(track);
  const n = Math.min(at, track.presented);
  const m = track.updatesBefore(n);
  const run = m ? n - track.k[m - 1] - 1 : n;
  if (at >= track.presented && (status === "separated" || run > longest[m])) return { run, runPocket: Math.max(run, longest[m]), w: track.weightsAfter(m) };
  return { run, runPocket: longest[m], w: track.weightsAfter(pockets[m]) };
}

// The mean of the weights after each of the first `at` examples; null before the first.
export function averageAt(track, at) {
  const n = Math.min(at, track.presented);
  if (n < 1) return null;
  const { sums } = prepared(track);
  const m = track.updatesBefore(n);
  const since = n - (m ? track.k[m - 1] : 0); // number of examples after which the weights had this value, including the one that caused the update
  const w = track.weightsAfter(m);
  return Float64Array.from(w, (value, j) => (sums[track.size * m + j] + since * value) / n);
}

function prepared(track) {
  if (cache.has(track)) return cache.get(track);
  const { k, updates, size } = track;
  const pockets = new Uint32Array(updates + 1); // after m updates, the pocket has the weights after update number pockets[m]
  const longest = new Uint32Array(updates + 1); // the survival of those weights, in examples
  const sums = new Float64Array(size * (updates + 1)); // sums of the weights after every example before update m − 1
  const w = Float64Array.from(track.weightsAfter(0));
  for (let m = 0; m < updates; m++) {
    const run = k[m] - (m ? k[m - 1] + 1 : 0);
    const better = run > longest[m];
    pockets[m + 1] = better ? m : pockets[m];
    longest[m + 1] = better ? run : longest[m];
    const since = k[m] - (m ? k[m - 1] : 0);
    for (let j = 0; j < size; j++) sums[size * (m + 1) + j] = sums[size * m + j] + since * w[j];
    track.add(m, w);
  }
  cache.set(track, { pockets, longest, sums });
  return cache.get(track);
}

// The track whose lines are drawn: the only one for two classes, the selected one for more.
export function shownTrack(replay, focus) {
  if (!replay || replay.payload.kind === "joint") return null;
  if (replay.payload.kind === "two") return replay.tracks[0];
  return focus === null ? null : replay.tracks[focus];
}

// The lines of the pocket and of the average, if they are switched on.
export function extraLineShapes(view, theme, { replay, at, focus, state, which, picture }) {
  const track = shownTrack(replay, focus);
  if (!track || !hasPocketAndAverage(replay, state.sides[which].rule)) return {};
  const status = replay.payload.ending?.statuses[replay.tracks.indexOf(track)];
  const lines = [];
  const add = (w, name, dash) => {
    const ends = w && chord(frame(view), track.line(w, 0, picture.plane));
    if (!ends) return;
    const [a, b] = ends.map((end) => toPixel(view, ...end));
    lines.push({ kind: "line", a, b, stroke: theme.change, width: 2, dash });
    const place = [a[0] + 0.68 * (b[0] - a[0]), a[1] + 0.68 * (b[1] - a[1]) - 6]; // away from the arrow of the boundary
    lines.push({ kind: "text", at: place, text: name, fill: theme.change, anchor: "middle", italic: true });
  };
  if (state.extraLines.pocket && hasPocket(replay, state.sides[which].rule)) add(pocketCounters(track, at, status).w, t("plane.pocket"), [10, 4]);
  if (state.extraLines.average) add(averageAt(track, at), t("plane.average"), [3, 3]);
  return { front: lines };
}
