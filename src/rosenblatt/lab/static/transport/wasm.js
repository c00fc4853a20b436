// Answers jobs with the engine as WebAssembly in Web Workers; the interface is that of server.js.
//
// `page` is { startWorker, catalogue, wasm, table(name), shell() }: how a worker is started, and where files come from.
import { engineError } from "../ui/messages.js";
import { t } from "../ui/strings.js";
const BACKGROUND_JOBS = ["proof"]; // background jobs, which must not delay the next run

export function wasmTransport(page) {
  const channels = new Map(); // one worker for runs, and one for each background job
  let last = 0;

  const channelOf = async (job) => {
    const name = BACKGROUND_JOBS.includes(job) ? job : "main";
    if (!channels.has(name)) {
      const channel = { worker: page.startWorker(), pending: new Map() };
      channels.set(name, channel);
      channel.worker.onmessage = ({ data: { id, event, data } }) => {
        const request = channel.pending.get(id);
        if (!request) return;
        if (event === "progress") return request.onProgress?.(data);
        channel.pending.delete(id);
        return event === "answer" ? request.resolve(data) : request.reject(engineError(data.message));
      };
      channel.worker.onerror = (event) => {
        channels.delete(name);
        for (const request of channel.pending.values()) request.reject(new Error(t("error.engine", { reason: event.message ?? t("error.worker") })));
      };
      channel.ready = (async () => channel.worker.postMessage({ wasm: await page.wasm(), catalogue: await page.catalogue() }))();
    }
    const channel = channels.get(name);
    await channel.ready; // the worker must receive the engine before the first request
    return { name, channel };
  };

  // A job cannot be interrupted inside a worker, so a worker whose only job is cancelled is replaced.
  const cancel = ({ name, channel }, id) => {
    channel.pending.delete(id);
    if (channel.pending.size || channels.get(name) !== channel) return;
    channel.worker.terminate();
    channels.delete(name);
  };

  return {
    name: "wasm",
    canRun: true,
    catalogue: () => page.catalogue(),
    shell: () => page.shell(),
    async ask(job, body, { signal, onProgress } = {}) {
      const request = job === "data" ? { ...body, table: await page.table(body.name) } : body;
      if (signal?.aborted) throw new DOMException("given up", "AbortError");
      const found = await channelOf(job);
      const id = ++last;
      return new Promise((resolve, reject) => {
        found.channel.pending.set(id, { resolve, reject, onProgress });
        signal?.addEventListener("abort", () => {
          if (!found.channel.pending.has(id)) return;
          cancel(found, id);
          reject(new DOMException("given up", "AbortError"));
        });
        found.channel.worker.postMessage({ id, job, body: request });
      });
    },
  };
}
