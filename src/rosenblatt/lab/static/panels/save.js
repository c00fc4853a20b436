// The panel with display options and exports: pictures, one HTML file, the address, the Python code.
import { h } from "../ui/dom.js";
import { drawCanvas } from "../plane/draw_canvas.js";
import { escaped, sceneToSvg } from "../plane/draw_svg.js";
import { asCsv, pythonCode } from "../state/python_code.js";
import { fitsAddress, toHash } from "../state/url.js";
import { currentLanguage, t } from "../ui/strings.js";

// The placeholder for the data in the shell. It is joined here because the shell contains this module too.
const PLACE = ["__LAB", "DATA__"].join("_");

const SHOWN = ["regions", "margin", "vectors", "ghost", "proof"];

export const savePanel = {
  id: "save",
  area: "right",
  title: "save.title",
  mount(box, lab) {
    const { store, transport } = lab;
    const checks = h("div", { class: "row checks" });
    const message = h("p", { class: "soft", "aria-live": "polite" });
    const python = h("pre", { class: "python", tabindex: 0, "aria-label": t("save.python_label") });
    const button = (label, action) =>
      h("button", { type: "button", onclick: async () => {
        try {
          message.textContent = (await action()) ?? "";
        } catch (error) {
          message.replaceChildren(error.message);
          if (error instanceof TooLongError) message.append(" ", button(t("save.as_file"), () => saveState(lab)));
        }
      } }, label);
    box.append(
      checks,
      h("div", { class: "row buttons" },
        button("PNG", () => savePng(lab)),
        button("SVG", () => saveSvg(lab)),
        button("CSV", () => download(new Blob([asCsv(store.state.data)], { type: "text/csv" }), "points.csv")),
        transport.canRun ? button(t("save.replay"), () => saveReplay(lab)) : null,
        ["server", "wasm"].includes(transport.name) ? button(t("save.copy_link"), () => copyLink(lab)) : null,
        transport.name === "wasm" && location.protocol !== "file:" ? button(t("save.copy_embed"), () => copyEmbed(lab)) : null),
      message,
      python,
    );
    const update = () => {
      const { show, sides, active } = store.state;
      checks.replaceChildren(
        ...SHOWN.map((key) =>
          h("label", { class: "check" },
            h("input", { type: "checkbox", checked: show[key] !== false, onchange: (event) => store.set({ show: { ...store.state.show, [key]: event.target.checked } }) }), t(`save.show.${key}`))),
      );
      python.textContent = pythonCode(store.state.data, sides[active].payload?.python);
      python.hidden = !python.textContent;
    };
    let known = [];
    store.subscribe(["show", "sides", "active", "data"], (state) => {
      const now = [state.show, state.sides[state.active].payload, state.data];
      if (now.every((value, k) => value === known[k])) return;
      known = now;
      update();
    });
    update();
  },
};

function shownPlanes(lab) {
  const { compare, active } = lab.store.state;
  return compare ? lab.planes : [lab.planes[active]];
}

async function savePng(lab) {
  const planes = shownPlanes(lab);
  const ratio = 2;
  const width = planes.reduce((sum, plane) => sum + plane.view.width, 0);
  const canvas = document.createElement("canvas");
  canvas.width = width * ratio;
  canvas.height = planes[0].view.height * ratio;
  const pen = canvas.getContext("2d");
  let left = 0;
  for (const plane of planes) {
    pen.setTransform(ratio, 0, 0, ratio, left * ratio, 0);
    pen.fillStyle = plane.theme().paper;
    pen.fillRect(0, 0, plane.view.width, plane.view.height);
    drawCanvas(pen, plane.shapes(), plane.theme().halo);
    left += plane.view.width;
  }
  download(await new Promise((resolve) => canvas.toBlob(resolve, "image/png")), "perceptron.png");
}

function saveSvg(lab) {
  shownPlanes(lab).forEach((plane, k) => {
    const text = sceneToSvg(plane.view, plane.theme(), plane.shapes());
    download(new Blob([text], { type: "image/svg+xml" }), k ? `perceptron-${k + 1}.svg` : "perceptron.svg");
  });
}

async function saveReplay(lab) {
  const { catalogue, data, sides, compare, show, proofs } = lab.store.state;
  const shown = compare ? sides : [sides[lab.store.state.active]];
  if (shown.some((side) => !side.payload)) throw new Error(t("save.no_run"));
  const recorded = {
    catalogue: { ...catalogue, datasets: {} },
    data: { ...data, source: { job: "points" } },
    sides: shown.map(({ rule, payload, at, focus }) => ({ rule, run: payload, at, focus, proof: proofs.find((proof) => proof?.payload === payload && proof.answer) ?? null })).map(withStoredProof),
    compare,
    show,
  };
  const text = JSON.stringify(recorded).replaceAll("<", "\\u003c");
  const page = (await lab.transport.shell()).replace(/<html lang="\w+">/, `<html lang="${currentLanguage()}">`).replace(/<title>[^<]*/, `<title>${escaped(t("page.replay_title"))}`);
  const [before, after] = page.split(PLACE);
  download(new Blob([before, text, after], { type: "text/html" }), "perceptron.html");
  return t("save.saved");
}

// A saved file contains the request and the answer of a proof.
function withStoredProof(side) {
  const { positive, negative, answer } = side.proof ?? {};
  return { ...side, proof: side.proof && { positive, negative, answer } };
}

// The address of this page with data, rule and moment. Throws a TooLongError if the points do not fit in it.
function linkTo(lab, state = lab.store.state) {
  if (!fitsAddress(state.data)) throw new TooLongError(t("save.too_many_points", { n: state.data.points.length }));
  return location.href.replace(/#.*/s, "") + toHash(state);
}

class TooLongError extends Error {}

async function copyLink(lab) {
  const where = lab.transport.name === "server" ? "save.link_of_server" : location.protocol === "file:" ? "save.link_of_file" : "save.link";
  return copied(linkTo(lab), t(where));
}

async function copyEmbed(lab) {
  const address = linkTo(lab, { ...lab.store.state, embed: true });
  return copied(`<iframe src="${escaped(address)}" title="rosenblatt lab" width="100%" height="620" style="border: 0"></iframe>`, t("save.embed"));
}

// A file with what is too long for an address. Every lab opens it by Upload.
function saveState(lab) {
  download(new Blob([toHash(lab.store.state, true)], { type: "text/plain" }), "perceptron.lab");
  return t("save.state_saved");
}

async function copied(text, where) {
  try {
    await navigator.clipboard.writeText(text);
    return t("save.copied", { where });
  } catch {
    return t("save.cannot_copy", { text });
  }
}

function download(blob, name) {
  const url = URL.createObjectURL(blob);
  const link = h("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
