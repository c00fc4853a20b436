"""Interactions of columns: products of the features of two columns, after missing values are filled."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rosenblatt.data.columns.column import Column
from rosenblatt.data.errors import DataError, option

#: `--interactions all` takes at most this many columns.
MAX_COLUMNS = 12
_MAX_PRODUCTS = 20_000

Pairs = tuple[tuple[str, str], ...]


def refuse_interactions(wanted: Sequence[str], form: str, source: str) -> None:
    """Refuses interactions for formats without named columns."""
    if wanted and form in ("svmlight", "npy", "npz"):
        raise DataError(f"{source} has no named columns, which --interactions needs. Write it as CSV or Parquet.")


def pairs_of(wanted: Sequence[str], columns: Sequence[Column], source: str) -> Pairs:
    """The pairs of columns that `A:B` or `all` name. The names may have colons of their own."""
    if not wanted:
        return ()
    by_name = {column.name: column for column in columns}
    hashed = next((column.name for column in columns if column.bits is not None), None)
    if hashed is not None:
        raise DataError(
            f"{source}: interactions need few features, and column {hashed!r} is hashed to many. Leave it out "
            f"({option('drop', hashed)})."
        )
    found: dict[tuple[str, str], None] = {}
    for text in wanted:
        for pair in _all(columns, source) if text == "all" else [_pair(text, by_name, source)]:
            found[pair] = None
    products = sum(_width(by_name[a]) * _width(by_name[b]) for a, b in found)
    if products > _MAX_PRODUCTS:
        raise DataError(
            f"{source}: the interactions are {products:,} features; at most {_MAX_PRODUCTS:,} are made. "
            "Name fewer pairs."
        )
    return tuple(found)


def _all(columns: Sequence[Column], source: str) -> list[tuple[str, str]]:
    if len(columns) > MAX_COLUMNS:
        raise DataError(
            f"{source}: --interactions all is for at most {MAX_COLUMNS} columns, and there are {len(columns)}. "
            f"Name pairs ({option('interactions', f'{columns[0].name}:{columns[1].name}')})."
        )
    return [(a.name, b.name) for k, a in enumerate(columns) for b in columns[k + 1 :]]


def _pair(text: str, by_name: dict[str, Column], source: str) -> tuple[str, str]:
    places = [k for k, sign in enumerate(text) if sign == ":"]
    pairs = [(text[:k], text[k + 1 :]) for k in places]
    known = [pair for pair in pairs if pair[0] in by_name and pair[1] in by_name]
    if not known:
        used = ", ".join(list(by_name)[:12])
        raise DataError(
            f"{source}: {text!r} are not two columns with a colon between them, or all. The columns in use are: {used}."
        )
    a, b = known[0]
    if a == b and not by_name[a].is_number:
        raise DataError(f"{source}: only a number can interact with itself, and column {a!r} is none.")
    return a, b


def _width(column: Column) -> int:
    """The features of a column without the one that flags missing values."""
    return column.width - column.gap


def places_of(columns: Sequence[Column], pairs: Pairs) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each product, the places of its two factors among the features of the columns.

    >>> left, right = places_of([Column("a"), Column("c", ("x", "y"))], (("a", "c"),))
    >>> left.tolist(), right.tolist()
    ([0, 0], [1, 2])
    """
    first = dict(zip((c.name for c in columns), np.cumsum([0, *(c.width for c in columns)]).tolist(), strict=False))
    widths = {column.name: _width(column) for column in columns}
    left = [first[a] + i for a, b in pairs for i in range(widths[a]) for _ in range(widths[b])]
    right = [first[b] + j for a, b in pairs for _ in range(widths[a]) for j in range(widths[b])]
    return np.array(left, dtype=np.int64), np.array(right, dtype=np.int64)
