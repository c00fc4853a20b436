"""The features of a model: fixed in training, and stored in the model file."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.data.columns.column import MAX_BITS, MAX_NGRAMS, Column, ColumnReport, Keep, Restore
from rosenblatt.data.columns.interactions import Pairs, places_of
from rosenblatt.data.errors import DataError
from rosenblatt.data.sparse import Matrix, Sparse

__all__ = ["MAX_BITS", "MAX_NGRAMS", "Column", "ColumnReport", "Features", "Scale", "fitted_scale"]


@dataclass(frozen=True, eq=False)
class Scale:
    """Replaces a feature x by (x - centre) / width. Sparse rows must have a value for each feature with a centre."""

    centre: NDArray[np.float64] | None  # None for sparse files, whose zeros must stay zero
    width: NDArray[np.float64]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Scale) or not np.array_equal(self.width, other.width):
            return False
        if self.centre is None or other.centre is None:
            return self.centre is other.centre
        return np.array_equal(self.centre, other.centre)

    def apply(self, X: Matrix) -> Matrix:
        if isinstance(X, Sparse):
            width = self.width[X.indices]
            moved = X.values if self.centre is None else X.values - self.centre[X.indices]
            return replace(X, values=np.divide(moved, width, out=width))
        if self.centre is None:
            return X / self.width
        scaled = X - self.centre
        return np.divide(scaled, self.width, out=scaled)

    def to_json(self, keep: Keep | None = None) -> dict[str, Any]:
        """Both arrays in plain types; `keep` stores large arrays."""
        parts = {"centre": self.centre, "width": self.width}
        return {
            name: part if part is None else keep(part, f"{name} of the scale") if keep else part.tolist()
            for name, part in parts.items()
        }

    @classmethod
    def from_json(cls, entry: Mapping[str, Any], n_features: int, restore: Restore | None = None) -> "Scale":
        """Reads what `to_json` wrote; anything else is refused with a `DataError`."""
        found: dict[str, Any] = {}
        for name in ("centre", "width"):
            part = entry.get(name)
            if name == "width" or part is not None:
                part = restore(part, f"{name} of the scale") if restore and isinstance(part, dict) else part
                part = np.array(part, dtype=np.float64)
                if part.shape != (n_features,) or not np.isfinite(part).all():
                    raise DataError(f"the scale must be {n_features} finite numbers")
            found[name] = part
        if not (found["width"] > 0).all():
            raise DataError("the widths of the scale must be > 0")
        return cls(**found)


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
    report: tuple[ColumnReport, ...] = field(default=(), compare=False)  # one entry for every column of the file
    interactions: Pairs = ()  # pairs of columns; the products of their features follow those of all columns

    @classmethod
    def of_table(
        cls,
        columns: Sequence[Column],
        target: str | None,
        report: Sequence[ColumnReport] = (),
        interactions: Pairs = (),
    ) -> "Features":
        width = sum(column.width for column in columns) + len(places_of(columns, interactions)[0])
        return cls("table", width, tuple(columns), target, report=tuple(report), interactions=interactions)

    @property
    def n_inputs(self) -> int:
        """The number of features without interactions."""
        return sum(column.width for column in self.columns) if self.kind == "table" else self.n_features

    def products(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """For each interaction feature, the places of its two factors."""
        return places_of(self.columns, self.interactions)

    def with_products(self, X: NDArray[np.float64]) -> NDArray[np.float64]:
        """The features of the columns, followed by their interactions."""
        if not self.interactions:
            return X
        left, right = self.products()
        return np.hstack([X, X[:, left] * X[:, right]])

    def numbers(self) -> NDArray[np.bool_]:
        """Whether each feature of a table is a number. Sparse rows have a value for each of them, also if it is 0."""
        found = np.zeros(self.n_features, dtype=bool)
        first = 0
        for column in self.columns:
            found[first : first + column.n_numbers] = True
            first += column.width
        return found

    def names(self) -> list[str]:
        """The name of each feature."""
        if self.kind == "table":
            names = [name for column in self.columns for name in column.feature_names()]
            return names + [f"{names[i]} × {names[j]}" for i, j in zip(*self.products(), strict=True)]
        return self.names_of(range(self.n_features))

    def names_of(self, chosen: Iterable[int]) -> list[str]:
        """The names of some features, by index. All names of an svmlight file may need too much memory."""
        if self.kind == "table":
            names = self.names()
            return [names[j] for j in chosen]
        first = 0 if self.zero_based is not False else 1
        return [f"x{first + j}" for j in chosen]

    def fills(self) -> NDArray[np.float64]:
        """The value of each feature for a missing value; NaN if there is none and a missing value is refused.

        Interactions are products of filled features and have no values of their own here.
        """
        if self.kind == "table":
            return np.array([fill for column in self.columns for fill in column.fills()])
        return np.full(self.n_features, np.nan)

    @property
    def is_plain(self) -> bool:
        """Whether every column is used unchanged as one feature."""
        return (
            self.scale is None
            and not self.interactions
            and all(c.is_number and c.fill is None and c.number_format is None for c in self.columns)
        )

    @property
    def is_sparse(self) -> bool:
        """Whether rows have few nonzero features out of many, because a column is hashed."""
        return any(column.bits is not None for column in self.columns)

    def to_json(self, keep: Keep | None = None) -> dict[str, Any]:
        """The features in plain types; `keep` stores large arrays."""
        made: dict[str, Any] = {"kind": self.kind, "n_features": self.n_features}
        if self.kind == "table":
            made["target"] = self.target
            made["columns"] = [column.to_json(keep) for column in self.columns]
            if self.interactions:
                made["interactions"] = [list(pair) for pair in self.interactions]
            if self.report:
                made["report"] = [entry.to_json() for entry in self.report]
        if self.kind == "svmlight":
            made["zero_based"] = bool(self.zero_based)
        if self.scale is not None:
            made["scale"] = self.scale.to_json(keep)
        return made

    @classmethod
    def from_json(cls, found: Mapping[str, Any], restore: Restore | None = None) -> "Features":
        """Reads what `to_json` wrote; anything else is refused with a `DataError`."""
        kind, n_features = found.get("kind"), found.get("n_features")
        if kind not in ("table", "svmlight", "array") or type(n_features) is not int or n_features < 0:
            raise DataError("the features must have a kind (table, svmlight, array) and a number n_features ≥ 0")
        columns = (
            tuple(Column.from_json(entry, restore) for entry in found.get("columns", ())) if kind == "table" else ()
        )
        target = found.get("target")
        zero_based = found.get("zero_based") if kind == "svmlight" else None
        interactions = _interactions(found.get("interactions", []), columns)
        width = sum(column.width for column in columns) + len(places_of(columns, interactions)[0])
        if kind == "table" and width != n_features:
            raise DataError(f"the columns make {width} features, not {n_features}")
        if len({column.name for column in columns}) != len(columns):
            raise DataError("two columns have one name")
        if not isinstance(target, str | None) or (kind == "svmlight" and not isinstance(zero_based, bool)):
            raise DataError("the target or zero_based is of a wrong type")
        report = found.get("report", []) if kind == "table" else []
        if not isinstance(report, list):
            raise DataError("the report on the columns must be a list")
        stored = found.get("scale")
        scale = None if stored is None else Scale.from_json(stored, n_features, restore)
        reports = tuple(map(ColumnReport.from_json, report))
        return cls(kind, n_features, columns, target, zero_based, scale, reports, interactions)


def _interactions(entry: Any, columns: Sequence[Column]) -> Pairs:
    known = {column.name for column in columns if column.bits is None}
    pairs = tuple(tuple(pair) if isinstance(pair, list) else () for pair in entry)
    if not all(len(pair) == 2 and pair[0] in known and pair[1] in known for pair in pairs):
        raise DataError("an interaction must name two columns that are not hashed")
    return tuple((pair[0], pair[1]) for pair in pairs)


def fitted_scale(X: Matrix) -> Scale:
    """The scale that gives dense columns mean 0 and standard deviation 1, and sparse ones a largest magnitude of 1."""
    if isinstance(X, Sparse):
        width, centre = X.largest_magnitudes(), None
    else:
        centre, width = X.mean(axis=0), X.std(axis=0)
    width[width == 0] = 1.0  # a constant column is not scaled
    return Scale(centre, width)
