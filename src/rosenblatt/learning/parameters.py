"""The parameters of every algorithm: type, default, allowed values and help, each defined once.

The estimators' signatures are compared with `TABLE` by a test; the command line, the lab and the model files read it.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from numbers import Integral, Real
from typing import Any, Literal, get_args

import numpy as np

Algorithm = Literal[
    "Perceptron",
    "PocketPerceptron",
    "AveragedPerceptron",
    "VotedPerceptron",
    "BatchPerceptron",
    "KernelPerceptron",
]
Tie = Literal["mistake", "positive", "negative"]
Order = Literal["shuffle", "cyclic", "misclassified"]
Init = Literal["zeros", "random"]
Step = Literal["constant", "pa", "pa1", "pa2"]
MultiClass = Literal["ova", "ovo", "joint"]
Vote = Literal["last", "average", "vote"]
BudgetPolicy = Literal["random", "projectron"]

ALGORITHMS: tuple[Algorithm, ...] = get_args(Algorithm)


class ParameterError(ValueError):
    """A parameter that an algorithm does not have, or a value that it does not take."""


@dataclass(frozen=True)
class Kind:
    """A set of allowed values and its description."""

    means: str
    holds: Callable[[Any], bool]
    choices: tuple[str, ...] = ()

    def __or__(self, other: "Kind") -> "Kind":
        return Kind(
            f"{self.means} or {other.means}",
            lambda value: self.holds(value) or other.holds(value),
            self.choices + other.choices,
        )

    def includes(self, value: Any) -> bool:
        """Whether a value of any type is allowed: what a file holds may not even be comparable."""
        try:
            return bool(self.holds(value))
        except (TypeError, ValueError, OverflowError):
            return False


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
    return Kind(f"one of {quoted}", lambda value: isinstance(value, str) and value in names, names)


def whole(least: int) -> Kind:
    """Counts are 64-bit unsigned integers in the core."""
    return Kind(f"an integer ≥ {least} and < 2**64", lambda value: _is_whole(value) and least <= value < 2**64)


FINITE = Kind("a finite number", _is_real)
NOT_NEGATIVE = Kind("a finite number ≥ 0", lambda value: _is_real(value) and value >= 0)
POSITIVE = Kind("a finite number > 0", lambda value: _is_real(value) and value > 0)
FRACTION = Kind("a number in [0, 1]", lambda value: _is_real(value) and 0 <= value <= 1)
OPEN_FRACTION = Kind("a number in (0, 1)", lambda value: _is_real(value) and 0 < value < 1)
FLAG = Kind("True or False", _is_flag)
NONE = Kind("None", lambda value: value is None)
CALLABLE = Kind("a function", callable)
COUNT = whole(1)
INTEGER = Kind("an integer ≥ -2**31 and < 2**31", lambda value: _is_whole(value) and -(2**31) <= value < 2**31)
CLASS_WEIGHT = Kind("'balanced' or a dict of weights", lambda value: isinstance(value, Mapping) or value == "balanced")
RANDOM_STATE = Kind(
    "an integer ≥ 0 and < 2**64, a RandomState or None",
    lambda value: (
        value is None or isinstance(value, np.random.RandomState) or (_is_whole(value) and 0 <= value < 2**64)
    ),
)


@dataclass(frozen=True)
class Parameter:
    """One parameter: its default, its allowed values, a line of help, and the algorithms that have it."""

    default: Any
    kind: Kind
    help: str
    algorithms: tuple[Algorithm, ...] = ALGORITHMS
    defaults: Mapping[Algorithm, Any] = field(default_factory=dict)  # where an algorithm's own differs
    kinds: Mapping[Algorithm, Kind] = field(default_factory=dict)  # likewise
    absent: Any = None  # its meaning for an algorithm that does not have it


def _without(*names: Algorithm) -> tuple[Algorithm, ...]:
    return tuple(name for name in ALGORITHMS if name not in names)


_LIMITED = _without("BatchPerceptron")
_KERNEL: tuple[Algorithm, ...] = ("KernelPerceptron",)
_MARGINS: tuple[Algorithm, ...] = ("Perceptron", "AveragedPerceptron")
_STOPPED: tuple[Algorithm, ...] = ("Perceptron", "BatchPerceptron")

TABLE: dict[str, Parameter] = {
    "kernel": Parameter(
        "rbf",
        one_of("linear", "poly", "rbf", "sigmoid", "laplacian", "precomputed") | CALLABLE,
        "The kernel k(x, x′).",
        _KERNEL,
    ),
    "gamma": Parameter("scale", one_of("scale", "auto") | POSITIVE, "Width of the kernel.", _KERNEL),
    "degree": Parameter(3, whole(1), "Degree of the polynomial kernel.", _KERNEL),
    "coef0": Parameter(0.0, FINITE, "Constant of the polynomial and sigmoid kernels.", _KERNEL),
    "fit_intercept": Parameter(True, FLAG, "Learn an offset w₀."),
    "eta0": Parameter(1.0, POSITIVE, "Step size η."),
    "tie": Parameter("mistake", one_of(*get_args(Tie)), "What a score of exactly 0 is."),
    "error_tie": Parameter(None, NONE | one_of(*get_args(Tie)), "The same for the errors that are reported."),
    "order": Parameter(
        "shuffle", one_of(*get_args(Order)), "Order of the examples in an epoch.", _LIMITED, absent="cyclic"
    ),
    "init": Parameter(
        "zeros", one_of(*get_args(Init)), "First weights.", kinds={"KernelPerceptron": one_of("zeros")}
    ),
    "margin": Parameter(None, NONE | NOT_NEGATIVE, "Update unless y·score exceeds this margin.", _MARGINS),
    "step": Parameter(
        "constant", one_of(*get_args(Step)), "Size of an update: constant or passive-aggressive.", _MARGINS,
        absent="constant",
    ),
    "C": Parameter(1.0, POSITIVE, "Aggressiveness of the steps pa1 and pa2.", _MARGINS, absent=1.0),
    "ratchet": Parameter(
        False, FLAG, "Swap the pocket only for fewer training errors.", ("PocketPerceptron",), absent=False
    ),
    "max_iter": Parameter(
        None, NONE | COUNT, "Maximum number of epochs.",
        defaults={"AveragedPerceptron": 10, "VotedPerceptron": 10, "BatchPerceptron": 1000, "KernelPerceptron": 100},
    ),
    "max_steps": Parameter(None, NONE | COUNT, "Maximum number of examples presented.", _LIMITED),
    "max_updates": Parameter(None, NONE | COUNT, "Maximum number of updates.", _LIMITED),
    "max_error": Parameter(0.0, FRACTION, "Stop when the error rate of an epoch is at most this."),
    "patience": Parameter(None, NONE | COUNT, "Stop after so many examples without a change.", _LIMITED),
    "multi_class": Parameter(
        "ova", one_of(*get_args(MultiClass)), "How many classes become binary problems.",
        defaults={"VotedPerceptron": "ovo"}, kinds={"VotedPerceptron": one_of("ova", "ovo")},
    ),
    "vote": Parameter("last", one_of(*get_args(Vote)), "Which coefficients predict.", _KERNEL, absent="last"),
    "class_weight": Parameter(None, NONE | CLASS_WEIGHT, "Weights of the classes."),
    "budget": Parameter(None, NONE | COUNT, "Maximum number of support vectors.", _KERNEL),
    "budget_policy": Parameter(
        "random", one_of(*get_args(BudgetPolicy)), "What a mistake does when the budget is full.", _KERNEL
    ),
    "cache_size": Parameter(200, POSITIVE, "Memory for kernel values in megabytes.", _KERNEL),
    "early_stopping": Parameter(
        False, FLAG, "Stop when the score on a validation part stops improving.", _STOPPED, absent=False
    ),
    "validation_fraction": Parameter(0.1, OPEN_FRACTION, "Size of that part.", _STOPPED),
    "n_iter_no_change": Parameter(5, COUNT, "Epochs without a better validation score.", _STOPPED, absent=1),
    "warm_start": Parameter(
        False, FLAG, "Start from the weights of the last fit.", _without("VotedPerceptron", "KernelPerceptron"),
        absent=False,
    ),
    "record": Parameter(
        False, FLAG, "Keep every update as trace_.", _without("VotedPerceptron", "BatchPerceptron"), absent=False
    ),
    "n_jobs": Parameter(
        None, NONE | INTEGER, "Number of threads; −1 means all cores.", _without("KernelPerceptron")
    ),
    "random_state": Parameter(0, RANDOM_STATE, "Seed of orders and random starts."),
    "verbose": Parameter(0, INTEGER | FLAG, "Show progress on a terminal."),
    "callback": Parameter(None, NONE | CALLABLE, "Called after each epoch."),
}  # fmt: skip


@cache  # a single-row partial_fit asks for them every time
def names_of(algorithm: Algorithm) -> tuple[str, ...]:
    """The parameters that an algorithm has."""
    return tuple(name for name, parameter in TABLE.items() if algorithm in parameter.algorithms)


def kind_of(name: str, algorithm: Algorithm) -> Kind:
    """The values that a parameter of the algorithm may have."""
    return TABLE[name].kinds.get(algorithm, TABLE[name].kind)


def default_of(name: str, algorithm: Algorithm) -> Any:
    """The default of a parameter that the algorithm has."""
    return TABLE[name].defaults.get(algorithm, TABLE[name].default)


def defaults_of(algorithm: Algorithm) -> dict[str, Any]:
    """All parameters of an algorithm with their defaults."""
    return {name: default_of(name, algorithm) for name in names_of(algorithm)}


@dataclass(frozen=True)
class Parameters:
    """Checked parameters of one algorithm; a parameter that it does not have reads as its absence.

    >>> Parameters.of("AveragedPerceptron", {"eta0": 0.5})["max_iter"]
    10
    """

    algorithm: Algorithm
    values: Mapping[str, Any]

    @classmethod
    def of(cls, algorithm: Algorithm, given: Mapping[str, Any]) -> "Parameters":
        """The given values, checked, and the defaults of all others."""
        refuse_unknown(algorithm, given)
        for name, value in given.items():
            check_value(algorithm, name, value)
        return cls(algorithm, {**defaults_of(algorithm), **given})

    def __getitem__(self, name: str) -> Any:
        return self.values[name] if name in self.values else TABLE[name].absent

    def replaced(self, **values: Any) -> "Parameters":
        """The same parameters with other values, which the caller has checked."""
        return Parameters(self.algorithm, {**self.values, **values})

    def seeded(self) -> "Parameters":
        """The same parameters with an integer for `random_state`: a RandomState draws its seed once."""
        seed = self["random_state"]
        return self if type(seed) is int else self.replaced(random_state=seed_of(seed))

    def changed(self) -> dict[str, Any]:
        """Those that differ from their defaults."""
        return {name: value for name, value in self.values.items() if value != default_of(name, self.algorithm)}


def refuse_unknown(algorithm: Algorithm, names: Iterable[str]) -> None:
    """Refuses the first name that is no parameter of the algorithm."""
    known = names_of(algorithm)
    for name in names:
        if name not in known:
            raise ParameterError(f"{algorithm} has no parameter {name!r}; it has {', '.join(known)}.")


def check_value(algorithm: Algorithm, name: str, value: Any, label: str | None = None) -> None:
    """Refuses a value that the parameter does not take; `label` is the estimator's name where it is another."""
    check_kind(label or algorithm, name, value, kind_of(name, algorithm))


def check_kind(label: str, name: str, value: Any, kind: Kind) -> None:
    """Refuses a value that is not of this kind."""
    if not kind.holds(value):
        raise ParameterError(f"{label}: {name} must be {kind.means}; got {value!r}.")


def seed_of(random_state: Any) -> int:
    """The seed of a run: an integer is its own seed; a RandomState, or NumPy's global one for None, draws one."""
    if _is_whole(random_state):
        return int(random_state)
    draw = np.random.randint if random_state is None else random_state.randint  # scikit-learn's meaning of None
    return int(draw(2**31 - 1))
