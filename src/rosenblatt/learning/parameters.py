"""The parameters of every algorithm: type, default, allowed values and help, each defined once.

The estimators' signatures are compared with `TABLE` by a test; the command line's options, the lab and the model files
derive from it. NumPy is not imported here, because the command line reads the table even to print its help.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, get_args

from rosenblatt.conventions.own_dialect import Init, Order
from rosenblatt.conventions.ties import Tie
from rosenblatt.conventions.value_kinds import (
    CALLABLE,
    CLASS_WEIGHT,
    COUNT,
    FINITE,
    FLAG,
    FRACTION,
    INTEGER,
    NONE,
    NOT_NEGATIVE,
    OPEN_FRACTION,
    POSITIVE,
    RANDOM_STATE,
    Kind,
    ParameterError,
    check_kind,
    is_whole,
    one_of,
    whole,
)

if TYPE_CHECKING:
    import numpy as np

Algorithm = Literal[
    "Perceptron",
    "PocketPerceptron",
    "AveragedPerceptron",
    "VotedPerceptron",
    "BatchPerceptron",
    "KernelPerceptron",
]
Step = Literal["constant", "pa", "pa1", "pa2"]
MultiClass = Literal["ova", "ovo", "joint"]
Rivals = Literal["best", "all"]
KernelName = Literal["linear", "poly", "rbf", "sigmoid", "laplacian", "precomputed"]
Vote = Literal["last", "average", "vote"]
BudgetPolicy = Literal["random", "projectron"]

ALGORITHMS: tuple[Algorithm, ...] = get_args(Algorithm)


@dataclass(frozen=True)
class Parameter:
    """One parameter: its default, its allowed values, a line of help, and the algorithms that have it."""

    default: object
    kind: Kind
    help: str
    algorithms: tuple[Algorithm, ...] = ALGORITHMS
    defaults: Mapping[Algorithm, object] = field(default_factory=dict)  # defaults that differ for single algorithms
    kinds: Mapping[Algorithm, Kind] = field(default_factory=dict)  # allowed values that differ for single algorithms
    absent: object = None  # the value for algorithms without this parameter


def _without(*names: Algorithm) -> tuple[Algorithm, ...]:
    return tuple(name for name in ALGORITHMS if name not in names)


_LIMITED = _without("BatchPerceptron")
_KERNEL: tuple[Algorithm, ...] = ("KernelPerceptron",)
_MARGINS: tuple[Algorithm, ...] = ("Perceptron", "AveragedPerceptron")
_STOPPED: tuple[Algorithm, ...] = ("Perceptron", "BatchPerceptron")

TABLE: dict[str, Parameter] = {
    "kernel": Parameter(
        "rbf",
        one_of(*get_args(KernelName)) | CALLABLE,
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
    "init_scale": Parameter(
        0.5, POSITIVE, "Largest first weight with init random.", _without("KernelPerceptron"), absent=0.5
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
    "rivals": Parameter(
        "best", one_of(*get_args(Rivals)), "Which other classes a mistake punishes with multi_class joint.",
        _without("VotedPerceptron"), absent="best",
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


@cache  # every single-row partial_fit calls this
def names_of(algorithm: Algorithm) -> tuple[str, ...]:
    """The parameters that an algorithm has."""
    return tuple(name for name, parameter in TABLE.items() if algorithm in parameter.algorithms)


def kind_of(name: str, algorithm: Algorithm) -> Kind:
    """The values that a parameter of the algorithm may have."""
    return TABLE[name].kinds.get(algorithm, TABLE[name].kind)


def default_of(name: str, algorithm: Algorithm) -> object:
    """The default of a parameter that the algorithm has."""
    return TABLE[name].defaults.get(algorithm, TABLE[name].default)


def defaults_of(algorithm: Algorithm) -> dict[str, object]:
    """All parameters of an algorithm with their defaults."""
    return {name: default_of(name, algorithm) for name in names_of(algorithm)}


@dataclass(frozen=True, eq=False)  # compared and hashed by identity
class Parameters:
    """Checked parameters of one algorithm. A parameter that it does not have reads as `Parameter.absent`.

    >>> Parameters.of("AveragedPerceptron", {"eta0": 0.5})["max_iter"]
    10
    """

    algorithm: Algorithm
    values: Mapping[str, object]

    @classmethod
    def of(cls, algorithm: Algorithm, given: Mapping[str, object]) -> "Parameters":
        """The given values, checked, and the defaults of all others."""
        refuse_unknown(algorithm, given)
        for name, value in given.items():
            check_value(algorithm, name, value)
        values = {**defaults_of(algorithm), **given}
        check_together(algorithm, values)
        return cls(algorithm, values)

    def __getitem__(self, name: str) -> Any:  # of the parameter's kind, which `check_value` has checked
        return self.values[name] if name in self.values else TABLE[name].absent

    def replaced(self, **values: object) -> "Parameters":
        """The same parameters with other values, which the caller has checked."""
        return Parameters(self.algorithm, {**self.values, **values})

    def seeded(self) -> "Parameters":
        """The same parameters with an integer `random_state`. The seed of a RandomState is drawn once."""
        seed = self["random_state"]
        return self if type(seed) is int else self.replaced(random_state=seed_of(seed))

    def changed(self) -> dict[str, object]:
        """The parameters that differ from their defaults."""
        return {name: value for name, value in self.values.items() if value != default_of(name, self.algorithm)}


def refuse_unknown(algorithm: Algorithm, names: Iterable[str]) -> None:
    """Raises `ParameterError` for the first name that is not a parameter of the algorithm."""
    known = names_of(algorithm)
    for name in names:
        if name not in known:
            raise ParameterError(f"{algorithm} has no parameter {name!r}; it has {', '.join(known)}.")


def check_value(algorithm: Algorithm, name: str, value: object, label: str | None = None) -> None:
    """Raises `ParameterError` for a value that is not allowed. `label` replaces the algorithm's name in the message."""
    check_kind(label or algorithm, name, value, kind_of(name, algorithm))


def check_together(label: str, values: Mapping[str, object]) -> None:
    """Raises `ParameterError` for values that are allowed alone but not together."""
    step = values.get("step", "constant")
    if values.get("rivals") == "all" and step != "constant":
        raise ParameterError(
            f"{label}: rivals='all' has constant steps only; got step={step!r}, which is computed for one rival. "
            "Choose rivals='best' or step='constant'."
        )


def seed_of(random_state: "int | np.random.RandomState | None") -> int:
    """The seed of a run: the integer itself, or a draw from the RandomState (None: NumPy's global one)."""
    if is_whole(random_state):
        return int(random_state)
    import numpy as np

    draw = np.random.randint if random_state is None else random_state.randint  # scikit-learn's meaning of None
    return int(draw(2**31 - 1))
