"""A recorded run as a sequence of its steps."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from rosenblatt.conventions.step import Step
from rosenblatt.core import epoch_order
from rosenblatt.trace.recording import Array, Recording
from rosenblatt.trace.step_table import step_table
from rosenblatt.trace.table_formats import Format
from rosenblatt.trace.trace_file import load_recording, save_recording

_EVERY = 1024  # updates between two stored weight vectors


class Trace(Sequence[Step]):
    """The recorded run of one problem, as the sequence of its steps.

    `len(trace)` is the number of examples presented and `trace[k]` the k-th of them, as `textbook` would yield it;
    `trace.updates` lists those that changed the weights. Only these are stored; steps are rebuilt on
    access. The examples are not copied: a trace is valid only as long as they are unchanged.

    Examples
    --------
    >>> from rosenblatt import Perceptron
    >>> trace = Perceptron(order="cyclic", record=True).fit([[0], [1]], [0, 1]).trace_
    >>> trace
    <Trace: 8 examples in 4 epochs, 5 updates>
    >>> trace[0].w_after, trace[-1].w_after
    (array([-1.,  0.]), array([-1.,  2.]))
    """

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self._kept: dict[int, Array] = {0: recording.start}
        self._latest = 0, recording.start  # the last weights computed: the next request is often a few updates later

    @property
    def updates(self) -> NDArray[Any]:
        """(k, i) of every update: the number of examples presented before it, and the index of its example."""
        table = np.empty(self.n_updates, [("k", np.int64), ("i", np.int64)])
        table["k"], table["i"] = self.recording.k, self.recording.i
        return table

    @property
    def n_updates(self) -> int:
        return len(self.recording.k)

    def __len__(self) -> int:
        return self.recording.presented

    def __repr__(self) -> str:
        return f"<Trace: {len(self):,} examples in {self.recording.epochs:,} epochs, {self.n_updates:,} updates>"

    def weights_at(self, k: int) -> Array:
        """[w₀, w₁, …] after k examples: `weights_at(0)` is the start, `weights_at(len(trace))` the end."""
        if not 0 <= k <= len(self):
            raise IndexError(f"weights_at({k}): the run presented {len(self):,} examples.")
        return self._after(self._updates_before(k)).copy()

    def __iter__(self) -> Iterator[Step]:
        return self._steps(0, len(self))

    @overload
    def __getitem__(self, k: int) -> Step: ...
    @overload
    def __getitem__(self, k: slice) -> list[Step]: ...
    def __getitem__(self, k: int | slice) -> Step | list[Step]:
        if isinstance(k, slice):
            begin, end, stride = k.indices(len(self))
            return list(self._steps(begin, end)) if stride == 1 else [self[j] for j in range(begin, end, stride)]
        if not -len(self) <= k < len(self):
            raise IndexError(f"step {k}: the run presented {len(self):,} examples.")
        return next(self._steps(k % len(self), k % len(self) + 1))

    def presented_examples(self) -> NDArray[np.int64]:
        """The index of the example presented in each step."""
        recording = self.recording
        if recording.order == "misclassified":
            return recording.i  # every step is an update
        if recording.order == "cyclic":
            return recording.members[np.arange(len(self)) % len(recording.members)].astype(np.int64)
        n = len(recording.members)
        orders = [recording.members[epoch_order(recording.seed, epoch, n)] for epoch in range(-(-len(self) // n))]
        return np.concatenate([np.empty(0, np.int64), *orders])[: len(self)].astype(np.int64)

    def history(self) -> NDArray[Any]:
        """Exact values after each epoch: the training error under `error_tie`, and L2's loss over the mistakes.

        The `history_` of a fit is computed online: each example is scored by the weights at its step. Under
        `order="misclassified"` it is exact, too.
        """
        fields = [("epoch", np.int64), ("errors", np.int64), ("error_rate", float), ("loss", float)]
        ends = self.epoch_ends()
        table = np.empty(len(ends), fields)
        for row, k in zip(table, ends, strict=True):
            scores = self.recording.scores(self.weights_at(k))
            errors = self.recording.errors(scores)
            row["errors"], row["error_rate"], row["loss"] = errors.sum(), errors.mean(), self.recording.loss(scores)
        table["epoch"] = np.arange(1, len(ends) + 1)
        return table

    def epoch_ends(self) -> list[int]:
        """The number of examples presented up to the end of each epoch."""
        n = len(self.recording.members)
        return [min((epoch + 1) * n, len(self)) for epoch in range(self.recording.epochs)]

    def to_table(self, to: Format = "markdown", **options: Any) -> str:
        """The steps as a table in LaTeX, Markdown, CSV, HTML or Typst; the options are those of `step_table`.

        Examples
        --------
        >>> from rosenblatt import Perceptron
        >>> trace = Perceptron(order="cyclic", record=True).fit([[0], [1]], [0, 1]).trace_
        >>> print(trace.to_table("csv", columns=["step", "score", "after"], mistakes_only=True))
        step,score,w after
        1,0,"[-1, 0]"
        2,-1,"[0, 1]"
        3,0,"[-1, 1]"
        4,0,"[0, 2]"
        5,0,"[-1, 2]"
        """
        return step_table(self, to, has_offset=self.recording.fit_intercept, **options)

    def save(self, path: str | Path) -> None:
        """Writes the trace with its examples to one `.npz` file."""
        save_recording(self.recording, Path(path))

    @classmethod
    def load(cls, path: str | Path) -> "Trace":
        """Reads what `save` wrote."""
        return cls(load_recording(Path(path)))

    def _updates_before(self, k: int) -> int:
        return int(np.searchsorted(self.recording.k, k))

    def _after(self, updates: int) -> Array:
        """The weights after `updates` updates, summed in the order of the run."""
        known = updates - updates % _EVERY
        while known not in self._kept:
            known -= _EVERY
        w = self._kept[known]
        if known <= self._latest[0] <= updates:
            known, w = self._latest
        for m in range(known, updates):
            w = self.recording.updated(w, m)
            if (m + 1) % _EVERY == 0:
                self._kept[m + 1] = w
        self._latest = updates, w
        return w

    def _steps(self, begin: int, end: int) -> Iterator[Step]:
        recording = self.recording
        w = self._after(self._updates_before(begin))
        for k, epoch, i in self._presentations(begin, end):
            mistake = self._is_update(k)
            after = recording.updated(w, self._updates_before(k)) if mistake else w
            yield Step(k, epoch, i, recording.x(i), recording.y(i), recording.score(w, i), mistake, w, after)
            w = after

    def _is_update(self, k: int) -> bool:
        at = self._updates_before(k)
        return at < self.n_updates and bool(self.recording.k[at] == k)

    def _presentations(self, begin: int, end: int) -> Iterator[tuple[int, int, int]]:
        """(k, epoch, i) for begin ≤ k < end."""
        recording = self.recording
        n = len(recording.members)
        order: NDArray[np.uint32] | None = None
        for k in range(begin, end):
            epoch, position = divmod(k, n)
            if recording.order == "misclassified":
                yield k, epoch, int(recording.i[k])
                continue
            if recording.order == "shuffle":
                if order is None or position == 0:
                    order = epoch_order(recording.seed, epoch, n)
                position = int(order[position])
            yield k, epoch, int(recording.members[position])
