"""One call from a name to examples: files of every format, standard input, and the built-in sets."""

from dataclasses import replace

import numpy as np

from rosenblatt.core import xxh64
from rosenblatt.data.builtin import load
from rosenblatt.data.bytes import Bytes, format_of, named, read_bytes
from rosenblatt.data.errors import DataError
from rosenblatt.data.features import Column, Features
from rosenblatt.data.labels import Labels
from rosenblatt.data.loaded import Loaded, Wishes, refuse_kind

_DEFAULT = Wishes()


def read(source: str, wishes: Wishes = _DEFAULT, *, like: Features | None = None) -> Loaded:
    """Examples from a file, from standard input ("-") or from a built-in set ("@iris").

    With `like` (a model's features) the columns must be the model's, and labels may be absent.

    >>> read("@xor").X.shape
    (4, 2)
    """
    if wishes.sql is not None:
        from rosenblatt.data.sql import read_sql

        return read_sql(source, wishes.sql, wishes, like)
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
        from rosenblatt.data.from_table import read_table

        loaded = read_table(source, found, form, wishes, like)
    if not loaded.n_examples:
        raise DataError(f"{loaded.name} has no examples.")
    if not loaded.features.n_features:
        raise DataError(f"{loaded.name} has no features: every example is empty.")
    return replace(loaded, fingerprint=fingerprint, n_bytes=len(found))


def _svmlight(source: str, found: Bytes, wishes: Wishes, like: Features | None) -> Loaded:
    from rosenblatt.data.svmlight import line_of_row, read_svmlight

    zero_based, n_features, notes = wishes.zero_based, None, []
    if like is not None:
        if like.kind == "table":
            refuse_kind(named(source), "svmlight data", like)
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

    if like is not None and like.kind == "table" and not all(c.is_number for c in like.columns):
        refuse_kind(named(source), "an array", like)
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
