"""The weights of all pairs of classes, stored as the updates that they are made of."""

from dataclasses import dataclass, field, fields
from functools import cached_property

import numpy as np
from numpy.typing import DTypeLike, NDArray

from rosenblatt.available_memory import available_memory
from rosenblatt.core import Rows, StoredPairs
from rosenblatt.learning.examples import rows_of
from rosenblatt.learning.rows.array_types import Matrix
from rosenblatt.meter import Meter

Array = NDArray[np.float64]

#: Weights that are built, and scores that are computed, between two returns to the interpreter: a tenth of a second.
_BUILT = 20_000_000
_SCORES = 2_000_000


class WeightsTooLargeError(MemoryError):
    """The matrix of weights of all pairs does not fit into memory."""


@dataclass(frozen=True)
class PairWeights:
    """One row of weights per pair of classes. `dense()` builds the matrix; prediction does not need it.

    The entries `starts[p]` to `starts[p + 1]` belong to pair p. If the pair is `replayed`, its weights are `start` plus
    the sum of `value` times row `index` of `support`, in this order; otherwise `value` is the weight of column `index`.
    Averages also have the `clock` of each update and the `total` of each pair.
    """

    support: Matrix
    n_classes: int
    starts: NDArray[np.uint64]
    replayed: NDArray[np.uint8]
    index: NDArray[np.uint32]
    value: Array
    offsets: Array
    clock: Array = field(default_factory=lambda: np.empty(0))
    total: Array = field(default_factory=lambda: np.empty(0))
    start: Array | None = None

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.replayed), self.support.shape[1]

    @property
    def nbytes(self) -> int:
        """The bytes of `dense()`."""
        return 8 * self.shape[0] * self.shape[1]

    def __len__(self) -> int:
        return len(self.replayed)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[np.generic]:
        return self.dense() if dtype is None else self.dense().astype(dtype)

    def __getstate__(self) -> dict[str, object]:
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @cached_property
    def _stored(self) -> StoredPairs:
        return StoredPairs(
            support=rows_of(self.support),
            n_classes=self.n_classes,
            starts=self.starts,
            replayed=self.replayed,
            index=self.index,
            value=self.value,
            clock=self.clock,
            total=self.total,
            offsets=self.offsets,
            start=self.start,
        )

    def check(self) -> None:
        """Raises `ValueError` or `TypeError` if the parts do not fit each other."""
        _ = self._stored

    def dense(self) -> Array:
        """The matrix of all weights. Raises `WeightsTooLargeError` if it does not fit into memory."""
        pairs, features = self.shape
        room = available_memory()
        if room is not None and self.nbytes > room:
            raise WeightsTooLargeError(
                f"coef_ of {self.n_classes:,} classes one against one has {pairs:,} rows of {features:,} weights, "
                f"{self.nbytes / 1e9:,.1f} GB, and {room / 1e9:,.1f} GB of memory are available. predict, "
                f"decision_function and save do not need it; multi_class='ova' has {self.n_classes:,} rows."
            )
        out = np.empty((pairs, features))
        step = max(1, _BUILT // max(features, 1))
        with Meter("coef_", pairs, "pairs") as meter:
            for first in range(0, pairs, step):
                self._stored.weights_into(first, out[first : first + step])
                meter.update(first)
        return out

    def __getitem__(self, pair: int) -> Array:
        """The weights of one pair."""
        if not -len(self) <= pair < len(self):
            raise IndexError(f"there are {len(self)} pairs; {pair} is out of range")
        row: Array = np.empty((1, self.shape[1]))
        self._stored.weights_into(pair % len(self), row)
        weights: Array = row[0]
        return weights

    def codes(self, rows: Rows, tie: str) -> NDArray[np.uint32]:
        """The index of the class with the most votes, for each row. Rows must be finite."""
        codes = np.empty(rows.n_examples, dtype=np.uint32)
        step = max(1, _SCORES // (64 * self.n_classes))
        with Meter("predict", rows.n_examples, "examples") as meter:
            for begin in range(0, len(codes), step):
                self._stored.labels_into(rows, begin, tie == "positive", codes[begin : begin + step])
                meter.update(begin)
        return codes

    def votes(self, rows: Rows, tie: str) -> Array:
        """The votes of each class, as `prediction.pair_votes` returns them. Rows must be finite."""
        votes = np.empty((rows.n_examples, self.n_classes))
        step = max(1, 8 * _SCORES // len(self))
        with Meter("decision_function", rows.n_examples, "examples") as meter:
            for begin in range(0, len(votes), step):
                self._stored.votes_into(rows, begin, tie == "positive", votes[begin : begin + step])
                meter.update(begin)
        return votes
