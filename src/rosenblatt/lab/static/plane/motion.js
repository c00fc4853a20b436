// Motion between two positions of a run: the weights go from the old to the new ones in a straight line, so the line turns and w
// moves along ηyx. Nothing moves if the person prefers no motion, or if steps follow each other faster than a motion takes.
const MILLISECONDS = 260;

export function prefersNoMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

// Returns { follow, current }. `follow(replay, at)` is called after each change of the position; `current()` returns
// { from, share } while something moves: the planes of the old position and the share of the way; else null.
export function createMotion(redraw) {
  let last = null; // the replay and position that were followed last
  let moving = null;

  function current(now = performance.now()) {
    if (!moving) return null;
    const time = (now - moving.start) / MILLISECONDS;
    if (time >= 1) {
      moving = null;
      return null;
    }
    return { from: moving.from, share: time * time * (3 - 2 * time) };
  }

  return {
    current,
    follow(replay, at) {
      const before = last;
      last = replay ? { replay, at } : null;
      if (!replay || before?.replay !== replay) {
        moving = null;
        return;
      }
      if (before.at === at) return;
      const busy = current() !== null;
      moving = busy || prefersNoMotion() ? null : { from: replay.planes(before.at), start: performance.now() };
      if (moving) requestAnimationFrame(redraw);
    },
  };
}

// The planes on their way from `from` to `to`.
export function between(moving, to) {
  if (!moving || moving.from.length !== to.length) return to;
  return to.map((w, plane) => w.map((value, j) => moving.from[plane][j] + moving.share * (value - moving.from[plane][j])));
}
