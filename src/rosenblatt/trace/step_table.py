"""The steps of a run as a table for a blackboard, a handout or a spreadsheet."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from rosenblatt.conventions.step import Step
from rosenblatt.trace.table_formats import BLANK, FORMATS, Cell, Format, write_table

Notation = Literal["w0", "wb", "theta"]
Labels = Literal["signs", "binary"]

COLUMNS = (
    "step", "epoch", "example", "x", "y", "score", "mistake", "before", "update", "after",
    "run", "run_pocket", "w_pocket",
)  # fmt: skip
BLACKBOARD = ("step", "example", "x", "y", "score", "mistake", "before", "update", "after")
POCKET = ("run", "run_pocket", "w_pocket")
_VECTORS = {"before": "{w} before", "update": "update", "after": "{w} after", "w_pocket": "{w} in the pocket"}
_OFFSETS = {"before": "b before", "update": "update of b", "after": "b after", "w_pocket": "b in the pocket"}
_HEADINGS = {"x": "{x}", "y": "{y}", "run_pocket": "run in the pocket", "mistake": "mistake?"}


@dataclass(frozen=True)
class Pocket:
    """The pocket after a step: L0's counters and the stored vector."""

    run: int
    run_pocket: int
    w_pocket: Any


def step_table(
    steps: Iterable[Step],
    to: Format = "markdown",
    *,
    columns: Sequence[str] | None = None,
    notation: Notation = "w0",
    labels: Labels = "signs",
    blanks: Sequence[str] = (),
    mistakes_only: bool = False,
    pocket: bool = False,
    decimals: bool = False,
    has_offset: bool = True,
) -> str:
    """Steps as a table in LaTeX, Markdown, CSV, HTML or Typst.

    Parameters
    ----------
    steps : iterable of Step
        From `textbook.online`, or a `Trace`.
    to : {"markdown", "latex", "csv", "html", "typst"}, default="markdown"
        LaTeX is a `tabular` to be included, and needs no package.
    columns : sequence of str, default=None
        Some of step, epoch, example, x, y, score, mistake, before, update, after, run, run_pocket, w_pocket. None:
        the columns that are usual on a blackboard.
    notation : {"w0", "wb", "theta"}, default="w0"
        Vectors with w₀ first (and x with its 1), w and b apart, or θ with θ₀ first.
    labels : {"signs", "binary"}, default="signs"
        +1 and −1, or 1 and 0.
    blanks : sequence of str, default=()
        Columns that are left empty, for a student to fill in.
    mistakes_only : bool, default=False
        Leave out the steps that change nothing.
    pocket : bool, default=False
        Add L0's run, run_pocket and w_pocket after each step, and the comparison after the last one.
    decimals : bool, default=False
        Write 0.5 for 1/2.
    has_offset : bool, default=True
        Whether vectors begin with an offset.

    Examples
    --------
    >>> from rosenblatt import conventions, textbook, trace
    >>> steps = textbook.online([[5, 7], [2, 6]], [1, -1], **conventions.L4, start=[-5, 0, 1], max_steps=2)
    >>> print(trace.step_table(steps, columns=["example", "x", "y", "score", "mistake", "after"]))
    | example | x         | y  | score | mistake? | w after      |
    |---------|-----------|----|-------|----------|--------------|
    | 1       | [1, 5, 7] | +1 | 2     | no       | [-5, 0, 1]   |
    | 2       | [1, 2, 6] | -1 | 1     | yes      | [-6, -2, -5] |
    """
    _one_of("to", to, FORMATS)
    _one_of("notation", notation, get_args(Notation))
    _one_of("labels", labels, get_args(Labels))
    if columns is None:
        columns = (*BLACKBOARD, *POCKET) if pocket else BLACKBOARD
    for column in (*columns, *blanks):
        _one_of("a column", column, COLUMNS)
    strange = [column for column in blanks if column not in columns]
    if strange:
        raise ValueError(f"the blank column {strange[0]!r} is not in the table, which has {', '.join(columns)}.")
    apart = notation == "wb" and has_offset
    made = _Rows(tuple(columns), apart, labels, frozenset(blanks), has_offset)
    symbol = "theta" if notation == "theta" else "w"
    headings = [heading.replace("{w}", f"{{{symbol}}}") for heading in made.headings()]
    return write_table(headings, list(made.rows(steps, mistakes_only)), to, decimals)


def pocketed(steps: Iterable[Step]) -> Iterator[tuple[Step | None, Pocket]]:
    """Yields each step with L0's pocket after it; last None, with the pocket after the comparison behind the loop."""
    run = run_pocket = 0
    w_pocket: Any = None
    w: Any = None
    for step in steps:
        if w_pocket is None:
            w_pocket = step.w_before
        if step.mistake:
            if run > run_pocket:
                w_pocket, run_pocket = step.w_before, run
            run = 0
        else:
            run += 1
        w = step.w_after
        yield step, Pocket(run, run_pocket, w_pocket)
    if run > run_pocket:
        w_pocket = w
    yield None, Pocket(run, run_pocket, w_pocket)


@dataclass(frozen=True)
class _Rows:
    columns: tuple[str, ...]
    apart: bool  # w and b in separate columns
    labels: Labels
    blanks: frozenset[str]
    has_offset: bool

    def headings(self) -> list[str]:
        made = []
        for column in self.columns:
            made.append(_VECTORS.get(column) or _HEADINGS.get(column, column))
            if self.apart and column in _OFFSETS:
                made.append(_OFFSETS[column])
        return made

    def rows(self, steps: Iterable[Step], mistakes_only: bool) -> Iterator[list[Cell]]:
        with_pocket = any(column in POCKET for column in self.columns)
        for step, pocket in pocketed(steps):
            if step is None:
                if with_pocket and pocket.w_pocket is not None:
                    yield self._row({"step": "end", **_pocket_values(pocket)})
            elif step.mistake or not mistakes_only:
                yield self._row(self._values(step) | _pocket_values(pocket))

    def _values(self, step: Step) -> dict[str, Any]:
        return {
            "step": step.k + 1,
            "epoch": step.epoch + 1,
            "example": step.i + 1,
            "x": step.x[1:] if self.apart else step.x,
            "y": self._label(step),
            "score": step.score,
            "mistake": "yes" if step.mistake else "no",
            "before": step.w_before,
            "update": step.w_after - step.w_before if step.mistake else None,
            "after": step.w_after,
        }

    def _label(self, step: Step) -> Cell:
        if step.w_after.ndim > 1:
            return step.y
        return f"{step.y:+d}" if self.labels == "signs" else (step.y + 1) // 2

    def _row(self, values: dict[str, Any]) -> list[Cell]:
        cells: list[Cell] = []
        for column in self.columns:
            value = values.get(column, "")
            apart = self.apart and column in _OFFSETS
            if column in self.blanks and column in values:
                cells += [BLANK] * (1 + apart)
            elif value is None or isinstance(value, str):
                cells += ["none" if value is None else value] * (1 + apart)
            elif apart:
                offset, rest = _apart(np.asarray(value))
                cells += [rest, offset]
            else:
                cells.append(_cell(value))
        return cells


def _pocket_values(pocket: Pocket) -> dict[str, Any]:
    return {"run": pocket.run, "run_pocket": pocket.run_pocket, "w_pocket": pocket.w_pocket}


def _apart(w: Any) -> tuple[Cell, Cell]:
    return _cell(w[..., 0]), _cell(w[..., 1:])


def _cell(value: Any) -> Cell:
    found = np.asarray(value).tolist()
    if not isinstance(found, list):
        return found  # type: ignore[no-any-return]  # NumPy does not type `tolist`
    return tuple(tuple(row) if isinstance(row, list) else row for row in found)


def _one_of(what: str, value: str, known: Sequence[str]) -> None:
    if value not in known:
        raise ValueError(f"{what} must be one of {', '.join(known)}; got {value!r}.")
