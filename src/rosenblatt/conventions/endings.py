"""How a fit can end, in the order of precedence where several hold at once."""

from typing import Literal, get_args

Ending = Literal[
    "separated",
    "cycled",
    "error_reached",
    "unchanged",
    "early_stopped",
    "inseparable",
    "stalled",
    "max_updates",
    "max_steps",
    "max_iter",
]
ENDINGS: tuple[Ending, ...] = get_args(Ending)
