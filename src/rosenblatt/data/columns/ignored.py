"""Counts of values that did not fit a model's columns and were ignored."""

from dataclasses import dataclass, field
from typing import Literal

from rosenblatt.data.columns.number_text import NumberFormat
from rosenblatt.data.errors import option

Kind = Literal["level", "number", "date"]


@dataclass
class Ignored:
    """How many values of each column did not fit, with the first as an example."""

    counts: dict[tuple[str, Kind], tuple[int, str]] = field(default_factory=dict)

    def add(self, column: str, kind: Kind, example: str, count: int) -> None:
        before, first = self.counts.get((column, kind), (0, example))
        self.counts[column, kind] = (before + count, first)

    def notes(self) -> tuple[str, ...]:
        """One sentence for each column."""
        return tuple(_note(column, kind, *counted) for (column, kind), counted in self.counts.items())


def _note(column: str, kind: Kind, count: int, example: str) -> str:
    values = f"{count:,} value{'s' if count > 1 else ''}"
    if kind == "level":
        which = "is" if count == 1 else "are"
        return f"column {column!r}: {values} {which} not in the training data, such as {example[:40]!r}, and ignored"
    noun = "number" if kind == "number" else "date"
    what = f"are not {noun}s" if count > 1 else f"is not a {noun}"
    counts = "count" if count > 1 else "counts"
    remedy = _remedy(example, count) if kind == "number" else ""
    return f"column {column!r}: {values} {what}, such as {example[:40]!r}, and {counts} as missing{remedy}"


def _remedy(example: str, count: int) -> str:
    """The option that reads a number with another decimal sign."""
    signs: tuple[Literal[",", "."], ...] = (",", ".")
    sign = next((sign for sign in signs if NumberFormat().with_decimal(sign).parse(example) is not None), None)
    return (
        ""
        if sign is None
        else f" ({option('decimal', sign)} reads {'it as a number' if count == 1 else 'them as numbers'})"
    )
