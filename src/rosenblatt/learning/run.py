"""Runs the core over all problems of a fit and gathers their outcomes."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.core import OnlineRun, Outcome, Plan, SharedCopies
from rosenblatt.learning.examples import Examples
from rosenblatt.learning.problems import Group, Share, shares_of
from rosenblatt.learning.progress import Progress, ProgressLine
from rosenblatt.learning.stall_check import SMALL, StallCheck

if TYPE_CHECKING:
    from rosenblatt.theory import Separability

#: Touched values between two looks at the interpreter: a tenth of a second or so, for Ctrl-C.
_SLICE = 200_000_000

#: The same for rows that lie in a file, which are let go between two slices: some tens of megabytes.
_FILE_SLICE = 4_000_000

#: Bytes that the coarse rows of all runs at once may take, and once more for examples near a plane; or rows with flags.
_COPIES = 2**31

#: Values from which on it is worth dealing problems out to threads.
_WORTH_A_THREAD = 100_000

HISTORY = np.dtype([("epoch", np.int64), ("mistakes", np.int64), ("error_rate", float), ("loss", float)])


class NotFiniteError(ValueError):
    """A score or a weight was NaN or infinite: the weights have grown too large, unless an example is to blame."""


@dataclass(frozen=True)
class Updates:
    """Every update of a recorded fit, in the order of each problem's run."""

    presented: NDArray[np.uint64]
    problem: NDArray[np.uint32]
    example: NDArray[np.uint32]
    scale: NDArray[np.float64] | None


@dataclass(frozen=True)
class Outcomes:
    """What a fit found: one outcome a problem."""

    outcomes: list[Outcome]
    n_samples_seen: int
    history: NDArray[Any]
    updates: Updates | None
    certificates: list["Separability | None"]  # what theory said of a problem that would have stalled

    def averaged_over(self) -> NDArray[np.float64]:
        """The weight of the examples that were presented to each plane."""
        return np.repeat(
            [outcome.clock for outcome in self.outcomes], [len(outcome.last.offsets) for outcome in self.outcomes]
        )

    def weights(self, which: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Coefficients, one row a plane, and offsets: the "last", the "average" or those in the "pocket"."""
        states = [getattr(outcome, which) for outcome in self.outcomes]
        return np.concatenate([state.w for state in states]), np.concatenate([state.offsets for state in states])


def train(
    examples: Examples,
    groups: Sequence[Group],
    coef: NDArray[np.float64],
    intercept: NDArray[np.float64],
    plan: dict[str, Any],
    callback: Callable[[Progress], object] | None,
    line: ProgressLine,
    n_threads: int = 1,
) -> Outcomes:
    """Runs every group from its start (one row of `coef` a plane) to its end; the path never depends on threads."""
    steps = None if examples.weights is None else plan["eta0"] * examples.weights
    small = examples.rows.n_examples * examples.rows.n_features <= SMALL
    plan = plan | {"ask_before_stall": small and not groups[0].joint}
    stopped = threading.Event()
    certificates: dict[int, Separability] = {}

    # Rows in a file are read by one thread, in their order.
    many = examples.release is None and examples.rows.n_examples * examples.rows.n_features >= _WORTH_A_THREAD
    shares = shares_of(groups, n_threads if many else 1)
    at_once = min(n_threads, len(shares))
    shared = SharedCopies() if len(shares) > 1 else None

    def run_share(share: Share) -> OnlineRun:
        group, planes = share.group, share.planes
        mine = slice(planes.start, planes.stop, planes.step)
        run = OnlineRun(
            rows=examples.rows,
            labels=examples.codes,
            steps=steps,
            chosen=group.chosen,
            plan=Plan(**plan, joint=group.joint),
            positives=list(group.positives),
            weights=examples.weights if plan.get("average") or plan.get("pocket") else None,
            start=np.ascontiguousarray(coef[mine]),
            start_offsets=np.ascontiguousarray(intercept[mine]),
        )
        run.limit_copies(_COPIES // at_once if examples.release is None else 0)
        if shared is not None:
            run.share_copies(shared)
        check = StallCheck(examples, group, bool(plan["fit_intercept"]))
        _run_to_end(run, 1 if group.joint else len(group.positives), callback, line, stopped, check, examples.release)
        certificates.update({planes[c]: found for c, found in check.proofs.items()})
        return run

    if at_once == 1:
        runs = [run_share(share) for share in shares]
    else:
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(at_once) as pool:
            try:
                runs = list(pool.map(run_share, shares))
            except BaseException:
                stopped.set()
                raise
    return _gathered(runs, shares, plan["record"], certificates)


def _run_to_end(
    run: OnlineRun,
    problems: int,
    callback: Callable[[Progress], object] | None,
    line: ProgressLine,
    stopped: threading.Event,
    check: StallCheck,
    release: Callable[[], None] | None,
) -> None:
    watched = callback is not None or line.shows
    told = 0
    while not stopped.is_set():
        pause = run.advance(_SLICE if release is None else _FILE_SLICE, watched)
        if release is not None:
            release()
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
        if pause == "question":
            run.answer(*check.answer(run.question()))
        if pause == "done":
            return


def _progress(run: OnlineRun, problems: int) -> Progress:
    epoch, presented, mistakes, errors, loss = run.latest

    def weights() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        now = [run.outcome(c) for c in range(problems)]
        return np.concatenate([state.last.w for state in now]), np.concatenate([state.last.offsets for state in now])

    return Progress(int(epoch), int(mistakes), errors / max(presented, 1), loss, run.presented, weights)


def _gathered(
    runs: Sequence[OnlineRun], shares: Sequence[Share], record: bool, certificates: "dict[int, Separability]"
) -> Outcomes:
    found: dict[int, Outcome] = {}
    updates = []
    for run, share in zip(runs, shares, strict=True):
        # Planes that learn jointly are one problem; an update names the class that it went away from.
        problems = share.planes[:1] if share.group.joint else share.planes
        found |= {plane: run.outcome(c) for c, plane in enumerate(problems)}
        if record:
            presented, problem, example = run.updates()
            problem = np.array(share.planes, dtype=np.uint32)[problem]
            updates.append(Updates(presented, problem, example, run.scales()))
    outcomes = [found[plane] for plane in sorted(found)]
    return Outcomes(
        outcomes=outcomes,
        n_samples_seen=seen([run.presented for run in runs], [share.group for share in shares]),
        history=merged([run.history() for run in runs]),
        updates=_concatenated(updates) if record else None,
        certificates=[certificates.get(c) for c in range(len(outcomes))],
    )


def uses_of(outcomes: Sequence[Outcome]) -> list[dict[str, int]]:
    """The accelerators of each problem by name, and for how many epochs each ran."""
    return [dict(outcome.accelerators) for outcome in outcomes]


def seen(presented: Sequence[int], groups: Sequence[Group]) -> int:
    """Examples presented. Problems that share an order share its presentations, in however many threads they ran."""
    together = len({id(group.chosen) for group in groups}) == 1
    return max(presented) if together else sum(presented)


def _concatenated(parts: list[Updates]) -> Updates:
    scales = [part.scale for part in parts if part.scale is not None]
    return Updates(
        np.concatenate([part.presented for part in parts]),
        np.concatenate([part.problem for part in parts]),
        np.concatenate([part.example for part in parts]),
        np.concatenate(scales) if scales else None,
    )


def merged(histories: list[NDArray[np.float64]]) -> NDArray[Any]:
    """One table of all groups: epoch by epoch, over the problems still running in it.

    A long run keeps every 2nd, 4th, 8th … epoch; together they keep those that the longest has kept.
    """
    if len(histories) == 1:
        table = histories[0]
    else:
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
