"""What the columns of a file are and how they become features: fixed when a model is trained, kept in its file."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.data.errors import DataError
from rosenblatt.data.sparse import Matrix, Sparse

MAX_BITS = 24
MAX_NGRAMS = 5


@dataclass(frozen=True)
class Column:
    """A column of a table: a number; one of some categories, which become one feature each; or hashed.

    Hashed are categories of which there are too many for a vocabulary, and, with `ngrams`, the words of a text and runs
    of up to so many words. `idf` then weighs each bucket by how rare it was in training.
    """

    name: str
    vocabulary: tuple[str, ...] | None = None
    fill: float | str | None = None  # takes the place of a missing value
    bits: int | None = None  # of the hash
    ngrams: int | None = None
    idf: NDArray[np.float64] | None = field(default=None, compare=False, repr=False)

    @property
    def is_number(self) -> bool:
        return self.vocabulary is None and self.bits is None

    @property
    def is_text(self) -> bool:
        return self.ngrams is not None

    @property
    def width(self) -> int:
        return len(self.vocabulary) if self.vocabulary is not None else 1 << (self.bits or 0)

    def fills(self) -> list[float]:
        """What each feature is where the column's value is missing; NaN where there is no filling."""
        if self.fill is None or self.bits is not None:
            return [np.nan] * self.width
        return [float(self.fill)] if self.vocabulary is None else [float(v == self.fill) for v in self.vocabulary]

    def feature_names(self) -> list[str]:
        if self.bits is not None:
            return [f"{self.name}#{k}" for k in range(self.width)]
        return [self.name] if self.vocabulary is None else [f"{self.name}={value}" for value in self.vocabulary]


@dataclass(frozen=True)
class Scale:
    """A feature x enters as (x - centre) / width."""

    centre: NDArray[np.float64] | None  # None for sparse data, whose zeros must stay
    width: NDArray[np.float64]

    def apply(self, X: Matrix) -> Matrix:
        if isinstance(X, Sparse):
            return replace(X, values=X.values / self.width[X.indices])
        return (X if self.centre is None else X - self.centre) / self.width


@dataclass(frozen=True)
class Features:
    """The features of a model, by the kind of file they come from.

    `"table"` has columns by name; `"svmlight"` has indices from 0 or 1; `"array"` has positions.

    Examples
    --------
    >>> from rosenblatt import data
    >>> data.read("@iris").features.names()
    ['sepal length', 'sepal width', 'petal length', 'petal width']
    """

    kind: str
    n_features: int
    columns: tuple[Column, ...] = ()
    target: str | None = None
    zero_based: bool | None = None
    scale: Scale | None = None

    @classmethod
    def of_table(cls, columns: Sequence[Column], target: str | None) -> "Features":
        return cls("table", sum(column.width for column in columns), tuple(columns), target)

    def names(self) -> list[str]:
        """The name of each feature."""
        if self.kind == "table":
            return [name for column in self.columns for name in column.feature_names()]
        return self.names_of(range(self.n_features))

    def names_of(self, chosen: Iterable[int]) -> list[str]:
        """The names of some features, by their places. Of an svmlight file, all of them may be too many to hold."""
        if self.kind == "table":
            names = self.names()
            return [names[j] for j in chosen]
        first = 0 if self.zero_based is not False else 1
        return [f"x{first + j}" for j in chosen]

    def fills(self) -> NDArray[np.float64]:
        """What each feature is where a value is missing; NaN where there is no filling, and the value is refused."""
        if self.kind == "table":
            return np.array([fill for column in self.columns for fill in column.fills()])
        return np.full(self.n_features, np.nan)

    @property
    def is_plain(self) -> bool:
        """Whether every column is itself a feature, as it stands."""
        return self.scale is None and all(c.is_number and c.fill is None for c in self.columns)

    @property
    def is_sparse(self) -> bool:
        """Whether rows have few of many features: where something is hashed."""
        return any(column.bits is not None for column in self.columns)

    def to_json(self, keep: Callable[[NDArray[Any], str], Any] | None = None) -> dict[str, Any]:
        """Plain types; large arrays as `keep` writes them."""
        made: dict[str, Any] = {"kind": self.kind, "n_features": self.n_features}
        if self.kind == "table":
            made["target"] = self.target
            made["columns"] = [
                {"name": c.name}
                | ({} if c.vocabulary is None else {"vocabulary": list(c.vocabulary)})
                | ({} if c.fill is None else {"fill": c.fill})
                | ({} if c.bits is None else {"bits": c.bits})
                | ({} if c.ngrams is None else {"ngrams": c.ngrams})
                | ({} if c.idf is None else {"idf": keep(c.idf, f"idf of {c.name}") if keep else c.idf.tolist()})
                for c in self.columns
            ]
        if self.kind == "svmlight":
            made["zero_based"] = bool(self.zero_based)
        if self.scale is not None:
            centre = self.scale.centre
            made["scale"] = {
                "centre": None if centre is None else centre.tolist(),
                "width": self.scale.width.tolist(),
            }
        return made

    @classmethod
    def from_json(
        cls, found: Mapping[str, Any], restore: Callable[[Any, str], NDArray[Any]] | None = None
    ) -> "Features":
        """Reads what `to_json` wrote; anything else is refused with a `DataError`."""
        kind, n_features = found.get("kind"), found.get("n_features")
        if kind not in ("table", "svmlight", "array") or type(n_features) is not int or n_features < 0:
            raise DataError("the features must have a kind (table, svmlight, array) and a number n_features ≥ 0")
        columns = tuple(_column(entry, restore) for entry in found.get("columns", ())) if kind == "table" else ()
        target = found.get("target")
        zero_based = found.get("zero_based") if kind == "svmlight" else None
        if kind == "table" and sum(column.width for column in columns) != n_features:
            raise DataError(f"the columns make {sum(c.width for c in columns)} features, not {n_features}")
        if len({column.name for column in columns}) != len(columns):
            raise DataError("two columns have one name")
        if not isinstance(target, str | None) or (kind == "svmlight" and not isinstance(zero_based, bool)):
            raise DataError("the target or zero_based is of a wrong type")
        return cls(kind, n_features, columns, target, zero_based, _scale(found.get("scale"), n_features))


def _column(entry: Any, restore: Callable[[Any, str], NDArray[Any]] | None) -> Column:
    name, vocabulary, fill = (entry.get(key) for key in ("name", "vocabulary", "fill"))
    if not isinstance(name, str):
        raise DataError("a column has no name")
    if "bits" in entry:
        return _hashed_column(name, entry, restore)
    if vocabulary is None:
        if fill is not None and not (type(fill) in (int, float) and np.isfinite(fill)):
            raise DataError(f"column {name!r} must be filled with a number")
        return Column(name, None, fill)
    if not (isinstance(vocabulary, list) and all(isinstance(v, str) for v in vocabulary)):
        raise DataError(f"the vocabulary of column {name!r} must be a list of texts")
    if len(set(vocabulary)) != len(vocabulary):
        raise DataError(f"the vocabulary of column {name!r} has an entry twice")
    if fill is not None and fill not in vocabulary:
        raise DataError(f"column {name!r} must be filled with a word of its vocabulary")
    return Column(name, tuple(vocabulary), fill)


def _hashed_column(name: str, entry: Any, restore: Callable[[Any, str], NDArray[Any]] | None) -> Column:
    bits, ngrams, stored, fill = (entry.get(key) for key in ("bits", "ngrams", "idf", "fill"))
    if type(bits) is not int or not 1 <= bits <= MAX_BITS:
        raise DataError(f"column {name!r} must be hashed to 1 to {MAX_BITS} bits")
    if not isinstance(fill, str | None):
        raise DataError(f"column {name!r} must be filled with a text")
    if ngrams is None:
        return Column(name, fill=fill, bits=bits)
    if type(ngrams) is not int or not 1 <= ngrams <= MAX_NGRAMS:
        raise DataError(f"the runs of words of column {name!r} must be of 1 to {MAX_NGRAMS}")
    idf = np.asarray(restore(stored, f"idf of {name}") if restore else np.array(stored, dtype=np.float64))
    if idf.dtype != np.float64 or idf.shape != (1 << bits,) or not np.isfinite(idf).all():
        raise DataError(f"the weights of the words of column {name!r} must be {1 << bits} finite numbers")
    return Column(name, bits=bits, ngrams=ngrams, idf=idf)


def _scale(entry: Any, n_features: int) -> Scale | None:
    if entry is None:
        return None
    centre = None if entry.get("centre") is None else np.array(entry["centre"], dtype=np.float64)
    width = np.array(entry.get("width"), dtype=np.float64)
    for part in [width] if centre is None else [width, centre]:
        if part.shape != (n_features,) or not np.isfinite(part).all():
            raise DataError(f"the scale must be {n_features} finite numbers")
    if not (width > 0).all():
        raise DataError("the widths of the scale must be > 0")
    return Scale(centre, width)


def fitted_scale(X: Matrix) -> Scale:
    """Dense columns to mean 0 and standard deviation 1; sparse ones to a largest magnitude of 1."""
    if isinstance(X, Sparse):
        width, centre = X.largest_magnitudes(), None
    else:
        centre, width = X.mean(axis=0), X.std(axis=0)
    width[width == 0] = 1.0  # a constant column stays what it is
    return Scale(centre, width)
