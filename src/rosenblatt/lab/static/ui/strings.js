// The visible texts of the page, by key: `t("time.play")`. The texts are in strings/<language>.json, one file a language.
//
// A text has named places: t("step.joint_wrong", { to, from }) fills "{to}" and "{from}". A text with plural forms is an object; the
// value `n` selects the form and is written with its digits grouped. `parts` returns the pieces of a text for `h`, so that a
// place can hold an element.
import { CATALOGUES } from "../strings/catalogues.js";

export const LANGUAGES = Object.fromEntries(Object.entries(CATALOGUES).map(([code, texts]) => [code, texts["language.name"]]));

const DEFAULT = "en";
const PLACE = /\{(\w+)\}/;
let language = preferred();

export function currentLanguage() {
  return language;
}

export function setLanguage(code) {
  if (code in CATALOGUES) language = code;
}

// The language that an address requests (#lang=de), else the first language of the browser that the lab has.
export function preferred(hash = location.hash) {
  const requested = new URLSearchParams(hash.replace(/^#/, "")).get("lang");
  const codes = [requested, ...(navigator.languages ?? [])].map((code) => String(code ?? "").toLowerCase().split("-")[0]);
  return codes.find((code) => code in CATALOGUES) ?? DEFAULT;
}

export function t(key, values = {}) {
  return parts(key, values).join("");
}

// Whether the catalogue has a key. Names that a person gives (of a dialect, of a data set) are in no catalogue.
export function hasText(key) {
  return key in CATALOGUES[language];
}

// The pieces of a text: strings, and the given values at their places.
export function parts(key, values = {}) {
  const entry = CATALOGUES[language][key];
  if (entry === undefined) throw new Error(`the catalogue has no text ${key}`);
  const text = typeof entry === "string" ? entry : entry[new Intl.PluralRules(language).select(values.n)] ?? entry.other;
  return text.split(PLACE).map((piece, k) => (k % 2 ? written(key, piece, values) : piece)).filter((piece) => piece !== "");
}

function written(key, name, values) {
  if (!(name in values)) throw new Error(`the text ${key} needs a value for ${name}`);
  return name === "n" ? number(values.n) : values[name];
}

// A whole number with its digits grouped: by commas in English, else by narrow spaces, because numbers have a decimal point.
export function number(value) {
  const text = Number(value).toLocaleString("en");
  return language === "en" ? text : text.replaceAll(",", "\u202f");
}
