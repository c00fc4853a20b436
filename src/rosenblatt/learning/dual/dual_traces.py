"""Converts the recorded updates of a dual fit into traces, one per problem."""

import numpy as np

from rosenblatt.learning.dual.gram import Values
from rosenblatt.learning.dual.kernel_functions import Kernel
from rosenblatt.learning.dual.run_groups import DualFound
from rosenblatt.learning.examples import Examples
from rosenblatt.learning.plan_fields import PlanFields
from rosenblatt.learning.traces.recorded_traces import first_records
from rosenblatt.trace import DualRecording, Trace


def dual_traces(examples: Examples, kernel: Kernel, found: list[DualFound], plan: PlanFields) -> Trace | list[Trace]:
    """Returns one trace for a single problem, otherwise a list of traces."""
    n = len(examples.codes)
    weights = np.ones(n) if examples.weights is None else examples.weights
    size = n + int(plan["fit_intercept"])
    traces = []
    for part in found:
        group, updates = part.group, part.updates
        if updates is None:
            raise AssertionError("the run was not recorded")
        for c, outcome in enumerate(part.outcomes):
            mine = slice(None) if group.joint else updates.problem == c
            several = plan["rivals"] == "all" and group.joint
            first = first_records(updates.presented) if several else None
            each = mine if first is None else first
            recording = DualRecording(
                X=examples.matrix(),
                labels=examples.codes,
                members=examples.members if group.chosen is None else group.chosen,
                steps=plan["eta0"] * weights,
                order=plan["order"],
                seed=plan["seed"],
                tie=plan["tie"],
                error_tie=plan["error_tie"],
                fit_intercept=plan["fit_intercept"],
                positive=None if group.joint else group.positives[c],
                start=np.zeros((len(group.positives), size) if group.joint else size),
                k=updates.presented[each].astype(np.int64) - 1,
                i=updates.example[each].astype(np.int64),
                rivals=updates.problem.astype(np.int64) if group.joint else None,
                first_rivals=first,
                presented=outcome.presented,
                epochs=outcome.epochs,
                kernel=Values(kernel, examples.matrix(), None),
            )
            traces.append(Trace(recording))
    return traces[0] if len(traces) == 1 else traces
