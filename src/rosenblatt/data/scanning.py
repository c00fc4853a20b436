"""Files of any size as batches of examples: a schema is fixed first, then the rows come block by block."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from rosenblatt.data.bytes import format_of_stream
from rosenblatt.data.errors import DataError
from rosenblatt.data.features import Features
from rosenblatt.data.sparse import Matrix, Sparse
from rosenblatt.data.streams import Source
from rosenblatt.data.wishes import Wishes

_DEFAULT = Wishes()


@dataclass(frozen=True)
class Block:
    """Some examples of a file, and their labels where it has them."""

    X: Matrix
    y: NDArray[Any] | None


class Scan:
    """A file's examples in batches: iterate for (X, y), as often as you like. Memory stays bounded.

    `features` says what the columns are. `position` of `n_bytes` have been read by the iteration under way;
    `fingerprint` is known when one has come to its end.

    Examples
    --------
    >>> from rosenblatt import data
    >>> iris = data.scan("@iris")
    >>> sum(len(y) for X, y in iris)
    150
    """

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

    def blocks(self) -> Iterator[Block]:
        """The examples as this package keeps them."""
        return (block for block in self._blocks() if block.X.shape[0])

    def growing_blocks(self) -> Iterator[Block]:
        """The same for one who needs the features only in the end: until then a block may be narrower than they are.

        So an svmlight text is read once. At the end `lifted` says how many entries, of those that came first, have an
        index that is too small by one.
        """
        return self.blocks()

    @property
    def lifted(self) -> int:
        return 0

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        """Arrays or CSR matrices of scipy's, with their labels."""
        for block in self.blocks():
            yield (block.X.to_scipy() if isinstance(block.X, Sparse) else block.X), block.y

    @property
    def position(self) -> int:
        return self._position()

    @property
    def fingerprint(self) -> str:
        return self._fingerprint()


def scan(source: str, wishes: Wishes = _DEFAULT, *, like: Features | None = None) -> Scan:
    """The examples of a file in batches, of a file of any size. `estimator.fit_stream(scan("big.csv"))` learns from it.

    Readable are the formats of `read`, but for `.npz`. Where the columns' words (categories) or the largest index
    (svmlight) must be known first, the file is read twice. With `like` (a model's features) it never is.

    >>> from rosenblatt import Perceptron
    >>> Perceptron(order="cyclic").fit_stream(scan("@and")).status_
    'separated'
    """
    if wishes.sql is not None:
        from rosenblatt.data.sql import scan_sql

        return scan_sql(source, wishes.sql, wishes, like)
    if source.startswith("@"):
        return _builtin(source, wishes, like)
    opened = Source(source)
    form = wishes.form or format_of_stream(source, opened.head())
    if form == "svmlight":
        from rosenblatt.data.scan_svmlight import scan_svmlight

        return scan_svmlight(opened, wishes, like)
    if form == "npy":
        from rosenblatt.data.scan_array import scan_array

        return scan_array(opened, like)
    if form == "npz":
        raise DataError(f"{opened.name}: .npz files are read whole. Save it as one .npy, or as Parquet, to stream it.")
    from rosenblatt.data.scan_table import open_streamed, scan_table

    return scan_table(open_streamed(opened, form, wishes), wishes, like)


def _builtin(source: str, wishes: Wishes, like: Features | None) -> Scan:
    from rosenblatt.data.reading import read

    loaded = read(source, wishes, like=like)
    labels = loaded.needs_labels()
    size = 8 * loaded.X.shape[0] * loaded.X.shape[1]

    def blocks() -> Iterator[Block]:
        yield Block(loaded.X, labels.y)

    return Scan(
        loaded.name,
        lambda: loaded.features,
        blocks,
        size,
        lambda: size,
        lambda: loaded.fingerprint,
        loaded.place,
        loaded.notes,
    )
