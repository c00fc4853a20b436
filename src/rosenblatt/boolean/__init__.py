"""Boolean functions, threshold units and networks of units: what perceptrons can represent.

Start with `BooleanFunction`. `rosenblatt.boolean.truth_tables` defines the order of variables and rows.
"""

from typing import TYPE_CHECKING

from rosenblatt.boolean.expression import ExpressionError
from rosenblatt.boolean.function import BooleanFunction
from rosenblatt.boolean.interval import Interval
from rosenblatt.boolean.lesson import Lesson
from rosenblatt.boolean.network import Network
from rosenblatt.boolean.proofs.minimality import MinimalityProof
from rosenblatt.boolean.proofs.summability import Summability
from rosenblatt.boolean.threshold.counting import count_threshold_functions, threshold_functions
from rosenblatt.boolean.unit import ThresholdUnit, m_of_d
from rosenblatt.lazy_names import lazy_names

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


# It needs scikit-learn, whose import is slow.
__getattr__, _ = lazy_names(__name__, {"circuit_classifier": "CircuitClassifier"})


def __dir__() -> list[str]:
    return list(__all__)
