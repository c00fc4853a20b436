// Requests a proof about the points of each new run.
import { shownTrack } from "./pocket_and_average.js";
import { valuesOf } from "../state/slice.js";

// The algorithms to which the mistake bound applies: their only updates add η·y·x at a mistake.
const BOUNDED = ["perceptron", "pocket", "averaged"];

export function requestProofs(lab) {
  const { store, transport } = lab;
  const pendingRequests = [null, null];
  const set = (which, proof) => store.set({ proofs: store.state.proofs.map((old, k) => (k === which ? proof : old)) });

  async function ask(which, side, track) {
    pendingRequests[which]?.abort();
    const control = new AbortController();
    pendingRequests[which] = control;
    const { payload, replay, rule } = side;
    const positive = payload.classes[track.positive];
    const negative = negativeOf(payload, replay.tracks.indexOf(track));
    const proof = { payload, track, positive, negative, bounded: BOUNDED.includes(rule.algorithm), eta0: rule.eta0, answer: null, error: null };
    set(which, proof);
    const start = Array.from(track.weightsAfter(0));
    const body = {
      x: replay.points.map(valuesOf),
      y: replay.points.map(({ c }) => c),
      positive,
      negative,
      fit_intercept: payload.fit_intercept,
      eta0: rule.eta0,
      start: payload.fit_intercept ? start : start.slice(1),
    };
    try {
      const answer = await transport.ask("proof", body, { signal: control.signal });
      if (pendingRequests[which] === control) set(which, { ...proof, answer });
    } catch (error) {
      if (pendingRequests[which] === control && error.name !== "AbortError") set(which, { ...proof, error: error.message });
    }
  }

  const update = () => {
    if (store.state.bench !== "line") return;
    store.state.sides.forEach((side, which) => {
      const track = side.replay && !side.busy ? shownTrack(side.replay, side.focus) : null;
      const proof = store.state.proofs[which];
      if (!track) {
        pendingRequests[which]?.abort();
        pendingRequests[which] = null;
        if (proof) set(which, null);
      } else if (proof?.track !== track) ask(which, side, track);
    });
  };
  store.subscribe(["sides", "bench"], update);
  update();
}

function negativeOf(payload, problem) {
  if (payload.kind === "two") return payload.classes[0];
  return payload.kind === "ovo" ? payload.classes[payload.pairs[problem][0]] : null;
}
