"""A network of units for painted points: of the fewest hidden units for a truth table, else by tiling."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.lab.requests.bench_requests import NonlinearRequest
from rosenblatt.lab.requests.request_values import RefusedError
from rosenblatt.learning.scores.prediction import is_positive

Codes = NDArray[np.int_]


def network(request: NonlinearRequest) -> tuple[dict[str, Any], Codes]:
    """Returns the network, and the class of each cell of the grid. `layers` has the units, the output last."""
    points = request.points
    classes = np.unique(points.y)
    if len(classes) > 2:
        raise RefusedError(f"a network is built for two classes; here are {len(classes)}.")
    positive = points.y == classes[1]
    made = {"method": "network", "classes": classes.tolist(), "ending": None, "moment": None}
    found, codes = _boolean(request, positive) if _is_truth_table(points.X, positive) else _tiled(request)
    return made | found, codes


def _is_truth_table(X: NDArray[np.float64], positive: NDArray[np.bool_]) -> bool:
    """Whether the points are the four corners of the square, each of one class."""
    if X.shape[1] != 2 or not np.isin(X, (0.0, 1.0)).all():
        return False
    rows = (2 * X[:, 0] + X[:, 1]).astype(int)
    return len(set(rows)) == 4 and len(set(zip(rows, positive.tolist(), strict=True))) == 4


def _boolean(request: NonlinearRequest, positive: NDArray[np.bool_]) -> tuple[dict[str, Any], Codes]:
    from rosenblatt.boolean import BooleanFunction
    from rosenblatt.lab.jobs.boolean_job import drawn

    X, grid = request.points.X.astype(int), request.grid
    function = BooleanFunction.from_data(X, positive.astype(int), ["x1", "x2"])
    made = function.network()
    hidden = np.array([[unit.offset, *unit.weights] for unit in made.hidden], dtype=float).reshape(-1, 3)
    out = np.array([made.output.offset, *made.output.weights], dtype=float)
    fires = is_positive(grid.points @ hidden[:, 1:].T + hidden[:, 0], "mistake")
    found = {
        "python": f'BooleanFunction.from_table("{function.bits}").network()',
        "network": drawn(made),
        "layers": None,
        "lines": hidden.tolist(),
        "errors": int((made.evaluate(X).astype(bool) != positive).sum()),
    }
    return found, (fires @ out[1:] + out[0] > 0).astype(int)


def _tiled(request: NonlinearRequest) -> tuple[dict[str, Any], Codes]:
    from rosenblatt.learning.tiling import TilingError, tile

    try:
        made = tile(request.points.X, request.points.y)
    except TilingError as error:
        raise RefusedError(str(error)) from error
    found = {
        "python": "tile(X, y)",
        "network": None,
        "layers": [layer.tolist() for layer in made.layers],
        "lines": made.layers[0].tolist(),
        "errors": made.errors,
    }
    return found, np.searchsorted(made.classes, made.predict(request.grid.points))
