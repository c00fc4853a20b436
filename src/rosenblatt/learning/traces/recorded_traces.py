"""Converts the recorded updates of a fit into traces, one per problem."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rosenblatt.learning.examples import Examples
from rosenblatt.learning.plan_fields import PlanFields
from rosenblatt.learning.problems import Group
from rosenblatt.learning.run import Outcomes
from rosenblatt.learning.traces.recorded_updates import rule_of, updates_of
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
            mine = updates_of(updates, c, joint=group.joint, several_rivals=plan["rivals"] == "all")
            recording = Recording(
                X=examples.matrix(),
                labels=examples.codes,
                members=examples.members if group.chosen is None else group.chosen,
                steps=plan["eta0"] * weights,
                **rule_of(plan),
                positive=positive,
                start=np.array(starts if group.joint else starts[c]),
                k=mine.k,
                i=mine.i,
                scales=None if updates.scale is None else updates.scale[mine.mine],
                rivals=mine.rivals,
                first_rivals=mine.first_rivals,
                presented=found.outcomes[c].presented,
                epochs=found.outcomes[c].epochs,
            )
            traces.append(Trace(recording))
    return traces[0] if len(traces) == 1 else traces
