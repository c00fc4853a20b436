// What the picture of a side shows: a plane in the space of all columns, and the place of a point in it.
import { columnPlane, projected, weightPlane } from "./slice.js";

const cache = new WeakMap(); // the last picture of each list of points

// { plane, place }: `plane` is null without a slice; `place(point)` is [x, y] in the picture.
export function pictureOf({ slice, points }, { replay, at, focus }) {
  const track = slice?.kind === "weights" && replay ? replay.leading(at, focus) : null;
  const key = [slice, track, track?.updatesBefore(Math.min(at, track.presented))];
  const last = cache.get(points);
  if (last && key.every((value, k) => value === last.key[k])) return last.picture;
  const picture = made(slice, points, track, at);
  cache.set(points, { key, picture });
  return picture;
}

function made(slice, points, track, at) {
  if (slice?.kind !== "weights") return { plane: columnPlane(slice), place: (point) => [point.x, point.y] };
  const w = track ? track.weights(Math.min(at, track.presented)).slice(0, track.size) : new Array(slice.means.length + 1).fill(0);
  const plane = weightPlane(slice, points, w);
  return { plane, place: (point) => projected(plane, point.v) };
}
