"""Measures of prediction quality: accuracy, precision and recall per class, and the confusion matrix."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.learning.scores.calibration import class_scores, log_losses
from rosenblatt.models.training.evaluation.thresholds import Thresholds, thresholds_of

if TYPE_CHECKING:
    from rosenblatt.data import Dataset, Scan
    from rosenblatt.models.files.record import Record


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
    auc: float | None = None  # area under the ROC curve (mean over classes), if there are scores
    log_loss: float | None = None  # mean negative logarithm of the true class's probability, if there are probabilities
    thresholds: "Thresholds | None" = None  # of two classes

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
        """For each class, the fraction of its predictions that are correct; None if there are no predictions."""
        return _shares(np.diag(self.confusion), self.confusion.sum(axis=0))

    @property
    def recall(self) -> list[float | None]:
        """For each class, the fraction of its examples that are predicted correctly; None if it has no examples."""
        return _shares(np.diag(self.confusion), self.confusion.sum(axis=1))

    @property
    def f1(self) -> list[float | None]:
        """The harmonic mean of precision and recall of each class; None where a class has no examples."""
        wholes = self.confusion.sum(axis=0) + self.confusion.sum(axis=1)
        shares = _shares(2 * np.diag(self.confusion), wholes)
        return [None if recall is None else share for share, recall in zip(shares, self.recall, strict=True)]

    @property
    def balanced_accuracy(self) -> float:
        """The mean recall of the classes that have examples."""
        return _mean(self.recall)

    @property
    def macro_f1(self) -> float:
        """The mean F1 of the classes that have examples."""
        return _mean(self.f1)

    def to_dict(self) -> dict[str, Any]:
        support = self.confusion.sum(axis=1).tolist()
        rows = zip(self.classes.tolist(), self.precision, self.recall, self.f1, support, strict=True)
        return {
            "examples": self.n_examples,
            "errors": self.n_errors,
            "accuracy": self.accuracy,
            "balanced_accuracy": self.balanced_accuracy,
            "f1": self.macro_f1,
            "auc": self.auc,
            "log_loss": self.log_loss,
            "thresholds": None if self.thresholds is None else self.thresholds.to_dict(),
            "classes": [{"class": c, "precision": p, "recall": r, "f1": f, "examples": n} for c, p, r, f, n in rows],
            "confusion": self.confusion.tolist(),
        }


def assess(classes: NDArray[Any], true: NDArray[np.int32], predicted: NDArray[np.int32]) -> Assessment:
    """Compares true and predicted codes, which are indices in `classes`.

    >>> assess(np.array(["ham", "spam"]), np.array([0, 0, 1]), np.array([0, 1, 1])).recall
    [0.5, 1.0]
    """
    k = len(classes)
    counts = np.bincount(true.astype(np.int64) * k + predicted, minlength=k * k)
    return Assessment(classes, counts.reshape(k, k).astype(np.int64))


def evaluate(record: "Record", data: "Dataset | Scan") -> Assessment:
    """Compares a model's predictions with the labels of a data set, or of a file of any size, block by block.

    >>> from rosenblatt import data, models
    >>> record = models.train(data.read("@and"), models.Plan()).record
    >>> evaluate(record, data.read("@and")).accuracy
    1.0
    """
    from rosenblatt.data import DataError, Dataset
    from rosenblatt.data.errors import option
    from rosenblatt.data.labels import Labels

    if isinstance(data, Dataset):
        data = data.labelled()
        labels = data.needs_labels().among(record.classes, data.name, data.place)
        found = assess(record.classes, labels.codes, record.predicted_codes(data.X))
        return replace(found, **_by_scores(record, record.scores(data.X), labels.codes)) if record.has_scores else found
    total: Assessment | None = None
    first, loss = 0, 0.0
    for block in data.blocks():
        if block.y is None:
            raise DataError(f"{data.name} has no labels. Name the column that holds them ({option('target')}).")
        classes, codes = np.unique(block.y, return_inverse=True)
        labels = Labels(classes, codes.astype(np.int32)).among(record.classes, data.name, _from(data.place, first))
        part = assess(record.classes, labels.codes, record.predicted_codes(block.X))
        total = part if total is None else replace(total, confusion=total.confusion + part.confusion)
        first += len(codes)
        if record.calibration is not None:
            loss += float(log_losses(record.probabilities(block.X), labels.codes).sum())
    if total is None:
        raise DataError(f"{data.name} has no examples.")
    return total if record.calibration is None else replace(total, log_loss=loss / total.n_examples)


def _by_scores(record: "Record", scores: NDArray[np.float64], codes: NDArray[np.int32]) -> dict[str, Any]:
    """The measures that need scores. The area under the ROC curve needs examples of every class.

    For more than two classes, the area is the mean over each class against all others.
    """
    k = len(record.classes)
    found: dict[str, Any] = {}
    if np.bincount(codes, minlength=k).min() > 0:
        leads = _leads(class_scores(scores, k, record.parameters.get("multi_class") == "ovo"))
        found["auc"] = float(np.mean([area_under_curve(leads[:, c], codes == c) for c in range(1 if k == 2 else 0, k)]))
    values = np.column_stack([-scores[:, 0], scores[:, 0]])
    if record.calibration is not None:
        values = record.probabilities_of(scores)
        found["log_loss"] = float(log_losses(values, codes).mean())
    if k == 2:
        rarer = int(2 * np.sum(codes == 1) <= len(codes))
        is_calibrated = record.calibration is not None
        found["thresholds"] = thresholds_of(
            values[:, rarer], codes == rarer, record.classes[rarer].item(), is_calibrated
        )
    return found


def _leads(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """The score of each class minus the largest other score: scores learned jointly have a meaning only compared."""
    ordered = np.sort(scores, axis=1)
    best, second = ordered[:, -1:], ordered[:, -2:-1]
    return scores - np.where(scores == best, second, best)


def area_under_curve(scores: NDArray[np.float64], is_positive: NDArray[np.bool_]) -> float:
    """The fraction of pairs (positive, negative) whose scores are in the correct order; ties count one half.

    >>> area_under_curve(np.array([0.1, 0.4, 0.35, 0.8]), np.array([False, False, True, True]))
    0.75
    """
    values, places = np.unique(scores, return_inverse=True)
    positive = np.bincount(places[is_positive], minlength=len(values))
    negative = np.bincount(places[~is_positive], minlength=len(values))
    below = np.cumsum(negative) - negative
    return float((positive @ (below + negative / 2)) / (positive.sum() * negative.sum()))


def _mean(shares: list[float | None]) -> float:
    known = [share for share in shares if share is not None]
    return sum(known) / max(len(known), 1)


def _from(place: Callable[[int], str], first: int) -> Callable[[int], str]:
    """A function that returns the location in the file of a row of the block that begins at example `first`."""
    return lambda row: place(first + row)


def _shares(parts: NDArray[Any], wholes: NDArray[Any]) -> list[float | None]:
    return [int(part) / int(whole) if whole else None for part, whole in zip(parts, wholes, strict=True)]
