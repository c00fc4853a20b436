"""The vectors of a recorded online run, each with the number of examples that it survived (Freund, Schapire 1999)."""

import numpy as np
from numpy.typing import NDArray

from rosenblatt.learning.examples import Examples
from rosenblatt.learning.fitted_attributes import FittedAttributes
from rosenblatt.trace import Recording, Trace


def voted_vectors(traces: Trace | list[Trace], examples: Examples) -> FittedAttributes:
    """The fitted attributes of a `VotedPerceptron`: the updates of each problem over a common support."""
    traces = traces if isinstance(traces, list) else [traces]
    recordings = [trace.recording for trace in traces]
    support = np.unique(np.concatenate([recording.i for recording in recordings]))
    return {
        "support_": support,
        "support_vectors_": examples.matrix()[support],
        "starts_": np.stack([recording.start for recording in recordings]),
        "updates_": [np.searchsorted(support, recording.i) for recording in recordings],
        "scales_": [_signed_steps(recording) for recording in recordings],
        "survival_": [_survival(trace, examples.weights) for trace in traces],
    }


def _signed_steps(recording: Recording) -> NDArray[np.float64]:
    signs = np.where(recording.labels[recording.i] == recording.positive, 1.0, -1.0)
    return signs * recording.steps[recording.i]


def _survival(trace: Trace, weights: NDArray[np.float64] | None) -> NDArray[np.float64]:
    """The number (or total weight) of examples presented while each vector was in use."""
    clock = np.arange(len(trace) + 1.0)
    if weights is not None:
        clock[1:] = np.cumsum(weights[trace.presented_examples()])
    return np.diff(clock[np.concatenate([[0], trace.recording.k, [len(trace)]])])
