// Everything that changes the state: data, rules, runs, time. Panels call these, and nothing else changes anything.
import { unpack } from "./codec.js";
import { className } from "./numbers.js";
import { Replay, clamp } from "./replay.js";
import { DEFAULT_RULE, asked, withConvention } from "./rules.js";

const MOST_TEXT = 3_000_000; // characters of a table, well below what the server takes

export function createActions(store, transport) {
  const running = [null, null]; // what ends the run of each side

  const setSide = (which, patch) => {
    const sides = store.state.sides.map((side, k) => (k === which ? { ...side, ...patch } : side));
    store.set({ sides });
  };

  const shownSides = () => (store.state.compare ? [0, 1] : [store.state.active]);

  // Runs a side anew; `at` is where the time line then stands.
  async function run(which, at = 0) {
    running[which]?.abort();
    const control = new AbortController();
    running[which] = control;
    const { data, sides } = store.state;
    const points = data.points;
    const body = { x: points.map(({ x, y }) => [x, y]), y: points.map(({ c }) => c), rule: asked(sides[which].rule) };
    setSide(which, { busy: true, error: null, progress: null });
    try {
      const payload = await transport.ask("run", body, {
        signal: control.signal,
        onProgress: (progress) => setSide(which, { progress }),
      });
      if (running[which] !== control) return;
      const replay = new Replay(payload, points);
      setSide(which, { busy: false, replay, payload, at: clamp(at, 0, replay.length), focus: focusFor(payload) });
    } catch (error) {
      if (running[which] !== control || error.name === "AbortError") return;
      setSide(which, { busy: false, replay: null, payload: null, at: 0, error: error.message });
    }
  }

  const runAll = (positions = [0, 0]) => Promise.all(shownSides().map((which) => run(which, positions[which])));

  // After the last of many small changes. Who looked at the end of a run goes on looking at the end.
  let soon = null;
  const atTheEnd = [false, false];
  const runSoon = () => {
    clearTimeout(soon);
    // A run that is still under way is of points that have changed since.
    running.forEach((control, which) => {
      control?.abort();
      running[which] = null;
    });
    store.state.sides.forEach(({ replay, at }, which) => {
      if (replay) atTheEnd[which] = replay.length > 0 && at >= replay.length;
    });
    soon = setTimeout(() => runAll(atTheEnd.map((end) => (end ? Infinity : 0))), 120);
  };

  const setData = (data) => {
    pause();
    store.set({ data, sides: store.state.sides.map(forgotten) });
  };

  function received(answer, source) {
    const flat = unpack(answer.x);
    const labels = unpack(answer.y);
    const points = Array.from(labels, (c, k) => ({ x: flat[2 * k], y: flat[2 * k + 1], c }));
    return {
      source,
      name: answer.name,
      points,
      classes: answer.classes.map(className),
      columns: answer.chosen.map((column) => answer.columns[column]),
      allColumns: answer.columns,
      chosen: answer.chosen,
      leftOut: answer.left_out,
    };
  }

  // Asks for data, shows it and runs; a refusal is shown, and what was there stays.
  async function load(job, body, positions) {
    store.set({ notice: null, loading: true });
    try {
      const answer = await transport.ask(job, body);
      setData(received(answer, { job, ...body }));
      store.set({ fit: store.state.fit + 1 });
      await runAll(positions);
      store.set({ fit: store.state.fit + 1 });
      return true;
    } catch (error) {
      store.set({ notice: { kind: "error", text: error.message } });
      return false;
    } finally {
      store.set({ loading: false });
    }
  }

  function edit(change) {
    const { data } = store.state;
    const points = change(data.points);
    if (points === data.points) return;
    pause();
    // The old run stays in sight until the new one is there; one that is out of sight is forgotten.
    const name = data.source.job === "points" ? data.name : "edited";
    const shown = shownSides();
    store.set({
      data: { ...data, source: { job: "points" }, name, points },
      sides: store.state.sides.map((side, which) => ({ ...(shown.includes(which) ? side : forgotten(side)), busy: shown.includes(which) })),
    });
    runSoon();
  }

  function go(at) {
    const sides = store.state.sides.map((side) =>
      side.replay ? { ...side, at: clamp(Math.round(at), 0, side.replay.length) } : side,
    );
    store.set({ sides });
  }

  // One step on both sides, each by its own example, mistake or epoch.
  function step(unit, direction) {
    const sides = store.state.sides.map((side) =>
      side.replay ? { ...side, at: side.replay.next(side.at, unit, direction, side.focus) } : side,
    );
    store.set({ sides });
  }

  let frameId = null;
  let due = 0;
  function tick(now) {
    if (!store.state.playing) return;
    const { speed, unit } = store.state;
    due = Math.min(due, now + 1000 / speed);
    let steps = 0;
    while (now >= due && steps < 64) {
      step(unit, 1);
      due += 1000 / speed;
      steps += 1;
    }
    if (steps === 64) due = now;
    if (shownSides().every((which) => atEnd(store.state.sides[which]))) pause();
    else frameId = requestAnimationFrame(tick);
  }

  function play() {
    if (shownSides().every((which) => atEnd(store.state.sides[which]))) go(0);
    store.set({ playing: true });
    due = performance.now() + 1000 / store.state.speed;
    frameId = requestAnimationFrame(tick);
  }

  function pause() {
    cancelAnimationFrame(frameId);
    store.set({ playing: false });
  }

  return {
    run,
    runAll,
    go,
    step,
    play,
    pause,
    toggle: () => (store.state.playing ? pause() : play()),
    loadSet: (name, columns = [0, 1], standardize = false, positions) =>
      load("data", { name, columns, standardize }, positions),
    async loadText(text, name, columns = [0, 1], standardize = false) {
      if (text.length > MOST_TEXT) {
        store.set({ notice: { kind: "error", text: `${name} has more than ${MOST_TEXT / 1e6} MB. Take a sample of its rows.` } });
        return false;
      }
      return load("text", { text, name, columns, standardize });
    },
    columns(columns, standardize) {
      const { job, ...body } = store.state.data.source;
      return load(job, { ...body, columns, standardize });
    },
    async setPoints(data, positions) {
      setData(data);
      await runAll(positions);
      store.set({ fit: store.state.fit + 1 });
    },
    addPoint: (x, y, c) => edit((points) => [...points, { x, y, c }]),
    movePoint: (k, x, y) => edit((points) => points.map((point, j) => (j === k ? { ...point, x, y } : point))),
    removePoint: (k) => edit((points) => points.filter((_, j) => j !== k)),
    clear: () => edit((points) => (points.length ? [] : points)),
    setRule(patch, which = store.state.active) {
      setSide(which, { rule: { ...store.state.sides[which].rule, ...patch } });
      return run(which, store.state.sides[which].at);
    },
    setConvention(name, which = store.state.active) {
      const rule = withConvention(store.state.sides[which].rule, name, store.state.catalogue);
      setSide(which, { rule });
      return run(which, store.state.sides[which].at);
    },
    setFocus: (focus, which = store.state.active) => setSide(which, { focus }),
    // Two runs side by side: the second begins as a copy of the first under another dialect.
    setCompare(compare) {
      if (compare && !store.state.sides[1].rule) {
        const first = store.state.sides[0].rule;
        const other = first.convention === "L3" ? "L0" : "L3";
        setSide(1, { rule: withConvention({ ...DEFAULT_RULE, ...first }, other, store.state.catalogue) });
      }
      store.set({ compare, active: 0 });
      if (compare && !store.state.sides[1].replay) return run(1, store.state.sides[0].at);
      return null;
    },
  };
}

function forgotten(side) {
  return { ...side, replay: null, payload: null, at: 0 };
}

export function atEnd(side) {
  return !side.replay || side.at >= side.replay.length;
}

// One-vs-one problems have their own examples, so one of them leads; otherwise all go together.
function focusFor(payload) {
  return payload.kind === "ovo" ? 0 : null;
}
