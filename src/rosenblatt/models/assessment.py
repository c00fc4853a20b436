"""How good predictions are: accuracy, precision and recall by class, and what is taken for what."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Assessment:
    """`confusion[i, j]` examples of class i were predicted to be of class j.

    Examples
    --------
    >>> found = Assessment(np.array(["ham", "spam"]), np.array([[8, 2], [1, 9]]))
    >>> found.n_errors, found.accuracy
    (3, 0.85)
    """

    classes: NDArray[Any]
    confusion: NDArray[np.int64]

    @property
    def n_examples(self) -> int:
        return int(self.confusion.sum())

    @property
    def n_errors(self) -> int:
        return self.n_examples - int(np.trace(self.confusion))

    @property
    def accuracy(self) -> float:
        return 1 - self.n_errors / max(self.n_examples, 1)

    @property
    def precision(self) -> list[float | None]:
        """Of the examples predicted to be of a class, the share that is; None where none was."""
        return _shares(np.diag(self.confusion), self.confusion.sum(axis=0))

    @property
    def recall(self) -> list[float | None]:
        """Of the examples of a class, the share that was predicted so; None where there is none."""
        return _shares(np.diag(self.confusion), self.confusion.sum(axis=1))

    def to_dict(self) -> dict[str, Any]:
        support = self.confusion.sum(axis=1).tolist()
        rows = zip(self.classes.tolist(), self.precision, self.recall, support, strict=True)
        return {
            "examples": self.n_examples,
            "errors": self.n_errors,
            "accuracy": self.accuracy,
            "classes": [{"class": c, "precision": p, "recall": r, "examples": n} for c, p, r, n in rows],
            "confusion": self.confusion.tolist(),
        }


def assess(classes: NDArray[Any], true: NDArray[np.int32], predicted: NDArray[np.int32]) -> Assessment:
    """Compares codes, which are places in `classes`.

    >>> assess(np.array(["ham", "spam"]), np.array([0, 0, 1]), np.array([0, 1, 1])).recall
    [0.5, 1.0]
    """
    k = len(classes)
    counts = np.bincount(true.astype(np.int64) * k + predicted, minlength=k * k)
    return Assessment(classes, counts.reshape(k, k).astype(np.int64))


def _shares(parts: NDArray[Any], wholes: NDArray[Any]) -> list[float | None]:
    return [int(part) / int(whole) if whole else None for part, whole in zip(parts, wholes, strict=True)]
