"""Converts the recorded updates of a fit into traces, one per problem."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rosenblatt.learning.examples import Examples
from rosenblatt.learning.plan_fields import PlanFields
from rosenblatt.learning.problems import Group
from rosenblatt.learning.run import Outcomes
from rosenblatt.trace import Recording, Trace


def traces_of(
    examples: Examples,
    groups: Sequence[Group],
    starts: NDArray[np.float64],
    found: Outcomes,
    plan: PlanFields,
) -> Trace | list[Trace]:
    """Returns one trace, or a list if there are several problems. `starts` has [w₀, w₁, …], one row per plane."""
    if found.updates is None:
        raise AssertionError("the run was not recorded")
    updates = found.updates
    weights = np.ones(len(examples.codes)) if examples.weights is None else examples.weights
    traces: list[Trace] = []
    for group in groups:
        for positive in (None,) if group.joint else group.positives:
            c = len(traces)
            mine = slice(None) if group.joint else updates.problem == c
            several = plan["rivals"] == "all" and group.joint
            first = first_records(updates.presented) if several else None
            each = mine if first is None else first
            recording = Recording(
                X=examples.matrix(),
                labels=examples.codes,
                members=examples.members if group.chosen is None else group.chosen,
                steps=plan["eta0"] * weights,
                order=plan["order"],
                seed=plan["seed"],
                tie=plan["tie"],
                fit_intercept=plan["fit_intercept"],
                error_tie=plan["error_tie"],
                positive=positive,
                start=np.array(starts if group.joint else starts[c]),
                k=updates.presented[each].astype(np.int64) - 1,
                i=updates.example[each].astype(np.int64),
                scales=None if updates.scale is None else updates.scale[mine],
                rivals=updates.problem.astype(np.int64) if group.joint else None,
                first_rivals=first,
                presented=found.outcomes[c].presented,
                epochs=found.outcomes[c].epochs,
            )
            traces.append(Trace(recording))
    return traces[0] if len(traces) == 1 else traces


def first_records(presented: NDArray[np.uint64]) -> NDArray[np.int64]:
    """The index of the first record of each update, if an update is recorded once for each of its rivals.

    >>> first_records(np.array([1, 1, 4, 7, 7, 7], dtype=np.uint64))
    array([0, 2, 3])
    """
    return np.flatnonzero(np.diff(presented, prepend=np.uint64(0)))
