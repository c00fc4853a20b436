"""Runs the core over all problems of a fit and collects their outcomes."""

import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rosenblatt.core import OnlineRun, Outcome, Plan, SharedCopies
from rosenblatt.learning.examples import Examples
from rosenblatt.learning.plan_fields import PlanFields
from rosenblatt.learning.problems import Group, Share, shares_of
from rosenblatt.learning.progress import EpochReports, Progress, ProgressLine
from rosenblatt.learning.stall_check import SMALL, StallCheck
from rosenblatt.learning.threads import map_threads

if TYPE_CHECKING:
    from rosenblatt.theory import Separability

#: Values read between two returns to the interpreter, which handles Ctrl-C: about a tenth of a second.
_SLICE = 200_000_000

#: The same for mapped rows, whose pages are released between two slices: some tens of megabytes.
_FILE_SLICE = 4_000_000

Array = NDArray[np.float64]

#: Limit in bytes on the copies of rows (quantized rows, residuals, flags) that accelerators keep, over all threads.
_COPIES = 2**31

#: With fewer values than this, all problems run in one thread.
_WORTH_A_THREAD = 100_000

HISTORY = np.dtype([("epoch", np.int64), ("mistakes", np.int64), ("error_rate", float), ("loss", float)])


class NotFiniteError(ValueError):
    """A score or a weight is NaN or infinite: an example has such a value, or the weights have overflowed."""

    @classmethod
    def in_epoch(cls, epoch: int, what: str = "weights") -> "NotFiniteError":
        return cls(
            f"The {what} left the range of floating-point numbers in epoch {epoch}. Scale the data "
            "(sklearn.preprocessing.StandardScaler) or lower eta0."
        )


@dataclass(frozen=True)
class Updates:
    """All updates of a recorded fit, in the order of each problem's run."""

    presented: NDArray[np.uint64]
    problem: NDArray[np.uint32]
    example: NDArray[np.uint32]
    scale: NDArray[np.float64] | None


@dataclass(frozen=True)
class Outcomes:
    """The outcomes of a fit, one per problem."""

    outcomes: list[Outcome]
    n_samples_seen: int
    history: NDArray[np.void]
    updates: Updates | None
    certificates: list["Separability | None"]  # results of the stall check
    snapshots: Mapping[int, list[Outcome]] = field(default_factory=dict)  # outcomes after so many epochs, if requested

    def at(self, epoch: int) -> "Outcomes":
        """The outcomes after an epoch of which a snapshot was kept. Problems that ended before are at their end."""
        return replace(self, outcomes=self.snapshots[epoch])

    def averaged_over(self) -> NDArray[np.float64]:
        """The total weight of the examples presented to each plane."""
        return np.repeat(
            [outcome.clock for outcome in self.outcomes], [len(outcome.last.offsets) for outcome in self.outcomes]
        )

    def weights(self, which: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Coefficients (one row per plane) and offsets: the "last", the "average" or the "pocket" weights."""
        return _weights_of(self.outcomes, which)


def _weights_of(outcomes: Sequence[Outcome], which: str) -> tuple[Array, Array]:
    states = [getattr(outcome, which) for outcome in outcomes]
    return np.concatenate([state.w for state in states]), np.concatenate([state.offsets for state in states])


def worth_threads(examples: Examples) -> bool:
    """Whether a fit may use several threads. Rows in a file are read by one thread, in their order."""
    return examples.release is None and examples.rows.n_examples * examples.rows.n_features >= _WORTH_A_THREAD


def train(
    examples: Examples,
    groups: Sequence[Group],
    coef: NDArray[np.float64],
    intercept: NDArray[np.float64],
    plan: PlanFields,
    callback: Callable[[Progress], object] | None,
    line: ProgressLine,
    n_threads: int = 1,
    snapshots: Collection[int] = (),
) -> Outcomes:
    """Runs every group from its initial weights (one row of `coef` per plane) to its end.

    The result does not depend on the number of threads. `snapshots` are the epochs after which the outcomes are kept.
    """
    steps = steps_of(examples, plan)
    small = examples.rows.n_examples * examples.rows.n_features <= SMALL
    plan = plan | {"ask_before_stall": small and not groups[0].joint}
    stopped = threading.Event()
    certificates: dict[int, Separability] = {}

    shares = shares_of(groups, n_threads if worth_threads(examples) else 1)
    at_once = min(n_threads, len(shares))
    pairs = sum(len(share.planes) * share.group.size(examples.rows.n_examples) for share in shares)
    shared = SharedCopies(pairs) if len(shares) > 1 else None

    def run_share(share: Share) -> _ShareRun:
        group, planes = share.group, share.planes
        mine = slice(planes.start, planes.stop, planes.step)
        run = new_run(examples, group, plan, steps, coef[mine], intercept[mine])
        run.limit_copies(_COPIES // at_once if examples.release is None else 0)
        if shared is not None:
            run.share_copies(shared)
        elif examples.release is None:
            run.use_threads(n_threads)
        check = StallCheck(examples, group, bool(plan["fit_intercept"]))
        finished = _ShareRun(run, share, {epoch: [] for epoch in sorted(snapshots)})
        _run_to_end(finished, callback, line, stopped, check, examples.release, group.size(examples.rows.n_examples))
        certificates.update({planes[c]: found for c, found in check.proofs.items()})
        return finished

    runs = map_threads(run_share, shares, at_once, stopped)
    return _gathered(runs, plan["record"], certificates)


@dataclass(frozen=True)
class _ShareRun:
    """A run of the core over a share of the problems, and the outcomes that were kept on the way."""

    run: OnlineRun
    share: Share
    snapshots: dict[int, list[Outcome]]

    @property
    def problems(self) -> range:
        """The problems by their planes. Joint planes are one problem."""
        return self.share.planes[:1] if self.share.group.joint else self.share.planes

    def outcomes(self) -> list[Outcome]:
        return [self.run.outcome(c) for c in range(len(self.problems))]

    def by_plane(self, outcomes: list[Outcome]) -> dict[int, Outcome]:
        return dict(zip(self.problems, outcomes, strict=True))


def steps_of(examples: Examples, plan: PlanFields) -> Array | None:
    """The step of each example; None if all examples have the same weight."""
    return None if examples.weights is None else plan["eta0"] * examples.weights


def new_run(
    examples: Examples, group: Group, plan: PlanFields, steps: Array | None, coef: Array, intercept: Array
) -> OnlineRun:
    """The core's run of a group of problems, from given weights: of a whole fit, or of one epoch over a shard."""
    return OnlineRun(
        rows=examples.rows,
        labels=examples.codes,
        steps=steps,
        chosen=group.chosen,
        plan=Plan(**plan, joint=group.joint),
        positives=list(group.positives),
        weights=examples.weights if plan.get("average") or plan.get("pocket") else None,
        start=np.ascontiguousarray(coef),
        start_offsets=np.ascontiguousarray(intercept),
    )


def _run_to_end(
    finished: _ShareRun,
    callback: Callable[[Progress], object] | None,
    line: ProgressLine,
    stopped: threading.Event,
    check: StallCheck,
    release: Callable[[], None] | None,
    examples: int,
) -> None:
    run = finished.run
    reports = EpochReports(run, examples, lambda which="last": _weights_of(finished.outcomes(), which), callback, line)
    while not stopped.is_set():
        pause = run.advance(_SLICE if release is None else _FILE_SLICE, reports.wanted or bool(finished.snapshots))
        if release is not None:
            release()
        if run.not_finite:
            raise NotFiniteError.in_epoch(run.not_finite)
        if run.epochs in finished.snapshots and pause in ("epoch", "done"):
            finished.snapshots[run.epochs] = finished.outcomes()
        reports.after_slice(pause)
        if pause == "question":
            run.answer(*check.answer(run.question(), run.epochs))
        if pause == "done":
            return


def _gathered(runs: Sequence[_ShareRun], record: bool, certificates: "dict[int, Separability]") -> Outcomes:
    updates = []
    for finished in runs:
        if record:
            presented, problem, example = finished.run.updates()
            # The problem of an update of joint planes is the class whose weights were decreased.
            problem = np.array(finished.share.planes, dtype=np.uint32)[problem]
            updates.append(Updates(presented, problem, example, finished.run.scales()))
    endings = [finished.outcomes() for finished in runs]
    outcomes = _in_order(runs, endings)
    kept = {
        epoch: _in_order(runs, [f.snapshots[epoch] or ending for f, ending in zip(runs, endings, strict=True)])
        for epoch in (runs[0].snapshots if runs else ())
    }
    return Outcomes(
        outcomes=outcomes,
        n_samples_seen=examples_presented([each.run.presented for each in runs], [each.share.group for each in runs]),
        history=merged_history([each.run.history() for each in runs]),
        updates=_concatenated(updates) if record else None,
        certificates=[certificates.get(c) for c in range(len(outcomes))],
        snapshots=kept,
    )


def _in_order(runs: Sequence[_ShareRun], outcomes: Sequence[list[Outcome]]) -> list[Outcome]:
    """The outcomes of all shares, in the order of their problems."""
    found: dict[int, Outcome] = {}
    for finished, part in zip(runs, outcomes, strict=True):
        found |= finished.by_plane(part)
    return [found[plane] for plane in sorted(found)]


def examples_presented(presented: Sequence[int], groups: Sequence[Group]) -> int:
    """The number of examples presented. Problems that share an order are counted once, for any number of threads."""
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


def merged_history(histories: list[NDArray[np.float64]]) -> NDArray[np.void]:
    """Merges the histories of all groups: each epoch is summed over the problems still running in it.

    A long run keeps every 2nd, 4th, 8th … epoch; the merged history has the epochs that the longest run kept.
    """
    if len(histories) == 1:
        table = histories[0]
    else:
        kept = max(histories, key=lambda part: part[-1, 0])[:, 0]
        table = np.zeros((len(kept), 5))
        table[:, 0] = kept
        for part in histories:
            _, mine, theirs = np.intersect1d(kept, part[:, 0], assume_unique=True, return_indices=True)
            table[mine, 1:] += part[theirs, 1:]
    history = np.empty(len(table), HISTORY)
    history["epoch"], history["mistakes"], history["loss"] = table[:, 0], table[:, 2], table[:, 4]
    history["error_rate"] = table[:, 3] / np.maximum(table[:, 1], 1)
    return history
