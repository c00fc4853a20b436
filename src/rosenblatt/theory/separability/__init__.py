"""Linear separability: the search, the answer with its certificate, and the check of the certificate."""

from rosenblatt.theory.separability.answer import Obstruction, Separability
from rosenblatt.theory.separability.separability_function import ask_for_fit, iter_separability, separability
from rosenblatt.theory.separability.table import SeparabilityTable

__all__ = ["Obstruction", "Separability", "SeparabilityTable", "ask_for_fit", "iter_separability", "separability"]
