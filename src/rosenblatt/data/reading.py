"""One call from a name to examples: files of every format, standard input, and the built-in sets."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from rosenblatt.core import SvmlightReading, xxh64
from rosenblatt.data.ahead import taken
from rosenblatt.data.bytes import Bytes, available_threads, format_of, named, read_bytes
from rosenblatt.data.errors import DataError
from rosenblatt.data.wishes import Wishes

if TYPE_CHECKING:
    from rosenblatt.data.features import Features
    from rosenblatt.data.loaded import Loaded

_DEFAULT = Wishes()


def read(source: str, wishes: Wishes = _DEFAULT, *, like: "Features | None" = None) -> "Loaded":
    """Examples from a file, from standard input ("-") or from a built-in set ("@iris").

    With `like` (a model's features) the columns must be the model's, and labels may be absent.

    >>> read("@xor").X.shape
    (4, 2)
    """
    return begin(source, wishes, like=like)()


def begin(source: str, wishes: Wishes = _DEFAULT, *, like: "Features | None" = None) -> "Callable[[], Loaded]":
    """The same in two steps: the function that it gives waits for the examples.

    An svmlight file is parsed meanwhile, in threads of the core. Until then nothing has been imported that takes time,
    NumPy included: a caller who has to import more does so between the two steps.

    >>> examples = begin("@xor")
    >>> examples().X.shape
    (4, 2)
    """
    if wishes.sql is not None:
        return partial(_queried, source, wishes.sql, wishes, like)
    if source.startswith("@"):
        return partial(_builtin, source, wishes, like)
    begun = taken(source)
    found = read_bytes(source) if begun is None else begun.found
    form = wishes.form or format_of(source, found)
    if form == "svmlight":
        parsed = _begun_svmlight(source, found, wishes, like, None if begun is None else begun.reading)
        return lambda: _checked(parsed(), found)
    return lambda: replace(
        _checked(_of_form(source, found, form, wishes, like), found), fingerprint=f"xxh64:{xxh64(found):016x}"
    )


def _checked(loaded: "Loaded", found: Bytes) -> "Loaded":
    if not loaded.n_examples:
        raise DataError(f"{loaded.name} has no examples.")
    if not loaded.features.n_features:
        raise DataError(f"{loaded.name} has no features: every example is empty.")
    return replace(loaded, n_bytes=len(found))


def _begun_svmlight(
    source: str, found: Bytes, wishes: Wishes, like: "Features | None", begun: SvmlightReading | None
) -> "Callable[[], Loaded]":
    _refuse_impute(source, wishes, like)
    zero_based, n_features = wishes.zero_based, None
    if like is not None:
        if like.kind == "table":
            from rosenblatt.data.loaded import refuse_kind

            refuse_kind(named(source), "svmlight data", like)
        n_features = like.n_features
        zero_based = like.zero_based if like.kind == "svmlight" else zero_based
    if begun is not None and zero_based is None and n_features is None:
        reading = begun
    else:
        reading = SvmlightReading(
            found, zero_based=zero_based, features=n_features, threads=available_threads(), hash=True
        )

    def finish() -> "Loaded":
        from rosenblatt.data.svmlight import loaded_svmlight

        return loaded_svmlight(source, found, reading, like, zero_based is None)

    return finish


def _refuse_impute(source: str, wishes: Wishes, like: "Features | None") -> None:
    if wishes.impute and like is None:
        raise DataError(
            f"{named(source)}: --impute fills the columns of tables (CSV, Parquet, Arrow), and this is none. Leave "
            "--impute out, or write the data as a table."
        )


def _of_form(source: str, found: Bytes, form: str, wishes: Wishes, like: "Features | None") -> "Loaded":
    if form in ("npy", "npz"):
        from rosenblatt.data.arrays import loaded_arrays

        _refuse_impute(source, wishes, like)
        return loaded_arrays(source, found, form, like)
    from rosenblatt.data.from_table import read_table

    return read_table(source, found, form, wishes, like)


def _queried(source: str, query: str, wishes: Wishes, like: "Features | None") -> "Loaded":
    from rosenblatt.data.sql import read_sql

    return read_sql(source, query, wishes, like)


def _builtin(source: str, wishes: Wishes, like: "Features | None") -> "Loaded":
    from rosenblatt.data.from_builtin import loaded_builtin

    return loaded_builtin(source, wishes, like)
