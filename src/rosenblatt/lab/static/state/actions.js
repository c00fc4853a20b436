// The actions, which change the state: data, rules, runs, time. Panels call them.
import { unpack } from "./codec.js";
import { className, withDateNames } from "../ui/numbers.js";
import { Replay, clamp } from "./replay.js";
import { DEFAULT_RULE, parametersOf, withConvention } from "./rules.js";
import { fittedStart, liftedPoint, sliceOf, valuesOf } from "./slice.js";
import { t } from "../ui/strings.js";

const MOST_TEXT = 3_000_000; // maximum length of a pasted table in characters, well below the server's limit

export function createActions(store, transport) {
  const running = [null, null]; // the AbortController of each side's run

  const setSide = (which, patch) => {
    const sides = store.state.sides.map((side, k) => (k === which ? { ...side, ...patch } : side));
    store.set({ sides });
  };

  const shownSides = () => (store.state.compare ? [0, 1] : [store.state.active]);

  // Runs a side again; `at` is the position on the time line afterwards.
  async function run(which, at = 0) {
    running[which]?.abort();
    const control = new AbortController();
    running[which] = control;
    const { data, sides } = store.state;
    const points = data.points;
    const rule = parametersOf(sides[which].rule);
    const body = { x: points.map(valuesOf), y: points.map(({ c }) => c), rule: { ...rule, start: fittedStart(data.slice, rule.start) } };
    setSide(which, { busy: true, error: null, progress: null });
    try {
      const payload = await transport.ask("run", body, {
        signal: control.signal,
        onProgress: (progress) => setSide(which, { progress }),
      });
      if (running[which] !== control) return;
      const replay = new Replay(payload, points, data.slice);
      setSide(which, { busy: false, replay, payload, at: clamp(at, 0, replay.length), focus: focusFor(payload) });
    } catch (error) {
      if (running[which] !== control || error.name === "AbortError") return;
      setSide(which, { busy: false, replay: null, payload: null, at: 0, error: error.message });
    }
  }

  const runAll = (positions = [0, 0]) => Promise.all(shownSides().map((which) => run(which, positions[which])));

  // Runs again after the last of several quick changes (debounced). A side that showed the end of its run shows the new end.
  let timer = null;
  const atTheEnd = [false, false];
  const runSoon = () => {
    clearTimeout(timer);
    // A run in progress uses outdated points.
    running.forEach((control, which) => {
      control?.abort();
      running[which] = null;
    });
    store.state.sides.forEach(({ replay, at }, which) => {
      if (replay) atTheEnd[which] = replay.length > 0 && at >= replay.length;
    });
    timer = setTimeout(() => runAll(atTheEnd.map((end) => (end ? Infinity : 0))), 120);
  };

  const setData = (data) => {
    pause();
    clearTimeout(timer); // a run that an earlier change has scheduled would start at another position
    store.set({ data, sides: store.state.sides.map(withoutRun) });
  };

  function received({ columns: names, ...answer }, source) {
    const columns = withDateNames(names);
    const flat = unpack(answer.x);
    const labels = unpack(answer.y);
    const width = columns.length;
    const all = answer.values && !source.onlyTwo ? unpack(answer.values) : null;
    const points = Array.from(labels, (c, k) => {
      const point = { x: flat[2 * k], y: flat[2 * k + 1], c };
      return all ? { ...point, v: Array.from(all.subarray(width * k, width * (k + 1))) } : point;
    });
    return {
      slice: all ? sliceOf(points.map(({ v }) => v), answer.chosen, columns, source.view) : null,
      canSlice: Boolean(answer.values),
      source,
      name: answer.name,
      points,
      classes: answer.classes.map(className),
      columns: answer.chosen.map((column) => columns[column]),
      allColumns: columns,
      chosen: answer.chosen,
      leftOut: answer.left_out,
      sampledFrom: answer.sampled_from,
    };
  }

  // Requests data, shows it and runs. If the request is refused, the message is shown and the old data is kept.
  async function load(job, body, positions) {
    store.set({ notice: null, loading: true });
    try {
      const { onlyTwo, view, ...request } = body; // these two concern the page alone
      const answer = await transport.ask(job, request);
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
    // A visible run is kept until the new one arrives; a hidden run is removed.
    const name = data.source.job === "points" ? data.name : t("data.edited");
    const shown = shownSides();
    store.set({
      data: { ...data, source: { job: "points" }, name, points },
      sides: store.state.sides.map((side, which) => ({ ...(shown.includes(which) ? side : withoutRun(side)), busy: shown.includes(which) })),
    });
    runSoon();
  }

  function go(at) {
    const sides = store.state.sides.map((side) =>
      side.replay ? { ...side, at: clamp(Math.round(at), 0, side.replay.length) } : side,
    );
    store.set({ sides });
  }

  // Moves both sides by one step: to the next example, mistake or epoch of each side.
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
    asOneStep: (change) => change(), // undo replaces it: what `change` does becomes one step
    run,
    runAll,
    go,
    step,
    play,
    pause,
    toggle: () => (store.state.playing ? pause() : play()),
    loadSet: (name, columns = [0, 1], standardize = false, positions, onlyTwo = false, view = "columns") =>
      load("data", { name, columns, standardize, onlyTwo, view }, positions),
    async loadText(text, name, columns = [0, 1], standardize = false) {
      if (text.length > MOST_TEXT) {
        store.set({ notice: { kind: "error", text: t("data.too_long", { name, megabytes: MOST_TEXT / 1e6 }) } });
        return false;
      }
      return load("text", { text, name, columns, standardize });
    },
    columns(columns, standardize, onlyTwo = Boolean(store.state.data.source.onlyTwo)) {
      const { job, ...body } = store.state.data.source;
      return load(job, { ...body, columns, standardize, onlyTwo });
    },
    // Changes what the picture shows of data with many columns. The run has used all columns, so it stays.
    showPlane(chosen, kind) {
      const { data, sides } = store.state;
      const slice = { ...data.slice, chosen, kind };
      const points = data.points.map((point) => ({ ...point, x: point.v[chosen[0]], y: point.v[chosen[1]] }));
      const source = data.source.job === "points" ? data.source : { ...data.source, columns: chosen, view: kind };
      const busy = sides.some((side) => side.busy);
      store.set({
        data: { ...data, slice, points, source, chosen, columns: chosen.map((j) => slice.columns[j]) },
        sides: sides.map((side) => (side.replay ? { ...side, replay: new Replay(side.payload, points, slice) } : side)),
        fit: store.state.fit + 1,
      });
      return busy ? runAll(sides.map(({ at }) => at)) : null;
    },
    // Learns only the two columns that are shown, of points that no table can bring back.
    keepTwoColumns() {
      const { data } = store.state;
      const points = data.points.map(({ x, y, c }) => ({ x, y, c }));
      setData({ ...data, points, slice: null, canSlice: false });
      return runAll();
    },
    async setPoints(data, positions) {
      setData(data);
      await runAll(positions);
      store.set({ fit: store.state.fit + 1 });
    },
    // `plane` is that of the picture in which x and y are meant.
    addPoint: (x, y, c, plane) => edit((points) => [...points, liftedPoint(store.state.data.slice, x, y, c, null, plane)]),
    movePoint: (k, x, y, plane) => edit((points) => points.map((point, j) => (j === k ? liftedPoint(store.state.data.slice, x, y, point.c, point, plane) : point))),
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
      const [first, second] = store.state.sides;
      const other = first.rule.convention === "L3" ? "L0" : "L3";
      const rule = second.rule ?? withConvention({ ...DEFAULT_RULE, ...first.rule }, other, store.state.catalogue);
      store.set({ compare, active: 0, sides: compare ? [first, { ...second, rule }] : store.state.sides });
      if (compare && !store.state.sides[1].replay) return run(1, store.state.sides[0].at);
      return null;
    },
  };
}

function withoutRun(side) {
  return { ...side, replay: null, payload: null, at: 0 };
}

export function atEnd(side) {
  return !side.replay || side.at >= side.replay.length;
}

// One-vs-one problems present different examples, so the first of them is selected; otherwise all are shown together.
function focusFor(payload) {
  return payload.kind === "ovo" ? 0 : null;
}
