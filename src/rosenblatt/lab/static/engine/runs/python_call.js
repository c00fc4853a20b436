// The Python call of the same fit, with the parameters that differ from their defaults.
import { given } from "../requests.js";

export function pythonCall(engine, rule, algorithm, planes) {
  const { estimator, fixed } = algorithm;
  const defaults = engine.defaults[estimator];
  const values = {
    fit_intercept: rule.fit_intercept, eta0: rule.eta0, tie: rule.tie, multi_class: rule.multi_class,
    random_state: rule.random_state ?? 0, init: rule.init === "random" ? "random" : "zeros", init_scale: rule.init_scale ?? 0.5,
    rivals: rule.rivals ?? "best", max_error: rule.max_error ?? 0,
    ...fixed,
  };
  if (rule.error_tie !== null && rule.error_tie !== undefined) values.error_tie = rule.error_tie;
  if (estimator === "BatchPerceptron") values.max_iter = Math.min(rule.max_iter ?? 1000, 10_000);
  else {
    Object.assign(values, { order: rule.order, max_steps: rule.max_steps ?? 100_000, patience: rule.patience ?? null, record: true });
    if (rule.max_iter !== null && rule.max_iter !== undefined) values.max_iter = rule.max_iter;
  }
  if (rule.algorithm === "margin") values.margin = rule.margin;
  if (["pa1", "pa2"].includes(rule.algorithm)) values.C = rule.C;
  if (rule.algorithm === "pocket") values.ratchet = rule.ratchet;
  const changed = Object.keys(defaults).filter((name) => name in values && values[name] !== defaults[name]);
  let start = "";
  if (rule.init === "given") {
    const rows = given(rule.start, rule.start.flat().length / (Array.isArray(rule.start[0]) ? rule.start.length : 1));
    const all = rows.length === 1 ? Array(planes).fill(rows[0]) : rows;
    start = `, coef_init=${list(all.map((row) => list(row.slice(1).map(float))))}, intercept_init=${list(all.map((row) => float(rule.fit_intercept ? row[0] : 0)))}`;
  }
  return `${estimator}(${changed.map((name) => `${name}=${repr(name, values[name])}`).join(", ")}).fit(X, y${start})`;
}

const FLOATS = ["eta0", "init_scale", "margin", "C", "max_error"];

function repr(name, value) {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "string") return `'${value}'`;
  return FLOATS.includes(name) ? float(value) : String(value);
}

// A float as Python writes it.
export function float(value) {
  if (Number.isInteger(value) && Math.abs(value) < 1e16) return Object.is(value, -0) ? "-0.0" : `${value}.0`;
  return String(value).replace(/e([+-])(\d)$/, "e$10$2");
}

function list(parts) {
  return `[${parts.join(", ")}]`;
}
