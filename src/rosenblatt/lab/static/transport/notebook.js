// Sends requests to a notebook's kernel through an anywidget model. Answers are custom messages, matched by id.
// A stopped kernel never answers, so a request fails after `seconds` without a message.
import { engineError } from "../ui/messages.js";
import { t } from "../ui/strings.js";

export function notebookTransport(model, seconds) {
  let last = 0;
  const pending = new Map();
  const forget = (id) => {
    clearTimeout(pending.get(id)?.timer);
    pending.delete(id);
  };
  const expect = (request, id) => {
    clearTimeout(request.timer);
    request.timer = setTimeout(() => {
      forget(id);
      request.reject(new Error(t("error.kernel", { seconds })));
    }, seconds * 1000);
  };
  model.on("msg:custom", ({ id, event, data }) => {
    const request = pending.get(id);
    if (!request) return;
    if (event === "progress") {
      expect(request, id);
      request.onProgress?.(data);
      return;
    }
    forget(id);
    if (event === "answer") request.resolve(data);
    else request.reject(engineError(data.message));
  });
  const sent = (job, body, { signal, onProgress } = {}) => {
    const id = ++last;
    const answer = new Promise((resolve, reject) => {
      pending.set(id, { resolve, reject, onProgress });
      signal?.addEventListener("abort", () => {
        forget(id);
        reject(new DOMException("given up", "AbortError"));
      });
    });
    model.send({ id, job, body });
    return { id, answer };
  };
  const ask = (job, body, options) => {
    const { id, answer } = sent(job, body, options);
    if (pending.has(id)) expect(pending.get(id), id);
    return answer;
  };
  return {
    name: "notebook",
    canRun: true,
    catalogue: () => sent("catalogue", {}).answer, // without a time limit: the recorded run is shown until the kernel is idle
    shell: async () => (await ask("shell", {})).html,
    ask,
  };
}
