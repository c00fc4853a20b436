// The state of the lab, in one place. `set` replaces whole keys and notifies the listeners of these keys.
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
        if (listener.keys.some((key) => changed.has(key))) listener.notify(state, changed);
      }
    },
    // Calls `notify` after each change of one of the keys; returns a function that unsubscribes.
    subscribe(keys, notify) {
      const listener = { keys, notify };
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    // Calls `build`; returns a function that cancels the subscriptions made during the call.
    during(build) {
      const before = new Set(listeners);
      build();
      const made = [...listeners].filter((listener) => !before.has(listener));
      return () => made.forEach((listener) => listeners.delete(listener));
    },
  };
}
