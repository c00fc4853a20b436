"""Fits on examples that come in batches and need not fit in memory."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import validate_data

from rosenblatt.estimators.linear import all_or_nothing
from rosenblatt.estimators.online import OnlineClassifier
from rosenblatt.estimators.validation import ACCEPTS, check_labels, refuse_nonfinite
from rosenblatt.learning.examples import Examples, rows_of
from rosenblatt.learning.label_codes import LabelCodes
from rosenblatt.learning.row_cache import RowCache


class StreamFitMixin(OnlineClassifier):
    """Adds `fit_stream` to an online classifier."""

    def fit_stream(self, batches: Iterable[tuple[Any, Any]], *, cache_folder: str | Path | None = None) -> Self:
        """Learn from batches (X, y) in their order, in bounded memory; the same weights as `fit` on all of them.

        The batches are taken once and kept in unnamed files, which are gone when the fit is over, however it ends;
        every epoch reads these. A batch is an array, a sparse matrix or a data frame, as in `fit`; all have the same
        columns and type. `rosenblatt.data.scan` makes batches from a file.

        Parameters
        ----------
        batches : iterable of (X, y)
        cache_folder : path, default=None
            Where to keep the examples meanwhile (8 bytes a dense value, 12 a sparse one, 4 a label); None: the system's
            folder for temporary files.

        Examples
        --------
        >>> from rosenblatt import Perceptron
        >>> batches = [([[0, 0], [0, 1]], [0, 0]), ([[1, 0], [1, 1]], [0, 1])]
        >>> Perceptron(order="cyclic").fit_stream(batches).n_mistakes_
        18
        """
        self._refuse_what_needs_all()
        with all_or_nothing(self), RowCache(cache_folder) as cache:
            examples = self._fit_cached(cache, batches)
            shown = replace(examples, X=cache.matrix(1000).copy())
            del examples
        self._warn_unless_settled(shown)
        return self

    def _refuse_what_needs_all(self) -> None:
        parameters = self._parameters()
        order = parameters["order"]
        if order != "cyclic":
            raise ValueError(
                f"fit_stream reads the examples in their order, and a disk is slow to jump about; order={order!r} "
                "would jump. Set order='cyclic', and shuffle the file once if it is sorted by class."
            )
        for name, why in (
            ("early_stopping", "keeps back a part chosen among all examples"),
            ("record", "keeps the examples in memory"),
            ("warm_start", "needs the classes before the first batch; use partial_fit"),
        ):
            if parameters[name]:
                raise ValueError(f"fit_stream: {name} {why}. Set {name}=False.")

    def _fit_cached(self, cache: RowCache, batches: Iterable[tuple[Any, Any]]) -> Examples:
        labels = LabelCodes()
        for X, y in batches:
            X, y = validate_data(self, X, y, reset=not cache.n_examples, **ACCEPTS)
            check_labels(y)
            refuse_nonfinite(self, rows_of(X), first_row=cache.n_examples)  # which checks the indices, too
            codes = labels.of(y)
            if hasattr(X, "indptr"):
                if self._parameters()["step"] != "constant" and not X.has_canonical_format:
                    X = X.copy()
                    X.sum_duplicates()
                cache.append_sparse(X.data, X.indices, X.indptr, codes)
            else:
                cache.append_dense(X, codes)
        if not cache.n_examples:
            raise ValueError("fit_stream got no batch. Was the generator used up by an earlier call?")
        classes, translation = labels.finish()
        if len(classes) < 2:
            raise ValueError(
                f"y has {len(classes)} class ({classes.tolist()[0]!r}); a perceptron needs at least 2. "
                "Check the target column."
            )
        cache.finish(self.n_features_in_, translation)
        weights = _class_weights(self.class_weight, classes, cache.codes)
        examples = Examples(cache, cache.rows, classes, cache.codes, weights, None, cache.release)
        self._publish(self._run(self._parameters(), examples))
        return examples


def _class_weights(class_weight: Any, classes: NDArray[Any], codes: NDArray[np.int32]) -> NDArray[np.float64] | None:
    if class_weight is None:
        return None
    if class_weight == "balanced":
        counts = np.bincount(codes, minlength=len(classes))
        by_class = len(codes) / (len(classes) * counts)
    else:
        by_class = np.array([float(class_weight.get(label, 1.0)) for label in classes.tolist()])
    if not np.all((by_class > 0) & np.isfinite(by_class)):
        raise ValueError(f"class_weight must be positive and finite for every class; got {by_class.tolist()}.")
    return np.asarray(by_class[codes], dtype=np.float64)
