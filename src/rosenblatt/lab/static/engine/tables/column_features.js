// Turns the texts of a column into features: numbers, parts of dates, or one column of 0 and 1 for each word. Counterpart of
// data/columns/infer.py and learn.py, as the lab's server uses them: every column is kept, and no gap is filled.
import { dateFeatures, guessedDateOrder, parsedDate } from "./dates.js";
import { fitsOf, guessedNumberFormat, parsedNumber } from "./number_text.js";
import { refuse } from "../requests.js";

const MOST_CATEGORIES = 1000;
const MOST_STRAY_WORDS = 5;
const BOOLEANS = { true: "True", TRUE: "True", false: "False", FALSE: "False" };

// A word with Booleans in one spelling.
export function spelling(text) {
  return BOOLEANS[text] ?? text;
}

// The features [{ title, values }] of a column. `place(i)` names the line and the column of row i in messages.
export function featuresOf(texts, title, { missing, preferComma, place }) {
  const gaps = texts.flatMap((text, i) => (missing.includes(text) ? [i] : []));
  const counts = countsOf(texts.filter((text) => !missing.includes(text)));
  const isCode = areCodes([...counts.keys()]);
  const { format, fits } = isCode ? { fits: 0 } : guessedNumberFormat(counts, preferComma);
  const strays = texts.flatMap((text, i) => (missing.includes(text) || (!isCode && parsedNumber(text, format) !== null) ? [] : [i]));
  if (strays.length && strays.length <= fits) refuse(`${place(strays[0])}: '${texts[strays[0]].slice(0, 40)}' is not a number, as most of the column is. Correct it.`);
  if (!strays.length && fits) {
    refuseGaps(gaps, place);
    const values = texts.map((text) => parsedNumber(text, format));
    const far = values.flatMap((value, i) => (Number.isFinite(value) ? [] : [i]));
    if (far.length) refuse(`${place(far[0])}: ${values[far[0]] > 0 ? "inf" : "-inf"} is not a finite number${suchRows(far)}. Complete the data, or drop the column.`);
    return [{ title, values }];
  }
  const dates = guessedDateOrder(counts);
  const strayDates = [...counts.keys()].filter((text) => parsedDate(text, dates.order) === null);
  if (dates.fits && dates.fits >= 0.9 * (texts.length - gaps.length) && strayDates.length <= MOST_STRAY_WORDS) {
    const seconds = texts.map((text) => (missing.includes(text) ? null : parsedDate(text, dates.order)));
    const stray = seconds.findIndex((value, i) => value === null && !missing.includes(texts[i]));
    if (stray >= 0) refuse(`${place(stray)}: '${texts[stray].slice(0, 40)}' is not a date. Correct it.`);
    refuseGaps(gaps, place);
    return dateFeatures(seconds, dates.order).map(({ part, values }) => ({ title: `${title} ${part}`, values }));
  }
  refuseGaps(gaps, place);
  const words = texts.map(spelling);
  const vocabulary = [...new Set(words)].sort();
  if (vocabulary.length > MOST_CATEGORIES || isProse(counts, texts.length)) refuse(`${place(null)}: its texts would become more features than the lab shows. Leave the column out.`);
  return vocabulary.map((word) => ({ title: `${title}=${word}`, values: words.map((text) => Number(text === word)) }));
}

// Whether the texts are whole numbers of one length, some with leading zeros, as postal codes are.
function areCodes(texts) {
  return texts.every((text) => /^\d{4,}$/.test(text) && text.length === texts[0].length) && texts.some((text) => text.startsWith("0"));
}

// Whether the values are texts of several words, which hardly repeat.
function isProse(counts, n) {
  let words = 0;
  for (const [text, count] of counts) words += count * text.split(/\s+/).filter(Boolean).length;
  const isPair = counts.size === 2 && fitsOf(counts, (text) => /^(true|false|yes|no|y|n|t|f|on|off)$/i.test(text)) === n;
  return !isPair && words / n >= 4 && counts.size / n > 0.5;
}

function refuseGaps(rows, place) {
  if (rows.length) refuse(`${place(rows[0])}: the value is missing${suchRows(rows)}. Complete the data, or drop the column.`);
}

function suchRows(rows) {
  return rows.length > 1 ? ` (${rows.length.toLocaleString("en")} such rows)` : "";
}

function countsOf(texts) {
  const counts = new Map();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
