// Asks what is proved of the points of each run, whenever there is a new one.
import { shownTrack } from "./beside.js";

// The rules of which the bound on mistakes speaks: they add η·y·x at a mistake, and nothing else.
const BOUNDED = ["perceptron", "pocket", "averaged"];

export function followProofs(lab) {
  const { store, transport } = lab;
  const asking = [null, null];
  const set = (which, proof) => store.set({ proofs: store.state.proofs.map((old, k) => (k === which ? proof : old)) });

  async function ask(which, side, track) {
    asking[which]?.abort();
    const control = new AbortController();
    asking[which] = control;
    const { payload, replay, rule } = side;
    const positive = payload.classes[track.positive];
    const negative = negativeOf(payload, replay.tracks.indexOf(track));
    const proof = { payload, track, positive, negative, bounded: BOUNDED.includes(rule.algorithm), eta0: rule.eta0, answer: null, error: null };
    set(which, proof);
    const start = Array.from(track.weightsAfter(0));
    const body = {
      x: replay.points.map(({ x, y }) => [x, y]),
      y: replay.points.map(({ c }) => c),
      positive,
      negative,
      fit_intercept: payload.fit_intercept,
      eta0: rule.eta0,
      start: payload.fit_intercept ? start : start.slice(1),
    };
    try {
      const answer = await transport.ask("proof", body, { signal: control.signal });
      if (asking[which] === control) set(which, { ...proof, answer });
    } catch (error) {
      if (asking[which] === control && error.name !== "AbortError") set(which, { ...proof, error: error.message });
    }
  }

  const update = () => {
    if (store.state.bench !== "line") return;
    store.state.sides.forEach((side, which) => {
      const track = side.replay && !side.busy ? shownTrack(side.replay, side.focus) : null;
      const proof = store.state.proofs[which];
      if (!track) {
        asking[which]?.abort();
        asking[which] = null;
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
