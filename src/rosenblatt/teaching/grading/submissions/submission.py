"""Converts every form of submission to one list of weight vectors [w₀, w₁, …]."""

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np

from rosenblatt.teaching.grading.task import Array

MOST_VECTORS = 20_000


class NotAPath(ValueError):
    """The submission is not a list of weight vectors; the message explains why in a student's terms."""


@dataclass(frozen=True)
class Path:
    """The vectors as submitted, and those that differ from the one before."""

    handed_in: list[Array]
    vectors: list[Array]
    is_shared: bool  # all entries are equal: the loop probably changed one object in place

    @classmethod
    def of(cls, found: Any, width: int, start: Array | None) -> "Path":
        """Reads a list of weight vectors. A list that begins with the start, or repeats a vector, is fine."""
        handed_in, is_one_object = _vectors(found, width)
        changed: list[Array] = []
        previous = start
        for w in handed_in:
            if previous is None or not close(w, previous):
                changed.append(w)
            previous = w
        repeated = len(handed_in) > 1 and all(np.array_equal(w, handed_in[0]) for w in handed_in)
        repeated = repeated and bool(changed)  # else the weights never left the start, by another fault
        return cls(handed_in, changed, repeated and (is_one_object or len(handed_in) > 2))


def close(a: Array, b: Array) -> bool:
    """Equal up to the rounding of a long sum."""
    return bool(np.all(np.abs(a - b) <= 1e-9 * (1 + np.abs(b).max(initial=0.0))))


def common_length(a: Sequence[Array], b: Sequence[Array]) -> int:
    """The number of vectors at the beginning in which two paths agree."""
    for k, (x, y) in enumerate(zip(a, b, strict=False)):
        if not close(x, y):
            return k
    return min(len(a), len(b))


def _vectors(found: Any, width: int) -> tuple[list[Array], bool]:
    if found is None:
        raise NotAPath("Your function returned nothing (None): return the list of weights after each update.")
    if hasattr(found, "to_numpy"):  # a data frame, which would be iterated over the names of its columns
        found = found.to_numpy()
    if isinstance(found, str | bytes | Mapping) or not isinstance(found, Iterable):
        raise NotAPath(f"Your function returned {_kind(found)}: return the list of weights after each update.")
    entries = list(islice(iter(found), MOST_VECTORS + 1))
    if len(entries) > MOST_VECTORS:
        raise NotAPath(f"There are more than {MOST_VECTORS:,} weight vectors: does the loop ever end?")
    if entries and not isinstance(entries[0], Iterable):
        numbers = "one list of numbers" if isinstance(entries[0], int | float | np.number) else _kind(entries[0])
        raise NotAPath(f"There is {numbers} where a list of weight vectors is needed: one vector for each update.")
    one = len(entries) > 1 and not isinstance(found, np.ndarray) and all(entry is entries[0] for entry in entries)
    return [_vector(entry, width, k) for k, entry in enumerate(entries, 1)], one


def _vector(entry: Any, width: int, k: int) -> Array:
    """[w₀, w₁, …], or a pair of offset and weights in either order."""
    try:
        made = _joined(entry) if _is_pair(entry) else np.asarray(entry, dtype=float).ravel()
    except (TypeError, ValueError, OverflowError) as error:
        raise NotAPath(f"Entry {k} of your list is {_kind(entry)}: give the numbers [w₀, w₁, …].") from error
    if made.shape != (width,):
        raise NotAPath(f"Entry {k} of your list has {len(made)} numbers and should have {width}: [w₀, w₁, …].")
    if not np.isfinite(made).all():
        raise NotAPath(f"Entry {k} of your list has a value that is not a finite number.")
    return made


def _is_pair(entry: Any) -> bool:
    """Whether an entry has offset and weights separately: one of the two is a number, the other a vector."""
    return isinstance(entry, tuple | list) and len(entry) == 2 and sorted(np.ndim(part) for part in entry) == [0, 1]


def _joined(pair: Any) -> Array:
    offset, rest = sorted(pair, key=np.ndim)
    return np.array([offset, *rest], dtype=float)


def _kind(value: Any) -> str:
    name = type(value).__name__
    return {"str": "a text", "dict": "a dict", "int": "a number", "float": "a number", "NoneType": "None"}.get(
        name, f"an object of type {name}"
    )


_COLUMNS = {
    "step": "step", "epoch": "epoch", "example": "example", "x": "x", "y": "y", "score": "score",
    "mistake": "mistake", "mistake?": "mistake", "update": "update", "w": "after", "theta": "after", "θ": "after",
    "w after": "after", "θ after": "after", "after": "after", "b": "b", "b after": "b", "update of b": "update of b",
    "w before": "before", "θ before": "before", "before": "before", "b before": "b before",
}  # fmt: skip


def table_rows(text: str) -> list[dict[str, str]]:
    """The rows of a Markdown or CSV table, by the columns of `step_table`; empty cells are left out."""
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        raise NotAPath("The table is empty.")
    if lines[0].lstrip().startswith("|"):
        cells = [re.split(r"(?<!\\)\|", line.strip().strip("|")) for line in lines]
        cells = [row for row in cells if not all(re.fullmatch(r"\s*:?-*:?\s*", cell) for cell in row)]
    else:
        cells = list(csv.reader(io.StringIO(text)))
    head = [_COLUMNS.get(cell.strip().lower().replace("\\", ""), "") for cell in cells[0]]
    if "after" not in head and "score" not in head and "mistake" not in head:
        known = "score, mistake? and w after"
        raise NotAPath(f"The table has none of the columns {known} in its first line, which is {cells[0]!r}.")
    rows = []
    for number, row in enumerate(cells[1:], 1):
        if len(row) != len(head):
            raise NotAPath(f"Row {number} of the table has {len(row)} cells, and its first line {len(head)}.")
        filled = {key: cell.strip() for key, cell in zip(head, row, strict=True) if key}
        if filled.get("step") != "end":
            rows.append({key: cell for key, cell in filled.items() if cell and set(cell) != {"_"}})
    return rows


def numbers_in(cell: str, what: str) -> list[float]:
    """The numbers of a cell: integers, decimals and fractions, with either minus sign."""
    parts = [part for part in re.split(r"[,;\s\[\]()]+", cell.replace("−", "-")) if part]
    try:
        return [float(Fraction(part)) for part in parts]
    except (ValueError, ZeroDivisionError) as error:
        raise NotAPath(f"{what} is {cell!r}, which are no numbers.") from error
