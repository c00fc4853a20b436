"""Drives the core's dual runs: computes the kernel values that a run requests, within the memory limit."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rosenblatt.core import DualRun, add_rows
from rosenblatt.learning.dual.gram import Layout, Rows, Values
from rosenblatt.learning.dual.kernel_functions import Array
from rosenblatt.learning.dual.support_budget import Policy, Support, learn_window
from rosenblatt.learning.progress import EpochReports, Progress, ProgressLine
from rosenblatt.learning.run import NotFiniteError

if TYPE_CHECKING:
    from rosenblatt.theory import Separability

#: Values read between two returns to the interpreter, which handles Ctrl-C: about a tenth of a second.
_SLICE = 200_000_000


class Driver:
    """Runs to the end, window by window. The mistakes of a window update the scores of all examples."""

    def __init__(self, run: DualRun, values: Values, layout: Layout) -> None:
        self.run, self.values, self.layout = run, values, layout
        self.proofs: dict[int, Separability] = {}
        self._rows = Rows(values, layout)

    def to_end(self, callback: Callable[[Progress], object] | None, line: ProgressLine) -> None:
        """Runs to the end, or until the callback, which is called after each epoch, returns True."""
        run = self.run
        reports = EpochReports(run, self.values.n_examples, self._weights, callback, line)
        while True:
            pause = self._advance(reports.wanted)
            if pause == "window":
                self._window(run.open_window(self.layout.window))
            if run.not_finite:
                raise NotFiniteError.in_epoch(run.not_finite, "scores")
            reports.after_slice(pause)
            if pause == "question":
                self._answer(*run.question())
            if pause == "done":
                return

    def support(self) -> NDArray[np.intp]:
        """The indices of the examples with a nonzero coefficient."""
        return np.flatnonzero(self.run.coef().any(axis=0))

    def last(self) -> tuple[Array, Array]:
        """The final coefficients of the support vectors, one row per plane, and the offsets."""
        return self.run.coef()[:, self.support()], self.run.offsets()

    def average(self) -> tuple[Array, Array]:
        """The mean of the coefficients and of the offsets over all examples presented."""
        return self.run.average_coef()[:, self.support()], self.run.average_offsets()

    def _advance(self, pause_at_epoch: bool) -> str:
        return self.run.seek(pause_at_epoch)

    def _window(self, window: NDArray[np.uint32]) -> None:
        run = self.run
        run.present_window(self.values.between(window, window))
        if not run.done:
            self._rows.add_to(run.scores, *run.changes())
        run.close_window()

    def _answer(self, question: str, problem: int) -> None:
        if question == "grid":
            self.run.answer_grid(*self.values.grid(self.layout))
        else:
            raise AssertionError(f"there is no answer to {question!r} of problem {problem}")

    def _weights(self) -> tuple[Array, Array]:
        return self.run.coef(), self.run.offsets()


class GramDriver(Driver):
    """Keeps the whole Gram matrix, so the core runs without windows. `signs` returns the labels ±1 of a problem."""

    def __init__(
        self,
        run: DualRun,
        values: Values,
        layout: Layout,
        memory: int,
        signs: Callable[[int], NDArray[np.int64]],
        fit_intercept: bool,
    ) -> None:
        super().__init__(run, values, layout)
        self._gram = values.whole(memory)
        self._signs, self._fit_intercept = signs, fit_intercept

    def _advance(self, pause_at_epoch: bool) -> str:
        return self.run.advance(self._gram, _SLICE, pause_at_epoch)

    def _answer(self, question: str, problem: int) -> None:
        """Decides whether a stalling problem has a separator: an α with y·(Kα + b) > 0 for every example."""
        if question != "stall":
            return super()._answer(question, problem)
        from rosenblatt.theory import ask_for_fit  # a slow import, needed only by fits that stall

        found = ask_for_fit(self._gram, self._signs(problem), fit_intercept=self._fit_intercept)
        if found.separable is not None:
            self.proofs[problem] = found
        self.run.answer_stall(bool(found.separable), "stalled" if found.separable is None else "inseparable")
        return None


class OnePassDriver(Driver):
    """Runs a single epoch. Each window is scored against the support vectors so far; no other scores are computed."""

    def __init__(self, run: DualRun, values: Values, layout: Layout) -> None:
        super().__init__(run, values, layout)
        self._seen: list[NDArray[np.uint32]] = []
        self._changes: list[Array] = []

    def _window(self, window: NDArray[np.uint32]) -> None:
        run = self.run
        scores = run.window_scores
        for some, changes in self._parts():
            add_rows(scores, changes, self.values.between(some, window))
        run.present_window(self.values.between(window, window))
        seen, changes = run.changes()
        self._seen.append(seen)
        self._changes.append(changes)
        run.close_window()

    def _parts(self) -> list[tuple[NDArray[np.uint32], Array]]:
        """The support vectors and their coefficients, in blocks of at most `layout.columns` vectors."""
        if not self._seen:
            return []
        seen, changes = np.concatenate(self._seen), np.concatenate(self._changes)
        self._seen, self._changes = [seen], [changes]
        parts = range(0, len(seen), self.layout.columns)
        return [(seen[k : k + self.layout.columns], changes[k : k + self.layout.columns]) for k in parts]

    def _answer(self, question: str, problem: int) -> None:
        if question != "scores":
            return super()._answer(question, problem)
        self.run.scores[...] = 0.0
        for some, changes in self._parts():
            self._rows.add_to(self.run.scores, some, changes)
        self.run.answer_scores()
        return None


class BudgetDriver(Driver):
    """Limits the number of support vectors. `change(i)` updates each plane's coefficients after a mistake on i."""

    def __init__(
        self,
        run: DualRun,
        values: Values,
        layout: Layout,
        support: Support,
        policy: Policy,
        change: Callable[[int], Array],
        fit_intercept: bool,
    ) -> None:
        super().__init__(run, values, layout)
        self._support, self._policy, self._change, self._fit_intercept = support, policy, change, fit_intercept

    def _window(self, window: NDArray[np.uint32]) -> None:
        learn_window(self._support, self._policy, self.run, window, self._between, self._change)

    def _between(self, rows: NDArray[np.integer], columns: NDArray[np.uint32]) -> Array:
        values = self.values.between(rows, columns)
        if self._fit_intercept:
            values += 1.0
        return values

    def support(self) -> NDArray[np.intp]:
        return np.sort(self._support.examples)

    def last(self) -> tuple[Array, Array]:
        coef = self._support.coef[:, np.argsort(self._support.examples)]
        return coef, coef.sum(axis=1) if self._fit_intercept else np.zeros(len(coef))

    def average(self) -> tuple[Array, Array]:
        return self.last()

    def _weights(self) -> tuple[Array, Array]:
        coef = np.zeros((len(self._support.coef), self.values.n_examples))
        coef[:, self._support.examples] = self._support.coef
        return coef, coef.sum(axis=1) if self._fit_intercept else np.zeros(len(coef))
