// The entry point of the page that `rosenblatt lab` serves.
import { createLab, initialState } from "./lab.js";
import { serverTransport } from "./transport/server.js";
import { followUrl, openFromUrl } from "./state/url.js";

const address = new URL(location.href);
if (address.searchParams.has("token")) {
  address.searchParams.delete("token"); // no longer needed: the cookie is set
  history.replaceState(null, "", address);
}

const lab = createLab(document.getElementById("lab"), serverTransport(), initialState());
window.rosenblattLab = lab; // for the browser's console and for tests
try {
  lab.store.set({ catalogue: await lab.transport.catalogue() });
  await openFromUrl(lab, location.hash);
} catch (error) {
  lab.store.set({ notice: { kind: "error", text: error.message } });
}
followUrl(lab);
