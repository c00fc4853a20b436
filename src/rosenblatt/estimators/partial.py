"""Learning in parts: one pass over each, from the weights that the last one left."""

from typing import Any, Self

import numpy as np
from sklearn.utils.multiclass import _check_partial_fit_first_call

from rosenblatt.estimators import parameters as allowed
from rosenblatt.estimators.exact import same_classes
from rosenblatt.estimators.examples import check_examples
from rosenblatt.estimators.linear import all_or_nothing
from rosenblatt.estimators.online import OnlineClassifier
from rosenblatt.estimators.problems import groups_of
from rosenblatt.estimators.training import Found, uses_of


class PartialFitMixin(OnlineClassifier):
    """Adds `partial_fit` to an online classifier."""

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """One pass over these examples, from the present weights; the first call names all `classes`.

        The counts go on from call to call; `status_` is "partial", and nothing warns.
        """
        with all_or_nothing(self):
            self._partial_fit(X, y, classes, sample_weight)
        return self

    def _partial_fit(self, X: Any, y: Any, classes: Any, sample_weight: Any) -> None:
        allowed.check_parameters(self, self._allowed)
        if self.class_weight == "balanced":
            raise ValueError(
                "class_weight='balanced' needs all labels, and partial_fit sees only some. Compute the weights with "
                "sklearn.utils.compute_class_weight and pass them as a dict."
            )
        if classes is not None and "classes_" in self.__dict__ and same_classes(classes, self.classes_):
            classes = None
        first = _check_partial_fit_first_call(self, classes)
        examples = check_examples(self, X, y, sample_weight, self.class_weight, self.classes_, reset=first)
        groups = groups_of(self.multi_class, self._parameter("order"), examples)
        seed = allowed.seed_of(self.random_state)
        if first:
            self._begin(*self._start(examples, groups, seed, None, None))
        # A part may lack both classes of a pair, which then waits.
        owners = np.repeat(np.arange(len(groups)), [len(group.positives) for group in groups])
        present = np.array([group.chosen is None or len(group.chosen) > 0 for group in groups])
        planes = present[owners]
        coef, intercept = self._present_weights()
        found = self._train(
            examples,
            [group for group, here in zip(groups, present, strict=True) if here],
            coef[planes],
            intercept[planes],
            seed,
            epochs=1,
            first_epoch=self.n_iter_,
        )
        self._take_part(found, planes)
        self.history_ = found.history
        self.accelerators_ = uses_of(found.outcomes)
        self.n_iter_ += 1
        self.n_mistakes_ += sum(outcome.mistakes for outcome in found.outcomes)
        self.n_samples_seen_ += found.n_samples_seen
        problems = 1 if groups[0].joint else len(planes)
        self.status_, self.statuses_ = "partial", ["partial"] * problems
        self.cycle_, self.cycles_ = None, [None] * problems

    def _begin(self, coef: Any, intercept: Any) -> None:
        self.coef_, self.intercept_ = coef, intercept
        self.n_iter_ = self.n_mistakes_ = self.n_samples_seen_ = 0

    def _take_part(self, found: Found, planes: Any) -> None:
        """Publishes what a part has changed."""
        self.coef_, self.intercept_ = self.coef_.copy(), self.intercept_.copy()
        self.coef_[planes], self.intercept_[planes] = found.weights("last")
