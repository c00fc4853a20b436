"""The lectures, literally: plain Python, one file an algorithm, each step yielded. Never fast, always right.

The compiled core is tested against these, step for step.
"""

from rosenblatt.conventions.step import Step
from rosenblatt.textbook.averaged import averaged, vote, voted
from rosenblatt.textbook.batch import BatchStep, batch
from rosenblatt.textbook.dual import DualStep, dual, kernel_score
from rosenblatt.textbook.joint import joint
from rosenblatt.textbook.online import online
from rosenblatt.textbook.pocket import pocket
from rosenblatt.textbook.step import Run, run

__all__ = [
    "BatchStep",
    "DualStep",
    "Run",
    "Step",
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
