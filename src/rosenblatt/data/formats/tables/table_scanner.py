"""From a table that is read in batches to a scan: the schema first, then the rows."""

from collections.abc import Callable, Collection, Iterator
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from rosenblatt.data.columns.arrow_values import coded, in_lower_case
from rosenblatt.data.columns.encode import COMPLETE, COMPLETE_OR_IMPUTE, encode
from rosenblatt.data.columns.ignored import Ignored
from rosenblatt.data.columns.learn import TableLearner
from rosenblatt.data.errors import DataError, option
from rosenblatt.data.features import Features
from rosenblatt.data.formats.tables.table_schema import (
    NotANumberError,
    Schema,
    Table,
    as_written,
    infer_schema,
    model_types,
    note_on_repeated_header,
    selected,
    shifted,
    target_of_model,
)
from rosenblatt.data.labels import are_numbers, check_classes, note_on_unlabelled, notes_on_labels, written_labels
from rosenblatt.data.read_options import ReadOptions
from rosenblatt.data.scanner import Block, Scan


class StreamedTable(Table, Protocol):
    """A table of which only some rows are in memory."""

    name: str
    n_bytes: int

    def batches(self, numbers: Collection[str], texts: Collection[str]) -> Iterator[pa.Table]:
        """Yields the named columns, as float64 or as text, from the first row on."""

    def place(self, row: int) -> str:
        """The place of a row (from 0) in the file, for messages."""

    def position(self) -> int:
        """The number of bytes read, out of `n_bytes`."""

    def fingerprint(self) -> str:
        """The fingerprint of the whole file."""


class TableScan(Scan):
    """A scan whose notes include the lines and values that were left out."""

    def __init__(self, *args: Any, table: StreamedTable, ignored: Ignored, unlabelled: list[int]) -> None:
        super().__init__(*args)
        self._table, self._ignored, self._unlabelled = table, ignored, unlabelled

    @property
    def notes(self) -> tuple[str, ...]:
        left_out = (*note_on_unlabelled(self._unlabelled[0]), *note_on_repeated_header(self._table.dropped_lines))
        return (*self._notes, *left_out, *self._ignored.notes())


def scan_of(table: StreamedTable, options: ReadOptions, like: Features | None) -> Scan:
    """A scan of a table. Training reads the file twice: once for the columns, once for the examples."""
    table.for_model = like is not None
    unlabelled = [0]
    notes: tuple[str, ...] = tuple(table.notes)
    labels: set[str] | None
    if like is None:
        schema, features, notes, labels = _learned(table, options, unlabelled)
        all_numbers = are_numbers(labels)
        target, numbers = schema.target, schema.numbers
    else:
        target = target_of_model(table.names, options.target, like, table.name)
        features = as_written(like, options.decimal)
        numbers = model_types(features, options.number)[0]
        labels, all_numbers = None, False
    wanted = {column.name for column in features.columns}
    ignored = Ignored()

    def blocks() -> Iterator[Block]:
        first = 0
        unlabelled[0] = 0
        ignored.counts.clear()
        texts = {*wanted, *([target] if target else [])} - numbers
        for batch in table.batches(numbers & wanted, texts):
            place = shifted(table.place, first)
            first += batch.num_rows
            y = None
            if target:
                where = f"{table.name}, column {target!r}"
                y, rows = _labels(_coded(batch.column(target), options), where, place, all_numbers)
                unlabelled[0] += batch.num_rows - len(rows)
                if len(rows) < batch.num_rows:
                    batch, place = batch.take(rows), selected(place, rows)
            unseen, missing = (options.unseen, COMPLETE) if like else ("error", COMPLETE_OR_IMPUTE)
            X = encode(batch, features, source=table.name, place=place, unseen=unseen, missing=missing, ignored=ignored)
            yield Block(X, y)

    found = TableScan(
        table.name,
        lambda: like or features,
        blocks,
        table.n_bytes,
        table.position,
        table.fingerprint,
        table.place,
        notes,
        table=table,
        ignored=ignored,
        unlabelled=unlabelled,
    )
    found.labels = labels
    return found


def _learned(
    table: StreamedTable, options: ReadOptions, unlabelled: list[int]
) -> tuple[Schema, Features, tuple[str, ...], set[str]]:
    """The schema, the features, the notes and the distinct labels, from one pass over the rows."""
    schema = infer_schema(table, options, table.name)
    while True:
        learner = TableLearner(schema.guesses, options, table.name)
        try:
            labels = _pass(table, schema, learner, unlabelled, options)
        except NotANumberError as error:
            schema = schema.lenient(error.column)
            continue
        features, doubts = schema.features(learner, table.names, table.name, options.interactions)
        notes = (*schema.notes, *doubts, *notes_on_labels(labels, schema.target))
        return schema, features, notes, labels


def _pass(
    table: StreamedTable, schema: Schema, learner: TableLearner, unlabelled: list[int], options: ReadOptions
) -> set[str]:
    """Learns from all rows with a label; returns the distinct labels."""
    target, first, n = schema.target, 0, 0
    labels: set[str] = set()
    where = f"{table.name}, column {target!r}"
    for batch in table.batches(schema.numbers, {*schema.used, *([target] if target else [])} - schema.numbers):
        texts, codes = _coded(batch.column(target), options)
        present = np.flatnonzero(codes >= 0)
        if len(present) < len(codes):
            batch = batch.take(present)
            unlabelled[0] += len(codes) - len(present)
        if len(labels) <= 1000:
            written_labels(texts, codes[present], where, selected(shifted(table.place, first), present))
            labels.update(texts)
        first += len(codes)
        n += len(present)
        learner.add(batch)
    if first and not n:
        raise DataError(f"{where}: every label is missing. Choose another target ({option('target')}).")
    if not first:
        raise DataError(f"{table.name} has a header but no rows.")
    check_classes(len(labels), n, where)
    return labels


def _coded(column: pa.ChunkedArray, options: ReadOptions) -> tuple[list[str], NDArray[np.int32]]:
    """The distinct labels, and each row's position among them."""
    found = coded(column)
    return in_lower_case(*found) if options.lowercase_labels else found


def _labels(
    found: tuple[list[str], NDArray[np.int32]], where: str, place: Callable[[int], str], all_numbers: bool
) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """The labels of a block and the rows that have one."""
    texts, codes = found
    rows = np.flatnonzero(codes >= 0)
    if all_numbers:
        return written_labels(texts, codes[rows], where, selected(place, rows)).y, rows
    return np.array(texts if texts else [""])[codes[rows]], rows
