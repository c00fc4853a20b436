"""Theory as code: hyperplanes, margins, mistake bounds, cycles; separability and existence of estimates with proofs."""

from typing import TYPE_CHECKING

from rosenblatt.lazy_names import lazy_names
from rosenblatt.theory.existence import existence, verify_existence
from rosenblatt.theory.separability import (
    Obstruction,
    Separability,
    SeparabilityTable,
    ask_for_fit,
    iter_separability,
    separability,
)

if TYPE_CHECKING:
    from rosenblatt.theory.convergence.cycles import Cycle, cycles
    from rosenblatt.theory.convergence.mistake_bounds import margin_upper_bound, mistake_bound, radius, repeat_bound
    from rosenblatt.theory.convergence.proof_walls import Wall, proof_walls
    from rosenblatt.theory.existence import Existence
    from rosenblatt.theory.hyperplane import Hyperplane
    from rosenblatt.theory.margin.max_margin import max_margin
    from rosenblatt.theory.margin.verify_margin import verify_margin
    from rosenblatt.theory.margin.widest_margin import Margin
    from rosenblatt.theory.minimum_error.min_error import MinError, min_error
    from rosenblatt.theory.minimum_error.verify_min_error import verify_min_error
    from rosenblatt.theory.separability.verify import verify

__all__ = [
    "Cycle",
    "Existence",
    "Hyperplane",
    "Margin",
    "MinError",
    "Obstruction",
    "Separability",
    "SeparabilityTable",
    "Wall",
    "ask_for_fit",
    "cycles",
    "existence",
    "iter_separability",
    "margin_upper_bound",
    "max_margin",
    "min_error",
    "mistake_bound",
    "proof_walls",
    "radius",
    "repeat_bound",
    "separability",
    "verify",
    "verify_existence",
    "verify_margin",
    "verify_min_error",
]

# Importing the packages `existence` and `separability` would replace functions bound later: they are bound above.
__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "convergence.cycles": "Cycle cycles",
        "convergence.mistake_bounds": "margin_upper_bound mistake_bound radius repeat_bound",
        "convergence.proof_walls": "Wall proof_walls",
        "existence": "Existence existence verify_existence",
        "hyperplane": "Hyperplane",
        "margin.max_margin": "max_margin",
        "margin.verify_margin": "verify_margin",
        "margin.widest_margin": "Margin",
        "minimum_error.min_error": "MinError min_error",
        "minimum_error.verify_min_error": "verify_min_error",
        "separability": "Obstruction Separability SeparabilityTable ask_for_fit iter_separability separability",
        "separability.verify": "verify",
    },
)
