// Undo and redo of everything that a person changes: data, rules, what is shown, the benches. Time is no change: an undone step
// comes back at the position at which it was left. One gesture of the pointer is one step, and so is what `asOneStep` does.
import { NONLINEAR_KEYS } from "../benches/nonlinear_state.js";

const MAX_UNDO_STEPS = 100;
const WATCHED = ["data", "sides", "compare", "bench", "boolean", "nonlinear", "extraLines", "show", "story"];
const BOOLEAN_KEYS = ["expression", "table", "variables", "tie"];
const CHOICES = NONLINEAR_KEYS.filter((key) => key !== "moment");

export function watchHistory(lab) {
  const { store, actions } = lab;
  const past = [];
  const future = [];
  let current = snapshot(store.state);
  let gesture = null; // the pointer gesture of the last change
  let openGroups = 0; // number of calls of `asOneStep` in progress
  let restoring = false;

  function update() {
    if (openGroups || restoring) return;
    const now = snapshot(store.state);
    if (same(now, current)) {
      current = now; // with the newest position in time
      return;
    }
    const begun = current.data.points.length || current.data.name; // the empty state before the first data is no step
    if (begun && !(lab.gesture && lab.gesture === gesture)) past.push(current);
    if (past.length > MAX_UNDO_STEPS) past.shift();
    future.length = 0;
    gesture = lab.gesture ?? null;
    current = now;
    publish();
  }
  store.subscribe(WATCHED, update);

  actions.asOneStep = async (change) => {
    openGroups += 1;
    try {
      return await change();
    } finally {
      openGroups -= 1;
      update();
    }
  };

  const publish = () => store.set({ canUndo: past.length > 0, canRedo: future.length > 0 });
  const move = (from, to) => {
    const restored = from.pop();
    if (!restored) return;
    to.push(current);
    restoring = true;
    try {
      restore(restored);
    } finally {
      restoring = false;
    }
    current = restored;
    publish();
  };

  function restore({ data, rules, positions, boolean, nonlinear, ...rest }) {
    const { state } = store;
    const rerun = data !== state.data || rules.some((rule, k) => rule !== state.sides[k].rule);
    store.set({
      ...rest,
      boolean: { ...state.boolean, ...boolean },
      nonlinear: { ...state.nonlinear, ...nonlinear, moment: null },
      sides: state.sides.map((side, k) => ({ ...side, rule: rules[k] })),
    });
    if (rerun) actions.setPoints(data, positions);
  }
  actions.undo = () => move(past, future);
  actions.redo = () => move(future, past);
}

function snapshot({ data, sides, compare, bench, boolean, nonlinear, extraLines, show, story }) {
  return {
    data,
    rules: sides.map(({ rule }) => rule),
    positions: sides.map(({ at, replay }) => (replay && at >= replay.length ? Infinity : at)),
    boolean: picked(boolean, BOOLEAN_KEYS),
    nonlinear: picked(nonlinear, CHOICES),
    compare,
    bench,
    extraLines,
    show,
    story,
  };
}

function picked(object, keys) {
  return Object.fromEntries(keys.map((key) => [key, object[key]]));
}

function same(a, b) {
  const equal = (x, y) => Object.keys(x).every((key) => x[key] === y[key]);
  const simple = ["data", "compare", "bench", "extraLines", "show", "story"];
  return simple.every((key) => a[key] === b[key]) && equal(a.rules, b.rules) && equal(a.boolean, b.boolean) && equal(a.nonlinear, b.nonlinear);
}
