"""What the distributed estimators share: the parameters of a local twin, a fit over shards, lazy predictions."""

import copy
from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from rosenblatt.data import Features, Wishes
from rosenblatt.distributed import checkpoint as checkpoints
from rosenblatt.distributed.blocks import Survey, blocks_of, classes_of, counts_of, make_shard, survey_block
from rosenblatt.distributed.course import Course, Rules
from rosenblatt.distributed.engine import Cluster
from rosenblatt.distributed.errors import survived
from rosenblatt.distributed.files import block_maker, look_at
from rosenblatt.distributed.prediction import lazily
from rosenblatt.distributed.publishing import local_attributes, published
from rosenblatt.distributed.running import Run
from rosenblatt.estimators.convergence import warn_unless_settled
from rosenblatt.estimators.linear import all_or_nothing
from rosenblatt.estimators.online import OnlineClassifier
from rosenblatt.learning import parameters as allowed
from rosenblatt.learning.examples import Examples, rows_of
from rosenblatt.learning.fit import FAMILY, plan_of, start_of
from rosenblatt.learning.problems import groups_of
from rosenblatt.learning.progress import Progress, ProgressLine
from rosenblatt.whole_file import check_place

_PATH = allowed.Kind("a path", lambda value: isinstance(value, str | PathLike))

#: What the parameters that a local twin does not have may be.
_OWN: dict[str, allowed.Kind] = {
    "mixing": allowed.one_of("uniform", "mistakes"),
    "checkpoint": allowed.NONE | _PATH,
    "resume": allowed.FLAG,
    "timeout": allowed.NONE | allowed.POSITIVE,
    "retries": allowed.whole(0),
}


class DaskClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn ships no types
    """An online classifier trained where its data lies: a core pass a shard and epoch, then the mean of the weights."""

    _local: ClassVar[type[OnlineClassifier]]
    _defaults: ClassVar[dict[str, Any]] = {}  # where they are not those of the twin

    coef_: NDArray[np.float64]
    intercept_: NDArray[np.float64]
    classes_: NDArray[Any]
    status_: str
    statuses_: list[str]
    n_iter_: int
    n_mistakes_: int
    certificates_: list[Any]

    def __init__(
        self,
        *,
        mixing: str = "uniform",
        checkpoint: str | PathLike[str] | None = None,
        resume: bool = False,
        timeout: float | None = 600.0,
        retries: int = 3,
        **parameters: Any,
    ) -> None:
        self.mixing = mixing
        self.checkpoint = checkpoint
        self.resume = resume
        self.timeout = timeout
        self.retries = retries
        known = self._local().get_params(deep=False) | self._defaults
        for name in parameters:
            if name not in known:
                raise TypeError(
                    f"{type(self).__name__} has no parameter {name!r}; it has {', '.join([*_OWN, *known])}."
                )
        for name, value in (known | parameters).items():
            setattr(self, name, value)

    @classmethod
    def _get_param_names(cls) -> list[str]:
        return sorted([*_OWN, *cls._local._get_param_names()])

    def fit(
        self,
        X: Any,
        y: Any = None,
        coef_init: Any = None,
        intercept_init: Any = None,
        sample_weight: Any = None,
        *,
        client: Any = None,
    ) -> Self:
        """Learn from labelled examples on a cluster.

        Parameters
        ----------
        X : Dask array, Dask dataframe or list of paths
            Every chunk of rows, partition or file is a shard. Files are Parquet or svmlight, and must be within reach
            of every worker.
        y : Dask array or series, or the name of the column of labels in files
            Cut as X is. Not needed for svmlight files, nor where `data.read` finds the column by itself.
        coef_init, intercept_init : arrays, default=None
            First weights, of the shape of `coef_` and `intercept_`.
        sample_weight : Dask array or series, default=None
            Multiplies the step of each example; an example of weight zero is as if absent.
        client : distributed.Client, default=None
            The cluster; None: the client that was made last.
        """
        with all_or_nothing(self):
            self._fit(X, y, coef_init, intercept_init, sample_weight, client)
        if self._local._should_settle and self.status_ != "separated":
            warn_unless_settled(
                type(self).__name__,
                self.statuses_,
                self.n_iter_,
                self.n_mistakes_,
                scales_differ=False,
                separable=any(proof is not None and bool(proof.separable) for proof in self.certificates_),
                stacklevel=2,
            )
        return self

    def _fit(self, X: Any, y: Any, coef_init: Any, intercept_init: Any, sample_weight: Any, client: Any) -> None:
        self._check()
        if isinstance(X, list | tuple) and X and all(isinstance(path, str | PathLike) for path in X):
            if sample_weight is not None:
                raise ValueError("Files hold no sample_weight. Use class_weight, or a Dask dataframe read from them.")
            cluster = Cluster(client, self.timeout)
            files = look_at(cluster, [str(path) for path in X], Wishes(target=y))
            self._fit_blocks(cluster, block_maker(cluster, files), coef_init, intercept_init, files.features)
        else:
            blocks = blocks_of(X, y, sample_weight)
            cluster = Cluster(client, self.timeout)
            self._fit_blocks(cluster, lambda: cluster.compute(blocks), coef_init, intercept_init)

    def _fit_blocks(
        self,
        cluster: Cluster,
        make_blocks: Callable[[], list[Any]],
        coef_init: Any,
        intercept_init: Any,
        features: Features | None = None,
        complete: Callable[[list[Survey], int], None] = lambda _surveys, _n_classes: None,
    ) -> list[Any]:
        """Fits on tasks that give blocks, and returns the tasks of their shards.

        `complete` may set parameters that depend on the shards and the number of classes.
        """
        first, surveys = survived(lambda: _loaded(cluster, make_blocks), self.retries)
        classes = classes_of(surveys)
        complete(surveys, len(classes))
        twin = self._twin()
        seed = allowed.seed_of(self.random_state)
        rules = self._rules(twin, seed, len(surveys), len(classes))
        class_weight = self._class_weight(classes, surveys)
        held = (self.validation_fraction, seed) if rules.early_stopping else None

        def make_shards(blocks: list[Any]) -> list[Any]:
            return [cluster.submit(make_shard, block, classes, class_weight, held) for block in blocks]

        n_features = next(survey.n_features for survey in surveys if survey.n_examples)
        anybody = np.zeros((1, n_features))  # the start depends on shapes and classes only
        stand_in = Examples(anybody, rows_of(anybody), classes, np.zeros(1, np.int32), None, None)
        groups = groups_of(rules.multi_class, "cyclic", stand_in)
        parameters = twin._parameters().replaced(random_state=seed)
        start = twin._start(parameters, stand_in, groups, coef_init, intercept_init)
        coef, intercept = start or start_of(parameters, groups, n_features)
        course = Course(rules, coef, intercept)
        stamp = checkpoints.stamp_of(self, seed, classes, surveys, coef, intercept)
        place = None if self.checkpoint is None else Path(self.checkpoint)
        if self.resume and place is not None and place.exists():
            checkpoints.restore(course, place, stamp)
        sizes = [int(survey.counts.sum()) for survey in surveys]
        if held is not None:
            sizes = [n - int(np.ceil(held[0] * n)) for n in sizes]
        shards = make_shards(first)
        del first  # a lost shard is made again from where its block came from; the block itself need not stay
        run = Run(cluster, course, shards, lambda: make_shards(make_blocks()), sizes, n_features, self.retries)
        with ProgressLine(self.verbose, type(self).__name__, rules.plan["max_iter"], plain=True) as line:

            def after_epoch() -> None:
                if place is not None:
                    checkpoints.save(course, place, stamp)
                self._tell(course, line)

            run.to_end(after_epoch)
        names = surveys[0].feature_names
        if features is not None and features.kind == "table":
            names = tuple(features.names())
        for name, value in published(
            course, classes, FAMILY[self._local._algorithm].published, run.proofs, names
        ).items():
            setattr(self, name, value)
        self.n_examples_ = sum(sizes)
        return run.shards

    def _tell(self, course: Course, line: ProgressLine) -> None:
        callback = self.callback
        if callback is None and not line.shows:
            return
        epoch, mistakes, error_rate, loss, _ = course.history.last or (0, 0, 0.0, 0.0, 0.0)
        seen = max(problem.presented for problem in course.problems)
        progress = Progress(
            epoch, mistakes, error_rate, loss, seen, lambda: (course.coef.copy(), course.intercept.copy())
        )
        line.show(progress)
        if callback is not None:
            callback(progress)

    def _check(self) -> None:
        self._twin()._parameters()
        for name, kind in _OWN.items():
            if not kind.holds(getattr(self, name)):
                raise ValueError(f"{type(self).__name__}: {name} must be {kind.means}; got {getattr(self, name)!r}.")
        if self.resume and self.checkpoint is None:
            raise ValueError("resume=True needs the file to resume from: checkpoint=PATH.")
        if self.checkpoint is not None:
            check_place(Path(self.checkpoint))
        if getattr(self, "record", False):
            raise ValueError(
                "record=True keeps every update in order, and shards have no common order. Record a local fit instead."
            )

    def _twin(self) -> OnlineClassifier:
        """The local estimator with the same parameters; with `warm_start` it knows the last fit's weights."""
        twin = self._local(**{name: getattr(self, name) for name in self._local._get_param_names()})
        if getattr(self, "warm_start", False) and hasattr(self, "coef_"):
            for name, value in local_attributes(self).items():
                setattr(twin, name, value)
        return twin

    def _rules(self, twin: OnlineClassifier, seed: int, n_shards: int, n_classes: int) -> Rules:
        plan = plan_of(twin._parameters().replaced(random_state=seed))
        plan |= {"validation": None, "pocket": False, "ratchet": False, "record": False}
        if plan["patience"] is not None and n_shards > 1:
            raise ValueError(
                f"patience={plan['patience']} counts consecutive examples of one sequence, and {n_shards} shards are "
                f"{n_shards} sequences. Use max_iter or max_error, or one shard."
            )
        if plan["order"] == "misclassified" and n_shards > 1:
            raise ValueError(
                "order='misclassified' draws each step from all examples that are wrong under the weights of that "
                f"moment, and none of {n_shards} shards knows the others' examples. Use order='shuffle' or "
                "order='cyclic', or one shard."
            )
        multi_class: str = self.multi_class
        return Rules(
            plan=plan,
            multi_class=multi_class,
            mixing=self.mixing,
            n_shards=n_shards,
            joint=multi_class == "joint" and n_classes > 2,
            pocket=self._local._algorithm == "PocketPerceptron",
            early_stopping=bool(getattr(self, "early_stopping", False)),
        )

    def _class_weight(self, classes: NDArray[Any], surveys: list[Survey]) -> dict[Any, float] | None:
        class_weight = self.class_weight
        if isinstance(class_weight, str):  # "balanced", over all shards
            counts = counts_of(surveys, classes)
            class_weight = dict(zip(classes.tolist(), counts.sum() / (len(classes) * counts), strict=True))
        return cast(dict[Any, float] | None, class_weight)

    def to_local(self) -> Any:
        """The ordinary estimator, fitted: the same parameters, weights and counts, and no Dask."""
        check_is_fitted(self)
        local = self._local(**{name: getattr(self, name) for name in self._local._get_param_names()})
        for name, value in local_attributes(self).items():
            setattr(local, name, copy.copy(value))
        return local

    def predict(self, X: Any) -> Any:
        """The class of each example: lazily where X is a Dask collection, at once where it is an array."""
        return lazily(X, self.to_local(), "predict")

    def decision_function(self, X: Any) -> Any:
        """Scores, as the local estimator has them; lazily where X is a Dask collection."""
        return lazily(X, self.to_local(), "decision_function")

    def report(self, feature_names: Any = None) -> str:
        """How the fit ended, what it counted and what weighs most, in words."""
        return str(self.to_local().report(feature_names)).replace(self._local.__name__, type(self).__name__, 1)


def _loaded(cluster: Cluster, make_blocks: Callable[[], list[Any]]) -> tuple[list[Any], list[Survey]]:
    """The tasks that give blocks, and what is in them."""
    blocks = make_blocks()
    surveys = [cluster.submit(survey_block, block) for block in blocks]
    return blocks, cluster.results(surveys, "loading the shards", blocks)
