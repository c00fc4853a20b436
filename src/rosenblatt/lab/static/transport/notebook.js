// Talks to a notebook's kernel through a widget model (anywidget's): `send` out, custom messages back, matched by id.
export function notebookTransport(model) {
  let last = 0;
  const waiting = new Map();
  model.on("msg:custom", ({ id, event, data }) => {
    const request = waiting.get(id);
    if (!request) return;
    if (event === "progress") {
      request.onProgress?.(data);
      return;
    }
    waiting.delete(id);
    if (event === "answer") request.resolve(data);
    else request.reject(new Error(data.message));
  });
  const ask = (job, body, { signal, onProgress } = {}) =>
    new Promise((resolve, reject) => {
      const id = ++last;
      waiting.set(id, { resolve, reject, onProgress });
      signal?.addEventListener("abort", () => {
        waiting.delete(id);
        reject(new DOMException("given up", "AbortError"));
      });
      model.send({ id, job, body });
    });
  return {
    name: "notebook",
    canRun: true,
    catalogue: () => ask("catalogue", {}),
    shell: async () => (await ask("shell", {})).html,
    ask,
  };
}
