"""Runs the core over the binary problems of a fit and gathers what it found."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.core import OnlineRun, Outcome
from rosenblatt.estimators.examples import Examples
from rosenblatt.estimators.progress import Progress, ProgressLine

#: Touched values between two looks at the interpreter: a tenth of a second or so, for Ctrl-C.
_SLICE = 200_000_000

HISTORY = np.dtype([("epoch", np.int64), ("mistakes", np.int64), ("error_rate", float), ("loss", float)])


class NotFiniteError(ValueError):
    """A score or a weight was NaN or infinite: the weights have grown too large, unless an example is to blame."""


@dataclass(frozen=True)
class Group:
    """Problems that share every pass: each is one class against the other members."""

    positives: tuple[int, ...]
    chosen: NDArray[np.uint32] | None


@dataclass(frozen=True)
class Found:
    """What a fit found, one row or entry a binary problem."""

    coef: NDArray[np.float64]
    intercept: NDArray[np.float64]
    statuses: list[str]
    cycles: list[int | None]
    epochs: list[int]
    mistakes: list[int]
    n_samples_seen: int
    history: NDArray[Any]


def groups_of(multi_class: str, order: str, examples: Examples) -> list[Group]:
    """The binary problems of a fit. Two classes make one, in which the later class is the positive one."""
    n_classes = len(examples.classes)
    if n_classes == 2:
        return [Group((1,), examples.chosen)]
    if multi_class == "ovo":
        return [Group((b,), examples.of_classes(a, b)) for a, b in combinations(range(n_classes), 2)]
    if order == "misclassified":  # each problem has a misclassified set, and so an order, of its own
        return [Group((c,), examples.chosen) for c in range(n_classes)]
    return [Group(tuple(range(n_classes)), examples.chosen)]


def train(
    examples: Examples,
    groups: Sequence[Group],
    coef: NDArray[np.float64],
    intercept: NDArray[np.float64],
    plan: dict[str, Any],
    callback: Callable[[Progress], object] | None,
    line: ProgressLine,
) -> Found:
    """Runs every group from its start (one row of `coef` a problem) to its end."""
    steps = None if examples.weights is None else plan["eta0"] * examples.weights
    outcomes: list[Outcome] = []
    histories = []
    seen = 0
    for group in groups:
        mine = slice(len(outcomes), len(outcomes) + len(group.positives))
        run = OnlineRun(
            rows=examples.rows,
            labels=examples.codes,
            steps=steps,
            chosen=group.chosen,
            positives=list(group.positives),
            start=np.ascontiguousarray(coef[mine]),
            start_offsets=np.ascontiguousarray(intercept[mine]),
            **plan,
        )
        _run_to_end(run, len(group.positives), callback, line)
        outcomes += [run.outcome(c) for c in range(len(group.positives))]
        histories.append(run.history())
        seen += run.presented
    return Found(
        coef=np.array([outcome.w for outcome in outcomes]),
        intercept=np.array([outcome.offset for outcome in outcomes]),
        statuses=[outcome.ending for outcome in outcomes],
        cycles=[outcome.period or None for outcome in outcomes],
        epochs=[outcome.epochs for outcome in outcomes],
        mistakes=[outcome.mistakes for outcome in outcomes],
        n_samples_seen=seen,
        history=_merged(histories),
    )


def _run_to_end(
    run: OnlineRun, problems: int, callback: Callable[[Progress], object] | None, line: ProgressLine
) -> None:
    watched = callback is not None or line.shows
    told = 0
    while True:
        pause = run.advance(_SLICE, watched)
        if run.not_finite:
            raise NotFiniteError(
                f"The weights left the range of floating-point numbers in epoch {run.not_finite}. Scale the data "
                "(sklearn.preprocessing.StandardScaler) or lower eta0."
            )
        if watched and run.epochs > told and pause in ("epoch", "done"):
            told = run.epochs
            progress = _progress(run, problems)
            line.show(progress)
            if callback is not None:
                callback(progress)
        if pause == "done":
            return


def _progress(run: OnlineRun, problems: int) -> Progress:
    epoch, presented, mistakes, errors, loss = run.latest

    def weights() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        now = [run.outcome(c) for c in range(problems)]
        return np.array([outcome.w for outcome in now]), np.array([outcome.offset for outcome in now])

    return Progress(int(epoch), int(mistakes), errors / max(presented, 1), loss, run.presented, weights)


def _merged(histories: list[NDArray[np.float64]]) -> NDArray[Any]:
    """One table of all groups: epoch by epoch, over the problems still running in it.

    A long run keeps every 2nd, 4th, 8th … epoch; together they keep those that the longest has kept.
    """
    table = max(histories, key=len)[:, :5].copy()
    if len(histories) > 1:
        kept = max(histories, key=lambda history: history[-1, 0])[:, 0]
        table = np.zeros((len(kept), 5))
        table[:, 0] = kept
        for history in histories:
            _, mine, theirs = np.intersect1d(kept, history[:, 0], assume_unique=True, return_indices=True)
            table[mine, 1:] += history[theirs, 1:]
    merged = np.empty(len(table), HISTORY)
    merged["epoch"], merged["mistakes"], merged["loss"] = table[:, 0], table[:, 2], table[:, 4]
    merged["error_rate"] = table[:, 3] / np.maximum(table[:, 1], 1)
    return merged
