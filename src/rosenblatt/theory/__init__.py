"""Theory that runs: hyperplanes, margins, separability with its proof, mistake bounds, cycles. Arrays in."""

from rosenblatt.theory.hyperplane import Hyperplane
from rosenblatt.theory.margin import Margin, max_margin
from rosenblatt.theory.separability import Obstruction, Separability, SeparabilityTable, ask_for_fit, separability
from rosenblatt.theory.verify import verify

__all__ = ["Hyperplane", "Margin", "Obstruction", "Separability", "SeparabilityTable", "ask_for_fit", "max_margin", "separability", "verify"]
