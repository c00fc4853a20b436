"""Tables: which columns count, read the quick way where the text is plain, else by pyarrow."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rosenblatt.data.bytes import Bytes, named
from rosenblatt.data.columns import with_booleans
from rosenblatt.data.encode import COMPLETE, COMPLETE_OR_IMPUTE, encode, learn_columns, number_column
from rosenblatt.data.errors import DataError, option
from rosenblatt.data.features import Features
from rosenblatt.data.index_columns import data_columns, note_on
from rosenblatt.data.labels import Labels, written_labels
from rosenblatt.data.loaded import Loaded, refuse_kind
from rosenblatt.data.sparse import Matrix
from rosenblatt.data.tables import ArrowTable, open_table
from rosenblatt.data.text_tables import TextTable
from rosenblatt.data.wishes import Wishes

USUAL_TARGETS = ("target", "label", "class", "y")


class Guessing(Protocol):
    """A table that knows its columns and guesses which are numbers."""

    names: list[str]
    index: Collection[str]  # the columns that the file declares to be an index
    for_model: bool

    def guess(self) -> dict[str, bool]:
        """Whether each column is numeric."""


def read_table(source: str, found: Bytes, form: str, wishes: Wishes, like: Features | None) -> Loaded:
    """The examples of a CSV, TSV, Parquet or Arrow file; with `like`, by a model's columns."""
    return loaded_from(
        open_table(source, found, form, wishes.delimiter, wishes.has_header), named(source), wishes, like
    )


def loaded_from(table: TextTable | ArrowTable, name: str, wishes: Wishes, like: Features | None) -> Loaded:
    """The examples of a table."""
    notes: list[str] = []
    target: str | None
    table.for_model = like is not None
    if like is None:
        target = target_column(table, wishes.target, name, notes)
        chosen, numbers = chosen_columns(table, target, wishes, name, notes)
    else:
        target = target_of_model(table.names, wishes.target, like, name)
        chosen = [column.name for column in like.columns]
        numbers = {column.name for column in like.columns if column.is_number}
        wishes = replace(wishes, text=[column.name for column in like.columns if column.is_text])
    plain = table.read_plain(chosen, target) if isinstance(table, TextTable) and len(numbers) == len(chosen) else None
    X: Matrix
    if plain is not None:
        X, texts, codes = plain
        labels = _labels(*with_booleans(texts, codes), target, name, table.place) if target else None
        features = like or Features.of_table(
            [number_column(column, X[:, j], impute=wishes.impute) for j, column in enumerate(chosen)], target
        )
    else:
        texts_wanted = {*chosen, *([target] if target else [])} - numbers
        arrow = table.read(numbers, texts_wanted, wishes.text)
        columns = learn_columns(arrow, chosen, wishes, source=name) if not like else ()
        features = like or Features.of_table(columns, target)
        labels = _labels_of_column(arrow.column(target), target, name, table.place) if target else None
        missing = COMPLETE if like else COMPLETE_OR_IMPUTE
        X = encode(arrow, features, source=name, place=table.place, unseen=wishes.unseen, missing=missing)
    if not X.shape[0]:
        raise DataError(f"{name} has a header but no rows.")
    return Loaded(name, X, labels, features, "", table.place, tuple(notes))


def chosen_columns(
    table: Guessing, target: str, wishes: Wishes, name: str, notes: list[str]
) -> tuple[list[str], set[str]]:
    """The columns to learn from, and which of them are numbers; an index that is left out is noted."""
    _check_known([*wishes.drop, *wishes.categorical, *wishes.text], table.names, name)
    texts = {*wishes.categorical, *wishes.text}
    wanted = {*data_columns(table.names, table.index), *texts}
    others = [column for column in table.names if column != target and column not in set(wishes.drop)]
    chosen = [column for column in others if column in wanted]
    notes += [note_on(column, table.index) for column in dict.fromkeys(others) if column not in wanted]
    if not chosen:
        index = ", not counting the index" if others else ""
        raise DataError(f"{name} has no columns but the target {target!r}{index}.")
    guess = table.guess()
    return chosen, {column for column in chosen if guess[column] and column not in texts}


def target_of_model(names: Sequence[str], wish: str | None, like: Features, source: str) -> str | None:
    """The column of labels, which a file to predict need not have."""
    if like.kind != "table":
        refuse_kind(source, "a table", like)
    _check_known([column.name for column in like.columns], names, source)
    if wish is not None:
        _check_known([wish], names, source)
        return wish
    return like.target if like.target in names else None


def target_column(table: Guessing, wish: str | None, source: str, notes: list[str]) -> str:
    """The column of labels: the one wished for, else by its name, else the last; a guess is noted."""
    if wish is not None:
        _check_known([wish], table.names, source)
        return wish
    names = data_columns(table.names, table.index)
    usual = [name for name in names if name.lower() in USUAL_TARGETS]
    target = usual[0] if len(usual) == 1 else names[-1]
    why = "by its name" if len(usual) == 1 else "the last column"
    notes.append(f"the target is {target!r}, {why} (--target says otherwise)")
    return target


def _check_known(wanted: Sequence[str], names: Sequence[str], source: str) -> None:
    known = set(names)
    for name in wanted:
        if name not in known:
            shown = ", ".join(names[:12]) + (", …" if len(names) > 12 else "")
            raise DataError(f"{source} has no column {name!r}. It has: {shown}.")


def _labels_of_column(column: Any, target: str, source: str, place: Callable[[int], str]) -> Labels:
    from rosenblatt.data.columns import coded

    if column.null_count:
        raise missing_label(column, target, source, place)
    return _labels(*coded(column), target, source, place)


def missing_label(column: Any, target: str, source: str, place: Callable[[int], str]) -> DataError:
    """What is wrong with a column of labels that has gaps."""
    from rosenblatt.data.columns import first_missing

    if column.null_count == len(column):
        return DataError(
            f"{source}, column {target!r}: every label is missing. Choose another target ({option('target')})."
        )
    where = place(first_missing(column))
    return DataError(f"{source}, {where}, column {target!r}: the label is missing. Remove the row.")


def _labels(
    texts: list[str], codes: NDArray[np.int32], target: str, source: str, place: Callable[[int], str]
) -> Labels:
    if len(texts) > 1000 and len(texts) > len(codes) / 2:
        raise DataError(
            f"{source}, column {target!r}: {len(texts):,} different labels in {len(codes):,} rows are no classes. "
            f"Choose another target ({option('target')})."
        )
    return written_labels(texts, codes, source, place)
