// The dual panel: coefficients and the Gram matrix for a kernel, the drawing of a network, or the weights of additional features.
import { arraysOf } from "./nonlinear_shapes.js";
import { drawNetwork } from "./boolean_pictures.js";
import { drawLayers, layerTexts } from "./layered_network.js";
import { unpack } from "../state/codec.js";
import { h } from "../ui/dom.js";
import { THEMES } from "../plane/looks.js";
import { columnName, short, subscript } from "../ui/numbers.js";
import { t } from "../ui/strings.js";

export const dualPanel = {
  id: "dual",
  area: "right",
  title: "dual.title",
  benches: ["nonlinear"],
  needsEngine: true,
  mount(box, { store }) {
    const content = h("div", { class: "dual-content" });
    box.append(content);
    let shown = null;
    const update = () => {
      const { nonlinear, dark, data } = store.state;
      const answer = nonlinear.answer?.points === data.points ? nonlinear.answer : null;
      if (shown && shown.answer === answer && shown.dark === dark) return;
      shown = { answer, dark };
      content.replaceChildren(...(answer ? INSIDE[answer.method](answer, data, THEMES[dark ? "dark" : "light"]) : []));
    };
    store.subscribe(["nonlinear", "dark", "data"], update);
    update();
  },
};

const INSIDE = {
  kernel(answer, data, theme) {
    const made = [];
    const { alphas } = arraysOf(answer);
    if (alphas) {
      made.push(h("p", {}, t("dual.discs")));
      const largest = Array.from(alphas, (alpha, i) => [alpha, i]).filter(([alpha]) => alpha > 0).sort((a, b) => b[0] - a[0] || a[1] - b[1]);
      made.push(h("p", { class: "soft alphas", "data-alphas": JSON.stringify(Array.from(alphas)) }, largest.length ? t("dual.largest", { alphas: largest.slice(0, 4).map(([alpha, i]) => `α${subscript(i + 1)} = ${short(alpha)}`).join(", ") }) : t("dual.none")));
    }
    if (answer.gram) made.push(h("h3", {}, t("dual.gram")), gramPicture(answer.gram, data, theme), h("p", { class: "soft" }, t("dual.gram_text")));
    return made;
  },
  network(answer, data) {
    const columns = (data.slice?.columns ?? data.columns).map(columnName);
    if (answer.layers) return [drawLayers(answer.layers, columns), h("pre", { class: "python network-text" }, layerTexts(answer.layers, columns).join("\n"))];
    return [drawNetwork(answer.network), h("pre", { class: "python network-text" }, answer.network.text.join("\n").replaceAll("-", "−"))];
  },
  features(answer, data) {
    const terms = answer.names.map((name, k) => [answer.w[k], name]).filter(([value]) => value !== 0);
    const text = terms.map(([value, name], k) => `${value < 0 ? "− " : k ? "+ " : ""}${short(Math.abs(value))}${name === "1" ? "" : `·${featureName(name, data)}`}`).join(" ");
    return [
      h("p", {}, t("dual.features")),
      h("p", { class: "math formula", "data-w": JSON.stringify(answer.w) }, `${text || "0"} = 0`),
    ];
  },
};

function gramPicture({ order, values }, data, theme) {
  const numbers = unpack(values);
  const n = Math.round(Math.sqrt(numbers.length));
  const canvas = h("canvas", { class: "gram", role: "img", "aria-label": t("dual.gram_label", { n }) });
  canvas.width = n;
  canvas.height = n;
  const pen = canvas.getContext("2d");
  const image = pen.createImageData(n, n);
  const most = numbers.reduce((largest, value) => Math.max(largest, Math.abs(value)), 1e-300);
  const paper = rgb(theme.paper);
  const above = rgb(theme.classes[1]);
  const below = rgb(theme.classes[0]);
  numbers.forEach((value, k) => {
    const share = Math.abs(value) / most;
    const ink = value < 0 ? below : above;
    for (let j = 0; j < 3; j++) image.data[4 * k + j] = paper[j] + share * (ink[j] - paper[j]);
    image.data[4 * k + 3] = 255;
  });
  pen.putImageData(image, 0, 0);
  const places = unpack(order);
  canvas.title = t("dual.gram_title", { first: data.classes[data.points[places[0]]?.c] ?? "", last: data.classes[data.points[places[n - 1]]?.c] ?? "" });
  return canvas;
}

function rgb(colour) {
  return [1, 3, 5].map((k) => parseInt(colour.slice(k, k + 2), 16));
}

// The name of a feature such as "x1·x2" or "x3²", with the names of the columns.
function featureName(name, { slice, columns }) {
  const names = (slice?.columns ?? columns).map(columnName);
  return name.replace(/x(\d+)/g, (_, j) => names[j - 1]);
}
