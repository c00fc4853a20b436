// The state of the bench of nonlinear boundaries. Sends a request to the engine when this state, the points or the view change.
import { frame } from "../plane/view.js";
import { pictureOf } from "../state/picture.js";
import { valuesOf } from "../state/slice.js";

// The keys of the state that a request and an address contain.
export const NONLINEAR_KEYS = ["method", "kernel", "gamma", "degree", "coef0", "features", "moment"];

export function emptyNonlinear() {
  return { method: "kernel", kernel: "rbf", gamma: "scale", degree: 2, coef0: 1, features: "product", moment: null, answer: null, error: null, busy: false };
}

// The kernel with which a data set opens if no line is of use for it; null for others. With γ from the spread of the spirals, the
// Gaussian would be too wide to separate them.
export function usualKernel(name) {
  return name === "spirals" ? { method: "kernel", kernel: "rbf", gamma: 2, moment: null } : null;
}

const CELL = 5; // approximate size of a grid cell in pixels

export function requestNonlinear(lab) {
  const { store, transport } = lab;
  let pendingRequest = null;
  let lastRequest = null;
  let timer = null;
  const set = (patch) => store.set({ nonlinear: { ...store.state.nonlinear, ...patch } });

  async function ask(body, plane) {
    pendingRequest?.abort();
    const control = new AbortController();
    pendingRequest = control;
    set({ busy: true });
    try {
      const answer = await transport.ask("nonlinear", body, { signal: control.signal });
      if (pendingRequest === control) set({ answer: { ...answer, frame: body.frame, plane, points: store.state.data.points }, error: null, busy: false });
    } catch (error) {
      if (pendingRequest === control && error.name !== "AbortError") set({ answer: null, error: error.message, busy: false });
    }
  }

  const update = () => {
    const { bench, nonlinear, data, loading, sides } = store.state;
    if (bench !== "nonlinear" || loading) return;
    const { view } = lab.planes[0];
    const [[left, low], , [right, high]] = frame(view);
    const body = {
      x: data.points.map(valuesOf),
      y: data.points.map(({ c }) => c),
      frame: [left, right, low, high],
      size: [Math.round(view.width / CELL), Math.round(view.height / CELL)],
    };
    const cells = body.size[0] * body.size[1];
    if (cells > 18_000) body.size = body.size.map((n) => Math.floor(n * Math.sqrt(18_000 / cells)));
    const { plane } = pictureOf(data, sides[0]);
    if (plane) Object.assign(body, { plane, chosen: data.slice.chosen });
    for (const key of NONLINEAR_KEYS) body[key] = nonlinear[key];
    const text = JSON.stringify(body);
    if (text === lastRequest) return;
    lastRequest = text;
    ask(body, plane);
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(update, 60);
  };
  store.subscribe(["bench", "nonlinear", "data", "loading"], later);
  lab.onDraw = (which) => which === 0 && later();
  later();
}

// The status of the bench, as a word for texts and style sheets.
export function statusOf({ answer, error, busy }) {
  if (busy) return "busy";
  if (error) return "error";
  if (!answer) return "idle";
  return answer.errors === 0 ? "solved" : "unsolved";
}
