"""Runs the core over the binary problems of a fit and gathers what it found."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.conventions import random_start
from rosenblatt.core import OnlineRun, Outcome
from rosenblatt.estimators import parameters as allowed
from rosenblatt.estimators.endings import worst
from rosenblatt.estimators.labelled import Examples
from rosenblatt.estimators.progress import Progress, ProgressLine

#: Touched values between two looks at the interpreter: a tenth of a second or so, for Ctrl-C.
_SLICE = 200_000_000

HISTORY = np.dtype([("epoch", np.int64), ("mistakes", np.int64), ("error_rate", float), ("loss", float)])


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


def plan_of(parameters: Any, epochs: int | None, first_epoch: int) -> dict[str, Any]:
    """What the core is told, from an object that has the parameters of `Perceptron`."""
    return {
        "eta0": float(parameters.eta0),
        "tie": parameters.tie,
        "error_tie": parameters.error_tie or parameters.tie,
        "fit_intercept": bool(parameters.fit_intercept),
        "order": parameters.order,
        "seed": allowed.seed_of(parameters.random_state),
        "first_epoch": first_epoch,
        "max_iter": epochs or parameters.max_iter,
        "max_steps": parameters.max_steps,
        "max_updates": parameters.max_updates,
        "patience": parameters.patience,
        "max_error": float(parameters.max_error),
        "may_stall": epochs is None and parameters.max_iter is None,
        "ask_before_stall": False,
    }


def start_of(parameters: Any, problems: int, features: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """First weights, as `init` says; each binary problem starts as it would alone."""
    coef = np.zeros((problems, features))
    intercept = np.zeros(problems)
    if parameters.init == "random":
        start = random_start(allowed.seed_of(parameters.random_state), features + parameters.fit_intercept)
        coef[:] = start[parameters.fit_intercept :]
        intercept[:] = start[0] if parameters.fit_intercept else 0.0
    return coef, intercept


def published(classes: NDArray[Any], found: Found) -> dict[str, Any]:
    """The attributes that a fit leaves, by name."""
    return {
        "classes_": classes,
        "coef_": found.coef,
        "intercept_": found.intercept,
        "statuses_": found.statuses,
        "status_": worst(found.statuses),
        "cycles_": found.cycles,
        "cycle_": found.cycles[0] if len(found.cycles) == 1 else None,
        "n_iter_": max(found.epochs),
        "n_mistakes_": sum(found.mistakes),
        "n_samples_seen_": found.n_samples_seen,
        "history_": found.history,
    }


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
        if run.overflowed:
            raise ValueError(
                f"The weights left the range of floating-point numbers in epoch {run.overflowed}. Scale the data "
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
