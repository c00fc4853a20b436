"""Counts of values that did not fit a model's columns and were ignored."""

from dataclasses import dataclass, field
from typing import Literal

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
    return f"column {column!r}: {values} {what}, such as {example[:40]!r}, and {counts} as missing"
