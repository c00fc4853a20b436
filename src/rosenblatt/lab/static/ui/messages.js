// Translates the sentences of the engine, which are in English: errors, and the choices of a rule in words.
//
// Python and the engine in the browser answer in the same words, those of the command line. The catalogue lists the words with
// places for the values. A message is matched with the English texts, and its values go into the text of the page's language.
// A value can itself be such a text: "line 3: {problem}". A message that is in no catalogue stays as it is.
import { CATALOGUES } from "../strings/catalogues.js";
import { currentLanguage, number, t } from "./strings.js";

const PLACE = /\{(\w+)\}/;
const patterns = new Map(); // by group: [{ key, names, pattern }], the most specific text first

// An error with the message of an answer, in the language of the page.
export function engineError(message) {
  return new Error(translated(message));
}

// The translation of a message. `group` is the beginning of the keys of its texts.
export function translated(message, group = "error.") {
  if (currentLanguage() === "en") return message;
  for (const { key, names, pattern } of patternsOf(group)) {
    const match = pattern.exec(message);
    if (match) return t(key, Object.fromEntries(names.map((name, k) => [name, translatedValue(match[k + 1], group)])));
  }
  return message;
}

function translatedValue(value, group) {
  return /^\d{1,3}(,\d{3})+$/.test(value) ? number(value.replaceAll(",", "")) : translated(value, group);
}

function patternsOf(group) {
  if (!patterns.has(group)) {
    const texts = Object.entries(CATALOGUES.en).filter(([key, text]) => key.startsWith(group) && typeof text === "string");
    const found = texts.map(([key, text]) => {
      const pieces = text.split(PLACE);
      const literals = pieces.filter((_, k) => k % 2 === 0);
      return {
        key,
        names: pieces.filter((_, k) => k % 2),
        pattern: new RegExp(`^${literals.map((literal) => literal.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("(.+?)")}$`, "s"),
        length: literals.join("").length,
      };
    });
    patterns.set(group, found.sort((a, b) => b.length - a.length));
  }
  return patterns.get(group);
}
