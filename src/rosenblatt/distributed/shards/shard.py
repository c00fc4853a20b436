"""A shard: the examples of one task, and the core's pass over them, which is the same as in a local run."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from rosenblatt.core import OnlineRun, Outcome, Rows, Snapshot
from rosenblatt.learning.examples import Examples, rows_of
from rosenblatt.learning.plan_fields import PlanFields
from rosenblatt.learning.problems import Group, groups_of
from rosenblatt.learning.run import NotFiniteError, new_run, steps_of

#: Values read between two returns to the interpreter, so that a worker can be stopped.
_SLICE = 200_000_000

#: Examples that are scored in one block.
_ROWS = 1 << 14

#: Endings of a pass that was cut short by a limit.
_LIMITS = ("unchanged", "max_updates", "max_steps")


@dataclass(frozen=True)
class Shard:
    """Checked examples in the memory of a worker. Only arrays are pickled when they move to another worker."""

    name: str  # for error messages
    X: Any
    classes: NDArray[Any]  # of the whole data, not of the shard
    codes: NDArray[np.int32]
    weights: NDArray[np.float64] | None
    chosen: NDArray[np.uint32] | None
    held: NDArray[np.uint32] | None = None  # validation examples of early stopping
    test: NDArray[np.uint32] | None = None  # held out for a test

    @property
    def is_empty(self) -> bool:
        return not self.X.shape[0]

    @cached_property
    def rows(self) -> Rows:
        """The core's view of the rows, at least one. Each worker checks them once and does not copy them."""
        return rows_of(self.X)

    def examples(self) -> Examples:
        return Examples(self.X, self.rows, self.classes, self.codes, self.weights, self.chosen)

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}  # arrays only


@dataclass(frozen=True)
class Earlier:
    """The state of a single shard's run, from which the next epoch continues exactly."""

    clock: list[float]  # one per problem, as in the next field
    last_changes: list[int]
    delayed: tuple[NDArray[np.float64], NDArray[np.float64]] | None  # sums for the average: w, offsets


@dataclass(frozen=True)
class Epoch:
    """The input of a pass on every shard: the initial weights of the problems that are still running."""

    number: int  # from 0
    plan: dict[str, Any]
    multi_class: str
    mixing: str
    live: tuple[int, ...]  # problems, in order
    coef: NDArray[np.float64]  # one row per plane of these problems
    intercept: NDArray[np.float64]
    mistakes: list[int]  # so far, per problem
    presented: list[int]
    earlier: Earlier | None  # only with a single shard


#: The counts of a pass for one problem.
PASS_COUNTS = np.dtype(
    [
        ("mistakes", np.int64),
        ("errors", np.int64),
        ("presented", np.int64),
        ("counted", np.int64),  # the denominator of the error rate
        ("loss", float),
        ("clock", float),
        ("work", float),
        ("last_change", np.int64),
        ("complete", bool),  # no limit cut the pass short
        ("no_mistake", bool),  # the pass made no mistake
    ]
)


@dataclass(frozen=True)
class Planes:
    """A partial mean of weights, one row per plane. For several shards it is the sum of mass · weights.

    For a single shard it is the unmultiplied weights, so that no rounding occurs.
    """

    count: NDArray[np.int64]  # number of shards per plane
    mass: NDArray[np.float64]
    coef: NDArray[np.float64]
    intercept: NDArray[np.float64]

    @classmethod
    def of(cls, mass: NDArray[np.float64], coef: NDArray[np.float64], intercept: NDArray[np.float64]) -> "Planes":
        return cls((mass > 0).astype(np.int64), mass, coef, intercept)

    def mean(self, planes: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The mean weights of some planes: the sum divided by the mass."""
        divisor = np.where(self.count[planes] > 1, self.mass[planes], 1.0)
        return self.coef[planes] / divisor[:, None], self.intercept[planes] / divisor


@dataclass(frozen=True)
class Passed:
    """The weights and counts after one pass, or the mixed weights and the counts of several passes."""

    counts: NDArray[Any]  # shards × problems
    last: Planes
    average: Planes | None  # over the examples presented; over the whole run where `earlier` was given
    earlier: Earlier | None


def row_blocks(rows: NDArray[np.uint32]) -> Iterator[NDArray[np.uint32]]:
    """Row numbers in blocks that are scored at once."""
    return (rows[first : first + _ROWS] for first in range(0, len(rows), _ROWS))


def live_groups(examples: Examples, multi_class: str, order: str, live: tuple[int, ...]) -> Iterator[tuple[Group, Any]]:
    """The groups of running problems for which the shard has examples, with the indices of their planes in `live`."""
    first = 0
    for group in groups_of(multi_class, order, examples):
        problems = range(first, first + (1 if group.joint else len(group.positives)))
        first = problems.stop
        places = np.flatnonzero(np.isin(live, problems))
        if not len(places) or (group.chosen is not None and not len(group.chosen)):
            continue
        if group.joint:
            yield group, np.arange(len(group.positives))
        else:
            yield replace(group, positives=tuple(group.positives[live[c] - problems.start] for c in places)), places


def run_pass(shard: Shard, epoch: Epoch, ahead: int = 0) -> Passed:
    """Runs one epoch of the core over the shard, from the given weights.

    `ahead` is the number of examples of earlier shards that count towards `max_steps`.
    """
    plan = epoch.plan
    joint = epoch.multi_class == "joint" and len(shard.classes) > 2
    counts = np.zeros((1, len(epoch.live)), PASS_COUNTS)
    counts["complete"] = counts["no_mistake"] = True
    last, average, delayed = (_WeightBuffer(epoch.coef, epoch.intercept) for _ in range(3))
    clock = [0.0] * len(epoch.live)
    for examples, group, planes in _work(shard, epoch):
        problems = np.zeros(1, int) if joint else planes
        before = epoch.presented[problems[0]]
        if plan["max_steps"] is not None and before + ahead >= plan["max_steps"]:
            counts["complete"][0, problems] = counts["no_mistake"][0, problems] = False
            continue
        run = _start_run(examples, group, epoch, planes, problems, ahead)
        while run.advance(_SLICE, False) != "done":
            pass
        if run.not_finite:
            _raise_not_finite(shard, examples, epoch.number + 1)
        members = examples.rows.n_examples if group.chosen is None else len(group.chosen)
        for k, c in enumerate(problems):
            mine = planes if joint else planes[k : k + 1]
            outcome = run.outcome(k)
            counts[0, c] = _counts_of(outcome, run, epoch, int(c), members)
            clock[c] = outcome.clock
            last.write(mine, outcome.last)
            if plan.get("average"):
                average.write(mine, outcome.average)
                delayed.write(mine, outcome.delayed)
    mass = masses(counts, epoch.mixing)[0]
    of_plane = np.zeros(len(last.coef), int) if joint else np.arange(len(epoch.live))
    earlier = None
    if epoch.earlier is not None:
        sums = (delayed.coef, delayed.intercept) if plan.get("average") else None
        earlier = Earlier(clock, counts["last_change"][0].tolist(), sums)
    return Passed(
        counts,
        Planes.of(mass[of_plane], last.coef, last.intercept),
        Planes.of((mass * counts["clock"][0])[of_plane], average.coef, average.intercept)
        if plan.get("average")
        else None,
        earlier,
    )


def _work(shard: Shard, epoch: Epoch) -> Iterator[tuple[Examples, Group, Any]]:
    """The groups of problems to run on the shard, with its examples."""
    if shard.is_empty:
        return
    examples = shard.examples()
    if epoch.plan["step"] != "constant":  # the step size needs ‖x‖², the sum of a row's squared values
        examples = examples.without_repeated_columns()
    for group, planes in live_groups(examples, epoch.multi_class, epoch.plan["order"], epoch.live):
        yield examples, group, planes


class _WeightBuffer:
    """A copy of the weights that the runs of a pass overwrite, plane by plane."""

    def __init__(self, coef: NDArray[np.float64], intercept: NDArray[np.float64]) -> None:
        self.coef, self.intercept = coef.copy(), intercept.copy()

    def write(self, planes: Any, state: Snapshot) -> None:
        self.coef[planes], self.intercept[planes] = state.w, state.offsets


def _start_run(examples: Examples, group: Group, epoch: Epoch, planes: Any, problems: Any, ahead: int) -> OnlineRun:
    plan, presented = epoch.plan, epoch.presented[problems[0]]
    max_steps = plan["max_steps"]
    if epoch.earlier is None and max_steps is not None:
        max_steps -= presented + ahead
    mine = cast(PlanFields, plan | {"first_epoch": epoch.number, "max_steps": max_steps})
    run = new_run(examples, group, mine, steps_of(examples, mine), epoch.coef[planes], epoch.intercept[planes])
    mistakes = [epoch.mistakes[c] for c in problems]
    if epoch.earlier is None:
        run.go_on_from(presented=0, clock=0.0, mistakes=mistakes, last_changes=[0] * len(problems))
        return run
    earlier = epoch.earlier
    run.go_on_from(
        presented=presented,
        clock=earlier.clock[problems[0]],
        mistakes=mistakes,
        last_changes=[earlier.last_changes[c] for c in problems],
        delayed=None if earlier.delayed is None else np.ascontiguousarray(earlier.delayed[0][planes]),
        delayed_offsets=None if earlier.delayed is None else np.ascontiguousarray(earlier.delayed[1][planes]),
    )
    return run


def _counts_of(outcome: Outcome, run: OnlineRun, epoch: Epoch, c: int, members: int) -> tuple[Any, ...]:
    earlier = epoch.earlier
    presented = outcome.presented - (epoch.presented[c] if earlier else 0)
    mistakes = outcome.mistakes - epoch.mistakes[c]
    drawn = epoch.plan["order"] == "misclassified"  # then an epoch may end early, and it scores every example
    whole = presented == members or (drawn and outcome.ending not in _LIMITS)
    return (
        mistakes,
        outcome.epoch_errors,
        presented,
        members if drawn else presented,
        outcome.epoch_loss,
        outcome.clock - (earlier.clock[c] if earlier else 0.0),
        run.work,
        outcome.last_change,
        whole,
        outcome.ending == "separated" if drawn else whole and not mistakes,
    )


def masses(counts: NDArray[Any], mixing: str) -> NDArray[np.float64]:
    """The unnormalised mixing weight of each shard per problem: its mistakes, or 1 if it has examples."""
    return np.asarray(counts["mistakes"] if mixing == "mistakes" else counts["counted"] > 0, dtype=np.float64)


def _raise_not_finite(shard: Shard, examples: Examples, epoch: int) -> None:
    place = examples.rows.first_nonfinite()
    if place is not None:
        raise ValueError(
            f"Input X contains NaN or infinity: {shard.name}, row {place[0]}, column {place[1]}. A perceptron needs "
            "finite numbers; drop the row or fill the value."
        )
    raise NotFiniteError.in_epoch(epoch, f"weights of {shard.name}")
