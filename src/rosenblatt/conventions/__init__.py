"""The choices on which the lectures differ: ties, order, start, stopping rule, step; and their dialects by name.

`Perceptron(**conventions.L3)` runs L3's algorithm; `textbook.online(X, y, **conventions.L3)` shows it step by step.
"""

from rosenblatt.conventions.dialects import L0, L1, L2, L3, L4, Convention, L1_offset
from rosenblatt.conventions.endings import ENDINGS
from rosenblatt.conventions.own_dialect import define, find, load
from rosenblatt.conventions.randomness import epoch_order, random_start, remover, sampler
from rosenblatt.conventions.ties import TIES, is_mistake
from rosenblatt.conventions.words import describe

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
    "define",
    "describe",
    "epoch_order",
    "find",
    "is_mistake",
    "load",
    "random_start",
    "remover",
    "sampler",
]
