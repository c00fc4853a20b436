"""The schema of a table: which column is the target, and what each other column is."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NoReturn, Protocol

import pyarrow as pa

from rosenblatt.data.columns.column import Column, ColumnReport
from rosenblatt.data.columns.index_columns import data_columns, note_on
from rosenblatt.data.columns.infer import ColumnGuess, infer_column
from rosenblatt.data.columns.interactions import pairs_of
from rosenblatt.data.columns.learn import TableLearner
from rosenblatt.data.columns.number_text import NumberFormat
from rosenblatt.data.dataset import refuse_kind
from rosenblatt.data.errors import DataError, option
from rosenblatt.data.features import Features
from rosenblatt.data.formats.delimited.csv_header import other_delimiter
from rosenblatt.data.read_options import ReadOptions

_TARGET_NAMES = ("target", "label", "class")


def is_target_name(name: str) -> bool:
    """Whether a name says that the column is the target."""
    return name.strip().lower() in _TARGET_NAMES


def named_target(names: Sequence[str]) -> int | None:
    """The position of the column whose name says that it is the target; None if there is none, or more than one.

    A column `y` counts only if it is the first or the last one, and no other name fits: elsewhere it is a coordinate.

    >>> [named_target(names) for names in (["a", "Label", "b"], ["x", "y", "kind"], ["y", "x1"], ["class", "x", "y"])]
    [1, None, 0, 0]
    """
    titles = [name.strip().lower() for name in names]
    found = [k for k, name in enumerate(names) if is_target_name(name)]
    if not found:
        found = [k for k in sorted({0, len(titles) - 1}) if titles and titles[k] == "y"]
    return found[0] if len(found) == 1 else None


class Table(Protocol):
    """A table whose first rows are known."""

    names: list[str]
    index: Collection[str]  # the columns that the file declares to be an index
    notes: Sequence[str]  # notes on the format of the file
    prefer_comma: bool  # a decimal comma is likelier than a comma between thousands
    for_model: bool  # the columns are those of a model

    @property
    def dropped_lines(self) -> int:
        """The number of lines that repeat the header and are left out. It is known when all rows have been read."""

    def sample(self) -> pa.Table:
        """The first rows: numbers as numbers, all other types as text."""


class TableDefaults:
    """The usual properties of a `Table`. A format sets those that differ."""

    index: Collection[str] = ()
    notes: Sequence[str] = ()
    prefer_comma = False
    for_model = False
    dropped_lines = 0


def note_on_repeated_header(lines: int) -> tuple[str, ...]:
    """The number of lines that are left out because they repeat the header."""
    if not lines:
        return ()
    return ("1 line repeats the header and is left out" if lines == 1 else
            f"{lines:,} lines repeat the header and are left out",)  # fmt: skip


class NotANumberError(DataError):
    """A text in a column that is read as numbers."""

    def __init__(self, message: str, column: str) -> None:
        super().__init__(message)
        self.column = column


@dataclass(frozen=True)
class Schema:
    """The target and a guess for every other column that holds data."""

    target: str | None
    guesses: tuple[ColumnGuess, ...]
    notes: tuple[str, ...]
    reports: tuple[ColumnReport, ...] = ()  # reports on columns left out by an option or as an index

    @property
    def used(self) -> list[str]:
        return [guess.name for guess in self.guesses if not guess.left_out]

    @property
    def numbers(self) -> set[str]:
        """The columns to read as numbers; the others are read as text."""
        return {guess.name for guess in self.guesses if not guess.left_out and not guess.as_text}

    @property
    def prose(self) -> set[str]:
        return {guess.name for guess in self.guesses if guess.type == "text"}

    def lenient(self, column: str) -> "Schema":
        """The same schema, in which texts in a numeric column count as missing."""
        if column not in self.numbers:
            raise AssertionError(f"column {column!r} is not read as numbers")
        return replace(
            self, guesses=tuple(guess.lenient() if guess.name == column else guess for guess in self.guesses)
        )

    def features(
        self, learner: TableLearner, names: Sequence[str], source: str, interactions: Sequence[str]
    ) -> tuple[Features, tuple[str, ...]]:
        """The features that were learned, and notes on doubtful guesses."""
        columns, reports = learner.finish()
        place = {name: k for k, name in enumerate(names)}
        target = [ColumnReport(self.target, "target")] if self.target else []
        report = sorted([*reports, *self.reports, *target], key=lambda entry: place.get(entry.name, 0))
        if not columns:
            reasons = "; ".join(f"{entry.name!r} is {entry.line()}" for entry in report if entry.type != "target")
            first = next((entry.name for entry in report if entry.type != "target"), "COLUMN")
            raise DataError(
                f"{source}: every column but the target {self.target!r} is left out: {reasons[:400]}. "
                f"Keep one ({option('keep', first)})."
            )
        pairs = pairs_of(interactions, columns, source)
        doubts = tuple(entry.doubt for entry in report if entry.doubt)
        return Features.of_table(columns, self.target, report, pairs), doubts


def infer_schema(table: Table, options: ReadOptions, source: str) -> Schema:
    """The schema of a table for training."""
    notes = list(table.notes)
    target = target_column(table, options.target, source, notes)
    if options.keep_all:
        options = replace(options, keep=[name for name in table.names if name != target])
    asked = [*options.keep, *options.number, *options.categorical, *options.date, *options.text]
    check_known([*options.drop, *asked], table.names, source)
    if target in asked:
        raise DataError(f"{source}: {target!r} is the target and cannot also be a feature. Name another target.")
    wanted = {*data_columns(table.names, table.index), *asked}
    others = [column for column in table.names if column != target]
    notes += [note_on(c, table.index) for c in others if c not in wanted and c not in options.drop]
    chosen = [column for column in others if column in wanted and column not in options.drop]
    if not chosen:
        index = ", not counting the index" if others else ""
        sign = other_delimiter(target, "")
        remedy = "" if sign is None else f" Name what separates the columns ({option('delimiter', sign)})."
        raise DataError(f"{source} has no columns but the target {target!r}{index}.{remedy}")
    sample = table.sample()
    guesses = [infer_column(name, sample.column(name), options, prefer_comma=table.prefer_comma) for name in chosen]
    left_out = [ColumnReport(name, "dropped", use="left out as asked") for name in others if name in options.drop]
    left_out += [ColumnReport(c, "index", use="left out") for c in others if c not in wanted and c not in options.drop]
    return Schema(target, tuple(guesses), tuple(notes), tuple(left_out))


def model_types(like: Features, lenient: Collection[str]) -> tuple[set[str], set[str], set[str]]:
    """The columns of a model to read as numbers, as text, and as texts that hardly repeat."""
    numbers = {c.name for c in like.columns if c.is_number and c.number_format is None and c.name not in lenient}
    prose = {column.name for column in like.columns if column.is_text}
    return numbers, {column.name for column in like.columns} - numbers - prose, prose


def as_written(like: Features, decimal: Literal[".", ","] | None) -> Features:
    """A model's columns for a file whose numbers have another decimal sign."""
    if decimal is None:
        return like
    columns = [
        replace(column, number_format=(column.number_format or NumberFormat()).with_decimal(decimal))
        if column.is_number
        else column
        for column in like.columns
    ]
    return replace(like, columns=tuple(columns))


def target_of_model(names: Sequence[str], wanted: str | None, like: Features, source: str) -> str | None:
    """The column of labels, which a file for prediction need not have."""
    if like.kind != "table":
        refuse_kind(source, "a table", like)
    known = set(names)
    for column in like.columns:
        if column.name not in known:
            _refuse_absent(column, names, source)
    if wanted is not None:
        check_known([wanted], names, source)
        return wanted
    return like.target if like.target in names else None


def _refuse_absent(column: Column, names: Sequence[str], source: str) -> NoReturn:
    """Refuses a file without a column of the model, and names one that differs only in case."""
    alike = next((name for name in names if name.casefold() == column.name.casefold()), None)
    if alike is not None:
        remedy = f"Rename {alike!r}, which differs only in upper and lower case."
    else:
        remedy = "Add the column; its cells may be empty." if column.fill is not None else "Add the column."
    raise DataError(
        f"{source} has no column {column.name!r}, which the model needs. {remedy} It has: {_listed(names)}."
    )


def target_column(table: Table, wanted: str | None, source: str, notes: list[str]) -> str:
    """The column of labels: the one `wanted`, else found by its name, else the last. A guess is added to `notes`."""
    if wanted is not None:
        check_known([wanted], table.names, source)
        return wanted
    names = data_columns(table.names, table.index)
    named = named_target(names)
    target = names[-1 if named is None else named]
    why = "the last column" if named is None else "by its name"
    alike = [name for name in names if is_target_name(name) and name != target]
    also = f", not {' or '.join(map(repr, alike))}" if alike else ""
    notes.append(f"the target is {target!r}, {why}{also} (--target overrides this)")
    return target


def check_known(wanted: Sequence[str], names: Sequence[str], source: str) -> None:
    """Refuses names that no column has."""
    known = set(names)
    for name in wanted:
        if name not in known:
            raise DataError(f"{source} has no column {name!r}. It has: {_listed(names)}.")


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:12]) + (", …" if len(names) > 12 else "")


def shifted(place: Callable[[int], str], first: int) -> Callable[[int], str]:
    """The positions in the file of the rows of a block that begins at row `first`."""
    return lambda row: place(first + row)


def selected(place: Callable[[int], str], rows: Any) -> Callable[[int], str]:
    """The positions in the file of the selected rows."""
    return lambda row: place(int(rows[row]))
