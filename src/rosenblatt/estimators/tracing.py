"""Turns the updates that a fit has recorded into traces, one a problem."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.estimators.labelled import Examples
from rosenblatt.estimators.problems import Group
from rosenblatt.estimators.training import Found
from rosenblatt.trace import Recording, Trace


def traces_of(
    examples: Examples,
    groups: list[Group],
    starts: NDArray[np.float64],
    found: Found,
    plan: dict[str, Any],
) -> Trace | list[Trace]:
    """One trace where there is one problem, else a list. `starts` has [w₀, w₁, …], one row a plane."""
    if found.updates is None:
        raise AssertionError("the run was not recorded")
    updates = found.updates
    weights = np.ones(len(examples.codes)) if examples.weights is None else examples.weights
    traces: list[Trace] = []
    for group in groups:
        for positive in (None,) if group.joint else group.positives:
            c = len(traces)
            mine = slice(None) if group.joint else updates.problem == c
            recording = Recording(
                X=examples.X,
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
                k=updates.presented[mine].astype(np.int64) - 1,
                i=updates.example[mine].astype(np.int64),
                scales=None if updates.scale is None else updates.scale[mine],
                rivals=updates.problem.astype(np.int64) if group.joint else None,
                presented=found.outcomes[c].presented,
                epochs=found.outcomes[c].epochs,
            )
            traces.append(Trace(recording))
    return traces[0] if len(traces) == 1 else traces
