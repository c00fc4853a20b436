// The entry point of the single file. All data is in the file itself; there are no network requests.
import { openPage } from "./static_page.js";
import { wasmTransport } from "./transport/wasm.js";
import { t } from "./ui/strings.js";

// `files` has the catalogue, the tables, the shell, the engine in base64 and the worker's script as text.
export function start(files) {
  const worker = URL.createObjectURL(new Blob([files.worker], { type: "text/javascript" }));
  const bytes = Uint8Array.from(atob(files.wasm), (letter) => letter.charCodeAt(0));
  return openPage(
    document.getElementById("lab"),
    wasmTransport({
      startWorker: () => new Worker(worker),
      catalogue: async () => files.catalogue,
      wasm: async () => bytes.buffer,
      table: async (name) => {
        if (name in files.tables) return files.tables[name];
        throw new Error(t("error.no_dataset", { name: String(name).slice(0, 40), names: Object.keys(files.tables).join(", ") }));
      },
      shell: async () => files.shell,
    }),
  );
}
