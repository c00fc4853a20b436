"""`partial_fit`: one epoch over a batch, from the current weights."""

from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.multiclass import _check_partial_fit_first_call

from rosenblatt.estimators.base.linear_classifier import all_or_nothing
from rosenblatt.estimators.base.online_classifier import Array, OnlineClassifier, Planes
from rosenblatt.estimators.checks.fast_validation import same_classes
from rosenblatt.estimators.checks.validation import check_examples
from rosenblatt.learning.fit import OnlineFit, Start, start_of
from rosenblatt.learning.problems import groups_of
from rosenblatt.learning.rows.array_types import MatrixLike


class PartialFitMixin(OnlineClassifier):
    """Adds `partial_fit` to an online classifier."""

    def partial_fit(
        self, X: MatrixLike, y: ArrayLike, classes: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Runs one epoch over these examples, from the current weights. The first call must give all `classes`.

        With `classes="grow"` in every call a batch may have new labels, which become classes, as in `learn_one`. The
        weights are those of an estimator that knew all classes from the start.

        Counts accumulate over the calls, `status_` is "partial", and there is no convergence warning.
        """
        with all_or_nothing(self):
            self._partial_fit(X, y, classes, sample_weight)
        return self

    def _partial_fit(
        self, X: MatrixLike, y: ArrayLike, classes: ArrayLike | None, sample_weight: ArrayLike | None
    ) -> None:
        self._before_fit()
        parameters = self._parameters().seeded()
        if self.class_weight == "balanced":
            raise ValueError(
                "class_weight='balanced' needs all labels, but partial_fit sees one batch. Compute the weights with "
                "sklearn.utils.compute_class_weight and pass them as a dict."
            )
        if classes is not None and "classes_" in self.__dict__ and same_classes(classes, self.classes_):
            classes = None
        first = _check_partial_fit_first_call(self, classes)
        examples = check_examples(self, X, y, sample_weight, self.classes_, reset=first)
        groups = groups_of(parameters["multi_class"], parameters["order"], examples)
        if first:
            self._begin(*start_of(parameters, groups, examples.rows.n_features))
        # A batch may contain no example of a pair of classes; then this problem is skipped.
        present = [group.chosen is None or len(group.chosen) > 0 for group in groups]
        planes: Planes = slice(None) if all(present) else np.repeat(present, [len(group.positives) for group in groups])
        coef, intercept = self._present_weights()
        fitted = self._run(
            parameters,
            examples,
            groups=[group for group, here in zip(groups, present, strict=True) if here],
            start=Start(coef[planes], intercept[planes]),
            one_epoch_after=self.n_iter_,
        )
        if not isinstance(fitted, OnlineFit):
            raise AssertionError(f"{type(self).__name__} has no online run")
        outcomes = fitted.outcomes
        self._apply_batch(fitted, planes)
        self.history_ = outcomes.history
        self.accelerators_ = [dict(outcome.accelerators) for outcome in outcomes.outcomes]
        self.n_iter_ += 1
        self.n_mistakes_ += sum(outcome.mistakes for outcome in outcomes.outcomes)
        self.n_samples_seen_ += outcomes.n_samples_seen
        problems = 1 if groups[0].joint else len(coef)
        self.status_, self.statuses_ = "partial", ["partial"] * problems
        self.cycle_, self.cycles_ = None, [None] * problems

    def _begin(self, coef: Array, intercept: Array) -> None:
        self.coef_, self.intercept_ = coef, intercept
        self.n_iter_ = self.n_mistakes_ = self.n_samples_seen_ = 0

    def _apply_batch(self, fitted: OnlineFit, planes: Planes) -> None:
        """Sets the weights of the planes that this batch has trained."""
        self.coef_, self.intercept_ = self.coef_.copy(), self.intercept_.copy()
        self.coef_[planes], self.intercept_[planes] = fitted.weights("last")
