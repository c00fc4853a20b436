// The job `text` in the browser: a pasted or uploaded table. Counterpart of read_text in jobs/pasted_tables.py.
import { refuse } from "./requests.js";

const MOST_POINTS = 10_000;
const MOST_CLASSES = 8;
const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;
const GROUPED = /^[-+]?\d{1,3}(,\d{3})+(\.\d+)?$/;
const DATE = /^(\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{4})([ T]\S+)?$/;
const TARGETS = ["target", "label", "class"];
const MISSING = ["", "NA", "N/A", "NaN", "nan", "NULL", "null", "None", "?"];

// Reads a pasted or uploaded table, separated by commas, semicolons or tabs, with or without a header.
export function readText(text, name) {
  if (!text.trim()) refuse(`${name} is empty. Paste rows such as 5, 7, +1: two numbers and a class.`);
  const lines = records(text.replace(/^\ufeff/, ""));
  const first = lines[0].fields;
  const hasHeader = !(first.length > 1 && first.slice(0, -1).every((field) => NUMBER.test(field)));
  const header = hasHeader ? distinct(first) : first.map((_, k) => `column${k + 1}`);
  const body = lines.slice(hasHeader ? 1 : 0);
  if (!body.length) refuse(`${name} has a header but no rows.`);
  if (body.length > MOST_POINTS) refuse(`${name} has ${body.length.toLocaleString("en")} rows; the lab shows at most ${MOST_POINTS.toLocaleString("en")}. Take a sample of them.`);
  for (const { fields, line } of body) if (fields.length !== header.length) refuse(`${name}, line ${line}: ${fields.length} columns where the header has ${header.length}. Correct the line.`);
  if (header.at(-1) === "" && body.every(({ fields }) => fields.at(-1) === "")) header.pop(); // every line ends with a delimiter
  const target = targetOf(header);
  const labelled = body.filter(({ fields }) => !MISSING.includes(fields[target])); // a row without a label is left out
  if (!labelled.length) refuse(`${name}, column '${header[target]}': every label is missing. Choose another target.`);
  const labels = labelsOf(labelled, target, name);
  const columns = header.flatMap((title, k) => (k === target ? [] : columnsOf(labelled, k, title, name)));
  if (!columns.length) refuse(`${name} has no columns but the target '${header[target]}'.`);
  if (columns.length === 1) columns.push({ title: "0", values: labelled.map(() => 0) }); // one column: the points lie on a line, with second coordinate zero
  return { name, columns: columns.map(({ title }) => title), rows: labelled.map((_, i) => columns.map(({ values }) => values[i])), ...labels };
}

// The column of the class: the one with a usual name, else the last. A column y counts only if it is the first or the last one
// and no other name fits: elsewhere it is a coordinate. Counterpart of named_target in data/formats/table_schema.py.
function targetOf(header) {
  const names = header.map((title) => title.toLowerCase());
  const last = names.length - 1;
  const usual = names.flatMap((title, k) => (TARGETS.includes(title) ? [k] : []));
  if (usual.length) return usual.length === 1 ? usual[0] : last;
  return names[0] === "y" && names[last] !== "y" ? 0 : last;
}

// Column names without repetition: x, x.1, x.2.
function distinct(titles) {
  const made = [];
  for (const title of titles) {
    let name = title;
    for (let k = 1; made.includes(name); k++) name = `${title}.${k}`;
    made.push(name);
  }
  return made;
}

// Splits a text into records with line numbers. A quoted field may contain delimiters and doubled quotes.
function records(text) {
  const head = text.trimStart().split(/\r?\n/, 1)[0];
  const delimiter = [",", ";", "\t"].reduce((best, sign) => (head.split(sign).length > head.split(best).length ? sign : best));
  const field = new RegExp(`\\s*(?:"((?:[^"]|"")*)"\\s*|([^${delimiter}]*))(${delimiter}|$)`, "y");
  return text.split(/\r?\n/).flatMap((line, k) => {
    if (!line.trim()) return [];
    const fields = [];
    field.lastIndex = 0;
    for (;;) {
      const match = field.exec(line);
      if (!match) refuse(`line ${k + 1}: a quoted value is not closed. Correct the line.`);
      fields.push((match[1]?.replaceAll('""', '"') ?? match[2]).trim());
      if (!match[3]) return [{ fields, line: k + 1 }];
    }
  });
}

function labelsOf(body, target, name) {
  const texts = body.map(({ fields }) => fields[target]);
  const numeric = texts.every((text) => NUMBER.test(text));
  const broken = numeric ? texts.findIndex((text) => !Number.isInteger(Number(text))) : -1;
  if (broken >= 0) refuse(`${name}, line ${body[broken].line}: the target ${texts[broken]} is not a whole number. A perceptron learns classes; turn a continuous target into some.`);
  const keys = numeric ? texts.map((text) => String(Number(text))) : texts;
  const classes = [...new Set(keys)].sort(numeric ? (a, b) => a - b : (a, b) => (a < b ? -1 : 1));
  if (classes.length > MOST_CLASSES + 2) refuse(`${name} has ${classes.length.toLocaleString("en")} classes; the lab shows at most ${MOST_CLASSES + 2}. Is the label in another column?`);
  return { classes, codes: keys.map((key) => classes.indexOf(key)) };
}

// Returns a numeric column as it is, or one column of 0 and 1 for each word of a categorical column.
function columnsOf(body, k, title, name) {
  const texts = body.map(({ fields }) => fields[k]);
  const gap = texts.findIndex((text) => MISSING.includes(text));
  if (gap >= 0) refuse(`${name}, line ${body[gap].line}, column '${title}': the value is missing. Complete the data, drop the column.`);
  if (texts.every((text) => DATE.test(text))) refuse(`${name}, column '${title}' has dates, which this page does not read. Write them as numbers, or start \`rosenblatt lab\`.`);
  const words = texts.flatMap((text, i) => (NUMBER.test(text) ? [] : [i]));
  const values = numbersOf(texts);
  if (values) {
    const far = values.findIndex((value) => !Number.isFinite(value));
    if (far >= 0) refuse(`${name}, line ${body[far].line}: column ${k + 1} is not a finite number.`);
    return [{ title, values }];
  }
  if (words.length <= texts.length - words.length) refuse(`${name}, line ${body[words[0]].line}, column '${title}': '${texts[words[0]].slice(0, 40)}' is not a number, as most of the column is. Correct it.`);
  return [...new Set(texts)].sort().map((word) => ({ title: `${title}=${word}`, values: texts.map((text) => Number(text === word)) }));
}

// The values of a column of numbers, or null. Beside plain numbers: 1,5 with a decimal comma, 1,000 with groups of digits, and
// numbers with a sign of a currency or of per cent.
function numbersOf(texts) {
  if (texts.every((text) => NUMBER.test(text))) return texts.map(Number);
  const bare = texts.map((text) => text.replace(/^[$€£¥]\s?|\s?[$€£¥%]$/g, ""));
  const withComma = bare.filter((text) => text.includes(","));
  if (bare.every((text) => NUMBER.test(text.replaceAll(",", ""))) && withComma.every((text) => GROUPED.test(text))) return bare.map((text) => Number(text.replaceAll(",", "")));
  const points = bare.map((text) => (/^[-+]?\d*,\d+$/.test(text) ? text.replace(",", ".") : text));
  return points.every((text) => NUMBER.test(text)) ? points.map(Number) : null;
}
