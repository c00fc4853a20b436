"""The examples of a source, in memory."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rosenblatt.data.errors import DataError, option
from rosenblatt.data.features import Features
from rosenblatt.data.labels import Labels, note_on_unlabelled
from rosenblatt.data.sparse import Matrix, Sparse


@dataclass(frozen=True, repr=False)
class Dataset:
    """Examples from a file: `X`, `labels` (or None) and how the columns became features.

    Examples
    --------
    >>> from rosenblatt import data
    >>> iris = data.read("@iris")
    >>> iris.X.shape, iris.labels.y[:2]
    ((150, 4), array(['setosa', 'setosa'], dtype='<U10'))
    """

    name: str
    X: Matrix
    labels: Labels | None
    features: Features
    fingerprint: str
    place: Callable[[int], str]  # the position of example i in the file, for messages
    notes: tuple[str, ...] = ()  # inferred settings, and what was left out
    n_bytes: int = 0

    @property
    def n_examples(self) -> int:
        return int(self.X.shape[0])

    def __repr__(self) -> str:
        classes = "no labels" if self.labels is None else f"{len(self.labels.classes)} classes"
        return f"<Dataset {self.name}: {self.n_examples:,} examples, {self.X.shape[1]:,} features, {classes}>"

    def scales_differ(self) -> bool:
        """Whether columns differ in size by more than three orders of magnitude."""
        sizes = self.X.magnitudes_in_use() if isinstance(self.X, Sparse) else abs(self.X).max(axis=0)
        sizes = sizes[sizes > 0]
        return bool(len(sizes) and sizes.max() > 1000 * sizes.min())

    def needs_labels(self) -> Labels:
        """The labels; an error if there are none."""
        if self.labels is None:
            raise DataError(f"{self.name} has no labels. Name the column that holds them ({option('target')}).")
        return self.labels

    def labelled(self) -> "Dataset":
        """The examples that have a label; a note gives the number of the others."""
        labels = self.needs_labels()
        rows = np.flatnonzero(labels.codes >= 0)
        if len(rows) == self.n_examples:
            return self
        if not len(rows):
            raise DataError(f"{self.name}: every label is missing. Name another target ({option('target')}).")
        return self.selected(rows, *note_on_unlabelled(self.n_examples - len(rows)))

    def selected(self, rows: NDArray[np.intp], *notes: str) -> "Dataset":
        """Some of the examples, with notes that say which."""
        place = self.place
        return replace(
            self,
            X=self.X.rows(rows) if isinstance(self.X, Sparse) else self.X[rows],
            labels=None if self.labels is None else Labels(self.labels.classes, self.labels.codes[rows]),
            place=lambda row: place(int(rows[row])),
            notes=(*self.notes, *notes),
        )


#: The kinds of training data, in messages.
KINDS = {"table": "a table with named columns", "svmlight": "svmlight data", "array": "an array"}


def refuse_kind(name: str, kind: str, like: Features) -> None:
    raise DataError(f"{name} is {kind}; the model was trained on {KINDS[like.kind]}. Give it the same kind of file.")
