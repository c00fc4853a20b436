"""The lectures, literally: plain Python, one file an algorithm, each step yielded. Never fast, always right.

The compiled core is tested against these, step for step.
"""

from rosenblatt.conventions.step import Step
from rosenblatt.textbook.joint import joint
from rosenblatt.textbook.online import online
from rosenblatt.textbook.step import Run, run

__all__ = ["Run", "Step", "joint", "online", "run"]
