"""The choice of the algorithm if the plan names none, and the reason for the choice.

One run of the online perceptron gives the last weights and the averaged weights. The average is the default, because on
noisy data the last weights depend strongly on the last few examples. If the run separated the examples and the average
does not, the last weights are used. More than two classes are learned jointly, which was more accurate than one against
all others in cross-validation of the built-in sets, at the same model size.
"""

from collections.abc import Callable, Mapping
from typing import Any

from rosenblatt.learning.parameters import Algorithm, names_of
from rosenblatt.models.training.plan import AlgorithmName, Plan

#: Limit on the values read in a run, if no limit of epochs is given: a few tenths of a second.
_WORK = 200_000_000
_EPOCHS = (10, 1000)

_CANDIDATES: tuple[Algorithm, ...] = ("Perceptron", "PocketPerceptron", "BatchPerceptron")


def completed(parameters: Mapping[str, Any], values: float, examples: float, n_classes: int) -> dict[str, Any]:
    """Adds a limit of epochs (high for small data, low for large data) and a multi-class rule, unless they are given.

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
    """The number of epochs that take a few tenths of a second, clipped to `_EPOCHS`."""
    epoch = (values + 32 * examples) * problems
    low, high = _EPOCHS
    return int(min(max(_WORK / max(epoch, 1), low), high))


def choose(separated: bool, errors_of_average: Callable[[], int]) -> tuple[Algorithm, str]:
    """The estimator whose weights are published after a run that kept averages, and the reason.

    `errors_of_average` counts the training errors of the averaged weights.
    """
    if not separated:
        return "AveragedPerceptron", "the run did not separate the examples, and averaged weights are steadier"
    wrong = errors_of_average()
    if wrong == 0:
        return "AveragedPerceptron", "the run separated the examples, and so do its averaged weights"
    errors = "an error" if wrong == 1 else f"{wrong:,} errors"
    return "Perceptron", f"its last weights separate the examples; their average makes {errors}"


def algorithm_for(plan: Plan) -> tuple[AlgorithmName, str]:
    """The algorithm of a plan, and the reason if the plan names none. Checks the plan's parameters."""
    algorithm, why = (plan.algorithm, "") if plan.algorithm is not None else that_has(plan.parameters)
    plan.check(algorithm)
    return algorithm, why


def that_has(parameters: Mapping[str, Any]) -> tuple[AlgorithmName, str]:
    """The first algorithm that has all of these parameters, and the reason."""
    averaged = names_of("AveragedPerceptron")
    deciding = next((name for name in parameters if name not in averaged), None)
    if deciding is None:
        return "AveragedPerceptron", "averaged weights are steadier than the last ones"
    for name in _CANDIDATES:
        if parameters.keys() <= set(names_of(name)):
            return name, f"it has the parameter {deciding!r}, which the averaged perceptron has not"
    if parameters.keys() <= _compat_names():
        return "compat.Perceptron", f"it has the parameter {deciding!r}, which the averaged perceptron has not"
    return "AveragedPerceptron", ""


def _compat_names() -> set[str]:
    from rosenblatt.compat import Perceptron  # imports scikit-learn, which is slow

    return set(Perceptron().get_params(deep=False))
