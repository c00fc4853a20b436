// The job `boolean` in the browser, for functions of up to four variables, from the table that tools/boolean_classes writes.
//
// A function f of the class of g has f(x) = o ⊕ g(t) with t_j = x_{order(j)} ⊕ c_j, so units, refutations and networks of g
// become those of f. Units are [2·w0, w1, …]: weights are whole, and an offset lies half-way between two whole numbers.
import { parsed } from "./expression.js";
import { networkDrawing } from "./network_layout.js";
import { unitText } from "./unit_text.js";
import { refuse } from "../requests.js";

const MOST_VARIABLES = 4;
const TIES = ["mistake", "positive", "negative"];

export function booleanJob(catalogue, body) {
  const { variables, bits } = functionOf(body);
  const found = lookUp(catalogue, bits, variables.length);
  const rows = rowsOf(variables.length);
  const named = body.table !== null && body.table !== undefined;
  return {
    variables,
    bits,
    rows,
    is_threshold: Boolean(found.unit),
    unit: found.unit && unitAnswer(found.unit, variables, rows, bits),
    refutation: found.unit ? null : found.refutation,
    network: networkAnswer(found, variables, rows),
    python: named ? `BooleanFunction.from_table("${bits}", [${variables.map((name) => `'${name}'`).join(", ")}])` : `BooleanFunction('${body.expression.trim()}')`,
  };
}

// The network of a truth table: its drawing, and its units as [w0, w1, …].
export function booleanNetwork(catalogue, bits, variables) {
  const found = lookUp(catalogue, bits, variables.length);
  const numbers = ([offset, ...weights]) => [offset / 2, ...weights];
  return { drawn: networkAnswer(found, variables, rowsOf(variables.length)), hidden: found.hidden.map(numbers), output: numbers(found.output) };
}

export function networkFires(hidden, output, x) {
  const score = ([offset, ...weights], values) => weights.reduce((sum, w, j) => sum + w * values[j], offset);
  return score(output, hidden.map((unit) => (score(unit, x) > 0 ? 1 : 0))) > 0;
}

function functionOf({ table, variables, expression }) {
  const more = (n) => refuse(`${n} variables: this page shows up to ${MOST_VARIABLES}. Install rosenblatt and start \`rosenblatt lab\`: it shows 6, and in Python BooleanFunction takes 16.`);
  if (table !== null && table !== undefined) {
    const n = Math.log2(table.length);
    if (!/^[01]+$/.test(table) || !Number.isInteger(n)) refuse("a truth table is text of 0 and 1, with 2, 4, 8 or 16 rows.");
    if (n > MOST_VARIABLES) more(n);
    return { bits: table, variables: variables ?? Array.from({ length: n }, (_, j) => `x${j + 1}`) };
  }
  if (!expression?.trim()) refuse("type an expression such as a and (b or not c), or click the truth table.");
  return parsed(expression.trim(), MOST_VARIABLES, more);
}

function rowsOf(n) {
  return Array.from({ length: 1 << n }, (_, row) => Array.from({ length: n }, (_, j) => (row >> (n - 1 - j)) & 1));
}

function permutations(values) {
  return values.length < 2 ? [values] : values.flatMap((first) => permutations(values.filter((value) => value !== first)).map((rest) => [first, ...rest]));
}

function lookUp(catalogue, bits, n) {
  if (n === 0) return constant(bits);
  const places = Array.from({ length: n }, (_, j) => j);
  for (const order of permutations(places)) {
    for (let mask = 0; mask < 1 << n; mask++) {
      const c = places.map((j) => (mask >> j) & 1);
      const mapped = rowsOf(n).map((t) => {
        let row = 0;
        places.forEach((j) => (row |= (t[j] ^ c[j]) << (n - 1 - order[j])));
        return row;
      });
      for (const negated of [0, 1]) {
        const key = mapped.map((row) => Number(bits[row]) ^ negated).join("");
        const known = catalogue.boolean_classes[key];
        if (known) return transformed(known, { order, c, negated, mapped });
      }
    }
  }
  throw new Error("the table of Boolean functions is incomplete.");
}

function constant(bits) {
  const unit = [bits === "1" ? 1 : -1];
  return { unit, refutation: null, hidden: [], output: unit, fewest: true };
}

function transformed({ unit, refutation, hidden, output, fewest }, { order, c, negated, mapped }) {
  const moved = ([offset, ...weights]) => {
    const made = [offset, ...weights.map(() => 0)];
    weights.forEach((w, j) => {
      made[1 + order[j]] = c[j] ? -w : w;
      if (c[j]) made[0] += 2 * w;
    });
    return made;
  };
  const flipped = (numbers) => numbers.map((value) => (negated ? -value : value) || 0);
  const side = (rows) => rows.map(([row, times]) => [mapped[row], times]);
  return {
    unit: unit && flipped(moved(unit)),
    refutation: refutation && { true: side(negated ? refutation.false : refutation.true), false: side(negated ? refutation.true : refutation.false) },
    hidden: hidden.map(moved),
    output: flipped(output),
    fewest,
  };
}

function unitAnswer(unit, variables, rows, bits) {
  const [offset, ...weights] = unit;
  const sums = rows.map((row) => row.reduce((sum, value, j) => sum + value * weights[j], 0));
  return { text: unitText(unit, variables), weights, offset: offset / 2, sums, ranges: Object.fromEntries(TIES.map((tie) => [tie, rangeOf(sums, bits, tie)])) };
}

// The interval of offsets that compute the function: above −sum for true rows, below −sum for false ones. The tie rule decides
// whether its ends belong to it.
function rangeOf(sums, bits, tie) {
  const trues = sums.filter((_, row) => bits[row] === "1");
  const falses = sums.filter((_, row) => bits[row] === "0");
  const low = trues.length ? -Math.min(...trues) || 0 : null;
  const high = falses.length ? -Math.max(...falses) || 0 : null;
  const [lowClosed, highClosed] = [tie === "positive" && low !== null, tie === "negative" && high !== null];
  const text = `${low === null ? "(-∞" : `${lowClosed ? "[" : "("}${low}`}, ${high === null ? "∞)" : `${high}${highClosed ? "]" : ")"}`}`;
  return { text, low, high, low_closed: lowClosed, high_closed: highClosed };
}

function networkAnswer({ hidden, output, fewest }, variables, rows) {
  const names = hidden.map((_, k) => `h${k + 1}`);
  const score = ([offset, ...weights], values) => weights.reduce((sum, w, j) => sum + 2 * w * values[j], offset);
  return {
    text: [...hidden.map((unit, k) => `${names[k]} = ${unitText(unit, variables)}`), `out = ${unitText(output, names)}`],
    n_hidden: hidden.length,
    fewest,
    activations: rows.map((row) => hidden.map((unit) => (score(unit, row) > 0 ? 1 : 0))),
    ...networkDrawing(hidden, output, variables, names),
  };
}
