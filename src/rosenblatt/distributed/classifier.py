"""The base class of the distributed estimators: the local estimator's parameters, fit over shards, lazy prediction."""

import copy
from collections.abc import Callable
from math import ceil
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from rosenblatt.conventions import value_kinds as allowed
from rosenblatt.data import Features, ReadOptions
from rosenblatt.distributed.cluster.cluster_error import with_retries
from rosenblatt.distributed.cluster.engine import Cluster
from rosenblatt.distributed.cluster.in_process import InProcess
from rosenblatt.distributed.lazy_prediction import apply_lazily
from rosenblatt.distributed.run import checkpoint as checkpoints
from rosenblatt.distributed.run.publishing import local_attributes, published
from rosenblatt.distributed.run.run_state import Rules, RunState
from rosenblatt.distributed.run.shard_run import ShardRun
from rosenblatt.distributed.shards.blocks import Survey, blocks_of, classes_of, counts_of, make_shard, survey_block
from rosenblatt.distributed.shards.shard_files import block_maker, survey_files
from rosenblatt.estimators.base.linear_classifier import all_or_nothing
from rosenblatt.estimators.base.online_classifier import OnlineClassifier
from rosenblatt.estimators.base.versioned_pickle import VersionedPickle
from rosenblatt.estimators.reports.convergence_warning import warn_unless_converged
from rosenblatt.learning.examples import Examples, rows_of
from rosenblatt.learning.fit import FAMILY, plan_of, start_of
from rosenblatt.learning.labels.class_weights import weights_of_classes
from rosenblatt.learning.labels.stratified import held_counts
from rosenblatt.learning.parameters import seed_of
from rosenblatt.learning.problems import groups_of
from rosenblatt.learning.progress import Progress, ProgressLine
from rosenblatt.whole_file import check_place

_PATH = allowed.Kind("a path", lambda value: isinstance(value, str | PathLike))

#: Allowed values of the parameters that the local estimator does not have.
_SHARD_KINDS: dict[str, allowed.Kind] = {
    "mixing": allowed.one_of("uniform", "mistakes"),
    "checkpoint": allowed.NONE | _PATH,
    "resume": allowed.FLAG,
    "timeout": allowed.NONE | allowed.POSITIVE,
    "retries": allowed.whole(0),
}


class DaskClassifier(VersionedPickle, ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn ships no types
    """An online classifier over shards. Each epoch runs one pass of the core per shard and averages the weights."""

    _local: ClassVar[type[OnlineClassifier]]
    _defaults: ClassVar[dict[str, Any]] = {}  # defaults that differ from the local estimator

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
                    f"{type(self).__name__} has no parameter {name!r}; it has {', '.join([*_SHARD_KINDS, *known])}."
                )
        for name, value in (known | parameters).items():
            setattr(self, name, value)

    @classmethod
    def _get_param_names(cls) -> list[str]:
        return sorted([*_SHARD_KINDS, *cls._local._get_param_names()])

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
            Every chunk of rows, partition or file is a shard. Files are Parquet or svmlight, and every worker must be
            able to read them.
        y : Dask array or series, or the name of the column of labels in files
            Cut as X is. Not needed for svmlight files, nor where `data.read` finds the column by itself.
        coef_init, intercept_init : arrays, default=None
            First weights, of the shape of `coef_` and `intercept_`.
        sample_weight : Dask array or series, default=None
            Multiplies the step of each example. Examples with weight zero are ignored.
        client : distributed.Client, default=None
            The cluster; None means the most recently created client.
        """
        with all_or_nothing(self):
            self._fit(X, y, coef_init, intercept_init, sample_weight, client)
        if self._local._should_converge and self.status_ != "separated":
            warn_unless_converged(self, scales_differ=False, stacklevel=2)
        return self

    def _fit(self, X: Any, y: Any, coef_init: Any, intercept_init: Any, sample_weight: Any, client: Any) -> None:
        self._check()
        if isinstance(X, list | tuple) and X and all(isinstance(path, str | PathLike) for path in X):
            if sample_weight is not None:
                raise ValueError("Files hold no sample_weight. Use class_weight, or a Dask dataframe read from them.")
            cluster = Cluster(client, self.timeout)
            files = survey_files(cluster, [str(path) for path in X], ReadOptions(target=y))
            self._fit_blocks(cluster, block_maker(cluster, files), coef_init, intercept_init, files.features)
        else:
            blocks = blocks_of(X, y, sample_weight)
            cluster = Cluster(client, self.timeout)
            self._fit_blocks(cluster, lambda: cluster.compute(blocks), coef_init, intercept_init)

    def _fit_blocks(
        self,
        cluster: Cluster | InProcess,
        make_blocks: Callable[[], list[Any]],
        coef_init: Any,
        intercept_init: Any,
        features: Features | None = None,
        after_epoch: Callable[[RunState], None] = lambda _: None,
    ) -> list[Any]:
        """Fits on the tasks that load blocks, and returns the tasks of their shards."""
        first, surveys = with_retries(lambda: _loaded(cluster, make_blocks), self.retries)
        classes = classes_of(surveys)
        local = self._local_estimator()
        seed = seed_of(self.random_state)
        rules = self._rules(local, seed, len(surveys), len(classes))
        class_weight = self._class_weight(classes, surveys)
        held = (self.validation_fraction, seed) if rules.early_stopping else None

        def make_shards(blocks: list[Any]) -> list[Any]:
            return [cluster.submit(make_shard, block, classes, class_weight, held) for block in blocks]

        n_features = next(survey.n_features for survey in surveys if survey.n_examples)
        one_row = np.zeros((1, n_features))  # the initial weights depend only on shapes and classes
        stand_in = Examples(one_row, rows_of(one_row), classes, np.zeros(1, np.int32), None, None)
        groups = groups_of(rules.multi_class, "cyclic", stand_in)
        parameters = local._parameters().replaced(random_state=seed)
        start = local._start(parameters, stand_in, coef_init, intercept_init)
        coef, intercept = start or start_of(parameters, groups, n_features)
        state = RunState(rules, coef, intercept)
        stamp = checkpoints.stamp_of(self, seed, classes, surveys, coef, intercept)
        place = None if self.checkpoint is None else Path(self.checkpoint)
        if self.resume and place is not None and place.exists():
            checkpoints.restore(state, place, stamp)
        sizes = [int(survey.counts.sum()) for survey in surveys]
        if held is not None:
            sizes = [
                n - int(held_counts(survey.counts, ceil(held[0] * n)).sum())
                for n, survey in zip(sizes, surveys, strict=True)
            ]
        shards = make_shards(first)
        del first  # frees the blocks: a lost shard is recomputed from the source of its block
        run = ShardRun(cluster, state, shards, lambda: make_shards(make_blocks()), sizes, n_features, self.retries)
        with ProgressLine(self.verbose, type(self).__name__, rules.plan["max_iter"], plain=True) as line:

            def report() -> None:
                if place is not None:
                    checkpoints.save(state, place, stamp)
                self._report_progress(state, line)
                after_epoch(state)

            run.to_end(report)
        names = surveys[0].feature_names
        if features is not None and features.kind == "table":
            names = tuple(features.names())
        for name, value in published(
            state, classes, FAMILY[self._local._algorithm].published, run.proofs, names
        ).items():
            setattr(self, name, value)
        self.n_examples_ = sum(sizes)
        return run.shards

    def _report_progress(self, state: RunState, line: ProgressLine) -> None:
        callback = self.callback
        if callback is None and not line.shows:
            return
        epoch, mistakes, error_rate, loss, _ = state.history.last or [0, 0, 0.0, 0.0, 0.0]
        seen = max(problem.presented for problem in state.problems)
        progress = Progress(
            int(epoch), int(mistakes), error_rate, loss, seen, lambda: (state.coef.copy(), state.intercept.copy())
        )
        line.show(progress)
        if callback is not None:
            callback(progress)

    def _check(self) -> None:
        self._local_estimator()._parameters()
        for name, kind in _SHARD_KINDS.items():
            if not kind.holds(getattr(self, name)):
                raise ValueError(f"{type(self).__name__}: {name} must be {kind.means}; got {getattr(self, name)!r}.")
        if self.resume and self.checkpoint is None:
            raise ValueError("resume=True needs a checkpoint to resume from: checkpoint=PATH.")
        if self.checkpoint is not None:
            check_place(Path(self.checkpoint))
        if getattr(self, "record", False):
            raise ValueError(
                "record=True keeps every update in order, and shards have no common order. Record a local fit instead."
            )

    def _local_estimator(self) -> OnlineClassifier:
        """The local estimator with the same parameters and, with `warm_start`, the attributes of the last fit."""
        local = self._unfitted_local()
        if getattr(self, "warm_start", False) and hasattr(self, "coef_"):
            for name, value in local_attributes(self).items():
                setattr(local, name, value)
        return local

    def _unfitted_local(self) -> OnlineClassifier:
        return self._local(**{name: getattr(self, name) for name in self._local._get_param_names()})

    def _rules(self, local: OnlineClassifier, seed: int, n_shards: int, n_classes: int) -> Rules:
        plan = plan_of(local._parameters().replaced(random_state=seed))
        plan |= {"validation": None, "pocket": False, "ratchet": False, "record": False}
        if plan["patience"] is not None and n_shards > 1:
            raise ValueError(
                f"patience={plan['patience']} counts consecutive examples of one sequence, and {n_shards} shards are "
                f"{n_shards} sequences. Use max_iter or max_error, or one shard."
            )
        if plan["order"] == "misclassified" and n_shards > 1:
            raise ValueError(
                "order='misclassified' draws each step from all examples that are wrong under the weights of that "
                f"moment, and none of {n_shards} shards has the examples of the others. Use order='shuffle' or "
                "order='cyclic', or one shard."
            )
        multi_class: str = self.multi_class
        return Rules(
            plan=dict(plan),
            multi_class=multi_class,
            mixing=self.mixing,
            n_shards=n_shards,
            joint=multi_class == "joint" and n_classes > 2,
            pocket=self._local._algorithm == "PocketPerceptron",
            early_stopping=bool(getattr(self, "early_stopping", False)),
        )

    def _class_weight(self, classes: NDArray[Any], surveys: list[Survey]) -> dict[Any, float] | None:
        class_weight = self.class_weight
        if class_weight == "balanced":  # over all shards
            weights = weights_of_classes(class_weight, classes, counts_of(surveys, classes))
            class_weight = dict(zip(classes.tolist(), weights.tolist(), strict=True))
        return cast(dict[Any, float] | None, class_weight)

    def to_local(self) -> Any:
        """The fitted local estimator with the same parameters, weights and counts. It does not need Dask."""
        check_is_fitted(self)
        local = self._unfitted_local()
        for name, value in local_attributes(self).items():
            setattr(local, name, copy.copy(value))
        return local

    def predict(self, X: Any) -> Any:
        """The class of each example: lazy if X is a Dask collection, immediate if it is an array."""
        return apply_lazily(X, self.to_local(), "predict")

    def decision_function(self, X: Any) -> Any:
        """The scores of the local estimator, lazy if X is a Dask collection."""
        return apply_lazily(X, self.to_local(), "decision_function")

    def report(self, feature_names: Any = None) -> str:
        """A text with the status of the fit, its counts and the largest weights."""
        return str(self.to_local().report(feature_names)).replace(self._local.__name__, type(self).__name__, 1)


def _loaded(cluster: Cluster | InProcess, make_blocks: Callable[[], list[Any]]) -> tuple[list[Any], list[Survey]]:
    """The tasks that load blocks, and the surveys of the blocks."""
    blocks = make_blocks()
    surveys = [cluster.submit(survey_block, block) for block in blocks]
    return blocks, cluster.results(surveys, "loading the shards", blocks)
