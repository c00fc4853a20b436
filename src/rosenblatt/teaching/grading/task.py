"""The task that a submission is graded against: examples, labels, and a dialect with every choice fixed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rosenblatt.conventions import random_start
from rosenblatt.conventions.own_dialect import KEYS
from rosenblatt.conventions.ties import Tie
from rosenblatt.conventions.value_kinds import check_kind
from rosenblatt.textbook.online import augmented

Array = NDArray[np.float64]
_OTHER_KEYS = ("start", "random_state", "algorithm")
_LIMITS = ("max_iter", "max_steps", "max_updates", "patience", "max_error")


@dataclass(frozen=True)
class Task:
    """The examples with their constant 1, the labels ±1, the rule, and the initial weights."""

    X: Array
    y: NDArray[np.int64]
    tie: Tie
    eta0: float
    order: str
    has_offset: bool
    start: Array
    start_is_open: bool  # "some random setting": a submission may choose its own initial weights
    limits: dict[str, Any]
    pocket: bool
    error_tie: Tie | None
    random_state: int

    @classmethod
    def of(cls, X: ArrayLike, y: ArrayLike, dialect: Mapping[str, Any]) -> "Task":
        """Checks the examples and the dialect. `start`, `random_state` and `algorithm="pocket"` are keys too."""
        strange = [key for key in dialect if key not in KEYS and key not in _OTHER_KEYS]
        if strange:
            raise ValueError(f"dialect has {strange[0]!r}; it takes {', '.join((*KEYS, *_OTHER_KEYS))}.")
        for key, kind in KEYS.items():
            if dialect.get(key) is not None:
                check_kind("dialect", key, dialect[key], kind)
        algorithm = dialect.get("algorithm", "perceptron")
        if algorithm not in ("perceptron", "pocket"):
            raise ValueError(f"dialect: algorithm must be 'perceptron' or 'pocket'; got {algorithm!r}.")
        points, labels = np.asarray(X, dtype=float), np.asarray(y)
        if points.ndim != 2 or labels.shape != (len(points),) or not len(points):
            raise ValueError(f"X has shape {points.shape} and y {labels.shape}; give one row and one label an example.")
        if not np.isfinite(points).all():
            raise ValueError("X has a value that is not a finite number.")
        has_offset = bool(dialect.get("fit_intercept", True))
        space = augmented(points, has_offset)
        seed = int(dialect.get("random_state") or 0)
        is_random = dialect.get("init", "zeros") == "random"
        start = dialect.get("start")
        if start is None:
            scale = float(dialect.get("init_scale") or 0.5)
            first = random_start(seed, space.shape[1], scale=scale) if is_random else np.zeros(space.shape[1])
        else:
            first = np.asarray(start, dtype=float)
            if first.shape != (space.shape[1],):
                raise ValueError(f"dialect: start needs {space.shape[1]} numbers, the offset first; got {start!r}.")
        return cls(
            space,
            _signs(labels),
            dialect.get("tie") or "mistake",
            float(dialect.get("eta0", 1.0)),
            dialect.get("order", "cyclic"),
            has_offset,
            first,
            is_random and start is None,
            {key: dialect[key] for key in _LIMITS if dialect.get(key)},
            algorithm == "pocket",
            dialect.get("error_tie"),
            seed,
        )

    @property
    def features(self) -> Array:
        return self.X[:, 1:] if self.has_offset else self.X

    def choices(self) -> dict[str, Any]:
        """The keywords of `textbook.online`."""
        return {
            "fit_intercept": self.has_offset,
            "eta0": self.eta0,
            "tie": self.tie,
            "error_tie": self.error_tie,
            "order": self.order,
            "random_state": self.random_state,
        }


def _signs(labels: NDArray[Any]) -> NDArray[np.int64]:
    """±1; labels 0 and 1 are taken as −1 and +1."""
    values = set(labels.tolist())
    if values <= {-1, 1}:
        return labels.astype(np.int64)
    if values <= {0, 1}:
        return np.where(labels == 1, 1, -1).astype(np.int64)
    raise ValueError(f"y must have the labels +1 and −1, or 1 and 0; got {sorted(map(str, values))[:4]}.")
