"""The inputs of all online algorithms: the problem and the limits."""

from collections.abc import Callable
from typing import NamedTuple

from rosenblatt.textbook.finished_run import Array


class Problem(NamedTuple):
    """The examples, the test for a mistake, and the update."""

    X: Array  # with the constant 1 in front, if there is an offset
    y: list[int]
    present: list[int]  # the examples in use
    score: Callable[[Array, int], float]  # the score of example i under w
    wrong: Callable[[float, int], bool]  # whether example i is a mistake, given its score
    error: Callable[[float, int], bool]  # whether example i is a reported error, given its score
    updated: Callable[[Array, int], Array]  # w after a mistake on example i
    proves: Callable[[int], bool]  # whether a state that returns after n updates in random order proves a cycle
    state: Callable[[Array], Array] = lambda w: w  # the state that is compared to detect cycles


class Limits(NamedTuple):
    """When to stop, as the parameters of `Perceptron`."""

    max_iter: int | None = None
    max_steps: int | None = None
    max_updates: int | None = None
    max_error: float = 0.0
    patience: int | None = None
