"""The tie rules: how a score of exactly zero is counted. The lectures differ on it."""

from typing import Literal, get_args

Tie = Literal["mistake", "positive", "negative"]
TIES: tuple[Tie, ...] = get_args(Tie)


def is_mistake(score: float, y: int, tie: Tie) -> bool:
    """Whether an example of label y (+1 or -1) with this score is misclassified.

    A score of zero is always a mistake (`"mistake"`), a positive prediction (`"positive"`: L0, L1) or a negative one
    (`"negative"`: L3, L4).

    >>> [is_mistake(0.0, +1, tie) for tie in TIES]
    [True, False, True]
    """
    if score == 0:
        return tie == "mistake" or (tie == "positive") != (y > 0)
    return (score > 0) != (y > 0)
