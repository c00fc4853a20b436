// The lab as a widget of a notebook (anywidget): at once a replay of the recorded run, and alive when the kernel answers.
import { replayIn, stateOf } from "./embedded.js";
import { createLab } from "./lab.js";
import { notebookTransport } from "./transport/notebook.js";

export function render({ model, el }) {
  hideStaticCopy(model.get("place"));
  const recorded = model.get("recorded");
  const replaying = replayIn(rootIn(el), recorded);
  const transport = notebookTransport(model, recorded.catalogue.limits.kernel_seconds);
  transport.catalogue().then((catalogue) => {
    const { at } = replaying.store.state.sides[0];
    createLab(rootIn(el), transport, { ...stateOf(recorded, at), catalogue });
  });
}

function rootIn(el) {
  const root = document.createElement("div");
  root.dataset.lmSuppressShortcuts = "true"; // keys are the lab's own here: else x would cut the cell
  root.addEventListener("keydown", (event) => event.stopPropagation());
  root.classList.add("notebook");
  el.replaceChildren(root);
  return root;
}

// Readers without a kernel see the static copy, whatever the order in which outputs appear.
function hideStaticCopy(place) {
  const style = document.createElement("style");
  style.textContent = `.rosenblatt-static-${place} { display: none; }`;
  document.head.append(style);
}
