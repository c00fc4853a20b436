"""The fields of the core's `Plan`, as a typed dictionary that a fit fills step by step."""

from typing import NotRequired, TypedDict

import numpy as np
from numpy.typing import NDArray

from rosenblatt.conventions.own_dialect import Order
from rosenblatt.conventions.ties import Tie
from rosenblatt.learning.parameters import Rivals, Step


class PlanFields(TypedDict):
    """Keyword arguments of `core.Plan`, except `joint`, which a group sets. A test compares the names with the stub."""

    eta0: float
    tie: Tie
    error_tie: Tie
    fit_intercept: bool
    margin: float
    step: Step
    aggressiveness: float
    rivals: Rivals
    order: Order
    seed: int
    max_iter: int | None
    max_steps: int | None
    max_updates: int | None
    patience: int | None
    n_iter_no_change: int | None
    max_error: float
    may_stall: bool
    record: bool
    ratchet: bool
    first_epoch: NotRequired[int]
    batch: bool
    average: bool
    pocket: bool
    ask_before_stall: NotRequired[bool]
    validation: NotRequired[NDArray[np.uint32] | None]
