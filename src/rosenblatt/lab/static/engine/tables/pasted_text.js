// The job `text` in the browser: a pasted or uploaded table. Counterpart of read_text in jobs/pasted_tables.py.
import { featuresOf, spelling } from "./column_features.js";
import { looksLikeDate } from "./dates.js";
import { PLAIN_NUMBER, looksNumeric } from "./number_text.js";
import { refuse } from "../requests.js";

const MOST_POINTS = 10_000;
const MOST_CLASSES = 8;
const MOST_COLUMNS = 2_000;
const TARGETS = ["target", "label", "class"];

// Reads a table, separated by commas, semicolons or tabs, with or without a header. `missing` are the texts of a missing value.
export function readText(text, name, missing) {
  if (!text.trim()) refuse(`${name} is empty. Paste rows such as 5, 7, +1: two numbers and a class.`);
  const { lines, delimiter } = records(text.replace(/^\ufeff/, ""));
  const first = lines[0].fields;
  const hasHeader = !(first.length > 1 && first.slice(0, -1).every((field) => looksNumeric(field) || looksLikeDate(field)));
  const header = hasHeader ? distinct(first) : first.map((_, k) => `column${k + 1}`);
  const body = lines.slice(hasHeader ? 1 : 0);
  if (!body.length) refuse(`${name} has a header but no rows.`);
  if (body.length > MOST_POINTS) refuse(`${name} has ${body.length.toLocaleString("en")} rows; the lab shows at most ${MOST_POINTS.toLocaleString("en")}. Take a sample of them; the command rosenblatt lab FILE draws one.`);
  for (const { fields, line } of body) if (fields.length !== header.length) refuse(`${name}, line ${line}: ${fields.length} columns where the ${hasHeader ? "header" : "first line"} has ${header.length}. Correct the line.`);
  if (header.at(-1) === "" && body.every(({ fields }) => fields.at(-1) === "")) header.pop(); // every line ends with a delimiter
  const target = targetOf(header);
  const labelled = body.filter(({ fields }) => !missing.includes(fields[target])); // a row without a label is left out
  if (!labelled.length) refuse(`${name}, column '${header[target]}': every label is missing. Choose another target.`);
  const labels = labelsOf(labelled, target, name, header[target]);
  const columns = header.flatMap((title, k) => {
    if (k === target) return [];
    const place = (i) => (i === null ? `${name}, column '${title}'` : `${name}, line ${labelled[i].line}, column '${title}'`);
    return featuresOf(labelled.map(({ fields }) => fields[k]), title, { missing, preferComma: delimiter === ";", place });
  });
  if (!columns.length) refuse(`${name} has no columns but the target '${header[target]}'.`);
  if (columns.length > MOST_COLUMNS) refuse(`${name} has ${columns.length.toLocaleString("en")} columns; the lab takes at most ${MOST_COLUMNS.toLocaleString("en")}. Leave some out.`);
  if (columns.length === 1) columns.push({ title: "0", values: labelled.map(() => 0) }); // one column: the points lie on a line, with second coordinate zero
  return { name, columns: columns.map(({ title }) => title), rows: labelled.map((_, i) => columns.map(({ values }) => values[i])), ...labels };
}

// The column of the class: the one with a usual name, else the last. A column y counts only if it is the first or the last one
// and no other name fits: elsewhere it is a coordinate. Counterpart of named_target in data/formats/tables/table_schema.py.
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

// Splits a text into records with line numbers. A quoted field may contain delimiters, line breaks and doubled quotes.
function records(text) {
  const delimiter = delimiterOf(text.trimStart().split(/\r?\n/, 1)[0]);
  const blanks = delimiter === "\t" ? " *" : "[ \\t]*";
  const field = new RegExp(`${blanks}"((?:[^"]|"")*)"${blanks}(?=${delimiter}|\\r?\\n|$)|([^${delimiter}\\r\\n]*)`, "y");
  const lines = [];
  let [at, line] = [0, 1];
  while (at < text.length) {
    const record = { fields: [], line };
    for (;;) {
      field.lastIndex = at;
      const match = field.exec(text);
      if (/^\s*"/.test(match[2] ?? "")) refuse(`line ${line}: a quoted value is not closed. Correct the line.`);
      record.fields.push((match[1]?.replaceAll('""', '"') ?? match[2]).trim());
      line += match[0].split("\n").length - 1;
      at += match[0].length;
      if (text[at] !== delimiter) break;
      at += 1;
    }
    const end = /\r?\n|\r|$/y;
    end.lastIndex = at;
    at += end.exec(text)[0].length;
    line += 1;
    if (record.fields.length > 1 || record.fields[0] !== "") lines.push(record);
  }
  return { lines, delimiter };
}

// The sign that separates the columns: the most frequent one in the first line. A comma can also be a decimal comma, so it is last.
function delimiterOf(head) {
  const count = (sign) => head.split(sign).length;
  const best = ["\t", ";", ","].reduce((most, sign) => (count(sign) > count(most) ? sign : most));
  return count(best) > 1 ? best : ",";
}

function labelsOf(body, target, name, title) {
  const texts = body.map(({ fields }) => spelling(fields[target]));
  const numeric = texts.every((text) => PLAIN_NUMBER.test(text));
  const broken = numeric ? texts.findIndex((text) => !Number.isInteger(Number(text))) : -1;
  if (broken >= 0) refuse(`${name}, line ${body[broken].line}: the target ${texts[broken]} is not a whole number. A perceptron learns classes; turn a continuous target into some.`);
  const keys = numeric ? texts.map((text) => String(Number(text))) : texts;
  const classes = [...new Set(keys)].sort(numeric ? (a, b) => a - b : (a, b) => (a < b ? -1 : 1));
  if (classes.length > Math.max(keys.length / 2, MOST_CLASSES + 2)) refuse(`${name}, column '${title}': ${classes.length.toLocaleString("en")} different labels in ${keys.length.toLocaleString("en")} rows are no classes. Choose another target.`);
  if (classes.length > MOST_CLASSES + 2) refuse(`${name} has ${classes.length.toLocaleString("en")} classes; the lab shows at most ${MOST_CLASSES + 2}. Is the label in another column?`);
  return { classes, codes: keys.map((key) => classes.indexOf(key)) };
}
