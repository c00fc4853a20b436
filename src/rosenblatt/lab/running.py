"""One run for a page: fit, and tell it all."""

import time
from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.conventions import random_start
from rosenblatt.estimators.direct import DEFAULTS, record
from rosenblatt.estimators.endings import MEANING
from rosenblatt.estimators.training import ABSENT
from rosenblatt.lab.asking import Points, RefusedError, Wish, points_of, wish_of
from rosenblatt.lab.batches import Epochs, replayed_batches
from rosenblatt.lab.replaying import replayed

Array = NDArray[np.float64]
Tell = Callable[[dict[str, Any]], None]

_TOLD_EVERY = 0.2  # seconds between two words on progress


def run(body: dict[str, Any], tell: Tell) -> dict[str, Any]:
    """Fits what a page asks for and returns the whole run, ready to be replayed."""
    points, wish = points_of(body), wish_of(body)
    n_classes = len(np.unique(points.y))
    kind = "two" if n_classes == 2 else wish.parameters["multi_class"]
    is_batch = wish.algorithm == "batch"
    if is_batch and kind not in ("two", "ova"):
        raise RefusedError("the batch perceptron is shown one class against the rest. Choose one-vs-all.")
    start = _given_start(wish, n_classes * (n_classes - 1) // 2 if kind == "ovo" else 1 if kind == "two" else n_classes)
    epochs = Epochs()
    listener = _listener(tell, epochs if is_batch else None)
    fitted, traces = record(wish.estimator, wish.parameters, points.X, points.y, start, listener)
    return {
        "version": 1,
        "algorithm": wish.algorithm,
        "kind": kind,
        "classes": fitted["classes_"].tolist(),
        "pairs": [list(pair) for pair in combinations(range(n_classes), 2)] if kind == "ovo" else None,
        "fit_intercept": wish.parameters["fit_intercept"],
        "tie": wish.parameters["tie"],
        "margin": wish.parameters.get("margin"),
        "ending": _ending(fitted),
        "problems": _batches(fitted, points, wish, start, epochs)
        if is_batch
        else [replayed(trace) for trace in traces],
        "settled": _settled(fitted, wish),
        "python": _python(wish),
    }


def _listener(tell: Tell, epochs: Epochs | None) -> Callable[[Any], None]:
    last = time.monotonic()

    def listen(progress: Any) -> None:
        nonlocal last
        if epochs is not None:
            epochs.keep(progress)
        now = time.monotonic()
        if now - last > _TOLD_EVERY:
            last = now
            tell({"epoch": progress.epoch, "mistakes": progress.mistakes})

    return listen


def _given_start(wish: Wish, planes: int) -> Array | None:
    if wish.start is None:
        return None
    if len(wish.start) not in (1, planes):
        raise RefusedError(f"the start has {len(wish.start)} planes; these points need {planes}.")
    start = np.repeat(wish.start, planes, axis=0) if len(wish.start) == 1 else wish.start.copy()
    if not wish.parameters["fit_intercept"]:
        start[:, 0] = 0.0
    return start


def _batches(
    fitted: dict[str, Any], points: Points, wish: Wish, start: Array | None, epochs: Epochs
) -> list[dict[str, Any]]:
    planes = len(fitted["coef_"])
    if start is None:
        start = np.zeros((planes, 3))
        if wish.parameters["init"] == "random":
            offset = int(wish.parameters["fit_intercept"])
            start[:, 1 - offset :] = random_start(wish.parameters["random_state"], 2 + offset)
    codes = np.searchsorted(fitted["classes_"], points.y).astype(np.int32)
    positives = [1] if planes == 1 else range(planes)
    states = [start, *epochs.states]
    return [
        replayed_batches(points.X, codes, c, positive, states, wish.parameters) for c, positive in enumerate(positives)
    ]


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


def _settled(fitted: dict[str, Any], wish: Wish) -> dict[str, Any] | None:
    """The weights that the estimator publishes, where they are not the last of the run."""
    if wish.algorithm not in ("pocket", "averaged"):
        return None
    return {"name": wish.algorithm, "w": np.column_stack([fitted["intercept_"], fitted["coef_"]]).tolist()}


#: What an estimator does by itself, and the code need not say.
_DEFAULTS: dict[str, dict[str, Any]] = {"AveragedPerceptron": {"max_iter": 10}, "BatchPerceptron": {"max_iter": 1000}}


def _python(wish: Wish) -> str:
    """The same fit as a user would write it."""
    defaults = {**ABSENT, **DEFAULTS, "ratchet": False, **_DEFAULTS.get(wish.estimator, {})}
    changed = {name: value for name, value in wish.parameters.items() if defaults[name] != value}
    given = ""
    if wish.start is not None:
        given = f", coef_init={wish.start[:, 1:].tolist()}, intercept_init={wish.start[:, 0].tolist()}"
    arguments = ", ".join(f"{name}={value!r}" for name, value in changed.items())
    return f"{wish.estimator}({arguments}).fit(X, y{given})"
