// Beyond the line: the state of the bench, and the question to the engine whenever it, the points or the view change.
import { frame } from "./view.js";

// What is asked for, and what an address keeps.
export const BEYOND_KEYS = ["way", "kernel", "gamma", "degree", "coef0", "features", "moment"];

export function emptyBeyond() {
  return { way: "kernel", kernel: "rbf", gamma: "scale", degree: 2, coef0: 1, features: "product", moment: null, answer: null, error: null, busy: false };
}

const CELL = 5; // pixels, about

export function followBeyond(lab) {
  const { store, transport } = lab;
  let asking = null;
  let asked = null;
  let soon = null;
  const set = (patch) => store.set({ beyond: { ...store.state.beyond, ...patch } });

  async function ask(question) {
    asking?.abort();
    const control = new AbortController();
    asking = control;
    set({ busy: true });
    try {
      const answer = await transport.ask("beyond", question, { signal: control.signal });
      if (asking === control) set({ answer: { ...answer, frame: question.frame, points: store.state.data.points }, error: null, busy: false });
    } catch (error) {
      if (asking === control && error.name !== "AbortError") set({ answer: null, error: error.message, busy: false });
    }
  }

  const update = () => {
    const { bench, beyond, data, loading } = store.state;
    if (bench !== "beyond" || loading) return;
    const { view } = lab.planes[0];
    const [[left, low], , [right, high]] = frame(view);
    const question = {
      x: data.points.map(({ x, y }) => [x, y]),
      y: data.points.map(({ c }) => c),
      frame: [left, right, low, high],
      size: [Math.round(view.width / CELL), Math.round(view.height / CELL)],
    };
    const cells = question.size[0] * question.size[1];
    if (cells > 18_000) question.size = question.size.map((n) => Math.floor(n * Math.sqrt(18_000 / cells)));
    for (const key of BEYOND_KEYS) question[key] = beyond[key];
    const text = JSON.stringify(question);
    if (text === asked) return;
    asked = text;
    ask(question);
  };
  const later = () => {
    clearTimeout(soon);
    soon = setTimeout(update, 60);
  };
  store.subscribe(["bench", "beyond", "data", "loading"], later);
  lab.seen = (which) => which === 0 && later();
  later();
}

// How the bench stands, in words and for style sheets.
export function standingOf({ answer, error, busy }) {
  if (busy) return "busy";
  if (error) return "error";
  if (!answer) return "idle";
  return answer.errors === 0 ? "solved" : "unsolved";
}
