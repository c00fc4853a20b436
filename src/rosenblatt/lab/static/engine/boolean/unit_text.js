// Formats threshold units as text. Counterpart of boolean/unit.py.
// Formats a number of halves as Python formats a Fraction: "3/2", "-1".
export function halves(value) {
  return value % 2 ? `${value}/2` : String(value / 2);
}

export function unitText([offset, ...weights], variables) {
  let text = weights.map((w, j) => (w ? ` ${w < 0 ? "-" : "+"} ${Math.abs(w) === 1 ? "" : `${Math.abs(w)}·`}${variables[j]}` : "")).join("");
  if (offset || !text) text += ` ${offset < 0 ? "-" : "+"} ${halves(Math.abs(offset))}`;
  text = text.startsWith(" + ") ? text.slice(3) : `-${text.slice(3)}`;
  return `${text} > 0`;
}
