"""The labels of examples: the classes, and the code of each example's class."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.data.columns.booleans import spelling
from rosenblatt.data.columns.letter_case import differing_in_case
from rosenblatt.data.errors import DataError, option

_SHOWN = 5
_FEW_CLASSES = 10  # up to this many classes are accepted in a table of any size


@dataclass(frozen=True)
class Labels:
    """`classes` are sorted; example i is of class `classes[codes[i]]`. A code of -1 is a missing label."""

    classes: NDArray[Any]
    codes: NDArray[np.int32]

    @property
    def y(self) -> NDArray[Any]:
        return self.classes[self.codes]

    def among(self, classes: NDArray[Any], name: str, place: Callable[[int], str]) -> "Labels":
        """The same labels coded by a model's classes; an unknown label is refused with its position in the file.

        A label that differs from one class only in upper and lower case is of this class.
        """
        known = {label: code for code, label in enumerate(comparable(classes))}
        alike = Counter(label.casefold() for label in known)
        known |= {label.casefold(): k for label, k in known.items() if alike[label.casefold()] == 1}
        found = [known.get(label, known.get(label.casefold(), -1)) for label in comparable(self.classes)]
        translation = np.array(found, dtype=np.int32)
        codes = np.where(self.codes < 0, np.int32(-1), translation[self.codes]) if len(translation) else self.codes
        strange = np.flatnonzero((codes < 0) & (self.codes >= 0))
        if len(strange):
            row = int(strange[0])
            raise DataError(
                f"{name}, {place(row)}: the label {self.y[row].item()!r} is not a class of the model. "
                f"Its classes are {_listed(classes)}."
            )
        return Labels(classes, codes)


def comparable(classes: NDArray[Any]) -> list[str]:
    """Labels in one spelling: 1, 1.0 and "1" are one label, and so are true, True and TRUE."""
    return [
        str(int(c)) if isinstance(c, int | float) and not isinstance(c, bool) and c == int(c) else spelling(str(c))
        for c in classes.tolist()
    ]


def _listed(classes: NDArray[Any]) -> str:
    shown = ", ".join(repr(label) for label in classes.tolist()[:_SHOWN])
    return shown + (f" and {len(classes) - _SHOWN} more" if len(classes) > _SHOWN else "")


def check_classes(classes: int, rows: int, where: str) -> None:
    """Refuses a target with more classes than half of the rows."""
    if classes > max(rows / 2, _FEW_CLASSES):
        raise DataError(
            f"{where}: {classes:,} different labels in {rows:,} rows are no classes. "
            f"Choose another target ({option('target')})."
        )


def note_on_unlabelled(rows: int) -> tuple[str, ...]:
    """The number of rows that are not learned from because they have no label."""
    if not rows:
        return ()
    return ("1 row without a label is left out" if rows == 1 else f"{rows:,} rows without a label are left out",)


def notes_on_labels(labels: Collection[str], target: str | None) -> tuple[str, ...]:
    """A note on a single class, or on labels that only differ in upper and lower case: they are different classes."""
    if len(labels) == 1:
        only = next(iter(labels))[:40]
        return (f"column {target!r} has 1 class ({only!r}); training needs at least 2 ({option('target')})",)
    found = differing_in_case(labels)
    if not found:
        return ()
    return (
        f"the labels {found} of column {target!r} differ only in upper and lower case, and are different classes "
        f"(one class with {option('lowercase_labels', True)})",
    )


def numeric_labels(values: NDArray[np.float64], name: str, place: Callable[[int], str]) -> Labels:
    """Labels written as numbers. Whole numbers become integers; other numbers are refused."""
    if not len(values):
        return Labels(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int32))
    low, high = values.min(), values.max()
    is_high = values == high
    if np.all(is_high | (values == low)):  # two classes need no sorting
        classes = np.array([low, high] if low < high else [low])
        codes = is_high.astype(np.int32) if low < high else np.zeros(len(values), np.int32)
    else:
        classes, inverse = np.unique(values, return_inverse=True)
        codes = inverse.astype(np.int32)
    fractional = classes != np.round(classes)
    if fractional.any():
        row = int(np.flatnonzero(values != np.round(values))[0])
        example = values[row]
        raise DataError(
            f"{name}, {place(row)}: the target {example:g} is not a whole number. A perceptron learns classes; turn a "
            f"continuous target into some, or choose another column ({option('target')})."
        )
    if np.all(np.abs(classes) < 2.0**53):
        classes = classes.astype(np.int64)
    return Labels(classes, codes)


def are_numbers(texts: Iterable[str]) -> bool:
    """Whether all labels are numbers. Whole numbers above 2^53, which would be rounded, are taken as text.

    >>> are_numbers(["1", "2.0"]), are_numbers(["1", "a"]), are_numbers(["9007199254740993", "1"])
    (True, False, False)
    """
    try:
        values = [float(text) for text in texts]
    except ValueError:
        return False
    return not any(2.0**53 <= abs(value) < np.inf for value in values)


def written_labels(vocabulary: list[str], codes: NDArray[np.int32], name: str, place: Callable[[int], str]) -> Labels:
    """Labels written as text: numbers if all of them are."""
    if not are_numbers(vocabulary):
        return _texts(vocabulary, codes)
    values = np.array([float(text) for text in vocabulary])
    if not np.isfinite(values).all():
        row = int(np.flatnonzero(~np.isfinite(values[codes]))[0])
        raise DataError(f"{name}, {place(row)}: the target is not finite. Remove the row.")
    return numeric_labels(values[codes], name, place)


def labels_of_model(vocabulary: list[str], codes: NDArray[np.int32]) -> Labels:
    """Labels in a file for a model. Predicting does not use them, so any are accepted; `among` compares them."""
    whole = are_numbers(vocabulary) and all(float(text).is_integer() for text in vocabulary)
    return numeric_labels(np.array([*map(float, vocabulary)])[codes], "", str) if whole else _texts(vocabulary, codes)


def _texts(vocabulary: list[str], codes: NDArray[np.int32]) -> Labels:
    order = sorted(range(len(vocabulary)), key=vocabulary.__getitem__)
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return Labels(np.array([vocabulary[k] for k in order]), rank[codes])
