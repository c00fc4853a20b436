"""From a table in memory to a dataset: choose the target and the columns, encode them as features."""

from collections.abc import Callable, Collection, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rosenblatt.data.columns.arrow_values import coded, in_lower_case, with_booleans
from rosenblatt.data.columns.encode import COMPLETE_OR_IMPUTE, encode
from rosenblatt.data.columns.ignored import Ignored
from rosenblatt.data.columns.learn import TableLearner
from rosenblatt.data.dataset import Dataset
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
    target_of_model,
)
from rosenblatt.data.labels import (
    Labels,
    check_classes,
    labels_of_model,
    note_on_unlabelled,
    notes_on_labels,
    written_labels,
)
from rosenblatt.data.read_options import ReadOptions
from rosenblatt.data.sparse import Matrix

#: A matrix of numbers, the distinct labels as text, and the code of each row's label.
PlainTable = tuple[NDArray[np.float64], list[str], NDArray[np.int32]]


class InMemoryTable(Table, Protocol):
    """A table that is in memory."""

    def read_plain(self, numbers: Sequence[str], label: str | None) -> PlainTable | None:
        """Parses numeric columns and the labels without Arrow; None if the format or the content does not allow it."""

    def read(self, numbers: Collection[str], texts: Collection[str], prose: Collection[str] = ()) -> Any:
        """Returns an Arrow table of the named columns, as float64 or as text."""

    def place(self, row: int) -> str:
        """The place of a row (from 0) in the file, for messages."""


def dataset_of(table: InMemoryTable, name: str, options: ReadOptions, like: Features | None) -> Dataset:
    """Builds the examples of a table; with `like`, by a model's columns."""
    table.for_model = like is not None
    dataset = _for_training(table, name, options) if like is None else _for_model(table, name, options, like)
    if not dataset.n_examples:
        raise DataError(f"{name} has a header but no rows.")
    return dataset


def _for_training(table: InMemoryTable, name: str, options: ReadOptions) -> Dataset:
    schema = infer_schema(table, options, name)
    while True:
        try:
            return _trained_on(table, name, options, schema)
        except NotANumberError as error:  # a text in a row after the sample: read the column as text
            if error.column == schema.target:
                raise
            schema = schema.lenient(error.column)


def _trained_on(table: InMemoryTable, name: str, options: ReadOptions, schema: Schema) -> Dataset:
    used, numbers, target = schema.used, schema.numbers, schema.target
    learner = TableLearner(schema.guesses, options, name)
    plain = table.read_plain(used, target) if len(numbers) == len(used) else None
    X: Matrix
    if plain is not None:
        X, texts, codes = plain
        learner.add_matrix(X)
        features, doubts = schema.features(learner, table.names, name, options.interactions)
        kept = {column.name for column in features.columns}
        if len(kept) < len(used):
            X = np.ascontiguousarray(X[:, [j for j, column in enumerate(used) if column in kept]])
        X = features.with_products(X)
        texts, codes = with_booleans(texts, codes)
        arrow = None
    else:
        arrow = table.read(numbers, {*used, *([target] if target else [])} - numbers - schema.prose, schema.prose)
        texts, codes = coded(arrow.column(target))
    if options.lowercase_labels:
        texts, codes = in_lower_case(texts, codes)
    present = np.flatnonzero(codes >= 0)
    dropped = len(codes) - len(present)
    notes = (*note_on_unlabelled(dropped), *note_on_repeated_header(table.dropped_lines))
    place: Callable[[int], str] = table.place
    if len(codes) and not len(present):
        raise DataError(
            f"{name}, column {target!r}: every label is missing. Choose another target ({option('target')})."
        )
    if dropped:
        place, codes = selected(place, present), codes[present]
        arrow = None if arrow is None else arrow.take(present)
    labels = _labels(texts, codes, target, name, place)
    if arrow is not None:
        learner.add(arrow)
        features, doubts = schema.features(learner, table.names, name, options.interactions)
        ignored = Ignored()
        X = encode(arrow, features, source=name, place=place, missing=COMPLETE_OR_IMPUTE, ignored=ignored)
    return Dataset(
        name, X, labels, features, "", place, (*schema.notes, *doubts, *notes_on_labels(texts, target), *notes)
    )


def _for_model(table: InMemoryTable, name: str, options: ReadOptions, like: Features) -> Dataset:
    target = target_of_model(table.names, options.target, like, name)
    lenient = set(options.number)
    while True:
        try:
            return _read_like(table, name, options, like, target, lenient)
        except NotANumberError as error:
            if error.column in lenient:
                raise
            lenient.add(error.column)


def _read_like(
    table: InMemoryTable, name: str, options: ReadOptions, like: Features, target: str | None, lenient: Collection[str]
) -> Dataset:
    chosen = [column.name for column in like.columns]
    written = as_written(like, options.decimal)
    numbers, texts_, prose = model_types(written, lenient)
    is_plain = len(numbers) == len(chosen) == like.n_features
    plain = table.read_plain(chosen, target) if is_plain else None
    ignored = Ignored()
    labels = None
    if plain is not None:
        X: Matrix = plain[0]
        found = with_booleans(plain[1], plain[2])
    else:
        arrow = table.read(numbers, {*texts_, *([target] if target else [])} - numbers, prose)
        found = coded(arrow.column(target)) if target else ([], np.empty(0, np.int32))
        X = encode(arrow, written, source=name, place=table.place, unseen=options.unseen, ignored=ignored)
    if target:
        found = in_lower_case(*found) if options.lowercase_labels else found
        labels = _labels(*found, target, name, table.place, of_model=True)
    return Dataset(
        name,
        X,
        labels,
        like,
        "",
        table.place,
        (*table.notes, *note_on_repeated_header(table.dropped_lines), *ignored.notes()),
    )


def _labels(
    texts: list[str],
    codes: NDArray[np.int32],
    target: str | None,
    source: str,
    place: Callable[[int], str],
    *,
    of_model: bool = False,
) -> Labels:
    """The labels of all rows; a file for prediction may have missing labels, whose code is -1."""
    where = f"{source}, column {target!r}"
    if not of_model:
        labels = written_labels(texts, codes, where, place)
        check_classes(len(labels.classes), len(codes), where)
        return labels
    present = codes >= 0
    labels = labels_of_model(texts, codes[present])
    if present.all():
        return labels
    all_codes = np.full(len(codes), -1, dtype=np.int32)
    all_codes[present] = labels.codes
    return Labels(labels.classes, all_codes)
