// Numbers written as text: decimal commas, thousands separators, percent and currency signs. Counterpart of
// data/columns/number_text.py.
const SIGN = "(?:[$€£¥₹]|USD|EUR|GBP|CHF|JPY|INR)";
const BOUND = "(?:[<>≤≥~≈]=?\\s*)?"; // a limit or an estimate, as in <0.5 and ~20
const MARKS = new RegExp(`^\\s*${BOUND}([-+−]?)\\s*${SIGN}?\\s*([-+−]?)(.*?)\\s*(?:${SIGN}|%)?\\s*$`, "i");

// The formats in the order of preference: the decimal sign, and the sign between thousands.
const FORMATS = [[".", ""], [".", ","], [",", ""], [",", "."], [".", " "], [",", " "], [".", "'"]].map(([decimal, thousands]) => ({
  decimal,
  thousands,
  pattern: patternOf(decimal, thousands),
}));
const [PLAIN, GROUPED, COMMA] = FORMATS;
export const PLAIN_NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;

function patternOf(decimal, thousands) {
  const point = decimal === "." ? "\\." : ",";
  const sign = thousands === "." ? "\\." : thousands;
  let grouped = thousands ? `\\d{1,3}(?:${sign}\\d{3})+(?:${point}\\d*)?|` : "";
  if (thousands === ",") grouped += `\\d{1,2}(?:,\\d{2})+,\\d{3}(?:${point}\\d*)?|`; // India groups by two digits: 12,34,567
  return new RegExp(`^(?:${grouped}\\d+(?:${point}\\d*)?(?:[eE][-+]?\\d+)?|${point}\\d+(?:[eE][-+]?\\d+)?)$`);
}

// The number, or null if the text is not a number of this format.
export function parsedNumber(text, { decimal, thousands, pattern }) {
  const marks = MARKS.exec(text.replace(/[\u00a0\u202f\u2009]/g, " ").replaceAll("’", "'"));
  if (!marks || (marks[1] && marks[2])) return null;
  let sign = marks[1] || marks[2];
  let body = marks[3].trim();
  if (!sign && body.startsWith("(") && body.endsWith(")")) [sign, body] = ["-", body.slice(1, -1).trim()]; // (12) is −12
  if (!pattern.test(body)) return null;
  const value = Number((thousands ? body.replaceAll(thousands, "") : body).replace(decimal, "."));
  return sign === "-" || sign === "−" ? -value : value;
}

// The format that most of the texts have: { format, fits }. Ties go to the first format, or to the decimal comma.
export function guessedNumberFormat(counts, preferComma) {
  const all = fitsOf(counts, () => true);
  if (fitsOf(counts, (text) => PLAIN_NUMBER.test(text)) === all) return { format: PLAIN, fits: all };
  const candidates = preferComma ? [...FORMATS].sort((a, b) => (a.decimal !== ",") - (b.decimal !== ",")) : FORMATS;
  const scored = candidates.map((format) => ({ format, fits: fitsOf(counts, (text) => parsedNumber(text, format) !== null) }));
  const fits = Math.max(...scored.map((one) => one.fits));
  const equal = scored.filter((one) => one.fits === fits).map(({ format }) => format);
  const format = equal.find(({ thousands, decimal }) => thousands === "" && decimal === equal[0].decimal) ?? equal[0];
  const isAmbiguous = equal.includes(GROUPED) && equal.includes(COMMA) && !equal.includes(PLAIN);
  return { format: isAmbiguous && !preferComma ? GROUPED : format, fits };
}

// The number of values whose text passes a test; `counts` has the number of values of each text.
export function fitsOf(counts, test) {
  let fits = 0;
  for (const [text, count] of counts) if (test(text)) fits += count;
  return fits;
}

// Whether a text is a number in some format.
export function looksNumeric(text) {
  return FORMATS.some((format) => parsedNumber(text, format) !== null);
}
