// Keyboard shortcuts for time and tools. They are inactive while an input field has the focus.
// The list of the help dialog: the texts of a key and of what it does.
export const KEYS = [
  "example", "mistake", "epoch", "play", "ends", "speed", "tools", "class", "cross", "all", "undo", "compare", "theme", "stories", "help",
].map((name) => [`keys.${name}.keys`, `keys.${name}.what`]);

// Keys that work on every bench. All other keys work on the bench "line" only.
const ANYWHERE = ["t", "?", "s"];

const FIELDS = "input:not([type=range]):not([type=checkbox]):not([type=radio]), select, textarea";

export function listenToKeys(lab) {
  const { store, actions } = lab;
  const faster = (factor) => store.set({ speed: Math.max(0.5, Math.min(1000, store.state.speed * factor)) });
  const tool = (name) => lab.transport.canRun && store.set({ tool: name });
  const commands = {
    ArrowRight: () => actions.step("example", 1),
    ArrowLeft: () => actions.step("example", -1),
    m: () => actions.step("mistake", 1),
    M: () => actions.step("mistake", -1),
    e: () => actions.step("epoch", 1),
    E: () => actions.step("epoch", -1),
    " ": () => actions.toggle(),
    Home: () => actions.go(0),
    End: () => actions.go(Infinity),
    "+": () => faster(2),
    "=": () => faster(2),
    "-": () => faster(0.5),
    v: () => tool("move"),
    p: () => tool("paint"),
    x: () => tool("erase"),
    0: () => lab.fit(),
    c: () => lab.transport.canRun && actions.setCompare(!store.state.compare),
    t: () => store.set({ theme: store.state.dark ? "light" : "dark" }),
    s: () => lab.root.querySelector(".stories-button")?.click(),
    "?": () => lab.root.querySelector(".help-button")?.click(),
  };
  const onKey = (event) => {
    const target = event.target;
    if (event.defaultPrevented || target.matches?.(FIELDS) || target.closest?.("dialog")) return;
    if ((event.ctrlKey || event.metaKey) && ["z", "Z", "y"].includes(event.key) && actions.undo) {
      event.preventDefault();
      if (event.key === "z") actions.undo();
      else actions.redo();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === " " && target.matches?.("button, summary, a, input")) return;
    if (/^Arrow|^Home$|^End$/.test(event.key) && target.matches?.("input")) return;
    if (store.state.bench !== "line" && !ANYWHERE.includes(event.key)) return;
    const brush = Number(event.key);
    if (brush >= 1 && brush <= 8 && lab.transport.canRun) {
      store.set({ brush: brush - 1, tool: "paint" });
      return;
    }
    const command = commands[event.key];
    if (!command) return;
    event.preventDefault();
    if (event.key.length > 1 || "mMeE".includes(event.key)) actions.pause();
    command();
  };
  // In a notebook, keys outside the widget belong to other cells.
  (lab.transport.name === "notebook" || lab.root.classList.contains("notebook") ? lab.root : document).addEventListener("keydown", onKey);
}
