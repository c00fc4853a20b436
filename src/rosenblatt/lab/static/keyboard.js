// Keys for time and tools. They work wherever no field is being filled in.
export const KEYS = [
  ["→ ←", "the next or the last example"],
  ["m  M", "the next or the last mistake"],
  ["e  E", "the next or the last epoch"],
  ["Space", "play or pause"],
  ["Home  End", "the start, the end"],
  ["+ −", "play faster, slower"],
  ["v  p  x", "move, paint, erase"],
  ["1 … 8", "the class to paint"],
  ["arrows, Enter", "with a tool, on the plane: move the cross, use the tool"],
  ["0", "see all points"],
  ["c", "two runs side by side"],
  ["t", "light or dark"],
  ["l", "lessons"],
  ["?", "this list"],
];

// Keys that mean the same on every bench; the others are for the line.
const ANYWHERE = ["t", "?", "l"];

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
    l: () => lab.root.querySelector(".lessons-button")?.click(),
    "?": () => lab.root.querySelector(".help-button")?.click(),
  };
  const heard = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = event.target;
    if (target.matches?.(FIELDS) || target.closest?.("dialog")) return;
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
  // In a notebook other cells have keys of their own.
  (lab.transport.name === "notebook" || lab.root.classList.contains("notebook") ? lab.root : document).addEventListener("keydown", heard);
}
