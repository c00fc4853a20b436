// The lab as a notebook widget (anywidget). It first replays the recorded run, and becomes interactive when the kernel answers.
import { replayIn, stateOf } from "./saved_page.js";
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
  root.dataset.lmSuppressShortcuts = "true"; // disables JupyterLab's shortcuts inside the widget: otherwise x would cut the cell
  root.addEventListener("keydown", (event) => event.stopPropagation());
  root.classList.add("notebook");
  el.replaceChildren(root);
  return root;
}

// Hides the static copy, which is for readers without a kernel. The outputs may appear in any order.
function hideStaticCopy(place) {
  const style = document.createElement("style");
  style.textContent = `.rosenblatt-static-${place} { display: none; }`;
  document.head.append(style);
}
