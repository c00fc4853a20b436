"""One call from a name to examples: files of every format, standard input, and the built-in sets."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rosenblatt.core import xxh64
from rosenblatt.data.builtin import load
from rosenblatt.data.bytes import Bytes, format_of, named, read_bytes
from rosenblatt.data.errors import DataError
from rosenblatt.data.features import Column, Features
from rosenblatt.data.labels import Labels, written_labels
from rosenblatt.data.sparse import Matrix

_USUAL_TARGETS = ("target", "label", "class", "y")


@dataclass(frozen=True)
class Loaded:
    """Examples from a file: `X`, `labels` (or None) and how the columns became features."""

    name: str
    X: Matrix
    labels: Labels | None
    features: Features
    fingerprint: str
    place: Callable[[int], str]  # where the file has example i
    notes: tuple[str, ...] = ()  # what was found out rather than told
    n_bytes: int = 0

    @property
    def n_examples(self) -> int:
        return int(self.X.shape[0])

    def needs_labels(self) -> Labels:
        """The labels, which must be there."""
        if self.labels is None:
            raise DataError(f"{self.name} has no labels. Name the column that holds them (--target).")
        return self.labels


@dataclass(frozen=True)
class Wishes:
    """How to read a file, where its name and content leave a choice."""

    form: str | None = None
    target: str | None = None
    drop: Sequence[str] = ()
    categorical: Sequence[str] = ()
    impute: bool = False
    delimiter: str | None = None
    has_header: bool = True
    zero_based: bool | None = None
    unseen: str = "error"


_DEFAULT = Wishes()


def read(source: str, wishes: Wishes = _DEFAULT, *, like: Features | None = None) -> Loaded:
    """Examples from a file, from standard input ("-") or from a built-in set ("@iris").

    With `like` (a model's features) the columns must be the model's, and labels may be absent.

    >>> read("@xor").X.shape
    (4, 2)
    """
    if source.startswith("@"):
        return _builtin(source, like)
    found = read_bytes(source)
    form = wishes.form or format_of(source, found)
    fingerprint = f"xxh64:{xxh64(found):016x}"
    if form == "svmlight":
        loaded = _svmlight(source, found, wishes, like)
    elif form in ("npy", "npz"):
        loaded = _arrays(source, found, form, like)
    else:
        loaded = _table(source, found, form, wishes, like)
    if not loaded.n_examples:
        raise DataError(f"{loaded.name} has no examples.")
    if not loaded.features.n_features:
        raise DataError(f"{loaded.name} has no features: every example is empty.")
    return replace(loaded, fingerprint=fingerprint, n_bytes=len(found))


def _refuse_kind(name: str, kind: str, like: Features) -> None:
    raise DataError(f"{name} is {kind}; the model was trained on {_KINDS[like.kind]}. Give it the same kind of file.")


_KINDS = {"table": "a table with named columns", "svmlight": "svmlight data", "array": "an array"}


def _svmlight(source: str, found: Bytes, wishes: Wishes, like: Features | None) -> Loaded:
    from rosenblatt.data.svmlight import line_of_row, read_svmlight

    zero_based, n_features, notes = wishes.zero_based, None, []
    if like is not None:
        if like.kind == "table":
            _refuse_kind(named(source), "svmlight data", like)
        n_features = like.n_features
        zero_based = like.zero_based if like.kind == "svmlight" else zero_based
    X, labels, features = read_svmlight(source, found, zero_based=zero_based, n_features=n_features)
    if zero_based is None:
        notes.append(f"indices begin at {0 if features.zero_based else 1} (--zero-based or --one-based says otherwise)")
    return Loaded(
        named(source), X, labels, like or features, "", lambda row: f"line {line_of_row(found, row)}", tuple(notes)
    )


def _arrays(source: str, found: Bytes, form: str, like: Features | None) -> Loaded:
    from rosenblatt.data.arrays import read_arrays

    if like is not None and like.kind == "table" and not all(c.vocabulary is None for c in like.columns):
        _refuse_kind(named(source), "an array", like)
    X, labels = read_arrays(source, found, form, n_features=like.n_features if like else None)
    if like is not None and X.shape[1] != like.n_features:
        raise DataError(f"{named(source)} has {X.shape[1]} features; the model has {like.n_features}.")
    notes = () if labels is None or form == "npz" else ("the last column is the label",)
    features = like or Features("array", X.shape[1])
    return Loaded(named(source), X, labels, features, "", lambda row: f"row {row + 1}", notes)


def _builtin(source: str, like: Features | None) -> Loaded:
    try:
        dataset = load(source[1:])
    except ValueError as error:
        raise DataError(str(error)) from error
    classes, codes = np.unique(dataset.y, return_inverse=True)
    features = Features.of_table([Column(name) for name in dataset.feature_names], "target")
    if like is not None and like.n_features != features.n_features:
        raise DataError(f"{source} has {features.n_features} features; the model has {like.n_features}.")
    stamp = xxh64(np.frombuffer(dataset.X.tobytes() + codes.astype(np.int32).tobytes(), dtype=np.uint8))
    labels = Labels(classes, codes.astype(np.int32))
    return Loaded(
        source, dataset.X, labels, like or features, f"xxh64:{stamp:016x}", lambda row: f"row {row + 1}",
        (dataset.description,),
    )  # fmt: skip


def _table(source: str, found: Bytes, form: str, wishes: Wishes, like: Features | None) -> Loaded:
    from rosenblatt.data.encode import encode, learn_columns
    from rosenblatt.data.tables import open_table

    name = named(source)
    table = open_table(source, found, form, wishes.delimiter, wishes.has_header)
    notes: list[str] = []
    if like is None:
        target = _target(table.names, wishes.target, name, notes)
        _check_known([*wishes.drop, *wishes.categorical], table.names, name)
        chosen = [column for column in table.names if column != target and column not in wishes.drop]
        if not chosen:
            raise DataError(f"{name} has no columns but the target {target!r}.")
        guess = table.guess()
        numbers = {column for column in chosen if guess[column] and column not in wishes.categorical}
        arrow = table.read(numbers, {*chosen, target} - numbers)
        columns = learn_columns(arrow, chosen, impute=wishes.impute, source=name, place=table.place)
        features = Features.of_table(columns, target)
    else:
        if like.kind != "table":
            _refuse_kind(name, "a table", like)
        features = like
        _check_known([column.name for column in like.columns], table.names, name)
        numbers = {column.name for column in like.columns if column.vocabulary is None}
        wanted = wishes.target or like.target
        if wishes.target is not None:
            _check_known([wishes.target], table.names, name)
        target = wanted if wanted in table.names else ""
        arrow = table.read(numbers, {c.name for c in like.columns if c.vocabulary is not None} | {target} - {""})
    if not arrow.num_rows:
        raise DataError(f"{name} has a header but no rows.")
    labels = _labels(arrow.column(target), target, name, table.place) if target else None
    X = encode(arrow, features, source=name, place=table.place, unseen=wishes.unseen)
    return Loaded(name, X, labels, features, "", table.place, tuple(notes))


def _target(names: Sequence[str], wish: str | None, source: str, notes: list[str]) -> str:
    if wish is not None:
        _check_known([wish], names, source)
        return wish
    usual = [name for name in names if name.lower() in _USUAL_TARGETS]
    target = usual[0] if len(usual) == 1 else names[-1]
    why = "by its name" if len(usual) == 1 else "the last column"
    notes.append(f"the target is {target!r}, {why} (--target says otherwise)")
    return target


def _check_known(wanted: Sequence[str], names: Sequence[str], source: str) -> None:
    for name in wanted:
        if name not in names:
            shown = ", ".join(names[:12]) + (", …" if len(names) > 12 else "")
            raise DataError(f"{source} has no column {name!r}. It has: {shown}.")


def _labels(column: Any, target: str, source: str, place: Callable[[int], str]) -> Labels:
    from rosenblatt.data.columns import coded, first_missing

    if column.null_count:
        row = first_missing(column)
        raise DataError(f"{source}, {place(row)}, column {target!r}: the label is missing. Remove the row.")
    texts, codes = coded(column)
    if len(texts) > 1000 and len(texts) > len(codes) / 2:
        raise DataError(
            f"{source}, column {target!r}: {len(texts):,} different labels in {len(codes):,} rows are no classes. "
            "Choose the target with --target."
        )
    return written_labels(texts, codes, source, place)
