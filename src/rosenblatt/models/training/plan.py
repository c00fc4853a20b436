"""The training plan: what to train and how to assess it, the same for every source."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from rosenblatt.conventions.value_kinds import ParameterError
from rosenblatt.learning.parameters import Algorithm, Parameters, seed_of

#: The algorithms that `train` supports.
AlgorithmName = Algorithm | Literal["compat.Perceptron"]

#: The default fraction of the examples that is held out.
HELD_OUT = 0.2

#: Parameters that do not disable the search for the best setting. If any other parameter is given, there is no search.
_NEUTRAL = frozenset({"random_state", "verbose", "n_jobs", "fit_intercept", "class_weight", "multi_class"})


@dataclass(frozen=True)
class Plan:
    """What to train and how to assess it.

    Examples
    --------
    >>> Plan("PocketPerceptron", {"ratchet": True, "max_iter": 20}, held_out=0.25).scale is None
    True
    """

    algorithm: AlgorithmName | None = None  # None: chosen by `choosing`
    parameters: Mapping[str, Any] = field(default_factory=dict)
    scale: bool | None = None  # None: `scaling.default_scale` decides
    search: bool = True  # search for the best setting if neither algorithm nor parameters are given
    tune: bool = False  # search more widely: more settings, kernels, votes, n-grams of words
    held_out: float | None = 0.0  # None: a fifth, if there are enough examples
    folds: int = 0  # number of folds of a cross-validation; 0: none
    assess: bool = True
    proba: bool | None = None  # calibrate probabilities; None: if it costs little
    verbose: bool = False

    @property
    def seed(self) -> int:
        """The seed of splits: the parameter `random_state`."""
        return seed_of(self.parameters.get("random_state", 0))

    @property
    def fixed(self) -> list[str]:
        """The given parameters that disable the search for the best setting."""
        return sorted(self.parameters.keys() - _NEUTRAL)

    def check(self, algorithm: AlgorithmName) -> None:
        """Raises `ParameterError` for parameters that the algorithm lacks, and for values that are not allowed."""
        if algorithm == "compat.Perceptron":
            from rosenblatt.compat import Perceptron  # imports scikit-learn, which is slow

            known = Perceptron().get_params(deep=False)
            for name in self.parameters:
                if name not in known:
                    raise ParameterError(f"{algorithm} has no parameter {name!r}; it has {', '.join(known)}.")
            Perceptron(**self.parameters)._validate_params()
        else:
            Parameters.of(algorithm, self.parameters)
