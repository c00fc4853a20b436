// Answers jobs with the engine as WebAssembly in Web Workers; the interface is that of server.js.
//
// `page` is { startWorker, catalogue, wasm, table(name), shell() }: how a worker is started, and where files come from.
import { engineError } from "../ui/messages.js";
import { t } from "../ui/strings.js";
const BACKGROUND_JOBS = ["proof"]; // background jobs, which must not delay the next run

export function wasmTransport(page) {
  const lanes = new Map(); // one worker for runs, and one for each background job
  let last = 0;

  const laneOf = async (job) => {
    const name = BACKGROUND_JOBS.includes(job) ? job : "main";
    if (!lanes.has(name)) {
      const lane = { worker: page.startWorker(), pending: new Map() };
      lanes.set(name, lane);
      lane.worker.onmessage = ({ data: { id, event, data } }) => {
        const request = lane.pending.get(id);
        if (!request) return;
        if (event === "progress") return request.onProgress?.(data);
        lane.pending.delete(id);
        return event === "answer" ? request.resolve(data) : request.reject(engineError(data.message));
      };
      lane.worker.onerror = (event) => {
        lanes.delete(name);
        for (const request of lane.pending.values()) request.reject(new Error(t("error.engine", { reason: event.message ?? t("error.worker") })));
      };
      lane.ready = (async () => lane.worker.postMessage({ wasm: await page.wasm(), catalogue: await page.catalogue() }))();
    }
    const lane = lanes.get(name);
    await lane.ready; // the worker must receive the engine before the first request
    return { name, lane };
  };

  // A job cannot be interrupted inside a worker, so a worker whose only job is cancelled is replaced.
  const giveUp = ({ name, lane }, id) => {
    lane.pending.delete(id);
    if (lane.pending.size || lanes.get(name) !== lane) return;
    lane.worker.terminate();
    lanes.delete(name);
  };

  return {
    name: "wasm",
    canRun: true,
    catalogue: () => page.catalogue(),
    shell: () => page.shell(),
    async ask(job, body, { signal, onProgress } = {}) {
      const request = job === "data" ? { ...body, table: await page.table(body.name) } : body;
      if (signal?.aborted) throw new DOMException("given up", "AbortError");
      const found = await laneOf(job);
      const id = ++last;
      return new Promise((resolve, reject) => {
        found.lane.pending.set(id, { resolve, reject, onProgress });
        signal?.addEventListener("abort", () => {
          if (!found.lane.pending.has(id)) return;
          giveUp(found, id);
          reject(new DOMException("given up", "AbortError"));
        });
        found.lane.worker.postMessage({ id, job, body: request });
      });
    },
  };
}
