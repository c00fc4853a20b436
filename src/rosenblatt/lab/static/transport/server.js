// Sends requests to the server of `rosenblatt lab`: a request is a POST, its answer a stream of server-sent events.
//
// Every transport has the same interface:
//   canRun                       whether it can compute anything new
//   catalogue()                  data sets, dialects, algorithms, limits
//   ask(job, body, options)      the answer of a job; options: signal, onProgress
//   shell()                      the page that replays a run offline, with a placeholder for its data
// `ask` throws an Error with a message that can be shown to the user.
import { engineError } from "../ui/messages.js";
import { t } from "../ui/strings.js";
const BACKGROUND_JOBS = ["proof"]; // background jobs, which must not delay the next run

export function serverTransport() {
  const tab = crypto.randomUUID();
  return {
    name: "server",
    canRun: true,
    catalogue: async () => (await get("/api/catalogue")).json(),
    shell: async () => (await get("/api/shell")).text(),
    async ask(job, body, { signal, onProgress } = {}) {
      const response = await withRetry(() =>
        fetch(`/api/${job}`, {
          method: "POST",
          headers: { "content-type": "application/json", "x-lab-tab": BACKGROUND_JOBS.includes(job) ? `${tab}-${job}` : tab },
          body: JSON.stringify(body),
          signal,
        }),
      );
      if (!response.ok) throw await errorOf(response);
      for await (const { event, data } of events(response.body)) {
        if (event === "progress") onProgress?.(JSON.parse(data));
        else if (event === "answer") return JSON.parse(data);
        else throw engineError(JSON.parse(data).message);
      }
      throw new Error(t("error.cut_short"));
    },
  };
}

async function get(path) {
  const response = await withRetry(() => fetch(path));
  if (!response.ok) throw await errorOf(response);
  return response;
}

// A request that did not reach the server is sent once more: on a busy machine the server may have just closed the connection
// that the browser reuses, and a job can be asked for twice.
async function withRetry(request, again = true) {
  try {
    return await request();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    if (again) {
      await new Promise((resolve) => setTimeout(resolve, 300));
      return withRetry(request, false);
    }
    throw new Error(t("error.no_server"));
  }
}

async function errorOf(response) {
  const text = await response.text();
  try {
    return engineError(JSON.parse(text).message);
  } catch {
    return text.trim() ? engineError(text.trim()) : new Error(t("error.server_status", { status: response.status }));
  }
}

async function* events(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    rest += value;
    for (let end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n")) {
      yield parsed(rest.slice(0, end));
      rest = rest.slice(end + 2);
    }
  }
}

function parsed(block) {
  const lines = block.split("\n");
  const value = (name) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  return { event: value("event"), data: value("data") };
}
