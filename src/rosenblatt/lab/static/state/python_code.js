// Writes what the lab shows as a complete Python program: imports, the data, the call, and the result.
import { t } from "../ui/strings.js";
import { valuesOf } from "./slice.js";

const MOST_ROWS = 400; // maximum number of rows in the program itself; more rows are read from a file

// The program of a call such as "Perceptron(…).fit(X, y)" on the data of the lab.
export function pythonCode(data, call) {
  if (!call) return "";
  if (call.startsWith("BooleanFunction")) return booleanCode(call);
  const [name] = call.match(/^\w+/);
  const builtIn = data.source.job === "data" && data.source.name !== "given";
  const imports = ["import numpy as np"];
  const names = [...(name === "tile" ? [] : [name]), ...(builtIn ? ["data"] : [])];
  if (names.length) imports.push(`from rosenblatt import ${names.join(", ")}`);
  if (name === "tile") imports.push("from rosenblatt.learning.tiling import tile");
  return [...imports, "", ...(builtIn ? loaded(data) : written(data)), `model = ${call}`, PRINTED[name] ?? "print(model.status_, model.coef_, model.intercept_)"].join("\n");
}

const PRINTED = {
  KernelPerceptron: "print(model.status_, len(model.support_))",
  tile: "print(model)",
};

export function booleanCode(call) {
  const [, made, network] = call.match(/^(.*?)(\.network\(\))?$/s);
  const result = network ? "print(function.network())" : "print(function.perceptron() if function.is_threshold else function.refutation)";
  return ["from rosenblatt.boolean import BooleanFunction", "", `function = ${made}`, result].join("\n");
}

function loaded(data) {
  const { name, columns, standardize } = data.source;
  const lines = [`table = data.load("${name}")`, "X, y = np.asarray(table.X, dtype=float), np.unique(table.y, return_inverse=True)[1]"];
  if (data.leftOut) lines.push(`X, y = X[y < ${data.classes.length}], y[y < ${data.classes.length}]`);
  if (standardize) lines.push("X = (X - X.mean(axis=0)) / np.where(X.std(axis=0) > 0, X.std(axis=0), 1)");
  if (data.allColumns.length > 2 && !data.slice) lines.push(`X = X[:, [${columns.join(", ")}]]`);
  return lines;
}

function written({ points }) {
  if (points.length > MOST_ROWS) return [`rows = np.loadtxt("points.csv", delimiter=",", skiprows=1)  # ${t("python.from_csv")}`, "X, y = rows[:, :-1], rows[:, -1].astype(int)"];
  return [`X = np.array([${points.map((point) => `[${valuesOf(point).join(", ")}]`).join(", ")}], dtype=float)`, `y = np.array([${points.map(({ c }) => c).join(", ")}])`];
}

// The points as a table with the columns and the class number.
export function asCsv({ points, columns, slice }) {
  const header = [...(slice?.columns ?? columns), "class"].map((name) => (/[",\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name));
  return [header.join(","), ...points.map((point) => [...valuesOf(point), point.c].join(","))].join("\n") + "\n";
}
