"""One run for a page: fit, and tell it all."""

import time
import warnings
from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np

import rosenblatt
from rosenblatt.estimators.endings import MEANING
from rosenblatt.lab.asking import Points, RefusedError, Wish, points_of, wish_of
from rosenblatt.lab.batches import Epochs, replayed_batches
from rosenblatt.lab.replaying import replayed

Tell = Callable[[dict[str, Any]], None]

_TOLD_EVERY = 0.2  # seconds between two words on progress


def run(body: dict[str, Any], tell: Tell) -> dict[str, Any]:
    """Fits what a page asks for and returns the whole run, ready to be replayed."""
    points, wish = points_of(body), wish_of(body)
    parameters = dict(wish.parameters)
    epochs = Epochs()
    parameters["callback"] = _listener(tell, epochs if wish.algorithm == "batch" else None)
    estimator = getattr(rosenblatt, wish.estimator)(**parameters)
    coef, intercept = _given_start(points, wish)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the ending is on the page
        estimator.fit(points.X, points.y, coef_init=coef, intercept_init=intercept)
    kind = "two" if len(estimator.classes_) == 2 else wish.parameters["multi_class"]
    return {
        "version": 1,
        "algorithm": wish.algorithm,
        "kind": kind,
        "classes": estimator.classes_.tolist(),
        "pairs": [list(pair) for pair in combinations(range(len(estimator.classes_)), 2)] if kind == "ovo" else None,
        "fit_intercept": wish.parameters["fit_intercept"],
        "tie": wish.parameters["tie"],
        "margin": estimator.get_params().get("margin"),
        "ending": _ending(estimator),
        "problems": _problems(estimator, points, wish, epochs),
        "settled": _settled(estimator, wish),
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


def _given_start(points: Points, wish: Wish) -> tuple[Any, Any]:
    if wish.start is None:
        return None, None
    n = len(np.unique(points.y))
    planes = 1 if n == 2 else n * (n - 1) // 2 if wish.parameters["multi_class"] == "ovo" else n
    if len(wish.start) not in (1, planes):
        raise RefusedError(f"the start has {len(wish.start)} planes; these points need {planes}.")
    start = np.repeat(wish.start, planes, axis=0) if len(wish.start) == 1 else wish.start
    offsets = start[:, 0] if wish.parameters["fit_intercept"] else np.zeros(planes)
    return start[:, 1:], offsets


def _problems(estimator: Any, points: Points, wish: Wish, epochs: Epochs) -> list[dict[str, Any]]:
    tie = wish.parameters["tie"]
    error_tie = wish.parameters.get("error_tie") or tie
    if wish.algorithm == "batch":
        if wish.parameters["multi_class"] != "ova" and len(estimator.classes_) > 2:
            raise RefusedError("the batch perceptron is shown one class against the rest. Choose one-vs-all.")
        codes = np.searchsorted(estimator.classes_, points.y).astype(np.int32)
        first = _first_state(estimator, wish, points)
        positives = [1] if len(estimator.classes_) == 2 else range(len(estimator.classes_))
        states = [first, *epochs.states]
        return [
            replayed_batches(points.X, codes, c, positive, states, wish.parameters)
            for c, positive in enumerate(positives)
        ]
    traces = estimator.trace_ if isinstance(estimator.trace_, list) else [estimator.trace_]
    return [replayed(trace, error_tie) for trace in traces]


def _first_state(estimator: Any, wish: Wish, points: Points) -> Any:
    from rosenblatt.conventions import random_start

    planes = len(estimator.coef_)
    coef, intercept = _given_start(points, wish)
    if coef is not None:
        return np.column_stack([intercept, coef])
    if wish.parameters["init"] == "random":
        offset = int(wish.parameters["fit_intercept"])
        start = random_start(wish.parameters["random_state"], 2 + offset)
        return np.tile(start if offset else [0.0, *start], (planes, 1))
    return np.zeros((planes, 3))


def _ending(estimator: Any) -> dict[str, Any]:
    return {
        "status": estimator.status_,
        "meaning": MEANING[estimator.status_],
        "statuses": estimator.statuses_,
        "cycle": estimator.cycle_,
        "cycles": estimator.cycles_,
        "epochs": estimator.n_iter_,
        "mistakes": estimator.n_mistakes_,
        "presented": estimator.n_samples_seen_,
    }


def _settled(estimator: Any, wish: Wish) -> dict[str, Any] | None:
    """The weights that the estimator publishes, where they are not the last of the run."""
    if wish.algorithm not in ("pocket", "averaged"):
        return None
    return {"name": wish.algorithm, "w": np.column_stack([estimator.intercept_, estimator.coef_]).tolist()}


def _python(wish: Wish) -> str:
    """The same fit as a user would write it."""
    estimator = getattr(rosenblatt, wish.estimator)
    defaults = estimator().get_params()
    changed = {name: value for name, value in wish.parameters.items() if defaults[name] != value}
    given = ""
    if wish.start is not None:
        given = f", coef_init={wish.start[:, 1:].tolist()}, intercept_init={wish.start[:, 0].tolist()}"
    arguments = ", ".join(f"{name}={value!r}" for name, value in changed.items())
    return f"{wish.estimator}({arguments}).fit(X, y{given})"
