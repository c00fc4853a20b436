// Runs the jobs of the lab in a Web Worker. Requests and answers are the same as the server's.
import { booleanJob } from "./boolean/boolean_job.js";
import { loadEngine } from "./engine.js";
import { nonlinearJob } from "./nonlinear/nonlinear_job.js";
import { readText } from "./tables/pasted_text.js";
import { RefusedError } from "./requests.js";
import { runJob } from "./runs/run_job.js";
import { proofJob } from "./proofs/separability.js";
import { shown } from "./tables/table_jobs.js";

const JOBS = {
  run: ({ engine, catalogue }, body, report) => runJob(engine, catalogue, body, report),
  proof: ({ engine }, body) => proofJob(engine, body),
  nonlinear: ({ engine, catalogue }, body) => nonlinearJob(engine, catalogue, body),
  boolean: ({ catalogue }, body) => booleanJob(catalogue, body),
  data: (_, { table, ...body }) => shown(table, body),
  text: ({ catalogue }, body) => shown(readText(body.text, body.name ?? "pasted text", catalogue.engine.missing), body),
};

// Answers the messages { id, job, body } of `port`; the first message is { wasm, catalogue }.
export function answerMessages(port) {
  let ready = null;
  const answer = async ({ id, job, body }) => {
    try {
      const context = await ready;
      return { id, event: "answer", data: JOBS[job](context, body, (progress) => port.postMessage({ id, event: "progress", data: progress })) };
    } catch (error) {
      const message = error instanceof RefusedError ? error.message : `the engine failed (${error.message}). Please report this.`;
      return { id, event: "refused", data: { message } };
    }
  };
  port.onmessage = async ({ data }) => {
    if (data.wasm) ready = loadEngine(data.wasm).then((engine) => ({ engine, catalogue: data.catalogue }));
    else port.postMessage(await answer(data));
  };
}
