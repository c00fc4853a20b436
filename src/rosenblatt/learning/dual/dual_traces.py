"""Converts the recorded updates of a dual fit into traces, one per problem."""

import numpy as np

from rosenblatt.learning.dual.gram import Values
from rosenblatt.learning.dual.kernel_functions import Kernel
from rosenblatt.learning.dual.run_groups import DualFound
from rosenblatt.learning.examples import Examples
from rosenblatt.learning.plan_fields import PlanFields
from rosenblatt.learning.traces.recorded_updates import rule_of, updates_of
from rosenblatt.trace import DualRecording, Trace


def dual_traces(examples: Examples, kernel: Kernel, found: list[DualFound], plan: PlanFields) -> Trace | list[Trace]:
    """Returns one trace for a single problem, otherwise a list of traces."""
    n, X = len(examples.codes), examples.matrix()
    weights = np.ones(n) if examples.weights is None else examples.weights
    size = n + int(plan["fit_intercept"])
    traces = []
    for part in found:
        group, updates = part.group, part.updates
        if updates is None:
            raise AssertionError("the run was not recorded")
        for c, outcome in enumerate(part.outcomes):
            mine = updates_of(updates, c, joint=group.joint, several_rivals=plan["rivals"] == "all")
            recording = DualRecording(
                X=X,
                labels=examples.codes,
                members=examples.members if group.chosen is None else group.chosen,
                steps=plan["eta0"] * weights,
                **rule_of(plan),
                positive=None if group.joint else group.positives[c],
                start=np.zeros((len(group.positives), size) if group.joint else size),
                k=mine.k,
                i=mine.i,
                rivals=mine.rivals,
                first_rivals=mine.first_rivals,
                presented=outcome.presented,
                epochs=outcome.epochs,
                kernel=Values(kernel, X, None),
            )
            traces.append(Trace(recording))
    return traces[0] if len(traces) == 1 else traces
