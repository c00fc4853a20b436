"""Boolean functions, threshold units, and networks of units: what a perceptron can represent.

See `BooleanFunction` first; `rosenblatt.boolean.tables` defines the order of variables and rows.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rosenblatt.boolean.counting import count_threshold_functions, threshold_functions
from rosenblatt.boolean.expression import ExpressionError
from rosenblatt.boolean.function import BooleanFunction
from rosenblatt.boolean.interval import Interval
from rosenblatt.boolean.lesson import Lesson
from rosenblatt.boolean.minimality import MinimalityProof
from rosenblatt.boolean.network import Network
from rosenblatt.boolean.summability import Summability
from rosenblatt.boolean.unit import ThresholdUnit, m_of_d

if TYPE_CHECKING:
    from rosenblatt.boolean.classifier import CircuitClassifier

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
    if name == "CircuitClassifier":  # scikit-learn is slow to import, and not needed for anything else here
        return import_module("rosenblatt.boolean.classifier").CircuitClassifier
    raise AttributeError(f"module 'rosenblatt.boolean' has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(__all__)
