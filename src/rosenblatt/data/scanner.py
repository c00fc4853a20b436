"""Scans the examples of a file of any size in blocks; the schema is fixed first."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from rosenblatt.data.columns.interactions import refuse_interactions
from rosenblatt.data.features import Features
from rosenblatt.data.formats import detect_format, format_named
from rosenblatt.data.read_options import ReadOptions
from rosenblatt.data.sources.compression import inferred_encoding, note_on_encoding
from rosenblatt.data.sources.other_sources import OtherSource, file_or_other
from rosenblatt.data.sources.unsupported import refuse_unsupported
from rosenblatt.data.sparse import Matrix, Sparse

_DEFAULT = ReadOptions()
_HEAD = 1 << 16


@dataclass(frozen=True)
class Block:
    """Some examples of a file, and their labels if it has them."""

    X: Matrix
    y: NDArray[Any] | None


class Scan:
    """The examples of a file in batches, in bounded memory. Each iteration yields all pairs (X, y).

    `features` describes the columns. The current iteration has read `position` of `n_bytes` bytes; `fingerprint` is
    known after a complete iteration.

    Examples
    --------
    >>> from rosenblatt import data
    >>> iris = data.scan("@iris")
    >>> sum(len(y) for X, y in iris)
    150
    """

    #: The distinct labels, if they are known before the examples are read.
    labels: Collection[str] | None = None

    def __init__(
        self,
        name: str,
        features: Callable[[], Features],
        blocks: Callable[[], Iterator[Block]],
        n_bytes: int,
        position: Callable[[], int],
        fingerprint: Callable[[], str],
        place: Callable[[int], str],
        notes: tuple[str, ...] = (),
    ) -> None:
        self.name = name
        self.n_bytes = n_bytes
        self.place = place
        self._features: Features | None = None
        self._learn = features
        self._notes = notes
        self._blocks = blocks
        self._position = position
        self._fingerprint = fingerprint

    @property
    def features(self) -> Features:
        if self._features is None:
            self._features = self._learn()
        return self._features

    @property
    def notes(self) -> tuple[str, ...]:
        return self._notes

    def add_note(self, note: str) -> None:
        """Adds a note on how the source is read."""
        self._notes = (note, *self._notes)

    def blocks(self) -> Iterator[Block]:
        """Yields the examples as arrays or `Sparse` matrices."""
        return (block for block in self._blocks() if block.X.shape[0])

    def growing_blocks(self) -> Iterator[Block]:
        """Yields blocks that may be narrower than `features`, which is known only after the last block.

        An svmlight text is then read once instead of twice. After the last block, `lifted` is the number of leading
        entries whose index is too small by one.
        """
        return self.blocks()

    @property
    def lifted(self) -> int:
        return 0

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        """Yields arrays or SciPy CSR matrices, with their labels."""
        for block in self.blocks():
            yield (block.X.to_scipy() if isinstance(block.X, Sparse) else block.X), block.y

    @property
    def position(self) -> int:
        return self._position()

    @property
    def fingerprint(self) -> str:
        return self._fingerprint()


def scan(source: str, options: ReadOptions = _DEFAULT, *, like: Features | None = None) -> Scan:
    """Returns the examples of a file of any size in batches, for `estimator.fit_stream(scan("big.csv"))`.

    It takes the formats of `read` except `.npz`. Where the columns' words (categories) or the largest index
    (svmlight) must be known first, the file is read twice. With `like` (a model's features) it is read once.

    >>> from rosenblatt import Perceptron
    >>> Perceptron(order="cyclic").fit_stream(scan("@and")).status_
    'separated'
    """
    found = file_or_other(source, options)
    if isinstance(found, OtherSource):
        return found.scan(options, like)
    source = found
    from rosenblatt.data.sources.byte_source import ByteSource

    stream = ByteSource(source, options.encoding)
    encoding = None if options.encoding else inferred_encoding(stream.head())
    if encoding is not None:
        stream.set_encoding(encoding)
    head = stream.head()[:_HEAD]
    if options.form is None:
        refuse_unsupported(source, head, stream.name)
    form = options.form or detect_format(source, head)
    refuse_interactions(options.interactions, form, stream.name)
    scanned = format_named(form).scan(stream, form, options, like)
    if encoding is not None:
        scanned.add_note(note_on_encoding(encoding))
    return scanned
