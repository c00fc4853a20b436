// What to see on the plane, and ways to take it along: pictures, one HTML file, the address, the Python.
import { h } from "../dom.js";
import { drawCanvas } from "../draw_canvas.js";
import { sceneToSvg } from "../draw_svg.js";
import { fitsAddress } from "../url.js";

// Where the shell has room for the data. Put together here, because the shell contains this very module.
const PLACE = ["__LAB", "DATA__"].join("_");

const SHOWN = [["regions", "regions"], ["margin", "margin band"], ["vectors", "vectors"], ["ghost", "line before"]];

export const savePanel = {
  id: "save",
  area: "right",
  title: "Show and keep",
  mount(box, lab) {
    const { store, transport } = lab;
    const checks = h("div", { class: "row checks" });
    const said = h("p", { class: "soft", "aria-live": "polite" });
    const python = h("pre", { class: "python", tabindex: 0, "aria-label": "The same run in Python" });
    const button = (label, action) =>
      h("button", { type: "button", onclick: async () => {
        try {
          said.textContent = (await action()) ?? "";
        } catch (error) {
          said.textContent = error.message;
        }
      } }, label);
    box.append(
      checks,
      h("div", { class: "row buttons" },
        button("PNG", () => savePng(lab)),
        button("SVG", () => saveSvg(lab)),
        transport.canRun ? button("HTML replay", () => saveReplay(lab)) : null,
        transport.name === "server" ? button("Copy link", () => copyLink(lab)) : null),
      said,
      python,
    );
    const update = () => {
      const { show, sides, active } = store.state;
      checks.replaceChildren(
        ...SHOWN.map(([key, label]) =>
          h("label", { class: "check" },
            h("input", { type: "checkbox", checked: show[key], onchange: (event) => store.set({ show: { ...store.state.show, [key]: event.target.checked } }) }), label)),
      );
      python.textContent = sides[active].payload?.python ?? "";
      python.hidden = !python.textContent;
    };
    let known = [];
    store.subscribe(["show", "sides", "active"], (state) => {
      const now = [state.show, state.sides[state.active].payload];
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
  if (shown.some((side) => !side.payload)) throw new Error("There is no run to save yet.");
  const recorded = {
    catalogue: { ...catalogue, datasets: {} },
    data: { ...data, source: { job: "points" } },
    sides: shown.map(({ rule, payload, at, focus }) => ({ rule, run: payload, at, focus, proof: proofs.find((proof) => proof?.payload === payload && proof.answer) ?? null })).map(provenOnly),
    compare,
    show,
  };
  const text = JSON.stringify(recorded).replaceAll("<", "\\u003c");
  const [before, after] = (await lab.transport.shell()).split(PLACE);
  download(new Blob([before, text, after], { type: "text/html" }), "perceptron.html");
  return "Saved: it replays offline.";
}

// Of a proof the file keeps the question and the answer.
function provenOnly(side) {
  const { positive, negative, answer } = side.proof ?? {};
  return { ...side, proof: side.proof && { positive, negative, answer } };
}

async function copyLink(lab) {
  if (!fitsAddress(lab.store.state.data)) return "These are too many points for an address. Save an HTML replay instead.";
  try {
    await navigator.clipboard.writeText(location.href);
    return "Copied. It opens in this browser while the lab runs.";
  } catch {
    return "The address of this page is the link.";
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
