"""The requests that a page sends, as typed objects. `of(body)` validates a JSON object and builds the request."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self, get_args

import numpy as np
from numpy.typing import NDArray

from rosenblatt.conventions.own_dialect import Order
from rosenblatt.conventions.ties import Tie
from rosenblatt.conventions.value_kinds import ParameterError
from rosenblatt.lab.jobs.request_values import (
    Points,
    RefusedError,
    choice,
    flag,
    number,
    numbers,
    points_of,
    whole,
)
from rosenblatt.lab.limits import MAX_STEPS
from rosenblatt.learning.parameters import (
    Algorithm,
    MultiClass,
    Rivals,
    check_together,
    check_value,
    defaults_of,
    names_of,
)

Array = NDArray[np.float64]

AlgorithmName = Literal["perceptron", "margin", "pa", "pa1", "pa2", "pocket", "averaged", "batch"]
Method = Literal["kernel", "features", "network"]
KernelName = Literal["rbf", "poly", "linear", "laplacian"]
FeatureSet = Literal["product", "squares", "quadratic"]

#: The algorithms of the lab: for each, the estimator and the parameters that define the algorithm.
ALGORITHMS: dict[AlgorithmName, tuple[Algorithm, dict[str, Any]]] = {
    "perceptron": ("Perceptron", {}),
    "margin": ("Perceptron", {"margin": 1.0}),
    "pa": ("Perceptron", {"step": "pa"}),
    "pa1": ("Perceptron", {"step": "pa1"}),
    "pa2": ("Perceptron", {"step": "pa2"}),
    "pocket": ("PocketPerceptron", {}),
    "averaged": ("AveragedPerceptron", {"max_iter": None}),
    "batch": ("BatchPerceptron", {}),
}

MAX_GRID_CELLS = 20_000
MAX_VARIABLES = 6
MAX_EXPRESSION = 500  # characters


@dataclass(frozen=True)
class RunRequest:
    """A run: the points, the estimator and its parameters, and the initial weights if given."""

    points: Points
    algorithm: AlgorithmName
    estimator: Algorithm
    parameters: dict[str, Any]
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
        parameters = _shared_parameters(rule, default) | fixed
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


def _shared_parameters(rule: Mapping[str, Any], default: Mapping[str, Any]) -> dict[str, Any]:
    parameters: dict[str, Any] = {
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
        parameters["error_tie"] = choice(rule, "error_tie", None, Tie)
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


@dataclass(frozen=True)
class Grid:
    """The centres of grid cells over a rectangle of the plane, row by row from the bottom, as points of the data.

    With more than two columns, `plane` of the request says which plane it is: (u, v) is origin + u·across + v·up.
    """

    columns: int
    rows: int
    points: Array

    @classmethod
    def of(cls, body: Mapping[str, Any], n_columns: int = 2) -> Self:
        frame, size = body.get("frame"), body.get("size", [80, 60])
        if not isinstance(frame, list) or not numbers(frame, 4):
            raise RefusedError("frame must be four numbers: left, right, low, high.")
        left, right, low, high = frame
        if not (left < right and low < high):
            raise RefusedError("a frame goes from left to right and from low to high.")
        if not (isinstance(size, list) and len(size) == 2 and all(type(n) is int and n > 1 for n in size)):
            raise RefusedError("size must be two whole numbers: columns and rows.")
        columns, rows = size
        if columns * rows > MAX_GRID_CELLS:
            raise RefusedError(f"the grid has {columns * rows:,} cells; at most {MAX_GRID_CELLS:,} are computed.")
        across = left + (right - left) * (np.arange(columns) + 0.5) / columns
        up = low + (high - low) * (np.arange(rows) + 0.5) / rows
        flat = np.column_stack([np.tile(across, rows), np.repeat(up, columns)])
        return cls(columns, rows, flat if n_columns == 2 else _lifted(flat, body.get("plane"), n_columns))


def _lifted(flat: Array, plane: Any, n_columns: int) -> Array:
    """Converts points (u, v) of the plane to points of the data."""
    parts = [plane.get(name) if isinstance(plane, dict) else None for name in ("origin", "across", "up")]
    if not all(numbers(part, n_columns) for part in parts):
        raise RefusedError(f"plane must have origin, across and up, {n_columns} finite numbers each.")
    origin, across, up = np.array(parts, dtype=np.float64)
    return np.ascontiguousarray(origin + flat[:, :1] * across + flat[:, 1:] * up)


@dataclass(frozen=True)
class NonlinearRequest:
    """A nonlinear boundary by one method, after `moment` mistakes of its run, or at its end if `moment` is None."""

    points: Points
    grid: Grid
    method: Method
    kernel: dict[str, Any]  # the parameters of `KernelPerceptron`
    features: FeatureSet
    chosen: tuple[int, int]  # the columns of which further features are made
    moment: int | None

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> Self:
        method: Method = choice(body, "method", "kernel", Method)
        features: FeatureSet = choice(body, "features", "product", FeatureSet)
        kernel = _kernel_parameters(body) if method == "kernel" else {}
        moment = whole(body, "moment", None, 0, 2**31)
        points = points_of(body)
        n_columns = points.X.shape[1]
        chosen = TableRequest.of({"columns": body.get("chosen", [0, 1])}, n_columns).columns
        return cls(points, Grid.of(body, n_columns), method, kernel, features, chosen, moment)


def _kernel_parameters(body: Mapping[str, Any]) -> dict[str, Any]:
    kernel: KernelName = choice(body, "kernel", "rbf", KernelName)
    parameters: dict[str, Any] = {"kernel": kernel}
    if kernel != "linear":
        parameters["gamma"] = body["gamma"] if body.get("gamma") == "scale" else number(body, "gamma", 1.0)
    if kernel == "poly":
        parameters["degree"] = whole(body, "degree", 2, 1, 10)
        parameters["coef0"] = number(body, "coef0", 1.0, least=0.0)
    return parameters


@dataclass(frozen=True)
class BooleanRequest:
    """A Boolean function, by its truth table (text of 0 and 1) or by an expression."""

    expression: str
    table: str | None
    variables: list[str] | None  # only with `table`

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> Self:
        table, expression, variables = body.get("table"), body.get("expression"), body.get("variables")
        if table is not None:
            if not isinstance(table, str) or set(table) - {"0", "1"} or len(table) > 1 << MAX_VARIABLES:
                raise RefusedError(f"a truth table is text of 0 and 1, for at most {MAX_VARIABLES} variables.")
            if variables is not None and not (
                isinstance(variables, list) and all(isinstance(name, str) for name in variables)
            ):
                raise RefusedError("variables must be a list of names.")
            return cls("", table, variables)
        if not isinstance(expression, str) or not expression.strip():
            raise RefusedError("type an expression such as a and (b or not c), or click the truth table.")
        if len(expression) > MAX_EXPRESSION:
            raise RefusedError(f"the expression has {len(expression):,} characters; at most {MAX_EXPRESSION} are read.")
        return cls(expression.strip(), None, None)


@dataclass(frozen=True)
class TableRequest:
    """Which columns of a table to show, and whether to scale them to mean 0 and standard deviation 1."""

    columns: tuple[int, int]
    standardize: bool

    @classmethod
    def of(cls, body: Mapping[str, Any], n_columns: int) -> Self:
        columns = body.get("columns", [0, 1])
        if not (
            isinstance(columns, list)
            and len(columns) == 2
            and all(type(c) is int and 0 <= c < n_columns for c in columns)
        ):
            raise RefusedError(f"columns must be two numbers from 0 to {n_columns - 1}.")
        return cls((columns[0], columns[1]), flag(body, "standardize", False))
