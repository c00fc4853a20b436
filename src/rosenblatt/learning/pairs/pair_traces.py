"""The recorded runs of many pairs of classes. A trace is built on access."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, overload

import numpy as np
from numpy.typing import NDArray

from rosenblatt.learning.examples import Examples
from rosenblatt.learning.plan_fields import PlanFields
from rosenblatt.learning.traces.recorded_updates import rule_of

if TYPE_CHECKING:
    from rosenblatt.core._core import _PairFacts, _PairUpdates
    from rosenblatt.trace import Trace


class PairTraces(Sequence["Trace"]):
    """A read-only sequence of traces, one per pair of classes, in the order (0, 1), (0, 2), …, (1, 2)."""

    def __init__(
        self,
        examples: Examples,
        plan: PlanFields,
        start: NDArray[np.float64] | None,
        updates: "_PairUpdates",
        facts: "_PairFacts",
    ) -> None:
        self._X, self._codes, self._members = examples.matrix(), examples.codes, examples.members
        self._steps = np.full(len(self._codes), plan["eta0"])
        if examples.weights is not None:
            self._steps = plan["eta0"] * examples.weights
        self._n_classes = len(examples.classes)
        self._plan, self._start, self._updates = plan, start, updates
        self._presented, self._epochs = facts["presented"], facts["epochs"]

    def __len__(self) -> int:
        return len(self._presented)

    @overload
    def __getitem__(self, p: int) -> "Trace": ...
    @overload
    def __getitem__(self, p: slice) -> list["Trace"]: ...
    def __getitem__(self, p: int | slice) -> "Trace | list[Trace]":
        if isinstance(p, slice):
            return [self[k] for k in range(*p.indices(len(self)))]
        if not -len(self) <= p < len(self):
            raise IndexError(f"there are {len(self)} traces; {p} is out of range")
        return self._trace(p % len(self))

    def _trace(self, p: int) -> "Trace":
        from rosenblatt.trace import Recording, Trace

        plan = self._plan
        a, b = _classes_of(p, self._n_classes)
        mine = slice(int(self._updates["starts"][p]), int(self._updates["starts"][p + 1]))
        width = self._X.shape[1] + int(plan["fit_intercept"])
        return Trace(
            Recording(
                X=self._X,
                labels=self._codes,
                members=self._members[np.isin(self._codes[self._members], (a, b))],
                steps=self._steps,
                **rule_of(plan),
                positive=b,
                start=np.zeros(width) if self._start is None else self._start,
                k=self._updates["presented"][mine].astype(np.int64) - 1,
                i=self._updates["example"][mine].astype(np.int64),
                scales=None if plan["step"] == "constant" else np.abs(self._updates["scale"][mine]),
                rivals=None,
                presented=int(self._presented[p]),
                epochs=int(self._epochs[p]),
            )
        )


def _classes_of(p: int, n_classes: int) -> tuple[int, int]:
    """The classes of pair p.

    >>> [_classes_of(p, 3) for p in range(3)]
    [(0, 1), (0, 2), (1, 2)]
    """
    a = 0
    while p >= n_classes - 1 - a:
        p -= n_classes - 1 - a
        a += 1
    return a, a + 1 + p
