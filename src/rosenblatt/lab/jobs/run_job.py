"""The job `run`: fits the points and returns the whole run in a form that the page can replay."""

import time
from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.conventions import random_start
from rosenblatt.lab.encoding.batches import Epochs, replayed_batches
from rosenblatt.lab.encoding.replay import replayed
from rosenblatt.lab.jobs.fit_job import fit_points
from rosenblatt.lab.requests.request_values import RefusedError
from rosenblatt.lab.requests.run_requests import RunRequest
from rosenblatt.learning.parameters import Parameters
from rosenblatt.learning.status import MEANING

Array = NDArray[np.float64]
ReportProgress = Callable[[dict[str, Any]], None]

_REPORT_SECONDS = 0.2  # minimum time between two progress reports


def run(request: RunRequest, report: ReportProgress) -> dict[str, Any]:
    """Fits the points and returns the whole run in a form that the page can replay."""
    points = request.points
    n_classes = len(np.unique(points.y))
    kind = "two" if n_classes == 2 else request.parameters["multi_class"]
    is_batch = request.algorithm == "batch"
    if is_batch and kind not in ("two", "ova"):
        raise RefusedError("the batch perceptron is shown one class against the rest. Choose one-vs-all.")
    start = _given_start(
        request, n_classes * (n_classes - 1) // 2 if kind == "ovo" else 1 if kind == "two" else n_classes
    )
    epochs = Epochs()
    callback = _callback(report, epochs if is_batch else None)
    fitted, traces = fit_points(request.estimator, request.parameters, points.X, points.y, start, callback)
    return {
        "version": 1,
        "algorithm": request.algorithm,
        "kind": kind,
        "classes": fitted["classes_"].tolist(),
        "pairs": [list(pair) for pair in combinations(range(n_classes), 2)] if kind == "ovo" else None,
        "fit_intercept": request.parameters["fit_intercept"],
        "tie": request.parameters["tie"],
        "margin": request.parameters.get("margin"),
        "ending": _ending(fitted),
        "problems": _batches(fitted, request, start, epochs) if is_batch else [replayed(trace) for trace in traces],
        "published": _published(fitted, request),
        "python": _python(request, start),
    }


def _callback(report: ReportProgress, epochs: Epochs | None) -> Callable[[Any], None]:
    last = time.monotonic()

    def callback(progress: Any) -> None:
        nonlocal last
        if epochs is not None:
            epochs.keep(progress)
        now = time.monotonic()
        if now - last > _REPORT_SECONDS:
            last = now
            report({"epoch": progress.epoch, "mistakes": progress.mistakes})

    return callback


def _given_start(request: RunRequest, planes: int) -> Array | None:
    if request.start is None:
        return None
    if len(request.start) not in (1, planes):
        raise RefusedError(f"the start has {len(request.start)} planes; these points need {planes}.")
    start = np.repeat(request.start, planes, axis=0) if len(request.start) == 1 else request.start.copy()
    if not request.parameters["fit_intercept"]:
        start[:, 0] = 0.0
    return start


def _batches(fitted: dict[str, Any], request: RunRequest, start: Array | None, epochs: Epochs) -> list[dict[str, Any]]:
    points, parameters = request.points, request.parameters
    planes = len(fitted["coef_"])
    if start is None:
        features = points.X.shape[1]
        start = np.zeros((planes, 1 + features))
        if parameters["init"] == "random":
            offset = int(parameters["fit_intercept"])
            start[:, 1 - offset :] = random_start(
                parameters["random_state"], features + offset, scale=parameters["init_scale"]
            )
    codes = np.searchsorted(fitted["classes_"], points.y).astype(np.int32)
    positives = [1] if planes == 1 else range(planes)
    states = [start, *epochs.states]
    return [replayed_batches(points.X, codes, c, positive, states, parameters) for c, positive in enumerate(positives)]


def _ending(fitted: dict[str, Any]) -> dict[str, Any]:
    return {
        "status": fitted["status_"],
        "meaning": MEANING[fitted["status_"]],
        "statuses": fitted["statuses_"],
        "cycle": fitted["cycle_"],
        "cycles": fitted["cycles_"],
        "epochs": fitted["n_iter_"],
        "mistakes": fitted["n_mistakes_"],
        "presented": fitted["n_samples_seen_"],
    }


def _published(fitted: dict[str, Any], request: RunRequest) -> dict[str, Any] | None:
    """Returns the weights that the estimator publishes, if they are not the last weights of the run."""
    if request.algorithm not in ("pocket", "averaged"):
        return None
    return {"name": request.algorithm, "w": np.column_stack([fitted["intercept_"], fitted["coef_"]]).tolist()}


def _python(request: RunRequest, start: Array | None) -> str:
    """Returns the Python call of the same fit. `start` has one row per plane."""
    changed = Parameters.of(request.estimator, request.parameters).changed()
    given = ""
    if start is not None:
        given = f", coef_init={start[:, 1:].tolist()}, intercept_init={start[:, 0].tolist()}"
    arguments = ", ".join(f"{name}={value!r}" for name, value in changed.items())
    return f"{request.estimator}({arguments}).fit(X, y{given})"
