"""The models that a file may name, and the attributes that it stores for each. Other names are rejected."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rosenblatt.models.files.record import Record

_COUNTS = ("status_", "statuses_", "cycle_", "cycles_", "n_iter_", "n_mistakes_", "n_samples_seen_", "history_")


@dataclass(frozen=True)
class Kind:
    """A class of models: its module, and the fitted attributes that a file must have."""

    home: str
    fitted: tuple[str, ...]
    check: str = "linear"  # the function of `checks` that checks the consistency of the parts
    is_linear: bool = True  # predicts from coef_ and intercept_ alone, one row per problem
    is_direct: bool = False  # predicts by `learning.scores.prediction.predicted_codes`
    is_circuit: bool = False  # a unit or a network of `boolean`, which is not fitted

    @property
    def checker(self) -> Callable[["Record"], None]:
        from rosenblatt.models.files import checks

        check: Callable[[Record], None] = getattr(checks, self.check)
        return check

    @property
    def is_trained(self) -> bool:
        return not self.is_circuit


_ESTIMATORS = "rosenblatt.estimators"
_LINEAR = ("classes_", "coef_", "intercept_", *_COUNTS)
_LAST = ("last_coef_", "last_intercept_")
_POCKET = ("pocket_run_", "pocket_runs_", "pocket_error_", "pocket_errors_", "n_scored_")
_VOTED = ("support_", "support_vectors_", "starts_", "updates_", "scales_", "survival_")
_KERNEL = (
    "classes_",
    "support_",
    "support_vectors_",
    "n_support_",
    "dual_coef_",
    "intercept_",
    *("last_dual_coef_", "last_intercept_"),
    "settled_",
    "regime_",
    *_COUNTS,
)
_COMPAT = ("classes_", "coef_", "intercept_", "status_", "statuses_", "n_iter_", "n_mistakes_", "t_")

#: A new estimator needs one entry here, and a check if its attributes must be consistent with each other.
KINDS: dict[str, Kind] = {
    "Perceptron": Kind(_ESTIMATORS, _LINEAR, is_direct=True),
    "AveragedPerceptron": Kind(_ESTIMATORS, (*_LINEAR, *_LAST, "_averaged_over"), is_direct=True),
    "PocketPerceptron": Kind(_ESTIMATORS, (*_LINEAR, *_LAST, *_POCKET), is_direct=True),
    "BatchPerceptron": Kind(_ESTIMATORS, _LINEAR, is_direct=True),
    "VotedPerceptron": Kind(_ESTIMATORS, (*_LINEAR, *_VOTED), "voted", is_linear=False),
    "KernelPerceptron": Kind(_ESTIMATORS, _KERNEL, "kernel", is_linear=False),
    "compat.Perceptron": Kind("rosenblatt.compat", _COMPAT, "compat"),
    "ThresholdUnit": Kind("rosenblatt.boolean", ("classes_", "circuit"), "circuit", False, is_circuit=True),
    "Network": Kind("rosenblatt.boolean", ("classes_", "circuit"), "circuit", False, is_circuit=True),
}

#: The algorithms that `train` supports.
TRAINABLE = tuple(name for name, kind in KINDS.items() if kind.is_trained)


def fitted_of(model: Any, name: str) -> dict[str, Any]:
    """The attributes of a fitted estimator that a file stores, with its certificates if it has some."""
    names = (*KINDS[name].fitted, *(("certificates_",) if hasattr(model, "certificates_") else ()))
    stored = vars(model)  # for `coef_`, which is built on access if it is stored as updates
    return {attribute: stored[attribute] if attribute in stored else getattr(model, attribute) for attribute in names}


def name_of(model: Any) -> str | None:
    """The name of the model's class in a model file; None for a class that cannot be stored.

    >>> from rosenblatt import compat
    >>> name_of(compat.Perceptron())
    'compat.Perceptron'
    """
    found, home = type(model).__name__, type(model).__module__
    for name, kind in KINDS.items():
        if name.rpartition(".")[2] == found and (home + ".").startswith(kind.home + "."):
            return name
    return None
