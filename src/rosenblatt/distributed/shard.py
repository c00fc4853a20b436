"""A shard: the examples that one task trains on, and the pass over them, which is the one that one machine runs."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.core import OnlineRun, Outcome, Rows, Snapshot
from rosenblatt.estimators.labelled import Examples, rows_of
from rosenblatt.estimators.problems import Group, groups_of
from rosenblatt.estimators.training import NotFiniteError

#: Touched values between two looks at the interpreter, so that a worker can be asked to stop.
_SLICE = 200_000_000

#: A pass that a limit has cut short ends so.
_LIMITS = ("unchanged", "max_updates", "max_steps")


@dataclass(frozen=True)
class Shard:
    """Checked examples as a worker holds them: arrays only, so that they can move to another worker."""

    name: str  # as errors call it
    X: Any
    classes: NDArray[Any]  # of the whole data, not of the shard
    codes: NDArray[np.int32]
    weights: NDArray[np.float64] | None
    chosen: NDArray[np.uint32] | None
    held: NDArray[np.uint32] | None = None  # kept back by early stopping
    test: NDArray[np.uint32] | None = None  # kept back to test the model

    @property
    def is_empty(self) -> bool:
        return not self.X.shape[0]

    @cached_property
    def rows(self) -> Rows:
        """As the core takes them, which wants at least one: looked through once by each worker, and not copied."""
        return rows_of(self.X)

    def examples(self) -> Examples:
        return Examples(self.X, self.rows, self.classes, self.codes, self.weights, self.chosen)

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}  # arrays only


@dataclass(frozen=True)
class Earlier:
    """Where the run of a single shard stood: it goes on from there as if it had never paused."""

    clock: list[float]  # one a problem, as the next
    last_changes: list[int]
    delayed: tuple[NDArray[np.float64], NDArray[np.float64]] | None  # sums for the average: w, offsets


@dataclass(frozen=True)
class Epoch:
    """What every shard is told: the weights to start from, for the problems that still run."""

    number: int  # from 0
    plan: dict[str, Any]
    multi_class: str
    mixing: str
    live: tuple[int, ...]  # problems, in order
    coef: NDArray[np.float64]  # one row a plane of theirs
    intercept: NDArray[np.float64]
    mistakes: list[int]  # so far, of each
    presented: list[int]
    earlier: Earlier | None  # of the only shard


#: What a pass met in one problem.
MET = np.dtype(
    [
        ("mistakes", np.int64),
        ("errors", np.int64),
        ("presented", np.int64),
        ("counted", np.int64),  # examples that the errors are a share of
        ("loss", float),
        ("clock", float),
        ("work", float),
        ("last_change", np.int64),
        ("whole", bool),  # no limit has cut the pass short
        ("right", bool),  # nothing was wrong any more
    ]
)


@dataclass(frozen=True)
class Planes:
    """Weights, one row a plane, on their way to a mean: of several shards the sum of each one's mass times weights.

    Of a single one they stay as they are, so that no rounding happens where nothing is mixed.
    """

    count: NDArray[np.int64]  # of shards, for each plane
    mass: NDArray[np.float64]
    coef: NDArray[np.float64]
    intercept: NDArray[np.float64]

    @classmethod
    def of(cls, mass: NDArray[np.float64], coef: NDArray[np.float64], intercept: NDArray[np.float64]) -> "Planes":
        return cls((mass > 0).astype(np.int64), mass, coef, intercept)

    def mean(self, planes: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The weights of some planes, divided by the mass that they were summed up with."""
        divisor = np.where(self.count[planes] > 1, self.mass[planes], 1.0)
        return self.coef[planes] / divisor[:, None], self.intercept[planes] / divisor


@dataclass(frozen=True)
class Passed:
    """What one pass made of the weights, and met; or the mean of several passes, and what each of them met."""

    met: NDArray[Any]  # shards × problems
    last: Planes
    average: Planes | None  # over the examples presented; over the whole run where `earlier` was given
    earlier: Earlier | None


def live_groups(examples: Examples, multi_class: str, order: str, live: tuple[int, ...]) -> Iterator[tuple[Group, Any]]:
    """The groups of problems that still run, as far as the shard has examples for them, with their planes in `live`."""
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
    """One epoch of the core's run over the shard, from the weights given.

    `ahead` examples of other shards count before its own against `max_steps`.
    """
    plan = epoch.plan
    joint = epoch.multi_class == "joint" and len(shard.classes) > 2
    met = np.zeros((1, len(epoch.live)), MET)
    met["whole"] = met["right"] = True
    last, average, delayed = (_Written(epoch.coef, epoch.intercept) for _ in range(3))
    clock = [0.0] * len(epoch.live)
    for examples, group, planes in _work(shard, epoch):
        problems = np.zeros(1, int) if joint else planes
        before = epoch.presented[problems[0]]
        if plan["max_steps"] is not None and before + ahead >= plan["max_steps"]:
            met["whole"][0, problems] = met["right"][0, problems] = False
            continue
        run = _started(examples, group, epoch, planes, problems, ahead)
        while run.advance(_SLICE, False) != "done":
            pass
        if run.not_finite:
            _refuse(shard, examples, epoch.number + 1)
        members = examples.rows.n_examples if group.chosen is None else len(group.chosen)
        for k, c in enumerate(problems):
            mine = planes if joint else planes[k : k + 1]
            outcome = run.outcome(k)
            met[0, c] = _met(outcome, run, epoch, int(c), members)
            clock[c] = outcome.clock
            last.write(mine, outcome.last)
            if plan.get("average"):
                average.write(mine, outcome.average)
                delayed.write(mine, outcome.delayed)
    mass = masses(met, epoch.mixing)[0]
    of_plane = np.zeros(len(last.coef), int) if joint else np.arange(len(epoch.live))
    earlier = None
    if epoch.earlier is not None:
        sums = (delayed.coef, delayed.intercept) if plan.get("average") else None
        earlier = Earlier(clock, met["last_change"][0].tolist(), sums)
    return Passed(
        met,
        Planes.of(mass[of_plane], last.coef, last.intercept),
        Planes.of((mass * met["clock"][0])[of_plane], average.coef, average.intercept) if plan.get("average") else None,
        earlier,
    )


def _work(shard: Shard, epoch: Epoch) -> Iterator[tuple[Examples, Group, Any]]:
    """The groups of problems to run on the shard, with its examples."""
    if shard.is_empty:
        return
    examples = shard.examples()
    if epoch.plan["step"] != "constant":  # goes by the length of a row, which is the sum of its squares
        examples = examples.without_repeated_columns()
    for group, planes in live_groups(examples, epoch.multi_class, epoch.plan["order"], epoch.live):
        yield examples, group, planes


class _Written:
    """Weights that the runs of a pass write into, plane by plane."""

    def __init__(self, coef: NDArray[np.float64], intercept: NDArray[np.float64]) -> None:
        self.coef, self.intercept = coef.copy(), intercept.copy()

    def write(self, planes: Any, state: Snapshot) -> None:
        self.coef[planes], self.intercept[planes] = state.w, state.offsets


def _started(examples: Examples, group: Group, epoch: Epoch, planes: Any, problems: Any, ahead: int) -> OnlineRun:
    plan, presented = epoch.plan, epoch.presented[problems[0]]
    max_steps = plan["max_steps"]
    if epoch.earlier is None and max_steps is not None:
        max_steps -= presented + ahead
    run = OnlineRun(
        rows=examples.rows,
        labels=examples.codes,
        steps=None if examples.weights is None else plan["eta0"] * examples.weights,
        chosen=group.chosen,
        positives=list(group.positives),
        joint=group.joint,
        weights=examples.weights if plan.get("average") else None,
        start=np.ascontiguousarray(epoch.coef[planes]),
        start_offsets=np.ascontiguousarray(epoch.intercept[planes]),
        first_epoch=epoch.number,
        **plan | {"max_steps": max_steps},
    )
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


def _met(outcome: Outcome, run: OnlineRun, epoch: Epoch, c: int, members: int) -> tuple[Any, ...]:
    earlier = epoch.earlier
    presented = outcome.presented - (epoch.presented[c] if earlier else 0)
    mistakes = outcome.mistakes - epoch.mistakes[c]
    drawn = epoch.plan["order"] == "misclassified"  # where an epoch may end sooner, and scores every example
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


def masses(met: NDArray[Any], mixing: str) -> NDArray[np.float64]:
    """What each shard counts in the mixture of each problem: its mistakes, or one if it has examples."""
    return np.asarray(met["mistakes"] if mixing == "mistakes" else met["counted"] > 0, dtype=np.float64)


def _refuse(shard: Shard, examples: Examples, epoch: int) -> None:
    place = examples.rows.first_nonfinite()
    if place is not None:
        raise ValueError(
            f"Input X contains NaN or infinity: {shard.name}, row {place[0]}, column {place[1]}. A perceptron needs "
            "finite numbers; drop the row or fill the value."
        )
    raise NotFiniteError(
        f"The weights left the range of floating-point numbers in epoch {epoch} ({shard.name}). Scale the data "
        "or lower eta0."
    )
