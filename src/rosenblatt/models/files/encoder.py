"""A model's features as the first step of a scikit-learn pipeline."""

import warnings
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin

from rosenblatt.data import Features, Sparse
from rosenblatt.data.columns.encode import encode
from rosenblatt.data.columns.ignored import Ignored
from rosenblatt.data.formats.arrow import table_from_frame
from rosenblatt.data.formats.tables.table_schema import model_types
from rosenblatt.data.sparse import Matrix


def _named(X: Any, features: Features) -> Any:
    """An array as a table with the model's columns, by position; None and NaN are missing values."""
    import pyarrow as pa

    rows = np.asarray(X)
    if rows.ndim != 2 or rows.shape[1] != len(features.columns):
        raise ValueError(f"X has shape {rows.shape}; the model has {len(features.columns)} columns.")
    return pa.table(
        {column.name: pa.array(rows[:, j].tolist(), from_pandas=True) for j, column in enumerate(features.columns)}
    )


class FeatureEncoder(TransformerMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn ships no types
    """Encodes data frames as the features that a model was trained on: one-hot, filled and scaled.

    A category that was not in the training data has zeros, as in `rosenblatt predict`, and a warning counts such
    values; `unseen="error"` refuses it.
    """

    def __init__(self, features: Features, unseen: str = "zero") -> None:
        self.features = features
        self.unseen = unseen

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def fit(self, X: Any, y: Any = None) -> Self:
        """Does nothing: the features come from the model."""
        return self

    def transform(self, X: Any) -> Any:
        """The features of the rows of a data frame, or of a matrix for models trained on arrays."""
        matrix = self._matrix(X)
        scaled = self.features.scale.apply(matrix) if self.features.scale else matrix
        return scaled.to_scipy() if isinstance(scaled, Sparse) else scaled

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        return np.array(self.features.names(), dtype=object)

    def _matrix(self, X: Any) -> Matrix:
        if self.features.kind != "table":
            matrix = Sparse.from_scipy(X) if hasattr(X, "tocsr") else np.ascontiguousarray(X, dtype=np.float64)
            if len(matrix.shape) != 2 or matrix.shape[1] != self.features.n_features:
                raise ValueError(f"X has shape {matrix.shape}; the model has {self.features.n_features} features.")
            return matrix
        table = table_from_frame(X if hasattr(X, "columns") else _named(X, self.features))
        known = set(table.names)
        absent = [column.name for column in self.features.columns if column.name not in known]
        if absent:
            raise ValueError(f"the data frame has no column {absent[0]!r}, which the model needs.")
        numbers, texts, prose = model_types(self.features, ())
        table.for_model = True
        ignored = Ignored()
        matrix = encode(
            table.read(numbers, texts, prose),
            self.features,
            source="the data frame",
            place=table.place,
            unseen=self.unseen,
            unseen_remedy='model.set_params(features__unseen="zero") for the pipeline that load gave',
            ignored=ignored,
        )
        for note in ignored.notes():
            warnings.warn(note, stacklevel=2)
        return matrix
