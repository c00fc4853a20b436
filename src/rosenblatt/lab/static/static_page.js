// Shared code of the pages without a server: they open the state in the address and follow its changes.
import { createLab, initialState } from "./lab.js";
import { followUrl, openFromUrl } from "./state/url.js";
import { t } from "./ui/strings.js";

// The address that a page opens if its own is empty: a separable data set at the end of its run.
const OPENING = "#data=and&rule=L0&tie=mistake&init=zeros&at=100000";

export async function openPage(root, transport) {
  const lab = createLab(root, transport, initialState());
  window.rosenblattLab = lab; // for the browser's console and for tests
  try {
    if (typeof WebAssembly !== "object") throw new Error(t("error.no_wasm"));
    lab.store.set({ catalogue: await transport.catalogue() });
    await openFromUrl(lab, /[#&](data|points|story|lesson|bench|rule)=/.test(location.hash) ? location.hash : `${OPENING}${location.hash.replace("#", "&")}`);
  } catch (error) {
    lab.store.set({ notice: { kind: "error", text: error.message } });
  }
  followUrl(lab);
  return lab;
}
