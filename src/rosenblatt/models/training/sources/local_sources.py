"""Training sets that the core reads in this process, and the source for a dataset in memory."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from rosenblatt.data import Dataset, Features, Sparse
from rosenblatt.data.features import Scale
from rosenblatt.data.sparse import Matrix
from rosenblatt.learning.examples import Examples
from rosenblatt.learning.fit import FAMILY, Fit, OnlineFit, fit
from rosenblatt.learning.parameters import Parameters
from rosenblatt.learning.stall_check import SMALL
from rosenblatt.learning.threads import threads_of, usable_threads
from rosenblatt.models.files.record import Record, rows_of
from rosenblatt.models.training.evaluation.assessment import assess
from rosenblatt.models.training.evaluation.verdict import extent_of
from rosenblatt.models.training.plan import AlgorithmName, Plan
from rosenblatt.models.training.scaling import BLOCK, Moments, moments_of
from rosenblatt.models.training.sources.source import (
    MAX_SCORED,
    Confusion,
    Extent,
    Source,
    TrainingSet,
    evenly_spaced,
)
from rosenblatt.models.training.splits import Split

#: Rows of a file that are scored in one block.
_ROWS = 1 << 14

Positions = NDArray[np.uint32]


@dataclass(frozen=True)
class LocalSet(TrainingSet):
    """Examples that the core reads in this process."""

    name: str
    features: Features
    classes: NDArray[Any]
    codes: NDArray[np.int32]
    fingerprint: str
    notes: tuple[str, ...]
    chosen: Positions | None  # the training examples; None means all
    held_out: Positions | None

    @property
    def held(self) -> Positions | None:
        return self.held_out

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        codes = self.codes if self.chosen is None else self.codes[self.chosen]
        return np.bincount(codes, minlength=len(self.classes))

    @property
    def n_examples(self) -> int:
        return len(self.codes)

    def split(self, split: Split) -> Self:
        codes = self.codes if self.chosen is None else self.codes[self.chosen]
        training, held = split.parts(codes, len(self.classes))
        if self.chosen is not None:
            training, held = self.chosen[training], self.chosen[held]
        return replace(self, chosen=training, held_out=held)

    def fit(self, parameters: Parameters) -> Fit:
        return fit(parameters, self.examples(), n_threads=threads_of(parameters["n_jobs"]))

    def trial_records(self, parameters: Parameters, epochs: Sequence[int]) -> Iterator[Record]:
        """One run gives the models after all of its epochs."""
        if len(epochs) == 1:
            yield from super().trial_records(parameters, epochs)
            return
        run = fit(parameters, self.examples(), n_threads=threads_of(parameters["n_jobs"]), snapshots=epochs)
        if not isinstance(run, OnlineFit):
            raise AssertionError(f"{parameters.algorithm} keeps no snapshots")
        for epoch in epochs:
            coef, intercept = run.at(epoch).weights(FAMILY[parameters.algorithm].published)
            fitted = {"classes_": self.classes, "coef_": coef, "intercept_": intercept}
            yield Record(parameters.algorithm, parameters.values, fitted, self.features)

    def confusions(self, record: Record) -> tuple[Confusion, Confusion]:
        k = len(self.classes)
        none = np.empty(0, np.uint32)
        is_trained = self._is_among(self.chosen)
        is_held = self._is_among(none if self.held_out is None else self.held_out)
        found = np.zeros((2, k * k), dtype=np.int64)
        for begin, X in self._row_blocks():
            here = slice(begin, begin + X.shape[0])
            cells = self.codes[here].astype(np.int64) * k + record.predicted_codes(X)
            for which, members in enumerate((is_trained, is_held)):
                found[which] += np.bincount(cells[members[here]], minlength=k * k)
        return found[0].reshape(k, k), found[1].reshape(k, k)

    def held_scores(self, record: Record) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
        none = np.empty(0, np.uint32)
        chosen = evenly_spaced(none if self.held_out is None else self.held_out, MAX_SCORED)
        scores = []
        for begin, X in self._row_blocks():
            rows = chosen[np.searchsorted(chosen, begin) : np.searchsorted(chosen, begin + X.shape[0])]
            if len(rows):
                scores.append(record.scores(rows_at(X, rows - begin)))
        return np.concatenate(scores), self.codes[chosen]

    def extent(self, record: Record) -> Extent:
        found = Extent(np.inf, 0.0)
        is_trained = self._is_among(self.chosen)
        for begin, X in self._row_blocks():
            here = slice(begin, begin + X.shape[0])
            found = found.merged(extent_of(record, X, self.codes[here], is_trained[here]))
        return found

    def _is_among(self, positions: Positions | None) -> NDArray[np.bool_]:
        """One flag per example: whether it is at one of the positions. None means all positions."""
        flags = np.full(self.n_examples, positions is None)
        if positions is not None:
            flags[positions] = True
        return flags

    @abstractmethod
    def examples(self) -> Examples:
        """The examples in the form that `learning.fit` reads."""

    @abstractmethod
    def _row_blocks(self) -> Iterator[tuple[int, Matrix]]:
        """All rows in order, in blocks, each with the position of its first row."""


@dataclass(frozen=True)
class MemorySet(LocalSet):
    """Examples in memory."""

    X: Matrix

    is_in_memory: ClassVar[bool] = True

    def examples(self) -> Examples:
        return Examples(self.X, rows_of(self.X), self.classes, self.codes, None, self.chosen)

    def moments(self) -> Moments:
        return moments_of(chosen_blocks(self.X, self.chosen), self.features)

    @property
    def trial_threads(self) -> int:
        return usable_threads()

    def held_confusion(self, record: Record) -> Confusion:
        held = np.empty(0, np.uint32) if self.held_out is None else self.held_out
        return assess(self.classes, self.codes[held], record.predicted_codes(rows_at(self.X, held))).confusion

    def scaled(self, scale: Scale) -> "MemorySet":
        return replace(self, X=scale.apply(self.X))

    def small(self) -> Examples | None:
        return self.examples() if self.X.shape[0] * self.X.shape[1] <= SMALL else None

    @property
    def n_stored(self) -> int:
        return len(self.X.values) if isinstance(self.X, Sparse) else self.X.size

    def _row_blocks(self) -> Iterator[tuple[int, Matrix]]:
        yield 0, self.X


class MemorySource(Source):
    """A `data.Dataset`."""

    def __init__(self, dataset: Dataset) -> None:
        self._dataset = dataset

    def refuse(self, algorithm: AlgorithmName, plan: Plan) -> None:
        """Accepts every plan: all algorithms can train in memory."""

    @contextmanager
    def open(self, plan: Plan) -> Iterator[MemorySet]:
        found = self._dataset
        labels = found.needs_labels()
        yield MemorySet(
            found.name,
            found.features,
            labels.classes,
            labels.codes,
            found.fingerprint,
            found.notes,
            None,
            None,
            found.X,
        )


def chosen_blocks(X: Matrix, chosen: Positions | None) -> Iterator[Matrix]:
    """The chosen rows of a matrix in blocks of a fixed number of rows."""
    for begin in range(0, X.shape[0] if chosen is None else len(chosen), BLOCK):
        rows = np.arange(begin, min(begin + BLOCK, X.shape[0])) if chosen is None else chosen[begin : begin + BLOCK]
        yield rows_at(X, rows)


def rows_at(X: Matrix, rows: NDArray[Any]) -> Matrix:
    """The given rows of a matrix. Does not use scipy, because its import takes longer than most fits."""
    if not isinstance(X, Sparse):
        return np.asarray(X[rows])
    rows = rows.astype(np.int64)
    lengths = X.starts[rows + 1] - X.starts[rows]
    starts = np.concatenate([np.zeros(1, X.starts.dtype), np.cumsum(lengths, dtype=X.starts.dtype)])
    entries = np.repeat(X.starts[rows] - starts[:-1], lengths) + np.arange(starts[-1])
    return Sparse(X.values[entries], X.indices[entries], starts, X.n_features, X.checked)
