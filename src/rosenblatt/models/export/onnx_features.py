"""ONNX nodes that compute a model's features: from the inputs of the graph to filled and scaled numbers.

A table of numbers and dates has one input X with a value for each column; a table with categories has one
input for each column. A date is given in seconds since 1970-01-01 00:00.
"""

import re
from collections.abc import Collection
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rosenblatt.data.columns.booleans import spelling, spellings, with_decimal_point
from rosenblatt.data.columns.missing import MISSING
from rosenblatt.data.features import Column, Features

if TYPE_CHECKING:
    from rosenblatt.models.export.onnx_export import Graph

_DAY = 86400.0

#: The characters that `str.strip` removes, as a class of characters for RE2 and for Python.
_SPACES = "\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"


def features(graph: "Graph", wanted: Features) -> tuple[str, str | None]:
    """The feature matrix, and for each example whether it has a gap without a fill value (None: impossible)."""
    if all(column.is_number and not column.gap for column in wanted.columns):
        X, gap = _numbers(graph, graph.input("X", "DOUBLE", wanted.n_inputs), wanted.fills())
        gaps = [gap] if gap else []
    else:
        parts = _columns(graph, wanted)
        X = graph.add("Concat", *(part for features, _ in parts for part in features), axis=1)
        gaps = [gap for _, gap in parts if gap]
    if wanted.interactions:
        left, right = (graph.add("Gather", X, graph.constant(places), axis=1) for places in wanted.products())
        X = graph.add("Concat", X, graph.add("Mul", left, right), axis=1)
    if wanted.scale is not None:
        if wanted.scale.centre is not None:
            X = graph.add("Sub", X, graph.constant(wanted.scale.centre))
        X = graph.add("Div", X, graph.constant(wanted.scale.width))
    return X, any_of_row(graph, *gaps) if gaps else None


def any_of_row(graph: "Graph", *conditions: str) -> str:
    """Whether any Boolean in each row is true."""
    joined = graph.add("Concat", *conditions, axis=1) if len(conditions) > 1 else conditions[0]
    count = graph.add("ReduceSum", graph.to_double(joined), graph.constant(np.array([1])), keepdims=0)
    return graph.add("Greater", count, graph.constant(0.0))


def _columns(graph: "Graph", wanted: Features) -> list[tuple[list[str], str | None]]:
    """The features of each column, and for each example whether it has a gap without a fill value."""
    if any(column.vocabulary is not None for column in wanted.columns):
        return [
            _category(graph, column)
            if column.vocabulary is not None
            else _number(graph, column, graph.input(column.name, "DOUBLE", 1))
            for column in wanted.columns
        ]
    X = graph.input("X", "DOUBLE", len(wanted.columns))
    places = [graph.constant(np.array([j])) for j in range(len(wanted.columns))]
    return [
        _number(graph, column, graph.add("Gather", X, place, axis=1))
        for column, place in zip(wanted.columns, places, strict=True)
    ]


def _number(graph: "Graph", column: Column, value: str) -> tuple[list[str], str | None]:
    missing = graph.add("Or", graph.add("IsNaN", value), graph.add("IsInf", value))
    fill = np.array([np.nan if column.fill is None else float(column.fill)])
    value, gap = _numbers(graph, value, fill)
    parts = [_date_part(graph, value, part, column.origin) for part in column.parts] if column.is_date else [value]
    return [*parts, *([graph.to_double(missing)] if column.gap else [])], gap


def _category(graph: "Graph", column: Column) -> tuple[list[str], str | None]:
    text = graph.input(column.name, "STRING", 1)
    vocabulary = column.vocabulary or ()
    # As in `predict`, a spelling that is itself in the vocabulary has precedence.
    codes = {spelling(word): code for code, word in enumerate(vocabulary)}
    codes |= {word: code for code, word in enumerate(vocabulary) if word == spelling(word)}
    texts = {code: word for word, code in codes.items() if word not in MISSING}
    words = {k: [word, *(each for each in with_decimal_point(word) if each not in codes)] for k, word in texts.items()}
    matches = [_is_one_of(graph, text, words.get(k, [])) for k in range(len(vocabulary))]
    known = graph.add("Concat", *matches, axis=1)
    missing = _is_one_of(graph, text, MISSING)
    flag = [graph.to_double(missing)] if column.gap else []
    if column.fill is not None:
        filled = graph.constant(np.array([[word == column.fill for word in vocabulary]]))
        known = graph.add("Or", known, graph.add("And", missing, filled))
    known, gap = graph.to_double(known), missing if column.fill is None else None
    if not column.pooled:
        return [known, *flag], gap
    count = graph.add("ReduceSum", known, graph.constant(np.array([1])), keepdims=1)
    return [known, graph.add("Sub", graph.constant(1.0), count), *flag], gap


def _is_one_of(graph: "Graph", text: str, words: Collection[str]) -> str:
    """Whether each text is one of the words, apart from spaces around it and the spelling of Booleans."""
    spelled = [each for word in words for each in spellings(word)]
    # An empty class of characters is never matched; RE2 has no look-ahead for it.
    inner = "|".join(map(re.escape, spelled)) if spelled else r"[^\s\S]"
    return graph.add("RegexFullMatch", text, pattern=f"[{_SPACES}]*(?:{inner})[{_SPACES}]*")


def _numbers(graph: "Graph", X: str, fills: NDArray[np.float64]) -> tuple[str, str | None]:
    """The filled numbers, and which of them are gaps without a fill value (a fill of NaN)."""
    gap = graph.add("Or", graph.add("IsNaN", X), graph.add("IsInf", X))
    has_fill = ~np.isnan(fills)
    if not has_fill.any():
        return X, gap
    X = graph.add("Where", gap, graph.constant(fills), X)
    return X, None if has_fill.all() else graph.add("And", gap, graph.constant(~has_fill))


def _date_part(graph: "Graph", seconds: str, part: str, origin: float) -> str:
    """A feature of a date, from seconds since 1970; year and month by Hinnant's `civil_from_days`."""

    def op(kind: str, a: str, b: float | str) -> str:
        return graph.add(kind, a, b if isinstance(b, str) else graph.constant(b))

    def floor_div(a: str, b: float) -> str:
        return graph.add("Floor", op("Div", a, b))

    if part == "elapsed days":
        return op("Div", op("Sub", seconds, origin), _DAY)
    days = floor_div(seconds, _DAY)
    if part == "hour":
        return op("Div", op("Sub", seconds, op("Mul", days, _DAY)), 3600.0)
    if part == "weekday":
        shifted = op("Add", days, 3.0)
        return op("Sub", shifted, op("Mul", floor_div(shifted, 7.0), 7.0))
    z = op("Add", days, 719468.0)
    era = floor_div(z, 146097.0)
    doe = op("Sub", z, op("Mul", era, 146097.0))
    leap = op(
        "Sub", op("Add", op("Sub", doe, floor_div(doe, 1460.0)), floor_div(doe, 36524.0)), floor_div(doe, 146096.0)
    )
    yoe = floor_div(leap, 365.0)
    before = op("Sub", op("Add", op("Mul", yoe, 365.0), floor_div(yoe, 4.0)), floor_div(yoe, 100.0))
    doy = op("Sub", doe, before)
    mp = floor_div(op("Add", op("Mul", doy, 5.0), 2.0), 153.0)
    after_winter = graph.to_double(op("Greater", mp, 9.5))
    if part == "month":
        return op("Sub", op("Add", mp, 3.0), op("Mul", after_winter, 12.0))
    return op("Add", op("Add", yoe, op("Mul", era, 400.0)), after_winter)
