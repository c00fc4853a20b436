// Talks to a notebook's kernel through a widget model (anywidget's): `send` out, custom messages back, matched by id.
// A kernel that has stopped never answers, so a question is given up after `seconds` without a word.
export function notebookTransport(model, seconds) {
  let last = 0;
  const waiting = new Map();
  const forget = (id) => {
    clearTimeout(waiting.get(id)?.timer);
    waiting.delete(id);
  };
  const expect = (request, id) => {
    clearTimeout(request.timer);
    request.timer = setTimeout(() => {
      forget(id);
      request.reject(new Error(`the notebook's kernel has not answered for ${seconds} seconds. It may be running a cell, or have stopped. Try again when it is idle.`));
    }, seconds * 1000);
  };
  model.on("msg:custom", ({ id, event, data }) => {
    const request = waiting.get(id);
    if (!request) return;
    if (event === "progress") {
      expect(request, id);
      request.onProgress?.(data);
      return;
    }
    forget(id);
    if (event === "answer") request.resolve(data);
    else request.reject(new Error(data.message));
  });
  const sent = (job, body, { signal, onProgress } = {}) => {
    const id = ++last;
    const answer = new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject, onProgress });
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
    if (waiting.has(id)) expect(waiting.get(id), id);
    return answer;
  };
  return {
    name: "notebook",
    canRun: true,
    catalogue: () => sent("catalogue", {}).answer, // without a limit: the recorded run is shown until the kernel is idle
    shell: async () => (await ask("shell", {})).html,
    ask,
  };
}
