"""Theory that runs: hyperplanes, margins, separability with its proof, fewest errors, mistake bounds, cycles."""

from rosenblatt.theory.bounds import margin_upper_bound, mistake_bound, radius, repeat_bound
from rosenblatt.theory.cycles import Cycle, cycles
from rosenblatt.theory.hyperplane import Hyperplane
from rosenblatt.theory.margin import Margin
from rosenblatt.theory.max_margin import max_margin
from rosenblatt.theory.min_error import MinError, min_error, verify_min_error
from rosenblatt.theory.proof import Wall, proof_walls
from rosenblatt.theory.separability import Obstruction, Separability, SeparabilityTable, ask_for_fit, separability
from rosenblatt.theory.verify import verify
from rosenblatt.theory.verify_margin import verify_margin

__all__ = [
    "Cycle",
    "Hyperplane",
    "Margin",
    "MinError",
    "Obstruction",
    "Separability",
    "SeparabilityTable",
    "Wall",
    "ask_for_fit",
    "cycles",
    "margin_upper_bound",
    "max_margin",
    "min_error",
    "mistake_bound",
    "proof_walls",
    "radius",
    "repeat_bound",
    "separability",
    "verify",
    "verify_margin",
    "verify_min_error",
]
