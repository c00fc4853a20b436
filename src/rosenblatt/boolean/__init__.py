"""Boolean functions, threshold units and networks of units: what perceptrons can represent.

Start with `BooleanFunction`. `rosenblatt.boolean.truth_tables` defines the order of variables and rows.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rosenblatt.boolean.expression import ExpressionError
from rosenblatt.boolean.function import BooleanFunction
from rosenblatt.boolean.interval import Interval
from rosenblatt.boolean.lesson import Lesson
from rosenblatt.boolean.network import Network
from rosenblatt.boolean.proofs.minimality import MinimalityProof
from rosenblatt.boolean.proofs.summability import Summability
from rosenblatt.boolean.threshold.counting import count_threshold_functions, threshold_functions
from rosenblatt.boolean.unit import ThresholdUnit, m_of_d

if TYPE_CHECKING:
    from rosenblatt.boolean.circuit_classifier import CircuitClassifier

__all__ = [
    "BooleanFunction",
    "CircuitClassifier",
    "ExpressionError",
    "Interval",
    "Lesson",
    "MinimalityProof",
    "Network",
    "Summability",
    "ThresholdUnit",
    "count_threshold_functions",
    "m_of_d",
    "threshold_functions",
]


def __getattr__(name: str) -> Any:
    if name == "CircuitClassifier":  # imported on first use: it needs scikit-learn, whose import is slow
        return import_module("rosenblatt.boolean.circuit_classifier").CircuitClassifier
    raise AttributeError(f"module 'rosenblatt.boolean' has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(__all__)
