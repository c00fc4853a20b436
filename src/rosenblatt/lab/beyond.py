"""What one line cannot do: by a kernel, by a network of units, by further features; with the boundary on a grid."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.lab.asking import Points, RefusedError, is_number, number, points_of, whole
from rosenblatt.lab.fitting import fit_points
from rosenblatt.lab.packing import packed
from rosenblatt.lab.replaying import weights_after_updates
from rosenblatt.learning.endings import MEANING
from rosenblatt.learning.voting import is_positive

Array = NDArray[np.float64]

MAX_POINTS = 1_000  # for a kernel, whose work grows with their square
MAX_GRAM = 200  # points whose Gram matrix is sent
MAX_CELLS = 20_000
MAX_EPOCHS = 2_000
TIE = "mistake"
_BLOCK = 2_000  # places scored together

KERNELS = ("rbf", "poly", "linear", "laplacian")

#: The further features by name: what is added to x1 and x2.
FEATURES: dict[str, tuple[str, ...]] = {
    "product": ("x1·x2",),
    "squares": ("x1²", "x2²"),
    "quadratic": ("x1²", "x1·x2", "x2²"),
}


@dataclass(frozen=True)
class Grid:
    """Centres of cells, row by row from below, over a rectangle of the plane."""

    columns: int
    rows: int
    points: Array


def beyond(body: Mapping[str, Any]) -> dict[str, Any]:
    """One way beyond the line, at one moment of its run: after `moment` mistakes, or at its end."""
    points, grid = points_of(body), _grid(body)
    way = body.get("way")
    if way == "kernel":
        return _kernel(points, grid, body)
    if way == "features":
        return _features(points, grid, body)
    if way == "network":
        return _network(points, grid)
    raise RefusedError("way must be one of kernel, features, network.")


def _kernel(points: Points, grid: Grid, body: Mapping[str, Any]) -> dict[str, Any]:
    from rosenblatt.estimators.kernel import KernelPerceptron

    X, y = points.X, points.y
    if len(y) > MAX_POINTS:
        raise RefusedError(f"{len(y):,} points; a kernel compares all pairs, and the lab takes {MAX_POINTS:,} here.")
    parameters = _kernel_parameters(body)
    model = KernelPerceptron(**parameters, order="cyclic", tie=TIE, max_iter=MAX_EPOCHS, record=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the page says itself how the run ended
        model.fit(X, y)
    arguments = ", ".join(f"{name}={value!r}" for name, value in parameters.items())
    answer = {
        "way": "kernel",
        "classes": model.classes_.tolist(),
        "ending": _ending(model.status_, model.cycle_, model.n_iter_, model.n_mistakes_),
        "python": f'KernelPerceptron({arguments}, order="cyclic", max_iter={MAX_EPOCHS}).fit(X, y)',
        "support": len(model.support_),
    }
    if len(y) <= MAX_GRAM:
        order = np.argsort(y, kind="stable")
        gram = model.kernel_(X[order], X[order])
        answer["gram"] = {"order": packed(order), "values": packed(np.ascontiguousarray(gram, dtype=float).ravel())}
    if len(model.classes_) > 2:  # several problems, of which the end is shown
        codes = np.searchsorted(model.classes_, model.predict(grid.points))
        wrong = int((model.predict(X) != y).sum())
        return answer | _cells(grid, codes=codes) | {"moment": None, "errors": wrong, "alphas": None}
    trace = model.trace_
    if isinstance(trace, list):
        raise AssertionError("two classes make one problem")
    recording = trace.recording
    moment = _moment(body, len(recording.i))
    alphas = np.bincount(recording.i[:moment], minlength=len(y)).astype(float)
    signs = np.where(y == model.classes_[1], 1.0, -1.0)
    offset = float((alphas * signs).sum())  # each mistake adds y to it
    used = np.flatnonzero(alphas)

    def scores(Z: Array) -> Array:
        if not len(used):
            return np.zeros(len(Z))
        blocks = np.array_split(Z, -(-len(Z) // _BLOCK))  # a whole grid's kernel values would take much memory
        return np.concatenate([model.kernel_(block, X[used]) @ (alphas * signs)[used] for block in blocks]) + offset

    return (
        answer
        | _cells(grid, scores=scores(grid.points))
        | {"moment": moment, "errors": _errors(scores(X), signs), "alphas": packed(alphas)}
    )


def _features(points: Points, grid: Grid, body: Mapping[str, Any]) -> dict[str, Any]:
    chosen = body.get("features", "product")
    if not isinstance(chosen, str) or chosen not in FEATURES:
        raise RefusedError(f"features must be one of {', '.join(FEATURES)}.")
    classes = np.unique(points.y)
    if len(classes) > 2:
        raise RefusedError(f"further features are shown for two classes; here are {len(classes)}.")
    parameters = {"order": "cyclic", "tie": TIE, "max_steps": 100_000, "record": True}
    fitted, traces = fit_points("Perceptron", parameters, _more(points.X, chosen), points.y)
    weights = weights_after_updates(traces[0].recording)
    moment = _moment(body, len(weights) - 1)
    w = weights[moment]

    def scores(Z: Array) -> Array:
        return np.asarray(_more(Z, chosen) @ w[1:] + w[0])

    signs = np.where(points.y == classes[1], 1.0, -1.0)
    return {
        "way": "features",
        "classes": classes.tolist(),
        "ending": _ending(fitted["status_"], fitted["cycle_"], fitted["n_iter_"], fitted["n_mistakes_"]),
        "python": f'Perceptron(order="cyclic").fit(np.column_stack([X, {_columns(chosen)}]), y)',
        "names": ["1", "x1", "x2", *FEATURES[chosen]],
        "w": w.tolist(),
        "moment": moment,
        "errors": _errors(scores(points.X), signs),
    } | _cells(grid, scores=scores(grid.points))


def _network(points: Points, grid: Grid) -> dict[str, Any]:
    from rosenblatt.boolean import BooleanFunction
    from rosenblatt.lab.logic import drawn

    classes = np.unique(points.y)
    if len(classes) > 2 or not np.isin(points.X, (0.0, 1.0)).all():
        raise RefusedError("a network of units is built from a truth table: points of two classes, all at 0 or 1.")
    positive = points.y == classes[1]
    function = BooleanFunction.from_data(points.X.astype(int), positive.astype(int), ["x1", "x2"])
    network = function.network()
    hidden = np.array([[unit.offset, *unit.weights] for unit in network.hidden], dtype=float).reshape(-1, 3)
    out = np.array([network.output.offset, *network.output.weights], dtype=float)
    fires = is_positive(grid.points @ hidden[:, 1:].T + hidden[:, 0], TIE)
    return {
        "way": "network",
        "classes": classes.tolist(),
        "ending": None,
        "python": f'BooleanFunction.from_table("{function.bits}").network()',
        "network": drawn(network),
        "lines": hidden.tolist(),
        "moment": None,
        "errors": int((network.evaluate(points.X.astype(int)).astype(bool) != positive).sum()),
    } | _cells(grid, codes=(fires @ out[1:] + out[0] > 0).astype(int))


def _kernel_parameters(body: Mapping[str, Any]) -> dict[str, Any]:
    kernel = body.get("kernel", "rbf")
    if kernel not in KERNELS:
        raise RefusedError(f"kernel must be one of {', '.join(KERNELS)}.")
    parameters: dict[str, Any] = {"kernel": kernel}
    if kernel != "linear":
        parameters["gamma"] = body["gamma"] if body.get("gamma") == "scale" else number(body, "gamma", 1.0)
    if kernel == "poly":
        parameters["degree"] = whole(body, "degree", 2, 1, 10)
        parameters["coef0"] = number(body, "coef0", 1.0, least=0.0)
    return parameters


def _more(X: Array, chosen: str) -> Array:
    columns = {"x1²": X[:, 0] ** 2, "x2²": X[:, 1] ** 2, "x1·x2": X[:, 0] * X[:, 1]}
    return np.ascontiguousarray(np.column_stack([X, *(columns[name] for name in FEATURES[chosen])]))


def _columns(chosen: str) -> str:
    words = {"x1²": "X[:, 0] ** 2", "x2²": "X[:, 1] ** 2", "x1·x2": "X[:, 0] * X[:, 1]"}
    return ", ".join(words[name] for name in FEATURES[chosen])


def _moment(body: Mapping[str, Any], last: int) -> int:
    moment = whole(body, "moment", None, 0, 2**31)
    return last if moment is None else min(moment, last)


def _errors(scores: Array, signs: Array) -> int:
    return int((scores * signs <= 0).sum())


def _ending(status: str, cycle: int | None, epochs: int, mistakes: int) -> dict[str, Any]:
    return {"status": status, "meaning": MEANING[status], "cycle": cycle, "epochs": epochs, "mistakes": mistakes}


def _grid(body: Mapping[str, Any]) -> Grid:
    frame, size = body.get("frame"), body.get("size", [80, 60])
    if not (isinstance(frame, list) and len(frame) == 4 and all(is_number(value) for value in frame)):
        raise RefusedError("frame must be four numbers: left, right, low, high.")
    left, right, low, high = frame
    if not (left < right and low < high):
        raise RefusedError("a frame goes from left to right and from low to high.")
    if not (isinstance(size, list) and len(size) == 2 and all(type(n) is int and n > 1 for n in size)):
        raise RefusedError("size must be two whole numbers: columns and rows.")
    columns, rows = size
    if columns * rows > MAX_CELLS:
        raise RefusedError(f"the grid has {columns * rows:,} cells; at most {MAX_CELLS:,} are computed.")
    across = left + (right - left) * (np.arange(columns) + 0.5) / columns
    up = low + (high - low) * (np.arange(rows) + 0.5) / rows
    return Grid(columns, rows, np.column_stack([np.tile(across, rows), np.repeat(up, columns)]))


def _cells(grid: Grid, scores: Array | None = None, codes: Any = None) -> dict[str, Any]:
    """Scores where they have a meaning between 0 and the next line; else only the class of each cell, by its place."""
    cells: dict[str, Any] = {"columns": grid.columns, "rows": grid.rows, "scores": None}
    if scores is not None:
        cells["scores"] = packed(np.asarray(scores, dtype=float))
        codes = is_positive(scores, TIE)
    return {"grid": cells | {"codes": packed(np.asarray(codes, dtype=np.uint8))}}
