"""What a page may ask for, checked: points, labels, and the parameters of a run."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.lab.limits import MAX_CLASSES, MAX_POINTS, MAX_STEPS
from rosenblatt.learning.parameters import Algorithm


class RefusedError(ValueError):
    """The request cannot be met; the message says why, and what would help."""


#: The algorithms of the lab: the estimator of each, and the parameters that make it so.
ALGORITHMS: dict[str, tuple[Algorithm, dict[str, Any]]] = {
    "perceptron": ("Perceptron", {}),
    "margin": ("Perceptron", {"margin": 1.0}),
    "pa": ("Perceptron", {"step": "pa"}),
    "pa1": ("Perceptron", {"step": "pa1"}),
    "pa2": ("Perceptron", {"step": "pa2"}),
    "pocket": ("PocketPerceptron", {}),
    "averaged": ("AveragedPerceptron", {"max_iter": None}),
    "batch": ("BatchPerceptron", {}),
}

_CHOICES = {
    "tie": ("mistake", "positive", "negative"),
    "order": ("cyclic", "shuffle", "misclassified"),
    "multi_class": ("ova", "ovo", "joint"),
}


@dataclass(frozen=True)
class Points:
    """Labelled points of the plane; a label is the number of its class on the page."""

    X: NDArray[np.float64]
    y: NDArray[np.int32]


@dataclass(frozen=True)
class Wish:
    """A run: the estimator's name, its parameters, and the first weights where they are given."""

    algorithm: str
    estimator: Algorithm
    parameters: dict[str, Any]
    start: NDArray[np.float64] | None  # [w₀, w₁, w₂], one row a plane


def points_of(body: Mapping[str, Any]) -> Points:
    """The points of a request: `x`, pairs of numbers, and `y`, class numbers."""
    x, y = body.get("x"), body.get("y")
    if not isinstance(x, list) or not isinstance(y, list) or len(x) != len(y):
        raise RefusedError("x and y must be lists of the same length: pairs of numbers, and class numbers.")
    if len(x) > MAX_POINTS:
        raise RefusedError(f"{len(x):,} points; the lab takes at most {MAX_POINTS:,}. Take a sample of them.")
    for place, pair in enumerate(x):
        if not (isinstance(pair, list) and len(pair) == 2 and all(is_number(value) for value in pair)):
            raise RefusedError(f"point {place + 1} is not a pair of finite numbers.")
    for place, label in enumerate(y):
        if not (isinstance(label, int) and not isinstance(label, bool) and 0 <= label < MAX_CLASSES):
            raise RefusedError(f"point {place + 1}: a class is a whole number from 0 to {MAX_CLASSES - 1}.")
    if not y:
        raise RefusedError("there are no points yet. Paint some, of at least two classes.")
    if len(set(y)) < 2:
        raise RefusedError("all points are of one class. Paint some of another: a perceptron tells classes apart.")
    return Points(np.array(x, dtype=np.float64).reshape(-1, 2), np.array(y, dtype=np.int32))


def wish_of(body: Mapping[str, Any]) -> Wish:
    """The run that a request wishes for."""
    rule = body.get("rule")
    if not isinstance(rule, dict):
        raise RefusedError("rule must be an object with the parameters of the run.")
    algorithm = rule.get("algorithm", "perceptron")
    if not isinstance(algorithm, str) or algorithm not in ALGORITHMS:
        raise RefusedError(f"there is no algorithm {algorithm!r}; there are: {', '.join(ALGORITHMS)}.")
    estimator, fixed = ALGORITHMS[algorithm]
    parameters: dict[str, Any] = {
        "fit_intercept": flag(rule, "fit_intercept", True),
        "eta0": number(rule, "eta0", 1.0),
        "tie": _choice(rule, "tie", "mistake"),
        "multi_class": _choice(rule, "multi_class", "ova"),
        "random_state": whole(rule, "random_state", 0, 0, 2**32 - 1),
        "init": "random" if rule.get("init") == "random" else "zeros",
        "max_error": number(rule, "max_error", 0.0, least=0.0, most=1.0),
        **fixed,
    }
    if rule.get("error_tie") is not None:
        if rule["error_tie"] not in _CHOICES["tie"]:
            raise RefusedError(f"error_tie must be one of {', '.join(_CHOICES['tie'])}.")
        parameters["error_tie"] = rule["error_tie"]
    max_iter = whole(rule, "max_iter", None, 1, MAX_STEPS)
    if estimator == "BatchPerceptron":
        parameters["max_iter"] = min(max_iter or 1000, 10_000)
    else:
        parameters["order"] = _choice(rule, "order", "cyclic")
        parameters["max_steps"] = whole(rule, "max_steps", 100_000, 1, MAX_STEPS)
        parameters["patience"] = whole(rule, "patience", None, 1, MAX_STEPS)
        parameters["record"] = True
        if max_iter is not None:
            parameters["max_iter"] = max_iter
    if algorithm == "margin":
        parameters["margin"] = number(rule, "margin", 1.0)
    if algorithm in ("pa1", "pa2"):
        parameters["C"] = number(rule, "C", 1.0)
    if algorithm == "pocket":
        parameters["ratchet"] = flag(rule, "ratchet", False)
    return Wish(algorithm, estimator, parameters, _start(rule) if rule.get("init") == "given" else None)


def _start(rule: Mapping[str, Any]) -> NDArray[np.float64]:
    start = rule.get("start")
    rows = start if isinstance(start, list) and start and isinstance(start[0], list) else [start]
    for row in rows:
        if not (isinstance(row, list) and len(row) == 3 and all(is_number(value) for value in row)):
            raise RefusedError("a given start has three finite numbers a plane: w0, w1, w2.")
    return np.array(rows, dtype=np.float64)


def is_number(value: Any) -> bool:
    return (
        isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e150 and math.isfinite(value)
    )


def number(rule: Mapping[str, Any], name: str, default: float, least: float = 1e-12, most: float = 1e12) -> float:
    value = rule.get(name, default)
    if not (is_number(value) and least <= value <= most):
        raise RefusedError(f"{name} must be a number from {least:g} to {most:g}.")
    return float(value)


def whole(rule: Mapping[str, Any], name: str, default: int | None, least: int, most: int) -> int | None:
    value = rule.get(name)
    if value is None:
        return default
    if not (isinstance(value, int) and not isinstance(value, bool) and least <= value <= most):
        raise RefusedError(f"{name} must be a whole number from {least:,} to {most:,}.")
    return value


def flag(rule: Mapping[str, Any], name: str, default: bool) -> bool:
    value = rule.get(name, default)
    if not isinstance(value, bool):
        raise RefusedError(f"{name} must be true or false.")
    return value


def _choice(rule: Mapping[str, Any], name: str, default: str) -> str:
    value = rule.get(name, default)
    if value not in _CHOICES[name]:
        raise RefusedError(f"{name} must be one of {', '.join(_CHOICES[name])}.")
    return str(value)
