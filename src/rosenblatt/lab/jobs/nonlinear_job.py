"""The job `nonlinear`: a boundary by a kernel, a network of units or additional features, evaluated on a grid."""

import warnings
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rosenblatt.lab.encoding.packing import packed
from rosenblatt.lab.encoding.replay import weights_after_updates
from rosenblatt.lab.jobs.fit_job import fit_points
from rosenblatt.lab.limits import MAX_GRAM_POINTS, MAX_KERNEL_POINTS
from rosenblatt.lab.requests.bench_requests import FeatureSet, Grid, Method, NonlinearRequest
from rosenblatt.lab.requests.request_values import RefusedError
from rosenblatt.learning.scores.prediction import is_positive
from rosenblatt.learning.status import MEANING
from rosenblatt.trace import Trace

Array = NDArray[np.float64]

MAX_EPOCHS = 2_000
TIE: Literal["mistake"] = "mistake"
_BLOCK = 2_000  # grid points scored together

#: The sets of additional features of two columns, as pairs of factors: 0 and 1 are the first and the second column.
FEATURES: dict[FeatureSet, tuple[tuple[int, int], ...]] = {
    "product": ((0, 1),),
    "squares": ((0, 0), (1, 1)),
    "quadratic": ((0, 0), (0, 1), (1, 1)),
}


def nonlinear(request: NonlinearRequest) -> dict[str, Any]:
    """Evaluates a nonlinear boundary on a grid, after `moment` mistakes of its run, or at its end."""
    return _METHODS[request.method](request)


def _kernel(request: NonlinearRequest) -> dict[str, Any]:
    from rosenblatt.estimators.kernel import KernelPerceptron

    X, y, grid = request.points.X, request.points.y, request.grid
    if len(y) > MAX_KERNEL_POINTS:
        raise RefusedError(
            f"{len(y):,} points; a kernel compares all pairs, and the lab takes {MAX_KERNEL_POINTS:,} here."
        )
    parameters = request.kernel
    model = KernelPerceptron(**parameters, order="cyclic", tie=TIE, max_iter=MAX_EPOCHS, record=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the page shows how the run ended
        model.fit(X, y)
    arguments = ", ".join(f"{name}={value!r}" for name, value in parameters.items())
    answer = {
        "method": "kernel",
        "classes": model.classes_.tolist(),
        "ending": _ending(model.status_, model.cycle_, model.n_iter_, model.n_mistakes_),
        "python": f'KernelPerceptron({arguments}, order="cyclic", max_iter={MAX_EPOCHS}).fit(X, y)',
        "support": len(model.support_),
    }
    if len(y) <= MAX_GRAM_POINTS:
        order = np.argsort(y, kind="stable")
        gram = model.kernel_(X[order], X[order])
        answer["gram"] = {"order": packed(order), "values": packed(np.ascontiguousarray(gram, dtype=float).ravel())}
    if len(model.classes_) > 2:  # several problems: only the end of the run is shown
        codes = np.searchsorted(model.classes_, model.predict(grid.points))
        wrong = int((model.predict(X) != y).sum())
        return answer | _cells(grid, codes=codes) | {"moment": None, "errors": wrong, "alphas": None}
    trace = model.trace_
    if not isinstance(trace, Trace):
        raise AssertionError("two classes make one problem")
    recording = trace.recording
    moment = _moment(request, len(recording.i))
    alphas = np.bincount(recording.i[:moment], minlength=len(y)).astype(float)
    signs = np.where(y == model.classes_[1], 1.0, -1.0)
    offset = float((alphas * signs).sum())  # each mistake adds y to the offset
    used = np.flatnonzero(alphas)

    def scores(Z: Array) -> Array:
        if not len(used):
            return np.zeros(len(Z))
        # In blocks, because the kernel values of the whole grid would take too much memory.
        blocks = np.array_split(Z, -(-len(Z) // _BLOCK))
        return np.concatenate([model.kernel_(block, X[used]) @ (alphas * signs)[used] for block in blocks]) + offset

    return (
        answer
        | _cells(grid, scores=scores(grid.points))
        | {"moment": moment, "errors": _errors(scores(X), signs), "alphas": packed(alphas)}
    )


def _features(request: NonlinearRequest) -> dict[str, Any]:
    points, grid = request.points, request.grid
    factors = [(request.chosen[a], request.chosen[b]) for a, b in FEATURES[request.features]]
    classes = np.unique(points.y)
    if len(classes) > 2:
        raise RefusedError(f"further features are shown for two classes; here are {len(classes)}.")
    parameters = {"order": "cyclic", "tie": TIE, "max_steps": 100_000, "record": True}
    fitted, traces = fit_points("Perceptron", parameters, _more(points.X, factors), points.y)
    weights = weights_after_updates(traces[0].recording)
    moment = _moment(request, len(weights) - 1)
    w = weights[moment]

    def scores(Z: Array) -> Array:
        return np.asarray(_more(Z, factors) @ w[1:] + w[0])

    signs = np.where(points.y == classes[1], 1.0, -1.0)
    return {
        "method": "features",
        "classes": classes.tolist(),
        "ending": _ending(fitted["status_"], fitted["cycle_"], fitted["n_iter_"], fitted["n_mistakes_"]),
        "python": f'Perceptron(order="cyclic").fit(np.column_stack([X, {_columns(factors)}]), y)',
        "names": ["1", *(f"x{j + 1}" for j in range(points.X.shape[1])), *map(_name, factors)],
        "w": w.tolist(),
        "moment": moment,
        "errors": _errors(scores(points.X), signs),
    } | _cells(grid, scores=scores(grid.points))


def _more(X: Array, factors: list[tuple[int, int]]) -> Array:
    return np.ascontiguousarray(np.column_stack([X, *(X[:, a] * X[:, b] for a, b in factors)]))


def _name(factor: tuple[int, int]) -> str:
    a, b = factor
    return f"x{a + 1}²" if a == b else f"x{a + 1}·x{b + 1}"


def _columns(factors: list[tuple[int, int]]) -> str:
    return ", ".join(f"X[:, {a}] ** 2" if a == b else f"X[:, {a}] * X[:, {b}]" for a, b in factors)


def _network(request: NonlinearRequest) -> dict[str, Any]:
    from rosenblatt.lab.jobs.network_job import network

    found, codes = network(request)
    return found | _cells(request.grid, codes=codes)


def _moment(request: NonlinearRequest, last: int) -> int:
    return last if request.moment is None else min(request.moment, last)


def _errors(scores: Array, signs: Array) -> int:
    return int((scores * signs <= 0).sum())


def _ending(status: str, cycle: int | None, epochs: int, mistakes: int) -> dict[str, Any]:
    return {"status": status, "meaning": MEANING[status], "cycle": cycle, "epochs": epochs, "mistakes": mistakes}


def _cells(grid: Grid, scores: Array | None = None, codes: Any = None) -> dict[str, Any]:
    """Encodes the class of each cell, and its score if the boundary can be interpolated from scores."""
    cells: dict[str, Any] = {"columns": grid.columns, "rows": grid.rows, "scores": None}
    if scores is not None:
        cells["scores"] = packed(np.asarray(scores, dtype=float))
        codes = is_positive(scores, TIE)
    return {"grid": cells | {"codes": packed(np.asarray(codes, dtype=np.uint8))}}


_METHODS: dict[Method, Callable[[NonlinearRequest], dict[str, Any]]] = {
    "kernel": _kernel,
    "features": _features,
    "network": _network,
}
