"""The lectures' algorithms line by line in plain Python: one file for each, as a generator of its steps. They are slow.

The compiled core is tested against these, step for step.
"""

from rosenblatt.conventions.step import Step
from rosenblatt.textbook.adaline import adaline
from rosenblatt.textbook.averaged import averaged, vote, voted
from rosenblatt.textbook.batch import BatchStep, batch
from rosenblatt.textbook.dual import DualStep, dual, kernel_score
from rosenblatt.textbook.finished_run import Run, run
from rosenblatt.textbook.joint import joint
from rosenblatt.textbook.online import online
from rosenblatt.textbook.pocket import pocket

__all__ = [
    "BatchStep",
    "DualStep",
    "Run",
    "Step",
    "adaline",
    "averaged",
    "batch",
    "dual",
    "joint",
    "kernel_score",
    "online",
    "pocket",
    "run",
    "vote",
    "voted",
]
