"""What the lectures disagree on: ties, order, start, stop, step; and their dialects by name.

`Perceptron(**conventions.L3)` walks L3's path; `textbook.online(X, y, **conventions.L3)` shows it step by step.
"""

from rosenblatt.conventions.dialects import L0, L1, L2, L3, L4, Convention, L1_offset
from rosenblatt.conventions.endings import ENDINGS
from rosenblatt.conventions.randomness import epoch_order, random_start, remover, sampler
from rosenblatt.conventions.ties import TIES, is_mistake

__all__ = [
    "ENDINGS",
    "L0",
    "L1",
    "L2",
    "L3",
    "L4",
    "TIES",
    "Convention",
    "L1_offset",
    "epoch_order",
    "is_mistake",
    "random_start",
    "remover",
    "sampler",
]
