// The start of a saved file: it replays what is written in it.
//
// Recorded are { catalogue, data, sides: [{ rule, run, at, focus, proof }], compare, show }.
import { createLab, initialState } from "./lab.js";
import { Replay } from "./replay.js";
import { embeddedTransport } from "./transport/embedded.js";

export function start() {
  const recorded = JSON.parse(document.getElementById("lab-data").textContent);
  window.rosenblattLab = replayIn(document.getElementById("lab"), recorded);
}

// Builds a lab in an element from what was recorded; without a server it can do everything but compute.
export function replayIn(root, recorded) {
  return createLab(root, embeddedTransport(recorded), stateOf(recorded));
}

// The state that was recorded; `at` is where the first run then stands, if not where it stood.
export function stateOf(recorded, at = recorded.sides[0].at) {
  const state = initialState();
  const sides = recorded.sides.map(({ rule, run, at: stood, focus }, which) => ({
    ...state.sides[0],
    rule,
    payload: run,
    replay: new Replay(run, recorded.data.points),
    at: which === 0 ? at : stood,
    focus,
  }));
  return {
    ...state,
    catalogue: recorded.catalogue,
    data: recorded.data,
    sides: [sides[0], sides[1] ?? state.sides[1]],
    compare: recorded.compare && sides.length > 1,
    show: recorded.show,
    fit: 1,
  };
}
