// The jobs `data` and `text` in the browser: a built-in data set or a pasted table. Counterpart of jobs/pasted_tables.py.
import { refuse } from "./requests.js";
import { pack } from "../state/codec.js";

const MOST_POINTS = 10_000;
const MOST_CLASSES = 8;
const MOST_VALUES = 500_000; // maximum number of values of all columns that are sent to the page
const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;
const TARGETS = ["target", "label", "class", "y"];
const MISSING = ["", "NA", "N/A", "NaN", "nan", "NULL", "null", "None", "?"];

// Encodes two columns of a table { name, columns, classes, codes, rows }, and all columns if they have few enough values.
export function shown(table, { columns = [0, 1], standardize = false }) {
  const { rows, codes } = table;
  const width = table.columns.length;
  if (!Array.isArray(columns) || columns.length !== 2 || !columns.every((c) => Number.isInteger(c) && c >= 0 && c < width)) refuse(`columns must be two numbers from 0 to ${width - 1}.`);
  const kept = [...codes.keys()].filter((i) => codes[i] < MOST_CLASSES);
  let values = kept.map((i) => rows[i]);
  if (standardize) values = standardized(values);
  return {
    name: table.name,
    columns: table.columns,
    chosen: columns,
    classes: table.classes.slice(0, MOST_CLASSES),
    left_out: codes.length - kept.length,
    x: pack(Float64Array.from(values.flatMap((row) => columns.map((c) => row[c])))),
    y: pack(Uint8Array.from(kept, (i) => codes[i]), true),
    values: width > 2 && values.length * width <= MOST_VALUES ? pack(Float64Array.from(values.flat())) : null,
  };
}

function standardized(rows) {
  const columns = rows[0].map((_, j) => rows.map((row) => row[j]));
  const scaled = columns.map((column) => {
    const mean = column.reduce((sum, value) => sum + value, 0) / column.length;
    const width = Math.sqrt(column.reduce((sum, value) => sum + (value - mean) ** 2, 0) / column.length) || 1;
    return column.map((value) => (value - mean) / width);
  });
  return rows.map((_, i) => scaled.map((column) => column[i]));
}

// Reads a pasted or uploaded table, separated by commas, semicolons or tabs, with or without a header.
export function readText(text, name) {
  if (!text.trim()) refuse(`${name} is empty. Paste rows such as 5, 7, +1: two numbers and a class.`);
  const lines = records(text.replace(/^\ufeff/, ""));
  const first = lines[0].fields;
  const hasHeader = !(first.length > 1 && first.slice(0, -1).every((field) => NUMBER.test(field)));
  const header = hasHeader ? first : first.map((_, k) => `column${k + 1}`);
  const body = lines.slice(hasHeader ? 1 : 0);
  if (!body.length) refuse(`${name} has a header but no rows.`);
  if (body.length > MOST_POINTS) refuse(`${name} has ${body.length.toLocaleString("en")} rows; the lab shows at most ${MOST_POINTS.toLocaleString("en")}. Take a sample of them.`);
  for (const { fields, line } of body) if (fields.length !== header.length) refuse(`${name}, line ${line}: ${fields.length} columns where the header has ${header.length}. Correct the line.`);
  const usual = header.map((title, k) => [title.trim().toLowerCase(), k]).filter(([title]) => TARGETS.includes(title));
  const target = usual.length === 1 ? usual[0][1] : header.length - 1;
  const labels = labelsOf(body, target, header[target], name);
  const columns = header.flatMap((title, k) => (k === target ? [] : columnsOf(body, k, title, name)));
  if (!columns.length) refuse(`${name} has no columns but the target '${header[target]}'.`);
  if (columns.length === 1) columns.push({ title: "0", values: body.map(() => 0) }); // one column: the points lie on a line, with second coordinate zero
  return { name, columns: columns.map(({ title }) => title), rows: body.map((_, i) => columns.map(({ values }) => values[i])), ...labels };
}

// Splits a text into records with line numbers. A quoted field may contain delimiters and doubled quotes.
function records(text) {
  const head = text.trimStart().split(/\r?\n/, 1)[0];
  const delimiter = [",", ";", "\t"].reduce((best, sign) => (head.split(sign).length > head.split(best).length ? sign : best));
  const field = new RegExp(`\\s*(?:"((?:[^"]|"")*)"|([^${delimiter}]*))(${delimiter}|$)`, "y");
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

function labelsOf(body, target, title, name) {
  const texts = body.map(({ fields }) => fields[target]);
  const gap = texts.findIndex((text) => MISSING.includes(text));
  if (gap >= 0) refuse(`${name}, line ${body[gap].line}, column '${title}': the label is missing. Remove the row.`);
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
  const words = texts.flatMap((text, i) => (NUMBER.test(text) ? [] : [i]));
  if (!words.length) {
    const values = texts.map(Number);
    const far = values.findIndex((value) => !Number.isFinite(value));
    if (far >= 0) refuse(`${name}, line ${body[far].line}: column ${k + 1} is not a finite number.`);
    return [{ title, values }];
  }
  if (words.length <= texts.length - words.length) refuse(`${name}, line ${body[words[0]].line}, column '${title}': '${texts[words[0]].slice(0, 40)}' is not a number, as most of the column is. Correct it.`);
  return [...new Set(texts)].sort().map((word) => ({ title: `${title}=${word}`, values: texts.map((text) => Number(text === word)) }));
}
