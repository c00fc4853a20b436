"""What all online algorithms are given: the problem, and when to stop."""

from collections.abc import Callable
from typing import NamedTuple

from rosenblatt.textbook.step import Array


class Problem(NamedTuple):
    """What to learn: the examples, when one is wrong, and what then."""

    X: Array  # with the constant 1 in front, if there is an offset
    y: list[int]
    present: list[int]  # the examples that take part
    score: Callable[[Array, int], float]  # of example i under w
    wrong: Callable[[float, int], bool]  # a mistake, given the score
    error: Callable[[float, int], bool]  # an error, as errors are reported
    updated: Callable[[Array, int], Array]  # w after a mistake on example i
    proves: Callable[[int], bool]  # in a random order, after so many updates: a state that came back is no accident
    state: Callable[[Array], Array] = lambda w: w  # from which the future follows; has it come back?


class Limits(NamedTuple):
    """When to stop, as the parameters of `Perceptron`."""

    max_iter: int | None = None
    max_steps: int | None = None
    max_updates: int | None = None
    max_error: float = 0.0
    patience: int | None = None
