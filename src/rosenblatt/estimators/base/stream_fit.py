"""`fit_stream`: a fit over batches of examples that need not fit in memory."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Self

from numpy.typing import ArrayLike

from rosenblatt.estimators.base.linear_classifier import all_or_nothing
from rosenblatt.estimators.base.online_classifier import OnlineClassifier
from rosenblatt.estimators.checks.input_errors import validated
from rosenblatt.estimators.checks.validation import ACCEPTS, check_labels, refuse_nonfinite
from rosenblatt.learning.examples import Examples, refuse_one_class, rows_of
from rosenblatt.learning.labels.label_codes import LabelCodes
from rosenblatt.learning.rows.array_types import MatrixLike, is_csr
from rosenblatt.learning.rows.row_cache import RowCache


class StreamFitMixin(OnlineClassifier):
    """Adds `fit_stream` to an online classifier."""

    def fit_stream(
        self, batches: Iterable[tuple[MatrixLike, ArrayLike]], *, cache_folder: str | Path | None = None
    ) -> Self:
        """Fit the model to batches (X, y) in bounded memory; the weights are those of `fit` on all examples.

        The batches are read once and written to unnamed temporary files, which every epoch reads. The files are deleted
        when the fit ends, also by an error. A batch is an array, a sparse matrix or a data frame, as in `fit`; all
        batches must have the same columns and type. `rosenblatt.data.scan` makes batches from a file.

        Parameters
        ----------
        batches : iterable of (X, y)
        cache_folder : path, default=None
            The folder of the temporary files (8 bytes per dense value, 12 per sparse value, 4 per label). None: the
            system's folder for temporary files.

        Examples
        --------
        >>> from rosenblatt import Perceptron
        >>> batches = [([[0, 0], [0, 1]], [0, 0]), ([[1, 0], [1, 1]], [0, 1])]
        >>> Perceptron(order="cyclic").fit_stream(batches).n_mistakes_
        18
        """
        self._refuse_unsupported()
        with all_or_nothing(self), RowCache(cache_folder) as cache:
            self._before_fit()
            examples = self._fit_cached(cache, batches)
            shown = replace(examples, X=cache.matrix(1000).copy())
            del examples
        self._warn_unless_converged(shown)
        return self

    def _refuse_unsupported(self) -> None:
        parameters = self._parameters()
        order = parameters["order"]
        if order != "cyclic":
            raise ValueError(
                f"fit_stream reads the examples in file order, but order={order!r} needs random access. Set "
                "order='cyclic', and shuffle the file once if it is sorted by class."
            )
        for name, why in (
            ("early_stopping", "needs a validation set drawn from all examples"),
            ("record", "needs all examples in memory"),
            ("warm_start", "needs the classes before the first batch; use partial_fit"),
        ):
            if parameters[name]:
                raise ValueError(f"fit_stream: {name} {why}. Set {name}=False.")

    def _fit_cached(self, cache: RowCache, batches: Iterable[tuple[MatrixLike, ArrayLike]]) -> Examples:
        labels = LabelCodes()
        for X, y in batches:
            X, y = validated(self, X, y, reset=not cache.n_examples, **ACCEPTS)
            check_labels(y)
            refuse_nonfinite(self, rows_of(X), first_row=cache.n_examples)  # also checks the column indices
            codes = labels.of(y)
            if is_csr(X):
                if self._parameters()["step"] != "constant" and not X.has_canonical_format:
                    X = X.copy()
                    X.sum_duplicates()
                cache.append_sparse(X.data, X.indices, X.indptr, codes)
            else:
                cache.append_dense(X, codes)
        if not cache.n_examples:
            raise ValueError("fit_stream got no batch. Was the generator consumed by an earlier call?")
        classes, translation = labels.finish()
        refuse_one_class(classes)
        cache.finish(self.n_features_in_, translation)
        examples = Examples(cache, cache.rows, classes, cache.codes, None, None, cache.release)
        self._publish(self._run(self._parameters(), examples))
        return examples
