// Creates DOM elements: h("button", { class: "x", onclick: f, "aria-label": "…" }, "text").
const SVG = "http://www.w3.org/2000/svg";

export function h(tag, properties = {}, ...children) {
  return withProperties(document.createElement(tag), properties, children);
}

export function svg(tag, properties = {}, ...children) {
  return withProperties(document.createElementNS(SVG, tag), properties, children);
}

function withProperties(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in FIELDS) element[name] = value;
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

const FIELDS = { value: 1, checked: 1, disabled: 1, textContent: 1, hidden: 1, selected: 1 };

// A labelled form field.
export function field(label, control, hint = null) {
  return h("label", { class: "field" }, h("span", { class: "field-name" }, label), control, hint);
}

// A text and a shorter one for narrow screens; the style sheet shows one of them.
export function shortenable(text, short) {
  return [h("span", { class: "long-text" }, text), h("span", { class: "short-text" }, short)];
}

export function select(options, value, onchange, properties = {}) {
  return h(
    "select",
    { ...properties, onchange: (event) => onchange(event.target.value) },
    options.map(([key, text]) => h("option", { value: key, selected: key === value }, text)),
  );
}
