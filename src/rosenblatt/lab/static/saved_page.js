// The entry point of a saved HTML file, which replays the runs recorded in it.
//
// The recorded data is { catalogue, data, sides: [{ rule, run, at, focus, proof }], compare, show }.
import { createLab, initialState } from "./lab.js";
import { Replay } from "./state/replay.js";
import { recordedTransport } from "./transport/recorded.js";
import { currentLanguage, t } from "./ui/strings.js";

export function start() {
  const recorded = JSON.parse(document.getElementById("lab-data").textContent);
  const lab = replayIn(document.getElementById("lab"), recorded);
  window.rosenblattLab = lab;
  const updateTitle = () => {
    document.title = t("page.replay_title");
    document.documentElement.lang = currentLanguage();
  };
  lab.store.subscribe(["lang"], updateTitle);
  updateTitle();
}

// Builds a lab in an element from recorded data. Without a server it cannot compute new runs; everything else works.
export function replayIn(root, recorded) {
  return createLab(root, recordedTransport(recorded), stateOf(recorded));
}

// Converts recorded data to a state of the lab. `at` is the position of the first run, by default the recorded one.
export function stateOf(recorded, at = recorded.sides[0].at) {
  const state = initialState();
  const sides = recorded.sides.map(({ rule, run, at: stood, focus }, which) => ({
    ...state.sides[0],
    rule,
    payload: run,
    replay: new Replay(run, recorded.data.points, recorded.data.slice ?? null),
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
