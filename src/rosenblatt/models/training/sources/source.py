"""Interfaces of the sources of examples that the trainer reads: memory, a file or a cluster."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from rosenblatt.data import DataError, Features
from rosenblatt.data.errors import option
from rosenblatt.data.features import Scale
from rosenblatt.learning.examples import Examples
from rosenblatt.learning.parameters import Algorithm, Parameters
from rosenblatt.models.training.plan import AlgorithmName, Plan
from rosenblatt.models.training.scaling import Moments
from rosenblatt.models.training.splits import Split

if TYPE_CHECKING:
    from rosenblatt.models.files.record import Record

Confusion = NDArray[np.int64]

#: The number of held-out examples whose scores are kept in memory.
MAX_SCORED = 100_000

#: Classes of fewer examples get a note, in tables of at least so many examples; so many of these classes are named.
_RARE_CLASS = 3
_SMALL_TABLE = 50
_SHOWN_CLASSES = 5


def evenly_spaced(positions: NDArray[Any], most: int) -> NDArray[Any]:
    """Every k-th of the positions, at most `most`.

    >>> evenly_spaced(np.arange(10), 4).tolist()
    [0, 3, 6, 9]
    """
    return positions[:: -(-len(positions) // most) or 1]


def notes_on_rare_classes(classes: Sequence[Any], counts: NDArray[np.int64]) -> tuple[str, ...]:
    """A note on classes of so few examples that they are hardly learned and not tested; none for a small table.

    >>> notes_on_rare_classes(["maybe", "no"], np.array([1, 80]))
    ("classes of fewer than 3 examples are hardly learned and tested: 'maybe' (correct the labels, or add examples)",)
    """
    rare = [label for label, count in zip(classes, counts.tolist(), strict=True) if count < _RARE_CLASS]
    if not rare or counts.sum() < _SMALL_TABLE:
        return ()
    more = f" and {len(rare) - _SHOWN_CLASSES:,} others" if len(rare) > _SHOWN_CLASSES else ""
    shown = ", ".join(repr(label) for label in rare[:_SHOWN_CLASSES])
    return (
        f"classes of fewer than {_RARE_CLASS} examples are hardly learned and tested: {shown}{more} (correct the "
        "labels, or add examples)",
    )


def refuse_one_class(name: str, classes: Collection[Any]) -> None:
    """Refuses labels that are all the same."""
    if len(classes) == 1:
        raise DataError(
            f"{name} has 1 class ({str(next(iter(classes)))[:40]!r}); a perceptron needs at least 2. "
            f"Choose another target ({option('target')})."
        )


@dataclass(frozen=True)
class ShardCounts:
    """Additional counts of a run over shards."""

    n_shards: int
    weighted_mistakes: float


class Fitted(Protocol):
    """The result of a fit on any source."""

    @property
    def parameters(self) -> Parameters: ...

    def attributes(self, algorithm: Algorithm | None = None) -> Mapping[str, Any]:
        """The fitted attributes, or those of another algorithm whose weights the run kept."""


@dataclass(frozen=True)
class Extent:
    """The minimum of y·score and the maximum of ‖x‖² over examples."""

    least: float
    radius2: float

    def merged(self, other: "Extent") -> "Extent":
        return Extent(min(self.least, other.least), max(self.radius2, other.radius2))


class TrainingSet(ABC):
    """Labelled examples that can be read repeatedly. Without a split, all of them are training examples."""

    name: str
    features: Features
    classes: NDArray[Any]
    fingerprint: str
    notes: tuple[str, ...]

    #: Parameters that the source sets, if the algorithm has them.
    fixed: ClassVar[Mapping[str, Any]] = {}
    #: Whether all examples are in the memory of this process, as the dual algorithms need them.
    is_in_memory: ClassVar[bool] = False
    #: Additional facts about the source for the model file.
    facts: ClassVar[Mapping[str, Any]] = {}

    @property
    @abstractmethod
    def counts(self) -> NDArray[np.int64]:
        """The number of training examples of each class."""

    @property
    @abstractmethod
    def n_examples(self) -> int:
        """The number of all examples, including those held out."""

    @property
    @abstractmethod
    def n_stored(self) -> int:
        """The number of stored values of all examples."""

    @property
    def n_training(self) -> int:
        return int(self.counts.sum())

    @property
    def n_values(self) -> int:
        """The approximate number of stored values of the training examples."""
        return round(self.n_stored * self.n_training / self.n_examples)

    @property
    @abstractmethod
    def held(self) -> NDArray[np.uint32] | None:
        """The positions of the examples held out, if they are in this process."""

    @abstractmethod
    def split(self, split: Split) -> "TrainingSet":
        """The same examples, with some of the training examples now held out."""

    def trial(self, split: Split) -> "TrainingSet":
        """The same split for a temporary fit: it writes no checkpoint, and `scaled` leaves these examples unchanged."""
        return self.split(split)

    @property
    def trial_threads(self) -> int:
        """The number of trials that can run at the same time."""
        return 1

    def trial_records(self, parameters: Parameters, epochs: Sequence[int]) -> "Iterator[Record]":
        """The models after each of these numbers of epochs, in ascending order. They have what predictions need."""
        from rosenblatt.models.files.record import Record

        for limit in epochs:
            fitted = self.fit(parameters.replaced(max_iter=limit)).attributes()
            yield Record(parameters.algorithm, parameters.values, fitted, self.features)

    def held_confusion(self, record: "Record") -> Confusion:
        """The confusion matrix of the examples held out."""
        return self.confusions(record)[1]

    def discard(self) -> None:  # noqa: B027  # most sources have none
        """Removes the temporary data of a trial."""

    @abstractmethod
    def moments(self) -> Moments:
        """The moments of the features over the training examples."""

    @abstractmethod
    def scaled(self, scale: Scale) -> "TrainingSet":
        """The same examples, scaled. The unscaled examples may be overwritten."""

    @abstractmethod
    def fit(self, parameters: Parameters) -> Fitted:
        """Runs the algorithm on the training examples."""

    @abstractmethod
    def confusions(self, record: "Record") -> tuple[Confusion, Confusion]:
        """The confusion matrices of the training examples and of the examples held out.

        If the set is scaled, the record must have features without a scale.
        """

    @abstractmethod
    def held_scores(self, record: "Record") -> tuple[NDArray[np.float64], NDArray[np.int32]]:
        """The scores and class codes of the examples held out; of about `MAX_SCORED` if there are more.

        If the set is scaled, the record must have features without a scale.
        """

    @abstractmethod
    def extent(self, record: "Record") -> Extent:
        """The extent of the training examples under the last weights of a linear model of two classes."""

    @abstractmethod
    def small(self) -> Examples | None:
        """The examples as one matrix in memory, if they are few enough to decide separability exactly; else None."""


class Source(ABC):
    """A source of labelled examples that are not read yet.

    Examples
    --------
    >>> from rosenblatt import data, models
    >>> isinstance(models.StreamSource(data.scan("@and")), models.Source)
    True
    """

    @abstractmethod
    def refuse(self, algorithm: AlgorithmName, plan: Plan) -> None:
        """Raises an error for a plan that this source does not support, before it reads any data."""

    @abstractmethod
    def open(self, plan: Plan) -> AbstractContextManager[TrainingSet]:
        """Reads the examples. Leaving the context removes temporary data."""
