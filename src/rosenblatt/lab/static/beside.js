// The pocket's and the average's weights at any moment of a run. Both follow from which example was an update and when:
// nothing is scored here.
import { chord } from "./geometry.js";
import { frame, toPixel } from "./view.js";

const known = new WeakMap(); // what was added up for a track

// Whether a run has a pocket and an average: it presents examples one at a time, right ones too.
export function hasBeside(replay, rule) {
  return Boolean(replay) && replay.tracks[0].planes === 1 && Boolean(replay.tracks[0].i) && rule?.order !== "misclassified";
}

// The weights in the pocket (L0): those that survived the longest run of right examples so far. A run that ends
// separated puts its last weights there.
export function pocketAt(track, at, status) {
  const { pockets, longest } = prepared(track);
  const m = track.updatesBefore(at);
  if (at >= track.presented) {
    const last = track.updates ? track.presented - track.k[track.updates - 1] - 1 : track.presented;
    if (status === "separated" || last > longest[m]) return track.weightsAfter(track.updates);
  }
  return track.weightsAfter(pockets[m]);
}

// The mean of the weights after each of the first `at` examples; null before the first.
export function averageAt(track, at) {
  const n = Math.min(at, track.presented);
  if (n < 1) return null;
  const { sums } = prepared(track);
  const m = track.updatesBefore(n);
  const since = n - (m ? track.k[m - 1] : 0); // examples after which the weights were these
  const w = track.weightsAfter(m);
  return Float64Array.from(w, (value, j) => (sums[3 * m + j] + since * value) / n);
}

function prepared(track) {
  if (known.has(track)) return known.get(track);
  const { k, updates } = track;
  const pockets = new Uint32Array(updates + 1); // after m updates, the pocket has the weights after pockets[m]
  const longest = new Uint32Array(updates + 1); // and they survived so many examples
  const sums = new Float64Array(3 * (updates + 1)); // of the weights after every example before update m − 1
  const w = Float64Array.from(track.weightsAfter(0));
  for (let m = 0; m < updates; m++) {
    const run = k[m] - (m ? k[m - 1] + 1 : 0);
    const better = run > longest[m];
    pockets[m + 1] = better ? m : pockets[m];
    longest[m + 1] = better ? run : longest[m];
    const since = k[m] - (m ? k[m - 1] : 0);
    for (let j = 0; j < 3; j++) sums[3 * (m + 1) + j] = sums[3 * m + j] + since * w[j];
    track.add(m, w);
  }
  known.set(track, { pockets, longest, sums });
  return known.get(track);
}

// The track whose lines are drawn: of two classes the only one, of more the one that is watched.
export function shownTrack(replay, focus) {
  if (!replay || replay.payload.kind === "joint") return null;
  if (replay.payload.kind === "two") return replay.tracks[0];
  return focus === null ? null : replay.tracks[focus];
}

// The two lines, as far as they are wished for.
export function besideShapes(view, theme, { replay, at, focus, state, which }) {
  const track = shownTrack(replay, focus);
  if (!track || !hasBeside(replay, state.sides[which].rule)) return {};
  const status = replay.payload.ending?.statuses[replay.tracks.indexOf(track)];
  const lines = [];
  const add = (w, name, dash) => {
    const ends = w && chord(frame(view), w);
    if (!ends) return;
    const [a, b] = ends.map((end) => toPixel(view, ...end));
    lines.push({ kind: "line", a, b, stroke: theme.change, width: 2, dash });
    const at80 = [a[0] + 0.78 * (b[0] - a[0]), a[1] + 0.78 * (b[1] - a[1]) - 6];
    lines.push({ kind: "text", at: at80, text: name, fill: theme.change, anchor: "middle", italic: true });
  };
  if (state.beside.pocket) add(pocketAt(track, at, status), "pocket", [10, 4]);
  if (state.beside.average) add(averageAt(track, at), "average", [3, 3]);
  return { front: lines };
}
