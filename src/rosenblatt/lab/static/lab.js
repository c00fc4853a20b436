// Puts the lab together inside an element: state, actions, planes, panels. What carries questions is up to the caller.
import { createActions } from "./actions.js";
import { emptyBeyond } from "./beyond.js";
import { emptyBoolean } from "./boolean.js";
import { h } from "./dom.js";
import { listenToKeys } from "./keyboard.js";
import { PANELS } from "./panels/all.js";
import { createPlane } from "./plane.js";
import { followProofs } from "./proving.js";
import { DEFAULT_RULE } from "./rules.js";
import { createStore } from "./store.js";

const AREAS = ["top", "left", "bottom", "right", "wide"];

function emptySide(rule) {
  return { rule, replay: null, payload: null, at: 0, focus: null, busy: false, error: null, progress: null };
}

export function initialState() {
  return {
    catalogue: null,
    data: { source: { job: "points" }, name: "", points: [], classes: ["−1", "+1"], columns: ["x1", "x2"], allColumns: [] },
    sides: [emptySide({ ...DEFAULT_RULE }), emptySide(null)],
    bench: "line", // or another that panels know
    proofs: [null, null], // of each side: what is proved of its points
    beside: { pocket: false, average: false }, // boundaries to draw beside the current one
    boolean: emptyBoolean(),
    beyond: emptyBeyond(),
    lesson: null, // the one that is open, by its name
    learnt: [], // the names of those that are done
    probe: null, // a place of the plane whose votes are counted: [x, y]
    active: 0, // the side that the rule panel changes
    compare: false,
    tool: "move", // or "paint", "erase"
    brush: 1, // the class that is painted
    playing: false,
    speed: 2, // steps a second
    unit: "example", // what playing steps by
    show: { regions: true, margin: true, vectors: true, ghost: true },
    dark: false,
    theme: "auto",
    notice: null,
    loading: false,
    fit: 0, // counts the wishes to see all points
  };
}

// Builds the page inside `root` and returns the lab: { root, store, actions, transport, planes, fit }.
export function createLab(root, transport, state = initialState()) {
  const store = createStore(state);
  const actions = createActions(store, transport);
  const lab = { root, store, actions, transport, planes: [], touchedView: false };
  lab.fit = () => {
    lab.touchedView = false;
    store.set({ fit: store.state.fit + 1 });
  };

  root.classList.add("rlab");
  const areas = Object.fromEntries(AREAS.map((name) => [name, h("div", { class: `area ${name}` })]));
  lab.planes = [createPlane(lab, 0), createPlane(lab, 1)];
  const frames = lab.planes.map((plane, which) => planeFrame(lab, plane, which));
  const middle = h("main", { class: "middle" }, h("div", { class: "planes" }, frames), areas.bottom);
  root.replaceChildren(areas.top, h("div", { class: "columns" }, areas.left, middle, areas.right), areas.wide);

  for (const panel of PANELS) {
    if (panel.needsEngine && !transport.canRun) continue;
    const heading = panel.title ? [h("h2", { id: `panel-${panel.id}` }, panel.title)] : [];
    const box = h(
      "section",
      { class: `panel panel-${panel.id}`, "aria-labelledby": panel.title ? `panel-${panel.id}` : null, "aria-label": panel.label },
      heading,
    );
    areas[panel.area].append(box);
    panel.mount(box, lab);
    const seen = () => (box.hidden = !(panel.benches ?? ["line"]).includes(store.state.bench));
    store.subscribe(["bench"], seen);
    seen();
  }

  const theme = () => {
    const { theme: wish } = store.state;
    const dark = wish === "dark" || (wish === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
    root.classList.toggle("dark", dark);
    root.classList.toggle("light", !dark);
    store.set({ dark });
  };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", theme);
  store.subscribe(["theme"], theme);
  theme();

  const layout = () => {
    const { bench, compare } = store.state;
    root.dataset.bench = bench;
    root.classList.toggle("compare", compare && bench === "line");
    frames[1].hidden = !compare || bench !== "line";
  };
  store.subscribe(["compare", "bench"], layout);
  layout();
  // What the lab is doing, for style sheets and whoever waits for it.
  const standingOf = ({ loading, sides }) => (loading || sides.some((side) => side.busy) ? "busy" : sides[0].replay ? "ready" : "idle");
  const say = () => (root.dataset.state = standingOf(store.state));
  store.subscribe(["loading", "sides"], say);
  say();
  listenToKeys(lab);
  followProofs(lab);
  return lab;
}

// A plane with a word above it: whose run it is, and how it stands.
function planeFrame(lab, plane, which) {
  const caption = h("div", { class: "caption", "aria-live": "polite" });
  const update = () => {
    const { sides, compare, loading } = lab.store.state;
    const side = sides[which];
    const parts = [];
    if (compare) parts.push(h("strong", {}, `${"AB"[which]} · ${side.rule?.convention ?? ""}`), " ");
    parts.push(...(loading && !side.busy ? [h("span", { class: "busy" }, "loading…")] : standing(side)));
    caption.replaceChildren(...parts);
  };
  lab.store.subscribe(["sides", "compare", "loading"], update);
  update();
  return h("figure", { class: "plane-frame" }, plane.element, caption);
}

const SETTLED = { pocket: ". Dotted: the pocket's line", averaged: ". Dotted: the average's line" };

function standing(side) {
  if (side.busy) {
    const { progress } = side;
    return [h("span", { class: "busy" }, progress ? `running: epoch ${progress.epoch}…` : "running…")];
  }
  if (side.error) return [h("span", { class: "error" }, side.error)];
  if (!side.replay) return [];
  const { ending } = side.payload;
  if (side.at < side.replay.length) return [];
  const cycle = ending.cycle ? `, period ${ending.cycle.toLocaleString("en")}` : "";
  const good = ending.status === "separated" ? "ending good" : "ending";
  return [h("span", {}, h("strong", { class: good }, `${ending.status.replaceAll("_", " ")}${cycle}`), `: ${ending.meaning}${SETTLED[side.payload.settled?.name] ?? ""}`)];
}
