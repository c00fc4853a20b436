// A whole run: its tracks (one per problem) on a common time line. Position `at` is the number of examples presented so far.
import { Track } from "./track.js";
import { columnPlane } from "./slice.js";

export class Replay {
  constructor(payload, points, slice = null) {
    this.slice = slice;
    this.payload = payload;
    this.points = points;
    this.tracks = payload.problems.map((problem) => new Track(problem, payload, points, slice));
    this.length = Math.max(...this.tracks.map((track) => track.presented));
  }

  // The tracks that a focus selects: one, or all.
  focused(focus) {
    return focus === null || focus >= this.tracks.length ? this.tracks : [this.tracks[focus]];
  }

  // The track whose step is shown: the first that this example updates, else the first that has not ended yet.
  leading(at, focus) {
    const tracks = this.focused(focus);
    const learning = tracks.find((track) => track.updateAt(at) >= 0) ?? tracks.find((track) => track.presented >= at);
    return learning ?? longest(tracks);
  }

  // [w0, w1, w2] of every line in the plane of the picture, by default that of the two columns.
  planes(at, shown = columnPlane(this.slice)) {
    const found = [];
    for (const track of this.tracks) {
      const w = track.weights(Math.min(at, track.presented));
      for (let plane = 0; plane < track.planes; plane++) found.push(track.line(w, plane, shown));
    }
    return found;
  }

  mistakes(at, focus = null) {
    return this.focused(focus).reduce((sum, track) => sum + track.updatesBefore(at), 0);
  }

  isMistake(at, focus = null) {
    return this.focused(focus).some((track) => track.updateAt(at) >= 0);
  }

  // The next position in a direction (1 or -1), by "example", "mistake" or "epoch".
  next(at, unit, direction, focus = null) {
    if (unit === "example") return clamp(at + direction, 0, this.length);
    const ends = this.focused(focus).map((track) => nextOf(track, at, unit, direction));
    const best = direction > 0 ? Math.min(...ends) : Math.max(...ends);
    return Number.isFinite(best) ? best : direction > 0 ? this.length : 0;
  }
}

function nextOf(track, at, unit, direction) {
  if (unit === "mistake") {
    const before = track.updatesBefore(direction > 0 ? at : at - 1);
    const m = direction > 0 ? (track.k[before] === at - 1 ? before + 1 : before) : before - 1;
    return m >= 0 && m < track.updates ? track.k[m] + 1 : direction * Infinity;
  }
  const ends = track.epochEnds;
  if (direction > 0) return ends.find((end) => end > at) ?? Infinity;
  let found = 0;
  for (const end of ends) {
    if (end >= at) break;
    found = end;
  }
  return found;
}

function longest(tracks) {
  return tracks.reduce((best, track) => (track.presented > best.presented ? track : best));
}

export function clamp(value, low, high) {
  return Math.max(low, Math.min(high, value));
}
