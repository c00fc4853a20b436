"""Default budgets of the searches for proofs, in touched values: about 10⁹ a second. `math.inf` is no limit.

The functions of `theory`, the commands and the documentation take them from here; importing this module costs nothing.
"""

from typing import Final, Literal

Search = Literal["separability", "existence", "min_error", "cycles"]

DEFAULT_BUDGETS: Final[dict[Search, float]] = {
    "separability": 1e11,  # about two minutes: the hardest set in docs/separability.md takes 29 s
    "existence": 1e11,
    "min_error": 5e9,  # NP-hard: the interval rarely becomes much better after some seconds
    "cycles": 1e11,  # a run on real numbers rarely returns to an earlier state
}

#: How to go on after an undecided answer, for a caller and for a command.
HOW_TO_GO_ON: Final = "Give a larger budget; budget=math.inf, in a command --budget inf, is no limit."
