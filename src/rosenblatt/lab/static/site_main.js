// The entry point of the static site. It loads all files from its own folder.
import { openPage } from "./static_page.js";
import { wasmTransport } from "./transport/wasm.js";
import { t } from "./ui/strings.js";

const file = (path) => new URL(path, import.meta.url);
const fetched = async (path) => {
  const response = await fetch(file(path));
  if (!response.ok) throw new Error(t("error.missing_file", { path, status: response.status }));
  return response;
};
let catalogue = null;

openPage(
  document.getElementById("lab"),
  wasmTransport({
    startWorker: () => new Worker(file("./engine/worker_module.js"), { type: "module" }),
    catalogue: () => (catalogue ??= fetched("./site/catalogue.json").then((response) => response.json())),
    wasm: async () => (await fetched("./engine/engine.wasm")).arrayBuffer(),
    table: async (name) => {
      const known = (await (catalogue ??= fetched("./site/catalogue.json").then((response) => response.json()))).datasets;
      if (!(name in known)) throw new Error(t("error.no_dataset", { name: String(name).slice(0, 40), names: Object.keys(known).join(", ") }));
      return (await fetched(`./site/${name}.json`)).json();
    },
    shell: async () => (await fetched("./site/shell.html")).text(),
  }),
);
