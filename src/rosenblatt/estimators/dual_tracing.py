"""Turns the updates that a dual fit has recorded into traces, one a problem."""

from typing import Any

import numpy as np

from rosenblatt.estimators.dual import DualFound
from rosenblatt.estimators.gram import Values
from rosenblatt.estimators.kernel_functions import Kernel
from rosenblatt.estimators.labelled import Examples
from rosenblatt.trace import DualRecording, Trace


def dual_traces(
    examples: Examples, kernel: Kernel, found: list[DualFound], eta0: float, rule: dict[str, Any]
) -> Trace | list[Trace]:
    """One trace where there is one problem, else a list."""
    n = len(examples.codes)
    weights = np.ones(n) if examples.weights is None else examples.weights
    size = n + int(rule["fit_intercept"])
    traces = []
    for part in found:
        group, updates = part.group, part.updates
        if updates is None:
            raise AssertionError("the run was not recorded")
        for c, outcome in enumerate(part.outcomes):
            mine = slice(None) if group.joint else updates.problem == c
            recording = DualRecording(
                X=examples.X,
                labels=examples.codes,
                members=examples.members if group.chosen is None else group.chosen,
                steps=eta0 * weights,
                **rule,
                positive=None if group.joint else group.positives[c],
                start=np.zeros((len(group.positives), size) if group.joint else size),
                k=updates.presented[mine].astype(np.int64) - 1,
                i=updates.example[mine].astype(np.int64),
                presented=outcome.presented,
                epochs=outcome.epochs,
                kernel=Values(kernel, examples.X, None),
            )
            traces.append(Trace(recording))
    return traces[0] if len(traces) == 1 else traces
