// The job `data` in the browser: two columns of a table, or all. Counterpart of jobs/pasted_tables.py.
import { refuse } from "../requests.js";
import { pack } from "../../state/codec.js";

const MOST_CLASSES = 8;
const MOST_VALUES = 500_000; // maximum number of values of all columns that are sent to the page

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
    sampled_from: null,
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
