"""What a parameter may be, as a table that `fit` checks before anything else."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import numpy as np

from rosenblatt.conventions.ties import TIES


@dataclass(frozen=True)
class Kind:
    """What values are right, and how to say so."""

    means: str
    holds: Callable[[Any], bool]

    def __or__(self, other: "Kind") -> "Kind":
        return Kind(f"{self.means} or {other.means}", lambda value: self.holds(value) or other.holds(value))


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool | np.bool_)


def _is_real(value: Any) -> bool:
    if not isinstance(value, Real) or _is_flag(value):
        return False
    try:
        return bool(np.isfinite(float(value)))
    except OverflowError:  # an integer beyond the largest float
        return False


def _is_whole(value: Any) -> bool:
    return isinstance(value, Integral) and not _is_flag(value)


def one_of(*names: str) -> Kind:
    quoted = ", ".join(map(repr, names))
    return Kind(f"one of {quoted}", lambda value: isinstance(value, str) and value in names)


def whole(least: int) -> Kind:
    return Kind(f"an integer ≥ {least} and < 2**64", lambda value: _is_whole(value) and least <= value < 2**64)


FINITE = Kind("a finite number", _is_real)
NOT_NEGATIVE = Kind("a finite number ≥ 0", lambda value: _is_real(value) and value >= 0)
POSITIVE = Kind("a finite number > 0", lambda value: _is_real(value) and value > 0)
FRACTION = Kind("a number in [0, 1]", lambda value: _is_real(value) and 0 <= value <= 1)
OPEN_FRACTION = Kind("a number in (0, 1)", lambda value: _is_real(value) and 0 < value < 1)
FLAG = Kind("True or False", _is_flag)
NONE = Kind("None", lambda value: value is None)
CALLABLE = Kind("a function", callable)
COUNT = Kind("an integer ≥ -2**31 and < 2**31", lambda value: _is_whole(value) and -(2**31) <= value < 2**31)
CLASS_WEIGHT = Kind("'balanced' or a dict of weights", lambda value: isinstance(value, Mapping) or value == "balanced")
RANDOM_STATE = Kind(
    "an integer ≥ 0 and < 2**64, a RandomState or None", lambda value: not _is_whole(value) or 0 <= value < 2**64
)

#: What each parameter of the online estimators may be.
ONLINE: dict[str, Kind] = {
    "fit_intercept": FLAG,
    "eta0": POSITIVE,
    "tie": one_of(*TIES),
    "error_tie": NONE | one_of(*TIES),
    "margin": NONE | NOT_NEGATIVE,
    "step": one_of("constant", "pa", "pa1", "pa2"),
    "C": POSITIVE,
    "order": one_of("shuffle", "cyclic", "misclassified"),
    "init": one_of("zeros", "random"),
    "ratchet": FLAG,
    "max_iter": NONE | whole(1),
    "max_steps": NONE | whole(1),
    "max_updates": NONE | whole(1),
    "max_error": FRACTION,
    "patience": NONE | whole(1),
    "multi_class": one_of("ova", "ovo", "joint"),
    "class_weight": NONE | CLASS_WEIGHT,
    "early_stopping": FLAG,
    "validation_fraction": OPEN_FRACTION,
    "n_iter_no_change": whole(1),
    "warm_start": FLAG,
    "record": FLAG,
    "n_jobs": NONE | COUNT,
    "random_state": RANDOM_STATE,
    "verbose": COUNT | FLAG,
    "callback": NONE | CALLABLE,
}

#: What each parameter of the perceptrons may be; an estimator has some of them.
ONLINE: dict[str, Kind] = {
    "fit_intercept": FLAG,
    "eta0": POSITIVE,
    "tie": one_of(*TIES),
    "error_tie": NONE | one_of(*TIES),
    "margin": NONE | NOT_NEGATIVE,
    "step": one_of("constant", "pa", "pa1", "pa2"),
    "C": POSITIVE,
    "order": one_of("shuffle", "cyclic", "misclassified"),
    "init": one_of("zeros", "random"),
    "ratchet": FLAG,
    "max_iter": NONE | whole(1),
    "max_steps": NONE | whole(1),
    "max_updates": NONE | whole(1),
    "max_error": FRACTION,
    "patience": NONE | whole(1),
    "multi_class": one_of("ova", "ovo", "joint"),
    "class_weight": NONE | CLASS_WEIGHT,
    "early_stopping": FLAG,
    "validation_fraction": OPEN_FRACTION,
    "n_iter_no_change": whole(1),
    "warm_start": FLAG,
    "record": FLAG,
    "n_jobs": NONE | COUNT,
    "random_state": RANDOM_STATE,
    "verbose": COUNT | FLAG,
    "callback": NONE | CALLABLE,
}


#: Parameters that were found right, for estimators that are asked again and again. Values of other types may change, or
#: be equal to values that are wrong.
_right: set[tuple[Any, ...]] = set()
_PLAIN = frozenset({type(None), bool, int, float, str})
_MOST = 1000

#: The parameters of each kind of estimator: asking scikit-learn takes as long as a step of learning.
_names: dict[type, tuple[str, ...]] = {}


def is_right(kind: Kind, value: Any) -> bool:
    """Whether a value of any type at all is right: what a file has may not even be comparable."""
    try:
        return bool(kind.holds(value))
    except (TypeError, ValueError, OverflowError):
        return False


def check_parameters(estimator: Any, table: Mapping[str, Kind]) -> None:
    """Refuses the first parameter that is not as the table has it."""
    kind_of_estimator = type(estimator)
    names = _names.get(kind_of_estimator)
    if names is None:
        names = _names[kind_of_estimator] = tuple(kind_of_estimator._get_param_names())
    values = [getattr(estimator, name) for name in names]
    types = tuple(map(type, values))  # since True == 1 == 1.0
    plain = _PLAIN.issuperset(types)
    combination = (kind_of_estimator, types, *values) if plain else ()
    if plain and combination in _right:
        return
    check_values(kind_of_estimator.__name__, dict(zip(names, values, strict=True)), table)
    if plain and len(_right) < _MOST:
        _right.add(combination)


def check_values(estimator: str, values: Mapping[str, Any], table: Mapping[str, Kind]) -> None:
    """The same for parameters without an estimator, which is only named."""
    for name, value in values.items():
        if not table[name].holds(value):
            raise ValueError(f"{estimator}: {name} must be {table[name].means}; got {value!r}.")


def seed_of(random_state: Any) -> int:
    """The seed of a run: an integer is its own; anything else draws one, as scikit-learn would."""
    if _is_whole(random_state):
        return int(random_state)
    from sklearn.utils import check_random_state

    return int(check_random_state(random_state).randint(2**31 - 1))
