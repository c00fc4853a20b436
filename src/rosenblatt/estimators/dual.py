"""Runs the dual perceptron of the core over the problems of a fit, and gathers what it found."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.core import DualRun, Outcome
from rosenblatt.estimators.gram import Layout, Rows, Values, layout_of
from rosenblatt.estimators.integers import bytes_of, n_threads, narrowed
from rosenblatt.estimators.judge import SMALL
from rosenblatt.estimators.kernel_functions import Array, Kernel
from rosenblatt.estimators.labelled import Examples
from rosenblatt.estimators.problems import Group
from rosenblatt.estimators.progress import Progress, ProgressLine
from rosenblatt.estimators.training import NotFiniteError

if TYPE_CHECKING:
    from rosenblatt.theory import Separability

_log = logging.getLogger("rosenblatt")

#: Touched values between two looks at the interpreter: a tenth of a second or so, for Ctrl-C.
_SLICE = 200_000_000


@dataclass(frozen=True)
class DualUpdates:
    """Every update of one group, in the order of its run."""

    presented: NDArray[np.uint64]
    problem: NDArray[np.uint32]  # of the group; under the joint rule, the rival class
    example: NDArray[np.uint32]  # its place in the whole set
    clock: Array  # the weight of the examples presented before it


@dataclass(frozen=True)
class DualFound:
    """What the run of one group found. Coefficients: one row a plane, one column an example that was a mistake."""

    group: Group
    layout: Layout
    outcomes: list[Outcome]
    presented: int
    history: Array
    support: NDArray[np.intp]  # places in the whole set
    last: tuple[Array, Array]  # coefficients and offsets
    average: tuple[Array, Array]
    updates: DualUpdates | None
    certificates: list["Separability | None"]


def train_dual(
    examples: Examples,
    groups: Sequence[Group],
    kernel: Kernel,
    plan: dict[str, Any],
    memory: float,
    callback: Callable[[Progress], object] | None,
    line: ProgressLine,
) -> list[DualFound]:
    """Runs every group from zero to its end."""
    found = []
    narrow = None
    if kernel.takes_products and bytes_of(examples.X) <= memory / 4:
        narrow = narrowed(examples.X)
        memory -= 0 if narrow is None else narrow.nbytes
    for group in groups:
        values = Values(kernel, examples.X, group.chosen, narrow, 1 if narrow is None else n_threads())
        layout = layout_of(values, memory)
        n = values.n_examples
        if layout.whole:
            _log.info("kernel %s: the whole Gram matrix of %d examples, %.1f MB", kernel.label, n, 8e-6 * n * n)
        else:
            _log.info(
                "kernel %s: a Gram matrix of %d examples would take %.1f MB, more than the %.1f MB of cache_size: "
                "computed in blocks of %d examples against %d, %d rows kept",
                *(kernel.label, n, 8e-6 * n * n, 1e-6 * memory, layout.window, layout.columns, layout.rows),
            )
        labels = np.ascontiguousarray(examples.codes[slice(None) if group.chosen is None else group.chosen])
        one_pass = not layout.whole and plan["max_iter"] == 1 and plan["order"] != "misclassified"
        asks = layout.whole and n * n <= SMALL and not group.joint
        run = _run_of(examples, group, labels, plan, blind=one_pass, ask_before_stall=asks)
        judge = _Judge(labels, group, bool(plan["fit_intercept"]))
        _Driver(run, values, layout, one_pass, judge, callback, line).to_end(memory)
        found.append(_gathered(run, examples, group, layout, plan["record"], judge))
    return found


def _run_of(examples: Examples, group: Group, labels: NDArray[np.int32], plan: dict[str, Any], **more: bool) -> DualRun:
    members = slice(None) if group.chosen is None else group.chosen
    weights = None if examples.weights is None else np.ascontiguousarray(examples.weights[members])
    return DualRun(
        labels=labels,
        steps=None if weights is None else plan["eta0"] * weights,
        weights=weights,
        positives=list(group.positives),
        joint=group.joint,
        pulled=False,
        **plan,
        **more,
    )


class _Judge:
    """Answers for a problem that would stall whether it has a separator in the kernel's feature space."""

    def __init__(self, labels: NDArray[np.int32], group: Group, fit_intercept: bool) -> None:
        self._labels, self._group, self._fit_intercept = labels, group, fit_intercept
        self.proofs: dict[int, Separability] = {}

    def answer(self, gram: Array, problem: int) -> tuple[bool, str]:
        """Whether to go on; if not, how the problem ends. Some α has y·(Kα + b) > 0 everywhere, or none has."""
        from rosenblatt.theory import ask_for_fit  # which a fit that settles by itself does not pay for

        signs = np.where(self._labels == self._group.positives[problem], 1, -1)
        found = ask_for_fit(gram, signs, fit_intercept=self._fit_intercept)
        if found.separable is None:
            return False, "stalled"
        self.proofs[problem] = found
        return (True, "stalled") if found.separable else (False, "inseparable")


class _Driver:
    """Gives a run the kernel values that it asks for, to its end."""

    def __init__(
        self,
        run: DualRun,
        values: Values,
        layout: Layout,
        one_pass: bool,
        judge: _Judge,
        callback: Callable[[Progress], object] | None,
        line: ProgressLine,
    ) -> None:
        self._run, self._values, self._layout, self._one_pass, self._judge = run, values, layout, one_pass, judge
        self._callback, self._line = callback, line
        self._gram: Array | None = None
        self._rows = Rows(values, layout)
        self._seen = np.empty(0, np.uint32)  # in one pass: the examples that have become support vectors
        self._weights = np.empty((0, 0))  # and their coefficients

    def to_end(self, memory: float) -> None:
        run = self._run
        watched = self._callback is not None or self._line.shows
        if self._layout.whole:
            self._gram = self._values.whole(int(memory))
        told = 0
        while True:
            pause = run.seek(watched) if self._gram is None else run.advance(self._gram, _SLICE, watched)
            if pause == "window":
                (self._one_pass_window if self._one_pass else self._window)()
            if run.not_finite:
                raise NotFiniteError(
                    f"The scores left the range of floating-point numbers in epoch {run.not_finite}. Scale the data "
                    "(sklearn.preprocessing.StandardScaler) or lower eta0."
                )
            if watched and run.epochs > told and pause in ("epoch", "done"):
                told = run.epochs
                self._tell()
            if pause == "question":
                self._answer()
            if pause == "done":
                return

    def _window(self) -> None:
        run = self._run
        window = run.open_window(self._layout.window)
        run.present_window(self._values.between(window, window))
        if not run.done:
            self._rows.add_to(run.scores, *run.changes())
        run.close_window()

    def _one_pass_window(self) -> None:
        """Scores of the window against the support vectors so far: nothing is computed that is not needed."""
        run = self._run
        window = run.open_window(self._layout.window)
        scores = run.window_scores
        for begin in range(0, len(self._seen), self._layout.columns):
            some = slice(begin, begin + self._layout.columns)
            scores += self._weights[some].T @ self._values.between(self._seen[some], window)
        run.present_window(self._values.between(window, window))
        seen, weights = run.changes()
        self._seen = np.concatenate([self._seen, seen])
        self._weights = np.concatenate([self._weights.reshape(-1, weights.shape[1]), weights])
        run.close_window()

    def _answer(self) -> None:
        run = self._run
        question, problem = run.question()
        if question == "scores":
            run.scores[...] = 0.0
            Rows(self._values, self._layout).add_to(run.scores, self._seen, self._weights)
            run.answer_scores()
        elif question == "grid":
            run.answer_grid(*self._values.grid(self._layout))
        elif self._gram is not None:
            run.answer_stall(*self._judge.answer(self._gram, problem))

    def _tell(self) -> None:
        run = self._run
        epoch, presented, mistakes, errors, loss = run.latest
        progress = Progress(
            int(epoch),
            int(mistakes),
            errors / max(presented, 1),
            loss,
            run.presented,
            lambda: (run.coef(), run.offsets()),
        )
        self._line.show(progress)
        if self._callback is not None:
            self._callback(progress)


def _gathered(run: DualRun, examples: Examples, group: Group, layout: Layout, record: bool, judge: _Judge) -> DualFound:
    members = examples.members if group.chosen is None else group.chosen
    coef, average = run.coef(), run.average_coef()
    was_mistake = np.flatnonzero(coef.any(axis=0))
    problems = 1 if group.joint else len(group.positives)
    updates = None
    if record:
        presented, problem, example, clock = run.updates()
        updates = DualUpdates(presented, problem, members[example], clock)
    return DualFound(
        group=group,
        layout=layout,
        outcomes=[run.outcome(c) for c in range(problems)],
        presented=run.presented,
        history=run.history(),
        support=members[was_mistake].astype(np.intp),
        last=(coef[:, was_mistake], run.offsets()),
        average=(average[:, was_mistake], run.average_offsets()),
        updates=updates,
        certificates=[judge.proofs.get(c) for c in range(problems)],
    )
