"""The estimated cost of a fit, in dense values that the core reads: 10⁹ take about 0.3 s of processor time.

The constants were measured on 16,000×16 with 26 classes (dense) and 6,400×262,144 with 150 values a row and 20 classes.
"""

from rosenblatt.learning.parameters import MultiClass
from rosenblatt.models.training.sources.source import TrainingSet

#: What is done for each row besides its values, and a value of sparse data, whose weight is rarely in the cache.
_ROW = 32
_SPARSE_VALUE = 8

#: A weight, once a fit: it is allocated, averaged, copied, and brought to the layout of predictions.
_WEIGHT = 100

#: A value of a pair of classes, once a fit: the rows of every pair are gathered. Each pair is a run of its own.
_PAIR_VALUE = 20
_PAIR = 500_000


def is_sparse(examples: TrainingSet) -> bool:
    return examples.n_stored < examples.n_examples * examples.features.n_features


def cost_of_fit(examples: TrainingSet, epochs: int, way: MultiClass = "joint") -> float:
    """The cost of this many epochs on all training examples, by a way to learn more than two classes."""
    k = len(examples.classes)
    values = examples.n_values * (_SPARSE_VALUE if is_sparse(examples) else 1) + _ROW * examples.n_training
    weights = _WEIGHT * examples.features.n_features
    if k == 2:
        return values * float(epochs) + weights
    if way == "ovo":  # every example takes part in k - 1 of the problems
        return values * (epochs + _PAIR_VALUE) * (k - 1) + (_PAIR + weights) * (k * (k - 1) // 2)
    return values * epochs * k + weights * k
