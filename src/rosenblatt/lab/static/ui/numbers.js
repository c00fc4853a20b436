// Formats numbers with a true minus sign: `exact` to the last digit, `short` rounded if that is too long, `tick` to the digits that
// distinguish the numbers of an axis.
import { t } from "./strings.js";

export function exact(value) {
  return String(value === 0 ? 0 : value).replaceAll("-", "−");
}

export function short(value) {
  const text = String(value === 0 ? 0 : value);
  return text.length <= 8 ? exact(value) : powered(value, 4);
}

// Formats a number of an axis whose numbers are `step` apart.
export function tick(value, step) {
  return value === 0 ? "0" : powered(value, Math.max(0, Math.floor(Math.log10(Math.abs(value))) - Math.floor(Math.log10(step))));
}

// A number with `digits` digits after its first; from 10⁹ on with a power of ten, because a long row of zeros cannot be read.
function powered(value, digits) {
  const rounded = Number(value.toExponential(Math.min(digits, 16)));
  return exact(Math.abs(rounded) < 1e9 ? rounded : rounded.toExponential().replace("e+", "e"));
}

export function vector(values, format = short) {
  return `[${Array.from(values, format).join(", ")}]`;
}

// Formats a vector on one line: at most six of its numbers.
export function shortVector(values) {
  const all = Array.from(values);
  return all.length <= 6 ? vector(all) : `[${all.slice(0, 5).map(short).join(", ")}, … ${t("numbers.more", { n: all.length - 5 })}]`;
}

export function pair(x, y) {
  return `(${short(x)}, ${short(y)})`;
}

// Formats the name of a class; a number gets a true minus sign.
export function className(name) {
  return /^-\d/.test(name) ? name.replace("-", "−") : name;
}

// Formats a number as a summand, with its sign in front.
export function plus(value) {
  return value < 0 || Object.is(value, -0) ? `− ${short(-value)}` : `+ ${short(value)}`;
}

// Formats the name of a column: x1 is written as x₁, the notation of the whole page. Names that a person gave stay.
export function columnName(name) {
  return /^x\d+$/.test(name) ? `x${subscript(name.slice(1))}` : name;
}

const DATE_PARTS = ["year", "month", "weekday", "elapsed days", "hour"];

// The names of columns with the parts of dates in the language of the page: the library makes "day year", "day month" and so on of
// one column "day". A single name that ends in such a word is a name that a person gave, and stays.
export function withDateNames(names) {
  return names.map((name) => {
    const part = DATE_PARTS.find((each) => name.endsWith(` ${each}`));
    const stem = part && name.slice(0, -part.length);
    return part && names.includes(`${stem}year`) && names.includes(`${stem}elapsed days`) ? stem + t(`column.${part.replace(" ", "_")}`) : name;
  });
}

export function subscript(number) {
  return [...String(number)].map((digit) => "₀₁₂₃₄₅₆₇₈₉"[digit]).join("");
}
