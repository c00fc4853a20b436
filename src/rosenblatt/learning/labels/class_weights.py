"""The weight of each example from the weight of its class (`class_weight`)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rosenblatt.learning.examples import Examples
from rosenblatt.learning.rows.array_types import Labels

#: Weights by label, which may be of any type.
ClassWeight = Mapping[object, float] | Literal["balanced"]


def weights_of_classes(class_weight: ClassWeight, classes: Labels, counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Returns one weight per class. Classes that the mapping does not name get weight 1.

    "balanced" makes the weight of a class inversely proportional to its number of examples.

    >>> weights_of_classes("balanced", np.array(["a", "b"]), np.array([1, 3]))
    array([2.        , 0.66666667])
    """
    if isinstance(class_weight, str):
        weights = counts.sum() / (len(classes) * np.maximum(counts, 1))
    else:
        labels = classes.tolist()
        unknown = [label for label in class_weight if label not in labels]
        if unknown:
            raise ValueError(f"class_weight names {unknown[0]!r}, which is not a class; the classes are {labels}.")
        weights = np.array([float(class_weight.get(label, 1.0)) for label in labels])
    if not np.all((weights > 0) & np.isfinite(weights)):
        raise ValueError(f"class_weight must be positive and finite for every class; got {weights.tolist()}.")
    return np.asarray(weights, dtype=np.float64)


def weighted_by_class(examples: Examples, class_weight: ClassWeight | None) -> Examples:
    """Returns the examples with each weight multiplied by the weight of the example's class."""
    if class_weight is None:
        return examples
    codes = examples.codes if examples.chosen is None else examples.codes[examples.chosen]
    counts = np.bincount(codes, minlength=len(examples.classes))
    of_example = weights_of_classes(class_weight, examples.classes, counts)[examples.codes]
    return replace(examples, weights=of_example if examples.weights is None else examples.weights * of_example)
