// The state of the lab, in one place. `set` replaces whole keys; listeners hear which.
export function createStore(initial) {
  let state = initial;
  const listeners = new Set();
  return {
    get state() {
      return state;
    },
    set(patch) {
      const changed = new Set(Object.keys(patch).filter((key) => state[key] !== patch[key]));
      if (!changed.size) return;
      state = { ...state, ...patch };
      for (const listener of [...listeners]) {
        if (listener.keys.some((key) => changed.has(key))) listener.hear(state, changed);
      }
    },
    // Calls `hear` after each change of one of the keys; returns how to stop.
    subscribe(keys, hear) {
      const listener = { keys, hear };
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
