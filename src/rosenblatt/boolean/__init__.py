"""Boolean functions, threshold units, and networks of units: what can a perceptron represent?

See `BooleanFunction` first; `rosenblatt.boolean.tables` defines the order of variables and rows.
"""

from rosenblatt.boolean.classifier import CircuitClassifier
from rosenblatt.boolean.counting import count_threshold_functions, threshold_functions
from rosenblatt.boolean.expression import ExpressionError
from rosenblatt.boolean.function import BooleanFunction
from rosenblatt.boolean.interval import Interval
from rosenblatt.boolean.lesson import Lesson
from rosenblatt.boolean.minimality import MinimalityProof
from rosenblatt.boolean.network import Network
from rosenblatt.boolean.summability import Summability
from rosenblatt.boolean.unit import ThresholdUnit, m_of_d

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
