// The start of a saved file: it replays what is written in it.
//
// Recorded are { catalogue, data, sides: [{ rule, run, at, focus }], compare, show }.
import { createLab, initialState } from "./lab.js";
import { Replay } from "./replay.js";
import { embeddedTransport } from "./transport/embedded.js";

export function start() {
  const recorded = JSON.parse(document.getElementById("lab-data").textContent);
  window.rosenblattLab = replayIn(document.getElementById("lab"), recorded);
}

// Builds a lab in an element from what was recorded; without a server it can do everything but compute.
export function replayIn(root, recorded) {
  const state = initialState();
  const sides = recorded.sides.map(({ rule, run, at, focus }) => ({
    ...state.sides[0],
    rule,
    payload: run,
    replay: new Replay(run, recorded.data.points),
    at,
    focus,
  }));
  return createLab(root, embeddedTransport(recorded), {
    ...state,
    catalogue: recorded.catalogue,
    data: recorded.data,
    sides: [sides[0], sides[1] ?? state.sides[1]],
    compare: recorded.compare && sides.length > 1,
    show: recorded.show,
    fit: 1,
  });
}
