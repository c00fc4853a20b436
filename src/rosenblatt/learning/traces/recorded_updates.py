"""The parts of a recording that all recorded runs share: the rule of the run, and the updates of one problem."""

from typing import NamedTuple, Protocol, TypedDict

import numpy as np
from numpy.typing import NDArray

from rosenblatt.learning.plan_fields import PlanFields


class RecordedRule(TypedDict):
    """The fields of `trace.Recording` that the plan of a run determines."""

    order: str
    seed: int
    tie: str
    fit_intercept: bool
    error_tie: str


def rule_of(plan: PlanFields) -> RecordedRule:
    """The rule by which a recorded run is replayed."""
    return {
        "order": plan["order"],
        "seed": plan["seed"],
        "tie": plan["tie"],
        "fit_intercept": plan["fit_intercept"],
        "error_tie": plan["error_tie"],
    }


class GroupUpdates(Protocol):
    """The updates of all problems of a group, in the order of the run."""

    @property
    def presented(self) -> NDArray[np.uint64]: ...
    @property
    def problem(self) -> NDArray[np.uint32]: ...
    @property
    def example(self) -> NDArray[np.uint32]: ...


class ProblemUpdates(NamedTuple):
    """The updates of one problem, as `trace.Recording` stores them; `mine` are their indices in the group."""

    k: NDArray[np.int64]
    i: NDArray[np.int64]
    rivals: NDArray[np.int64] | None
    first_rivals: NDArray[np.int64] | None
    mine: slice | NDArray[np.bool_]


def updates_of(updates: GroupUpdates, problem: int, *, joint: bool, several_rivals: bool) -> ProblemUpdates:
    """The updates of one problem, or of all classes if the group is joint."""
    mine = slice(None) if joint else updates.problem == problem
    first = first_records(updates.presented) if joint and several_rivals else None
    each = mine if first is None else first
    return ProblemUpdates(
        k=updates.presented[each].astype(np.int64) - 1,
        i=updates.example[each].astype(np.int64),
        rivals=updates.problem.astype(np.int64) if joint else None,
        first_rivals=first,
        mine=mine,
    )


def first_records(presented: NDArray[np.uint64]) -> NDArray[np.int64]:
    """The index of the first record of each update, if an update is recorded once for each of its rivals.

    >>> first_records(np.array([1, 1, 4, 7, 7, 7], dtype=np.uint64))
    array([0, 2, 3])
    """
    return np.flatnonzero(np.diff(presented, prepend=np.uint64(0)))
