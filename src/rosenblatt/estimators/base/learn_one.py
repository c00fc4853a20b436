"""`learn_one` and `predict_one`: learning from single examples, with features and classes added on first use."""

import threading
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import issparse
from sklearn.utils.validation import check_is_fitted

from rosenblatt.core import OneByOne, epoch_order
from rosenblatt.estimators.base.partial_fit import PartialFitMixin
from rosenblatt.estimators.base.stream_fit import StreamFitMixin
from rosenblatt.estimators.checks.input_errors import validated
from rosenblatt.estimators.checks.validation import ACCEPTS, check_labels, refuse_nonfinite
from rosenblatt.learning.examples import rows_of
from rosenblatt.learning.fit import plan_of
from rosenblatt.learning.parameters import seed_of
from rosenblatt.learning.rows.array_types import MatrixLike
from rosenblatt.learning.run import HISTORY

#: Attributes that are computed from the learner's state on access.
_LEARNED = frozenset(
    {
        "coef_", "intercept_", "last_coef_", "last_intercept_", "_averaged_over", "classes_", "n_features_in_",
        "feature_names_in_", "n_mistakes_", "n_samples_seen_", "n_iter_", "statuses_", "cycle_", "cycles_", "history_",
        "accelerators_",
    }
)  # fmt: skip

#: Numbers or texts by name, or a row of numbers.
Example = Mapping[str, float | str] | Sequence[float]
#: A label, of any type that can be sorted.
Label = Hashable

#: Held while a learner is created: of the threads that begin to teach a model at the same time, one creates it.
_BEGINNING = threading.Lock()


class OneByOneMixin(PartialFitMixin, StreamFitMixin):
    """Adds `learn_one` and `predict_one` to an online classifier."""

    _keeps_average: ClassVar[bool] = False

    def learn_one(self, x: Example, y: Label, classes: Sequence[Label] | None = None) -> Self:
        """Learn from one example: a dictionary of features by name, or a row of numbers.

        A new name becomes a feature, and a new label becomes a class. A text value is a category: it becomes the
        feature "name=text". The weights are equal to those of one epoch over all examples so far, in their order, of an
        estimator that knew all names and classes from the start. Many classes are learned one-vs-all.

        Parameters
        ----------
        x : dict of str to numbers or texts, or sequence of numbers
            The first example decides which of the two is used.
        y : label
        classes : sequence, default=None
            All labels, if they are known; then learning is slightly faster. Given with the first example.

        Examples
        --------
        >>> from rosenblatt import Perceptron
        >>> perceptron = Perceptron()
        >>> for word, label in [("cheap", "spam"), ("hello", "ham"), ("cheap", "spam")]:
        ...     perceptron = perceptron.learn_one({word: 1}, label)
        >>> perceptron.predict_one({"hello": 1}), perceptron.feature_names_in_.tolist()
        ('ham', ['cheap', 'hello'])
        """
        state = self.__dict__
        learner = state.get("_learner")
        if learner is None:
            learner = self._begin_one(classes)
        learner.learn(x, y)
        if "coef_" in state:
            self._forget_learned()
        return self

    def predict_one(self, x: Example) -> Label:
        """Predicts the class of one example. Unknown feature names are ignored."""
        learner = self.__dict__.get("_learner")
        if learner is None:
            check_is_fitted(self)
            learner = self._begin_one(None)
        label: Label = learner.predict(x)
        return label

    def _begin_one(self, classes: Sequence[Label] | None) -> OneByOne:
        with _BEGINNING:
            if "_learner" not in self.__dict__:
                self._create_learner(classes)
            return self._learner

    def _create_learner(self, classes: Sequence[Label] | None) -> None:
        parameters = self._parameters()
        fitted = hasattr(self, "coef_")
        many = len(self.classes_) > 2 if fitted else classes is None or len(classes) > 2
        if many and self.multi_class != "ova":
            raise ValueError(
                f"learn_one learns one-vs-all and adds classes as they appear; multi_class={self.multi_class!r} "
                "needs all classes. Set multi_class='ova', or use partial_fit."
            )
        for name in ("class_weight", "early_stopping"):
            if parameters[name]:
                raise ValueError(f"{name} needs all examples, but learn_one sees one at a time. Leave {name} out.")
        if self.init != "zeros" and not fitted:
            raise ValueError("learn_one starts from zero weights, because features are added later. Set init='zeros'.")
        plan = plan_of(parameters)
        learner = OneByOne(
            eta0=plan["eta0"],
            tie=plan["tie"],
            fit_intercept=plan["fit_intercept"],
            margin=plan["margin"],
            step=plan["step"],
            aggressiveness=plan["aggressiveness"],
            average=plan["average"],
        )
        before = (0, 0, 0)
        if fitted:
            before = (self.n_mistakes_, self.n_samples_seen_, self.n_iter_)
            before = (before[0], before[1] - self._restore(learner), before[2])
        elif classes is not None:
            labels = sorted(set(classes))  # type: ignore[type-var]  # labels of one type can be compared
            if len(labels) < 2:
                raise ValueError(f"classes has {len(labels)} label(s); a perceptron needs at least 2.")
            learner.declare(labels)
        self._counts_before, self.status_ = before, "partial"
        self._forget_learned()
        self._learner = learner

    def _forget_learned(self) -> None:
        for name in _LEARNED:
            self.__dict__.pop(name, None)

    def _restore(self, learner: OneByOne) -> int:
        """Copies the weights of a fit into the learner. Returns the number of examples behind them."""
        coef, intercept = self._present_weights()
        delayed, delayed_offsets, seen = np.zeros_like(coef), np.zeros_like(intercept), self.n_samples_seen_
        if self._keeps_average:
            seen = round(float(self._averaged_over.max()))
            delayed, delayed_offsets = seen * (coef - self.coef_), seen * (intercept - self.intercept_)
        names = [str(name) for name in getattr(self, "feature_names_in_", ())]
        learner.restore(self.classes_.tolist(), names, coef, intercept, delayed, delayed_offsets, seen)
        return seen

    def __getattr__(self, name: str) -> Any:
        if name in _LEARNED and "_learner" in self.__dict__:
            found = self._set_fitted()
            if name in found:
                return found[name]
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _set_fitted(self) -> dict[str, Any]:
        """Sets and returns the fitted attributes. Another thread that goes on learning deletes the attributes again."""
        state = self._learner.state()
        mistakes, seen, epochs = self._counts_before
        coef, intercept = state["average"] or state["last"]
        planes = len(coef)
        found: dict[str, Any] = {
            "classes_": np.unique(np.array(state["labels"])) if state["labels"] else np.array([]),
            "coef_": coef,
            "intercept_": intercept,
            "n_features_in_": state["n_features"],
            "n_mistakes_": mistakes + state["mistakes"],
            "n_samples_seen_": seen + state["seen"],
            "n_iter_": epochs,
            "statuses_": ["partial"] * planes,
            "cycle_": None,
            "cycles_": [None] * planes,
            "history_": np.empty(0, HISTORY),
            "accelerators_": [{} for _ in range(planes)],
        }
        if self._keeps_average:
            found["last_coef_"], found["last_intercept_"] = state["last"]
            found["_averaged_over"] = np.full(planes, float(state["seen"]))
        if state["names"]:
            found["feature_names_in_"] = np.array(state["names"], dtype=object)
        self.__dict__.update(found)
        if self._learner.seen != state["seen"]:  # another thread has learned in between
            self._forget_learned()
        return found

    def _before_fit(self) -> None:
        """Ends learning by single examples: the fitted attributes are set, the learner is deleted."""
        if "_learner" in self.__dict__:
            self._set_fitted()
            del self._learner

    def _partial_fit(
        self, X: MatrixLike, y: ArrayLike, classes: ArrayLike | None, sample_weight: ArrayLike | None
    ) -> None:
        if isinstance(classes, str) and classes == "grow":
            self._grow(X, y, sample_weight)
        else:
            super()._partial_fit(X, y, classes, sample_weight)

    def _grow(self, X: MatrixLike, y: ArrayLike, sample_weight: ArrayLike | None) -> None:
        """One epoch over a batch whose labels may be new: each row is learned as by `learn_one`."""
        order = self._parameters()["order"]
        if sample_weight is not None or order == "misclassified":
            what = f"order={order!r}" if sample_weight is None else "sample_weight"
            raise ValueError(f"partial_fit with classes='grow' has no {what}: give all classes in the first call.")
        first = not hasattr(self, "coef_")
        if not first and "_learner" not in vars(self):
            raise ValueError(
                f"The classes of this {type(self).__name__} are fixed: {self.classes_.tolist()}. Give classes='grow' "
                "from the first call on; a copy that was pickled no longer grows."
            )
        rows, labels = validated(self, X, y, reset=first, **ACCEPTS)
        check_labels(labels)
        refuse_nonfinite(self, rows_of(rows))
        names = vars(self).get("feature_names_in_")
        learner = vars(self).get("_learner") or self._begin_one(None)
        mistakes, seen, epochs = self._counts_before
        n, classes = rows.shape[0], labels.tolist()
        for i in range(n) if order == "cyclic" else epoch_order(seed_of(self.random_state), epochs, n).tolist():
            row = rows[i].toarray().ravel() if issparse(rows) else rows[i]
            learner.learn(row.tolist(), classes[i])
        self._counts_before = (mistakes, seen, epochs + 1)
        self._set_fitted()
        if names is not None:
            self.feature_names_in_ = names

    def __getstate__(self) -> dict[str, object]:
        found = self._set_fitted() if "_learner" in self.__dict__ else {}
        state = {**super().__getstate__(), **found}
        state.pop("_learner", None)
        return state
