"""A parser for Boolean expressions. Nothing is evaluated as Python.

Operators from lowest to highest precedence: `<-> <=>`, `-> =>` (right-associative), `or | ||`, `xor ^`, `and & &&`,
`not ~ !`. The symbols ↔ ⇔ → ⇒ ∨ ⊕ ∧ ¬ are accepted as well. Constants are 0, 1, true and false. `majority(a, b, …)` is
true if more than half of its arguments are true, `atleast(m, a, b, …)` if at least m are. Keywords are not
case-sensitive. Every other identifier is a variable.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from rosenblatt.boolean.truth_tables import MAX_VARIABLES, Table

_TOKEN = re.compile(
    r"(?P<space>\s+)|(?P<number>\d\w*)|(?P<word>[^\W\d]\w*)|"
    r"(?P<sign><->|->|<=>|=>|&&|\|\||[&|^~!(),↔⇔→⇒∨⊕∧¬])"
)
_SIGNS = {"&": "and", "∧": "and", "|": "or", "∨": "or", "^": "xor", "⊕": "xor", "~": "not", "!": "not", "¬": "not"}
_SIGNS |= {"&&": "and", "||": "or", "→": "->", "⇒": "->", "=>": "->", "↔": "<->", "⇔": "<->", "<=>": "<->"}
_WORDS = frozenset({"and", "or", "not", "xor", "true", "false", "majority", "atleast"})

_BINARY: dict[str, tuple[int, Callable[[Table, Table], Table]]] = {
    "<->": (1, lambda a, b: a == b),
    "->": (2, lambda a, b: ~a | b),
    "or": (3, lambda a, b: a | b),
    "xor": (4, lambda a, b: a ^ b),
    "and": (5, lambda a, b: a & b),
}
_NOT = 6
_MAX_DEPTH = 200  # of nested brackets and operators; stays below Python's recursion limit


class ExpressionError(ValueError):
    """A syntax error in an expression, with the character where it was found (`position`, counted from 0).

    Examples
    --------
    >>> from rosenblatt.boolean import BooleanFunction
    >>> BooleanFunction("a b")
    Traceback (most recent call last):
        ...
    rosenblatt.boolean.expression.ExpressionError: an operator is missing before 'b' (character 3):
      a b
        ^
    """

    def __init__(self, problem: str, text: str, position: int) -> None:
        self.problem, self.text, self.position = problem, text, position
        start = text.rfind("\n", 0, position) + 1
        line = re.sub(r"\s", " ", text[start:].split("\n", 1)[0])
        super().__init__(f"{problem} (character {position + 1}):\n  {line}\n  {' ' * (position - start)}^")


@dataclass(frozen=True)
class Token:
    kind: str  # "operator", "name", "constant", "number", "call", "(", ")", ",", "end"
    text: str
    position: int


def tokens_of(text: str) -> list[Token]:
    """Splits an expression into tokens; the last one has the kind "end"."""
    found = []
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise ExpressionError(f"{text[position]!r} is not allowed in a Boolean expression", text, position)
        if match.lastgroup != "space":
            found.append(_classified(str(match.lastgroup), match.group(), position))
        position = match.end()
    return [*found, Token("end", "", len(text.rstrip()))]


def _classified(group: str, text: str, position: int) -> Token:
    lower = text.lower()
    if group == "number":
        return Token("number", text, position)
    if group == "word":
        if lower in ("true", "false"):
            return Token("constant", lower, position)
        if lower in ("majority", "atleast"):
            return Token("call", lower, position)
        return Token("operator", lower, position) if lower in _WORDS else Token("name", text, position)
    if text in "(),":
        return Token(text, text, position)
    return Token("operator", _SIGNS.get(text, text), position)


def parse(text: str, variables: Sequence[str] | None = None) -> tuple[tuple[str, ...], Table]:
    """Returns the variables (in order of first appearance unless given) and the truth table."""
    tokens = tokens_of(text)
    named = [token for token in tokens if token.kind == "name"]
    names = tuple(dict.fromkeys(token.text for token in named)) if variables is None else tuple(variables)
    for token in named:
        if token.text not in names:
            listed = ", ".join(names) or "none"
            raise ExpressionError(f"{token.text!r} is not among the variables given ({listed})", text, token.position)
    if len(names) > MAX_VARIABLES:
        seventeenth = next((token for token in named if token.text == names[MAX_VARIABLES]), tokens[-1])
        raise ExpressionError(
            f"{names[MAX_VARIABLES]!r} is variable number {MAX_VARIABLES + 1}; at most {MAX_VARIABLES} are possible",
            text,
            seventeenth.position,
        )
    return names, _Parser(text, tokens, names).table()


class _Parser:
    """A precedence-climbing parser. Each rule returns the truth table of the subexpression that it has read."""

    def __init__(self, text: str, tokens: list[Token], names: tuple[str, ...]) -> None:
        self._text, self._tokens, self._next, self._depth = text, tokens, 0, 0
        self._n = len(names)
        self._axis = {name: axis for axis, name in enumerate(names)}

    def table(self) -> Table:
        table = self._expression(0)
        end = self._peek()
        if end.kind == ")":
            raise self._error("this closing bracket has no opening one", end)
        if end.kind != "end":
            raise self._error(f"an operator is missing before {end.text!r}", end)
        return table

    def _expression(self, loosest: int) -> Table:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise self._error(f"more than {_MAX_DEPTH} levels of nesting", self._peek())
        left = self._operand()
        while (token := self._peek()).kind == "operator" and token.text in _BINARY:
            strength, combine = _BINARY[token.text]
            if strength < loosest:
                break
            self._take()
            left = combine(left, self._expression(strength if token.text == "->" else strength + 1))
        self._depth -= 1
        return left

    def _operand(self) -> Table:
        token = self._take()
        if token.kind == "name":
            index = np.arange(1 << self._n) >> (self._n - 1 - self._axis[token.text])
            return (index & 1).astype(np.bool_)
        if token.kind == "constant" or token.text in ("0", "1"):
            return np.full(1 << self._n, token.text in ("1", "true"))
        if token.kind == "operator" and token.text == "not":
            return ~self._expression(_NOT)
        if token.kind == "(":
            inside = self._expression(0)
            self._close(token)
            return inside
        if token.kind == "call":
            return self._call(token)
        if token.kind == "number":
            raise self._error(
                f"{token.text!r} is not a truth value; use 0 or 1 (for a truth table use from_table)", token
            )
        where = "at the end" if token.kind == "end" else f"before {token.text!r}"
        raise self._error(f"a variable, a constant or an opening bracket is missing {where}", token)

    def _call(self, call: Token) -> Table:
        opening = self._take()
        if opening.kind != "(":
            raise self._error(f"{call.text!r} needs its arguments in brackets", opening)
        counted = self._take() if call.text == "atleast" else None
        if counted is not None:
            if not counted.text.isdecimal():
                raise self._error("atleast(m, …) begins with a whole number m", counted)
            if self._take().kind != ",":
                raise self._error("atleast(m, …) needs a comma and arguments after m", self._tokens[self._next - 1])
        arguments = [self._expression(0)]
        while self._peek().kind == ",":
            self._take()
            arguments.append(self._expression(0))
        self._close(opening)
        least = len(arguments) // 2 + 1 if counted is None else int(counted.text)
        if counted is not None and not 1 <= least <= len(arguments):
            raise self._error(f"m is {least}; of {len(arguments)} arguments it must be 1 to {len(arguments)}", counted)
        enough: Table = np.sum(arguments, axis=0) >= least
        return enough

    def _close(self, opening: Token) -> None:
        token = self._take()
        if token.kind == "end":
            raise self._error("this bracket is never closed", opening)
        if token.kind != ")":
            raise self._error(f"an operator or a closing bracket is missing before {token.text!r}", token)

    def _peek(self) -> Token:
        return self._tokens[self._next]

    def _take(self) -> Token:
        token = self._tokens[self._next]
        self._next = min(self._next + 1, len(self._tokens) - 1)
        return token

    def _error(self, problem: str, token: Token) -> ExpressionError:
        return ExpressionError(problem, self._text, token.position)
