// The dual view: coefficients and the Gram matrix; or the network's drawing; or the weights of the further features.
import { arraysOf } from "../beyond_shapes.js";
import { drawNetwork } from "../boolean_pictures.js";
import { unpack } from "../codec.js";
import { h } from "../dom.js";
import { THEMES } from "../looks.js";
import { short } from "../numbers.js";

export const dualPanel = {
  id: "dual",
  area: "right",
  title: "Inside",
  benches: ["beyond"],
  needsEngine: true,
  mount(box, { store }) {
    const content = h("div", { class: "dual-content" });
    box.append(content);
    let shown = null;
    const update = () => {
      const { beyond, dark, data } = store.state;
      const answer = beyond.answer?.points === data.points ? beyond.answer : null;
      if (shown && shown.answer === answer && shown.dark === dark) return;
      shown = { answer, dark };
      content.replaceChildren(...(answer ? INSIDE[answer.way](answer, data, THEMES[dark ? "dark" : "light"]) : []));
    };
    store.subscribe(["beyond", "dark", "data"], update);
    update();
  },
};

const INSIDE = {
  kernel(answer, data, theme) {
    const made = [];
    const { alphas } = arraysOf(answer);
    if (alphas) {
      made.push(h("p", {}, "The discs are the coefficients α: how often each point was a mistake. The score of x is Σ αᵢyᵢk(xᵢ, x) + b."));
      const largest = Array.from(alphas, (alpha, i) => [alpha, i]).filter(([alpha]) => alpha > 0).sort((a, b) => b[0] - a[0] || a[1] - b[1]);
      made.push(h("p", { class: "soft alphas", "data-alphas": JSON.stringify(Array.from(alphas)) }, largest.length ? `Largest: ${largest.slice(0, 4).map(([alpha, i]) => `α${sub(i + 1)} = ${short(alpha)}`).join(", ")}.` : "No mistake yet: all α are 0."));
    }
    if (answer.gram) made.push(h("h3", {}, "Gram matrix"), gramPicture(answer.gram, data, theme), h("p", { class: "soft" }, "k(xᵢ, xⱼ) for all pairs, class by class: dark where two points are alike for the kernel. A mistake on i adds ±η times row i to all scores."));
    return made;
  },
  network(answer) {
    return [drawNetwork(answer.network), h("pre", { class: "python network-text" }, answer.network.text.join("\n").replaceAll("-", "−"))];
  },
  features(answer) {
    const terms = answer.names.map((name, k) => [answer.w[k], name]).filter(([value]) => value !== 0);
    const text = terms.map(([value, name], k) => `${value < 0 ? "− " : k ? "+ " : ""}${short(Math.abs(value))}${name === "1" ? "" : `·${name}`}`).join(" ");
    return [
      h("p", {}, "A line in the space of all features, and a curve in the plane."),
      h("p", { class: "math formula", "data-w": JSON.stringify(answer.w) }, `${text || "0"} = 0`),
    ];
  },
};

function gramPicture({ order, values }, data, theme) {
  const numbers = unpack(values);
  const n = Math.round(Math.sqrt(numbers.length));
  const canvas = h("canvas", { class: "gram", role: "img", "aria-label": `Gram matrix of ${n} points, ordered by class` });
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
  canvas.title = `from ${data.classes[data.points[places[0]]?.c] ?? ""} to ${data.classes[data.points[places[n - 1]]?.c] ?? ""}`;
  return canvas;
}

function rgb(colour) {
  return [1, 3, 5].map((k) => parseInt(colour.slice(k, k + 2), 16));
}

function sub(number) {
  return [...String(number)].map((digit) => "₀₁₂₃₄₅₆₇₈₉"[digit]).join("");
}
