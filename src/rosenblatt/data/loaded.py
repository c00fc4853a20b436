"""What reading gives."""

from collections.abc import Callable
from dataclasses import dataclass

from rosenblatt.data.errors import DataError, option
from rosenblatt.data.features import Features
from rosenblatt.data.labels import Labels
from rosenblatt.data.sparse import Matrix, Sparse


@dataclass(frozen=True, repr=False)
class Loaded:
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
    place: Callable[[int], str]  # where the file has example i
    notes: tuple[str, ...] = ()  # what was found out rather than told
    n_bytes: int = 0

    @property
    def n_examples(self) -> int:
        return int(self.X.shape[0])

    def __repr__(self) -> str:
        classes = "no labels" if self.labels is None else f"{len(self.labels.classes)} classes"
        return f"<Loaded {self.name}: {self.n_examples:,} examples, {self.X.shape[1]:,} features, {classes}>"

    def scales_differ(self) -> bool:
        """Whether columns differ in size by more than three orders of magnitude."""
        sizes = self.X.magnitudes_in_use() if isinstance(self.X, Sparse) else abs(self.X).max(axis=0)
        sizes = sizes[sizes > 0]
        return bool(len(sizes) and sizes.max() > 1000 * sizes.min())

    def needs_labels(self) -> Labels:
        """The labels, which must be there."""
        if self.labels is None:
            raise DataError(f"{self.name} has no labels. Name the column that holds them ({option('target')}).")
        return self.labels


#: What a model was trained on, as messages name it.
KINDS = {"table": "a table with named columns", "svmlight": "svmlight data", "array": "an array"}


def refuse_kind(name: str, kind: str, like: Features) -> None:
    raise DataError(f"{name} is {kind}; the model was trained on {KINDS[like.kind]}. Give it the same kind of file.")
