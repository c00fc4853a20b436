"""The requests for a run and a proof, as typed objects. `of(body)` validates a JSON object and builds the request."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self, TypedDict, get_args

import numpy as np
from numpy.typing import NDArray

from rosenblatt.conventions.own_dialect import Init, Order
from rosenblatt.conventions.ties import Tie
from rosenblatt.conventions.value_kinds import ParameterError
from rosenblatt.lab.limits import MAX_STEPS
from rosenblatt.lab.requests.request_values import (
    Points,
    RefusedError,
    choice,
    flag,
    number,
    numbers,
    points_of,
    whole,
)
from rosenblatt.learning.parameters import (
    Algorithm,
    MultiClass,
    Rivals,
    Step,
    check_together,
    check_value,
    defaults_of,
    names_of,
)

Array = NDArray[np.float64]

AlgorithmName = Literal["perceptron", "margin", "pa", "pa1", "pa2", "pocket", "averaged", "batch"]


class RunParameters(TypedDict, total=False):
    """The parameters of a fit that a page can set."""

    fit_intercept: bool
    eta0: float
    tie: Tie
    error_tie: Tie
    order: Order
    init: Init
    init_scale: float
    multi_class: MultiClass
    rivals: Rivals
    step: Step
    C: float
    margin: float
    ratchet: bool
    random_state: int
    max_error: float
    max_iter: int | None
    max_steps: int
    patience: int | None
    record: bool


#: The algorithms of the lab: for each, the estimator and the parameters that define the algorithm.
ALGORITHMS: dict[AlgorithmName, tuple[Algorithm, RunParameters]] = {
    "perceptron": ("Perceptron", {}),
    "margin": ("Perceptron", {"margin": 1.0}),
    "pa": ("Perceptron", {"step": "pa"}),
    "pa1": ("Perceptron", {"step": "pa1"}),
    "pa2": ("Perceptron", {"step": "pa2"}),
    "pocket": ("PocketPerceptron", {}),
    "averaged": ("AveragedPerceptron", {"max_iter": None}),
    "batch": ("BatchPerceptron", {}),
}


@dataclass(frozen=True)
class RunRequest:
    """A run: the points, the estimator and its parameters, and the initial weights if given."""

    points: Points
    algorithm: AlgorithmName
    estimator: Algorithm
    parameters: RunParameters
    start: Array | None  # [w₀, w₁, …], one row per plane

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> Self:
        points = points_of(body)
        rule = body.get("rule")
        if not isinstance(rule, dict):
            raise RefusedError("rule must be an object with the parameters of the run.")
        algorithm = rule.get("algorithm", "perceptron")
        if algorithm not in get_args(AlgorithmName):
            raise RefusedError(f"there is no algorithm {algorithm!r}; there are: {', '.join(ALGORITHMS)}.")
        estimator, fixed = ALGORITHMS[algorithm]
        _refuse_by_table(estimator, rule)
        default: dict[str, Any] = defaults_of(estimator)
        parameters: RunParameters = {**_shared_parameters(rule, default), **fixed}
        max_iter = whole(rule, "max_iter", None, 1, MAX_STEPS)
        if estimator == "BatchPerceptron":
            parameters["max_iter"] = min(max_iter or default["max_iter"], 10_000)
        else:
            parameters["order"] = choice(rule, "order", "cyclic", Order)
            parameters["max_steps"] = whole(rule, "max_steps", 100_000, 1, MAX_STEPS)
            parameters["patience"] = whole(rule, "patience", None, 1, MAX_STEPS)
            parameters["record"] = True
            if max_iter is not None:
                parameters["max_iter"] = max_iter
        if algorithm == "margin":
            parameters["margin"] = number(rule, "margin", 1.0)
        if algorithm in ("pa1", "pa2"):
            parameters["C"] = number(rule, "C", default["C"])
        if algorithm == "pocket":
            parameters["ratchet"] = flag(rule, "ratchet", default["ratchet"])
        try:
            check_together(estimator, parameters)
        except ParameterError as error:
            raise RefusedError(str(error)) from error
        start = _planes(rule, 1 + points.X.shape[1]) if rule.get("init") == "given" else None
        return cls(points, algorithm, estimator, parameters, start)


def _refuse_by_table(estimator: Algorithm, rule: Mapping[str, Any]) -> None:
    """Refuses values that the estimator itself would refuse, with its message. The lab's own limits are narrower."""
    for name, value in rule.items():
        if name in names_of(estimator) and not (name == "init" and value == "given"):
            try:
                check_value(estimator, name, value)
            except ParameterError as error:
                raise RefusedError(str(error)) from error


def _shared_parameters(rule: Mapping[str, Any], default: Mapping[str, Any]) -> RunParameters:
    parameters: RunParameters = {
        "fit_intercept": flag(rule, "fit_intercept", default["fit_intercept"]),
        "eta0": number(rule, "eta0", default["eta0"]),
        "tie": choice(rule, "tie", default["tie"], Tie),
        "multi_class": choice(rule, "multi_class", default["multi_class"], MultiClass),
        "random_state": whole(rule, "random_state", default["random_state"], 0, 2**32 - 1),
        "init": "random" if rule.get("init") == "random" else "zeros",
        "init_scale": number(rule, "init_scale", default["init_scale"]),
        "rivals": choice(rule, "rivals", default["rivals"], Rivals),
        "max_error": number(rule, "max_error", default["max_error"], least=0.0, most=1.0),
    }
    if rule.get("error_tie") is not None:
        parameters["error_tie"] = choice(rule, "error_tie", "mistake", Tie)
    return parameters


def _planes(rule: Mapping[str, Any], size: int) -> Array:
    start = rule.get("start")
    rows = start if isinstance(start, list) and start and isinstance(start[0], list) else [start]
    if not all(numbers(row, size) for row in rows):
        names = ", ".join(f"w{j}" for j in range(size)) if size < 6 else f"w0 to w{size - 1}"
        raise RefusedError(f"a given start has {size} finite numbers per plane: {names}.")
    return np.array(rows, dtype=np.float64)


@dataclass(frozen=True)
class ProofRequest:
    """A proof about one class against another, or against all others if `negative` is None."""

    points: Points
    positive: int
    negative: int | None
    fit_intercept: bool
    eta0: float
    start: Array  # initial weights of the run whose mistakes are bounded

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> Self:
        points = points_of(body)
        positive, negative = body.get("positive"), body.get("negative")
        present = set(points.y.tolist())
        if (
            type(positive) is not int
            or not {positive, positive if negative is None else negative} <= present
            or positive == negative
        ):
            raise RefusedError("positive and negative must be two classes that have points; negative may be null.")
        fit_intercept = flag(body, "fit_intercept", True)
        size = points.X.shape[1] + fit_intercept
        start = body.get("start", [0] * size)
        if not numbers(start, size):
            raise RefusedError(f"the start has {size} finite numbers here.")
        eta0 = number(body, "eta0", 1.0)
        return cls(points, positive, negative, fit_intercept, eta0, np.array(start, dtype=np.float64))
