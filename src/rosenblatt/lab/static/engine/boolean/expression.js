// A parser for Boolean expressions. Nothing is evaluated as JavaScript. Counterpart of boolean/expression.py.
//
// Operators from lowest to highest precedence: <-> <=>, -> => (right-associative), or | ||, xor ^, and & &&, not ~ !.
import { refuse } from "../requests.js";

const TOKEN = /(?<space>\s+)|(?<number>\d[\p{L}\p{N}_]*)|(?<word>[\p{L}_][\p{L}\p{N}_]*)|(?<sign><->|->|<=>|=>|&&|\|\||[&|^~!(),↔⇔→⇒∨⊕∧¬])/uy;
const SIGNS = { "&": "and", "∧": "and", "|": "or", "∨": "or", "^": "xor", "⊕": "xor", "~": "not", "!": "not", "¬": "not", "&&": "and", "||": "or", "→": "->", "⇒": "->", "=>": "->", "↔": "<->", "⇔": "<->", "<=>": "<->" };
const WORDS = ["and", "or", "not", "xor", "true", "false", "majority", "atleast"];
const BINARY = {
  "<->": [1, (a, b) => a === b],
  "->": [2, (a, b) => !a || b],
  or: [3, (a, b) => a || b],
  xor: [4, (a, b) => a !== b],
  and: [5, (a, b) => a && b],
};
const NOT = 6;
const MOST_DEPTH = 200;

function fail(problem, text, position) {
  const start = text.lastIndexOf("\n", position - 1) + 1;
  const line = text.slice(start).split("\n", 1)[0].replace(/\s/g, " ");
  refuse(`${problem} (character ${position + 1}):\n  ${line}\n  ${" ".repeat(position - start)}^`);
}

function tokensOf(text) {
  const found = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const position = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (!match) fail(`'${text[position]}' is not allowed in a Boolean expression`, text, position);
    const { space, number, word, sign } = match.groups;
    const lower = match[0].toLowerCase();
    if (space) continue;
    if (number) found.push({ kind: "number", text: number, position });
    else if (word && ["true", "false"].includes(lower)) found.push({ kind: "constant", text: lower, position });
    else if (word && ["majority", "atleast"].includes(lower)) found.push({ kind: "call", text: lower, position });
    else if (word) found.push({ kind: WORDS.includes(lower) ? "operator" : "name", text: WORDS.includes(lower) ? lower : word, position });
    else found.push("(),".includes(sign) ? { kind: sign, text: sign, position } : { kind: "operator", text: SIGNS[sign] ?? sign, position });
  }
  return [...found, { kind: "end", text: "", position: text.trimEnd().length }];
}

// { variables, bits } of an expression; variables in the order of their first appearance.
export function parsed(text, mostVariables, refuseMany) {
  const tokens = tokensOf(text);
  const variables = [...new Set(tokens.filter(({ kind }) => kind === "name").map((token) => token.text))];
  if (variables.length > mostVariables) refuseMany(variables.length);
  return { variables, bits: new Parser(text, tokens, variables).table().map((value) => (value ? "1" : "0")).join("") };
}

// Each rule returns the truth table of the subexpression that it has read.
class Parser {
  constructor(text, tokens, names) {
    Object.assign(this, { text, tokens, names, next: 0, depth: 0, size: 1 << names.length });
  }

  table() {
    const table = this.expression(0);
    const end = this.tokens[this.next];
    if (end.kind === ")") this.fail("this closing bracket has no opening one", end);
    if (end.kind !== "end") this.fail(`an operator is missing before '${end.text}'`, end);
    return table;
  }

  expression(loosest) {
    this.depth += 1;
    if (this.depth > MOST_DEPTH) this.fail(`more than ${MOST_DEPTH} levels of nesting`, this.tokens[this.next]);
    let left = this.operand();
    for (;;) {
      const token = this.tokens[this.next];
      if (token.kind !== "operator" || !(token.text in BINARY)) break;
      const [strength, combine] = BINARY[token.text];
      if (strength < loosest) break;
      this.next += 1;
      const right = this.expression(token.text === "->" ? strength : strength + 1);
      left = left.map((value, row) => combine(value, right[row]));
    }
    this.depth -= 1;
    return left;
  }

  operand() {
    const token = this.tokens[this.next++];
    const all = (value) => new Array(this.size).fill(value);
    if (token.kind === "name") {
      const shift = this.names.length - 1 - this.names.indexOf(token.text);
      return all(false).map((_, row) => Boolean((row >> shift) & 1));
    }
    if (token.kind === "constant" || ["0", "1"].includes(token.text)) return all(["1", "true"].includes(token.text));
    if (token.kind === "operator" && token.text === "not") return this.expression(NOT).map((value) => !value);
    if (token.kind === "(") {
      const inside = this.expression(0);
      this.close(token);
      return inside;
    }
    if (token.kind === "call") return this.call(token);
    if (token.kind === "number") this.fail(`'${token.text}' is not a truth value; use 0 or 1 (for a truth table use from_table)`, token);
    return this.fail(`a variable, a constant or an opening bracket is missing ${token.kind === "end" ? "at the end" : `before '${token.text}'`}`, token);
  }

  call(call) {
    const opening = this.tokens[this.next++];
    if (opening.kind !== "(") this.fail(`'${call.text}' needs its arguments in brackets`, opening);
    const counted = call.text === "atleast" ? this.tokens[this.next++] : null;
    if (counted) {
      if (!/^\d+$/.test(counted.text)) this.fail("atleast(m, …) begins with a whole number m", counted);
      const comma = this.tokens[this.next++];
      if (comma.kind !== ",") this.fail("atleast(m, …) needs a comma and arguments after m", comma);
    }
    const list = [this.expression(0)];
    while (this.tokens[this.next].kind === ",") {
      this.next += 1;
      list.push(this.expression(0));
    }
    this.close(opening);
    const least = counted ? Number(counted.text) : Math.floor(list.length / 2) + 1;
    if (counted && !(least >= 1 && least <= list.length)) this.fail(`m is ${least}; of ${list.length} arguments it must be 1 to ${list.length}`, counted);
    return list[0].map((_, row) => list.filter((table) => table[row]).length >= least);
  }

  close(opening) {
    const token = this.tokens[this.next++];
    if (token.kind === "end") this.fail("this bracket is never closed", opening);
    if (token.kind !== ")") this.fail(`an operator or a closing bracket is missing before '${token.text}'`, token);
  }

  fail(problem, token) {
    return fail(problem, this.text, token.position);
  }
}
