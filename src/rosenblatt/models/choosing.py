"""Which algorithm `train` takes where none is named, and why.

One run of the online perceptron gives two sets of weights: the last and the average. The average is the safer choice:
on noisy data the last weights are whatever the last few examples made of them. But where the run has separated the
examples, and the average would not, the last weights are kept. More than two classes are learned jointly, which in
cross-validation of the built-in sets was more often right than one against all others, at the same size.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from rosenblatt.learning.parameters import Algorithm, names_of

#: Touched values that a run may take where no limit of epochs was given: a few tenths of a second.
_WORK = 200_000_000
_EPOCHS = (10, 1000)

_CANDIDATES: tuple[Algorithm, ...] = ("Perceptron", "PocketPerceptron", "BatchPerceptron")


def completed(parameters: Mapping[str, Any], values: float, examples: float, n_classes: int) -> dict[str, Any]:
    """The parameters with a limit of epochs (many for small data, few for large) and a rule, unless they were given.

    `values` is the number of stored values in the training examples.
    """
    if n_classes > 2:
        parameters = {"multi_class": "joint", **parameters}
    if any(parameters.get(name) is not None for name in ("max_iter", "max_steps", "max_updates", "patience")):
        return {"max_iter": None, **parameters}
    pairs = n_classes - 1 if parameters.get("multi_class") == "ovo" else n_classes
    problems = 1 if n_classes == 2 else pairs
    return {**parameters, "max_iter": epochs_for(values, examples, problems)}


def epochs_for(values: float, examples: float, problems: int) -> int:
    """As many epochs as a few tenths of a second have room for, within limits."""
    epoch = (values + 32 * examples) * problems
    return int(np.clip(_WORK / max(epoch, 1), *_EPOCHS))


def choose(separated: bool, errors_of_average: Callable[[], int]) -> tuple[str, str]:
    """The estimator whose weights to publish after a run that kept averages, and the reason.

    `errors_of_average` counts the training errors of the averaged weights.
    """
    if not separated:
        return "AveragedPerceptron", "the run did not separate the examples, and averaged weights are steadier"
    wrong = errors_of_average()
    if wrong == 0:
        return "AveragedPerceptron", "the run separated the examples, and so do its averaged weights"
    errors = "an error" if wrong == 1 else f"{wrong:,} errors"
    return "Perceptron", f"its last weights separate the examples; their average makes {errors}"


def that_has(parameters: Mapping[str, Any]) -> tuple[str, str]:
    """The first algorithm that has all of these parameters, and which of them decided."""
    averaged = names_of("AveragedPerceptron")
    telling = next((name for name in parameters if name not in averaged), None)
    if telling is None:
        return "AveragedPerceptron", "averaged weights are steadier than the last ones"
    for name in _CANDIDATES:
        if parameters.keys() <= set(names_of(name)):
            return name, f"it has the parameter {telling!r}, which the averaged perceptron has not"
    if parameters.keys() <= _compat_names():
        return "compat.Perceptron", f"it has the parameter {telling!r}, which the averaged perceptron has not"
    return "AveragedPerceptron", ""


def _compat_names() -> set[str]:
    from rosenblatt.compat import Perceptron  # which imports scikit-learn

    return set(Perceptron().get_params(deep=False))
