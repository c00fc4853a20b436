"""The requests of the benches of nonlinear boundaries and Boolean functions, as typed objects; see `run_requests`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self, TypedDict

import numpy as np
from numpy.typing import NDArray

from rosenblatt.lab.requests.request_values import Points, RefusedError, choice, number, numbers, points_of, whole
from rosenblatt.lab.requests.table_requests import TableRequest

Array = NDArray[np.float64]

Method = Literal["kernel", "features", "network"]
KernelName = Literal["rbf", "poly", "linear", "laplacian"]
FeatureSet = Literal["product", "squares", "quadratic"]

MAX_GRID_CELLS = 20_000
MAX_VARIABLES = 6
MAX_EXPRESSION = 500  # characters


class KernelParameters(TypedDict, total=False):
    """The parameters of `KernelPerceptron` that a page can set."""

    kernel: KernelName
    gamma: float | Literal["scale"]
    degree: int
    coef0: float


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
    kernel: KernelParameters
    features: FeatureSet
    chosen: tuple[int, int]  # the columns of which further features are made
    moment: int | None

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> Self:
        method: Method = choice(body, "method", "kernel", Method)
        features: FeatureSet = choice(body, "features", "product", FeatureSet)
        kernel: KernelParameters = _kernel_parameters(body) if method == "kernel" else {}
        moment = whole(body, "moment", None, 0, 2**31)
        points = points_of(body)
        n_columns = points.X.shape[1]
        chosen = TableRequest.of({"columns": body.get("chosen", [0, 1])}, n_columns).columns
        return cls(points, Grid.of(body, n_columns), method, kernel, features, chosen, moment)


def _kernel_parameters(body: Mapping[str, Any]) -> KernelParameters:
    kernel: KernelName = choice(body, "kernel", "rbf", KernelName)
    parameters: KernelParameters = {"kernel": kernel}
    if kernel != "linear":
        parameters["gamma"] = "scale" if body.get("gamma") == "scale" else number(body, "gamma", 1.0)
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
