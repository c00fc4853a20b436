"""A source of `models.train`: files that the workers of a cluster read.

Each file is a shard; a single file is cut into pieces of consecutive rows. Only the workers load the examples.
"""

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from rosenblatt.data import DataError, Features, ReadOptions, Sparse
from rosenblatt.data.features import Scale
from rosenblatt.data.sparse import Matrix
from rosenblatt.distributed.classifier import DaskClassifier
from rosenblatt.distributed.cluster.engine import Cluster
from rosenblatt.distributed.cluster.in_process import InProcess
from rosenblatt.distributed.estimators import DaskAveragedPerceptron, DaskPerceptron, DaskPocketPerceptron
from rosenblatt.distributed.run.publishing import weights_of
from rosenblatt.distributed.run.run_state import RunState
from rosenblatt.distributed.run.shard_run import concatenated, identity
from rosenblatt.distributed.shards.blocks import Block
from rosenblatt.distributed.shards.shard import Shard, row_blocks
from rosenblatt.distributed.shards.shard_files import Files, block_maker, prepared, survey_files
from rosenblatt.learning.examples import Examples
from rosenblatt.learning.fit import FAMILY
from rosenblatt.learning.parameters import Algorithm, Parameters
from rosenblatt.learning.stall_check import SMALL
from rosenblatt.models.files.record import Record
from rosenblatt.models.files.registry import fitted_of
from rosenblatt.models.training.evaluation.verdict import extent_of
from rosenblatt.models.training.plan import AlgorithmName, Plan
from rosenblatt.models.training.scaling import Moments, moments_of
from rosenblatt.models.training.sources.local_sources import chosen_blocks
from rosenblatt.models.training.sources.source import (
    MAX_SCORED,
    Confusion,
    Extent,
    ShardCounts,
    Source,
    TrainingSet,
    evenly_spaced,
)
from rosenblatt.models.training.splits import Split

#: The distributed estimators by the name of the local estimator, which model files use.
ESTIMATORS: dict[str, type[DaskClassifier]] = {
    "Perceptron": DaskPerceptron,
    "AveragedPerceptron": DaskAveragedPerceptron,
    "PocketPerceptron": DaskPocketPerceptron,
}


@dataclass(frozen=True)
class ShardFit:
    """A finished fit over shards, with the interface that the trainer needs (`sources.Fitted`)."""

    estimator: DaskClassifier
    parameters: Parameters
    shards: ShardCounts

    def attributes(self, algorithm: Algorithm | None = None) -> dict[str, Any]:
        local = self.estimator.to_local()
        name = algorithm or self.parameters.algorithm
        fitted = fitted_of(local, name)
        if name == "Perceptron" and hasattr(local, "last_coef_"):  # the last weights of a run that kept averages
            fitted |= {"coef_": local.last_coef_, "intercept_": local.last_intercept_}
        return fitted


@dataclass(frozen=True)
class ShardSet(TrainingSet):
    """Examples in the memory of the workers."""

    name: str
    cluster: Cluster | InProcess
    files: Files
    features: Features
    classes: NDArray[Any]
    fingerprint: str
    notes: tuple[str, ...]
    settings: Mapping[str, Any]
    tell: Callable[[str], None]
    splits: tuple[Split, ...] = ()
    scale: Scale | None = None
    _shards: list[Any] = field(default_factory=list)  # futures, set by a fit
    _collected: list[Block] = field(default_factory=list)  # the blocks of all pieces, for trials in this process

    fixed: ClassVar[Mapping[str, Any]] = {"ratchet": True}

    @property
    def counts(self) -> NDArray[np.int64]:
        left = self.files.counts.copy()
        for split in self.splits:
            for piece in left:
                piece -= split.held(piece)
        return np.asarray(left.sum(axis=0), dtype=np.int64)

    @property
    def n_examples(self) -> int:
        return self.files.n_examples

    @property
    def n_stored(self) -> int:
        return self.files.n_values

    @property
    def held(self) -> None:
        return None

    def split(self, split: Split) -> "ShardSet":
        return replace(self, splits=(*self.splits, split), _shards=[])

    def trial(self, split: Split) -> "ShardSet":
        """The same split for a temporary fit. The tasks of a small set run in this process, with the same result."""
        kept = {name: value for name, value in self.settings.items() if name not in ("checkpoint", "resume")}
        if not self._collected and self.n_stored <= SMALL:
            blocks = block_maker(self.cluster, self.files)()
            self._collected.extend(self.cluster.results(blocks, "collecting the examples"))
        cluster = InProcess() if self._collected else self.cluster
        return replace(self.split(split), cluster=cluster, settings=kept, tell=lambda _: None)

    def moments(self) -> Moments:
        blocks = self._make_blocks()()
        parts: list[Moments] = self.cluster.results(
            [self.cluster.submit(_moments, block, self.features) for block in blocks], "measuring the columns"
        )
        found = parts[0]
        for part in parts[1:]:
            found = found.merged(part)
        return found

    def scaled(self, scale: Scale) -> "ShardSet":
        return replace(self, scale=scale, _shards=[])

    def fit(self, parameters: Parameters) -> ShardFit:
        return self._fit(parameters, lambda _: None)

    def trial_records(self, parameters: Parameters, epochs: Sequence[int]) -> Iterator[Record]:
        """One run gives the models after all of its epochs."""
        which, kept = FAMILY[parameters.algorithm].published, {}

        def keep(state: RunState) -> None:
            if state.epoch in epochs or not state.live:
                kept[state.epoch] = weights_of(state, which)

        self._fit(parameters.replaced(max_iter=max(epochs)), keep)
        for epoch in epochs:
            coef, intercept = kept[min(epoch, max(kept))]
            fitted = {"classes_": self.classes, "coef_": coef, "intercept_": intercept}
            yield Record(parameters.algorithm, parameters.values, fitted, self.features)

    def _fit(self, parameters: Parameters, after_epoch: Callable[[RunState], None]) -> ShardFit:
        given: dict[str, Any] = {**parameters.values, **self.settings}
        estimator = ESTIMATORS[parameters.algorithm](**given)
        n_shards, limit = len(self.files.pieces), parameters["max_iter"]
        most = "" if limit is None else f", at most {limit:,} epochs"
        self.tell(f"training {parameters.algorithm} on {n_shards} shard{'s' if n_shards > 1 else ''}{most}")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # the report states it
            self._shards[:] = estimator._fit_blocks(
                self.cluster, self._make_blocks(), None, None, after_epoch=after_epoch
            )
        counts = ShardCounts(estimator.n_shards_, estimator.n_weighted_mistakes_)
        return ShardFit(estimator, parameters, counts)

    def confusions(self, record: Record) -> tuple[Confusion, Confusion]:
        self.tell("testing")
        found = self._on_shards(_confusions, record, "testing")
        return cast(tuple[Confusion, Confusion], tuple(np.sum([part[k] for part in found], axis=0) for k in (0, 1)))

    def held_scores(self, record: Record) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
        most = -(-MAX_SCORED // len(self._shards))
        found = self._on_shards(partial(_held_scores, most=most), record, "calibrating")
        return np.concatenate([part[0] for part in found]), np.concatenate([part[1] for part in found])

    def extent(self, record: Record) -> Extent:
        parts: list[Extent] = self._on_shards(_extent, record, "measuring the margin")
        found = parts[0]
        for part in parts[1:]:
            found = found.merged(part)
        return found

    def small(self) -> Examples | None:
        if self.n_examples * self.features.n_features > SMALL:
            return None
        return concatenated(self.cluster.results(self._shards, "asking for a separator"))

    def _make_blocks(self) -> Callable[[], list[Any]]:
        if self._collected and isinstance(self.cluster, InProcess):
            blocks = [prepared(block, self.splits, self.scale) for block in self._collected]
            return lambda: blocks
        return block_maker(self.cluster, self.files, self.splits, self.scale)

    def _on_shards(self, function: Callable[[Shard, Record], Any], record: Record, doing: str) -> list[Any]:
        if not self._shards:
            raise AssertionError("shards are made by a fit")
        sent = self.cluster.submit(identity, record)
        return self.cluster.results([self.cluster.submit(function, shard, sent) for shard in self._shards], doing)


class ShardSource(Source):
    """Files that the workers behind a Dask client read.

    `settings` are parameters that only the distributed estimators have (mixing, checkpoint, resume, timeout); `tell` is
    called with each stage of the work.

    Examples
    --------
    >>> from rosenblatt import data, models
    >>> from rosenblatt.distributed import ShardSource, connect
    >>> with connect(workers=2) as client:  # doctest: +SKIP
    ...     source = ShardSource(["part1.csv", "part2.csv"], data.ReadOptions(target="y"), client=client)
    ...     trained = models.train(source, models.Plan())
    """

    def __init__(
        self,
        paths: Sequence[str],
        read_options: ReadOptions,
        *,
        client: Any = None,
        shards: int = 1,
        settings: Mapping[str, Any] | None = None,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._paths, self._read_options, self._client = list(paths), read_options, client
        self._shards, self._settings, self._tell = shards, dict(settings or {}), tell

    def refuse(self, algorithm: AlgorithmName, plan: Plan) -> None:
        without = "Train on one machine, without --dask and --workers."
        if algorithm not in ESTIMATORS:
            raise DataError(f"a cluster trains {', '.join(ESTIMATORS)}, not {algorithm}. {without}")
        ESTIMATORS[algorithm](**plan.parameters, **self._settings)._check()

    @contextmanager
    def open(self, plan: Plan) -> Iterator[ShardSet]:
        cluster = Cluster(self._client, self._settings.get("timeout", 600.0))
        name = self._paths[0] if len(self._paths) == 1 else f"{len(self._paths)} files from {self._paths[0]}"
        self._tell(f"reading {name}")
        files = survey_files(cluster, self._paths, self._read_options, self._shards)
        yield ShardSet(
            name,
            cluster,
            files,
            files.features,
            files.classes,
            files.fingerprint,
            files.notes,
            self._settings,
            self._tell,
        )


def _moments(block: Block, features: Features) -> Moments:
    return moments_of(chosen_blocks(_matrix(block.X), block.chosen), features)


def _confusions(shard: Shard, record: Record) -> tuple[Confusion, Confusion]:
    k = len(record.classes)
    found = np.zeros((2, k * k), np.int64)
    for which, rows in enumerate((_members(shard), _test_rows(shard))):
        for some in row_blocks(rows):
            codes = record.predicted_codes(_matrix(shard.X[some]))
            found[which] += np.bincount(shard.codes[some].astype(np.int64) * k + codes, minlength=k * k)
    return found[0].reshape(k, k), found[1].reshape(k, k)


def _held_scores(shard: Shard, record: Record, most: int) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    rows = evenly_spaced(_test_rows(shard), most)
    scores = [record.scores(_matrix(shard.X[some])) for some in row_blocks(rows)]
    problems = record.fitted["coef_"].shape[0]
    return np.concatenate([np.empty((0, problems)), *scores]), shard.codes[rows]


def _extent(shard: Shard, record: Record) -> Extent:
    found = Extent(np.inf, 0.0)
    for some in row_blocks(_members(shard)):
        all_rows = np.ones(len(some), dtype=bool)
        found = found.merged(extent_of(record, _matrix(shard.X[some]), shard.codes[some], all_rows))
    return found


def _members(shard: Shard) -> NDArray[np.uint32]:
    return np.arange(shard.X.shape[0], dtype=np.uint32) if shard.chosen is None else shard.chosen


def _test_rows(shard: Shard) -> NDArray[np.uint32]:
    return np.empty(0, np.uint32) if shard.test is None else shard.test


def _matrix(X: Any) -> Matrix:
    return Sparse.from_scipy(X) if hasattr(X, "indptr") else np.ascontiguousarray(X)
