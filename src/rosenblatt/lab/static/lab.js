// Builds the lab inside an element: state, actions, planes, panels. The caller chooses the transport.
import { createActions } from "./state/actions.js";
import { emptyNonlinear } from "./benches/nonlinear_state.js";
import { emptyBoolean } from "./benches/boolean_state.js";
import { h } from "./ui/dom.js";
import { listenToKeys } from "./ui/keyboard.js";
import { PANELS } from "./panels/list.js";
import { createPlane } from "./plane/plane.js";
import { requestProofs } from "./proof/request_proofs.js";
import { DEFAULT_RULE, endingName, ruleName } from "./state/rules.js";
import { columnWords, sliceWords } from "./state/slice.js";
import { storyOf } from "./stories/stories.js";
import { createStore } from "./state/store.js";
import { watchHistory } from "./state/undo.js";
import { currentLanguage, setLanguage, t } from "./ui/strings.js";

const VERDICTS = ["separated", "inseparable", "cycled"]; // endings that are a fact about the data in their columns
const AREAS = ["top", "story", "left", "bottom", "right", "wide"];

function emptySide(rule) {
  return { rule, replay: null, payload: null, at: 0, focus: null, busy: false, error: null, progress: null };
}

export function initialState() {
  return {
    catalogue: null,
    data: { source: { job: "points" }, name: "", points: [], classes: ["−1", "+1"], columns: ["x1", "x2"], allColumns: [], slice: null },
    sides: [emptySide({ ...DEFAULT_RULE }), emptySide(null)],
    bench: "line", // the open bench; benches/names.js lists all
    proofs: [null, null], // the proof about the points of each side
    extraLines: { pocket: false, average: false }, // boundaries to draw beside the current one
    boolean: emptyBoolean(),
    nonlinear: emptyNonlinear(),
    story: null, // the open story { id, step, choice }; without an id, the list of all stories
    finished: [], // the names of the completed stories
    probe: null, // the position [x, y] in the plane whose votes are shown
    active: 0, // the side that the rule panel changes
    exact: false, // whether weights are shown to the last digit
    canUndo: false,
    canRedo: false,
    compare: false,
    embed: false, // whether the lab is embedded: only the plane, time and the step are shown
    tool: "move", // or "paint", "erase"
    brush: 1, // the class that is painted
    playing: false,
    speed: 2, // steps per second
    unit: "example", // the unit of a step while playing
    show: { regions: true, margin: true, vectors: true, ghost: true, proof: true },
    dark: false,
    theme: "auto",
    lang: currentLanguage(),
    notice: null,
    loading: false,
    fit: 0, // increases with each request to show all points
  };
}

// Builds the page inside `root` and returns the lab: { root, store, actions, transport, planes, fit }.
export function createLab(root, transport, state = initialState()) {
  const store = createStore(state);
  const actions = createActions(store, transport);
  const lab = { root, store, actions, transport, planes: [], touchedView: false, gesture: null };
  lab.fit = () => {
    lab.touchedView = false;
    store.set({ fit: store.state.fit + 1 });
  };

  root.classList.add("rlab");
  let release = store.during(() => buildPage(lab));
  store.subscribe(["lang"], ({ lang }) => {
    release();
    setLanguage(lang);
    release = store.during(() => buildPage(lab));
  });

  const theme = () => {
    const { theme: chosen } = store.state;
    const dark = chosen === "dark" || (chosen === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
    root.classList.toggle("dark", dark);
    root.classList.toggle("light", !dark);
    store.set({ dark });
  };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", theme);
  store.subscribe(["theme"], theme);
  theme();
  // The status of the lab for style sheets and tests: busy, ready or idle.
  const statusOf = ({ loading, sides }) => (loading || sides.some((side) => side.busy) ? "busy" : sides[0].replay ? "ready" : "idle");
  const updateState = () => (root.dataset.state = statusOf(store.state));
  store.subscribe(["loading", "sides"], updateState);
  updateState();
  if (transport.canRun) watchHistory(lab);
  listenToKeys(lab);
  requestProofs(lab);
  return lab;
}

// Builds the planes and panels in the current language. A change of the language builds them again from the same state.
function buildPage(lab) {
  const { root, store, transport } = lab;
  root.lang = currentLanguage();
  const areas = Object.fromEntries(AREAS.map((name) => [name, h("div", { class: `area ${name}` })]));
  lab.areas = areas;
  lab.planes = [createPlane(lab, 0), createPlane(lab, 1)];
  const frames = lab.planes.map((plane, which) => planeFrame(lab, plane, which));
  const middle = h("main", { class: "middle" }, h("div", { class: "planes" }, frames), areas.bottom);
  const columns = h("div", { class: "columns" }, areas.left, middle, areas.right);
  root.replaceChildren(areas.top, h("div", { class: "workspace" }, areas.story, columns, areas.wide));

  for (const panel of PANELS) {
    if (panel.needsEngine && !transport.canRun) continue;
    const heading = panel.title ? [h("h2", { id: `panel-${panel.id}` }, t(panel.title))] : [];
    const box = h(
      "section",
      { class: `panel panel-${panel.id}`, "aria-labelledby": panel.title ? `panel-${panel.id}` : null, "aria-label": panel.label ? t(panel.label) : null },
      heading,
    );
    areas[panel.area].append(box);
    panel.mount(box, lab);
    const updateVisibility = () => (box.hidden = !isShown(panel, store.state));
    store.subscribe(["bench", "story"], updateVisibility);
    updateVisibility();
  }

  const layout = () => {
    const { bench, compare } = store.state;
    root.dataset.bench = bench;
    root.classList.toggle("embed", store.state.embed);
    root.classList.toggle("compare", compare && bench === "line");
    root.classList.toggle("story-open", Boolean(store.state.story));
    frames[1].hidden = !compare || bench !== "line";
  };
  store.subscribe(["compare", "bench", "embed", "story"], layout);
  layout();
}

// Whether a panel is shown: on its benches, and beside a story only if the open step names it.
function isShown({ id, area, benches = ["line"] }, { bench, story }) {
  if (area === "story") return Boolean(story);
  if (!benches.includes(bench)) return false;
  const step = storyOf(story?.id)?.steps[story.step];
  if (!step) return true;
  if (area !== "left" && area !== "right") return true;
  return [...(step.panels ?? ["step"]), ...(story.choice === null ? [] : step.answers ?? [])].includes(id);
}

// A plane with a caption that gives the run and its status.
function planeFrame(lab, plane, which) {
  const caption = h("div", { class: "caption", "aria-live": "polite" });
  const update = () => {
    const { sides, compare, loading } = lab.store.state;
    const side = sides[which];
    const parts = [];
    if (compare) parts.push(h("strong", {}, `${"AB"[which]} · ${ruleName(side.rule, lab.store.state.catalogue)}`), " ");
    parts.push(...(loading && !side.busy ? [h("span", { class: "busy" }, t("caption.loading"))] : statusParts(side, lab.store.state.data)));
    caption.replaceChildren(...parts);
  };
  lab.store.subscribe(["sides", "compare", "loading"], update);
  update();
  const columns = h("figcaption", { class: "soft slice-words" });
  const updateColumns = () => {
    columns.textContent = sliceWords(lab.store.state.data);
    columns.hidden = !columns.textContent;
  };
  lab.store.subscribe(["data"], updateColumns);
  updateColumns();
  return h("figure", { class: "plane-frame" }, plane.element, caption, columns);
}

function statusParts(side, data) {
  if (side.busy) {
    const { progress } = side;
    return [h("span", { class: "busy" }, progress ? t("caption.running_epoch", { n: progress.epoch }) : t("caption.running"))];
  }
  if (side.error) return [h("span", { class: "error" }, side.error)];
  if (!side.replay) return [];
  const { ending } = side.payload;
  if (side.at < side.replay.length) return [];
  const good = ending.status === "separated" ? "ending good" : "ending";
  const published = side.payload.published ? ` ${t(`caption.published.${side.payload.published.name}`)}` : "";
  const columns = VERDICTS.includes(ending.status) ? columnWords(data) : "";
  return [h("span", {}, h("strong", { class: good }, endingName(ending), columns), `: ${t(`ending.${ending.status}.meaning`)}.${published}`)];
}
