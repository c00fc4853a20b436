"""Theory as code: hyperplanes, margins, mistake bounds, cycles; separability and existence of estimates with proofs."""

from rosenblatt.theory.convergence.cycles import Cycle, cycles
from rosenblatt.theory.convergence.mistake_bounds import margin_upper_bound, mistake_bound, radius, repeat_bound
from rosenblatt.theory.convergence.proof_walls import Wall, proof_walls
from rosenblatt.theory.existence import Existence, existence, verify_existence
from rosenblatt.theory.hyperplane import Hyperplane
from rosenblatt.theory.margin.max_margin import max_margin
from rosenblatt.theory.margin.verify_margin import verify_margin
from rosenblatt.theory.margin.widest_margin import Margin
from rosenblatt.theory.minimum_error.min_error import MinError, min_error
from rosenblatt.theory.minimum_error.verify_min_error import verify_min_error
from rosenblatt.theory.separability import (
    Obstruction,
    Separability,
    SeparabilityTable,
    ask_for_fit,
    iter_separability,
    separability,
)
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
