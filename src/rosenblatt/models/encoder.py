"""A model's features as the first step of a scikit-learn pipeline."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin

from rosenblatt.data import Features, Sparse
from rosenblatt.data.encode import encode
from rosenblatt.data.sparse import Matrix
from rosenblatt.data.tables import table_from_frame


class FeatureEncoder(TransformerMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn ships no types
    """Turns data frames into the numbers that a model was trained on: one-hot, filled, scaled, as its file says.

    `unseen="zero"` lets a category that training did not see count for nothing instead of refusing it.
    """

    def __init__(self, features: Features, unseen: str = "error") -> None:
        self.features = features
        self.unseen = unseen

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def fit(self, X: Any, y: Any = None) -> Self:
        """Nothing to learn: the features are the model's."""
        return self

    def transform(self, X: Any) -> Any:
        """The features of a frame's rows (of a matrix's, for models trained on arrays)."""
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
        table = table_from_frame(X)
        known = set(table.names)
        absent = [column.name for column in self.features.columns if column.name not in known]
        if absent:
            raise ValueError(f"the data frame has no column {absent[0]!r}, which the model needs.")
        numbers = {column.name for column in self.features.columns if column.is_number}
        texts = {column.name for column in self.features.columns} - numbers
        table.for_model = True
        return encode(
            table.read(numbers, texts),
            self.features,
            source="the data frame",
            place=table.place,
            unseen=self.unseen,
            unseen_remedy='model.set_params(features__unseen="zero") for the pipeline that load gave',
        )
