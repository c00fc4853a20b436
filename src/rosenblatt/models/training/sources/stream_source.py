"""A source for a file of any size. Its examples are copied to disk once, and every epoch reads the copy."""

import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from rosenblatt.data import DataError, Scan, Sparse
from rosenblatt.data.errors import option
from rosenblatt.data.features import Scale
from rosenblatt.data.sparse import Matrix
from rosenblatt.learning.examples import Examples
from rosenblatt.learning.labels.label_codes import LabelCodes
from rosenblatt.learning.rows.row_cache import RowCache, readable_size
from rosenblatt.learning.stall_check import SMALL
from rosenblatt.models.files.record import rows_of
from rosenblatt.models.training.plan import AlgorithmName, Plan
from rosenblatt.models.training.scaling import BLOCK, Moments, moments_of
from rosenblatt.models.training.sources.local_sources import LocalSet, rows_at
from rosenblatt.models.training.sources.source import Source, refuse_one_class
from rosenblatt.models.training.splits import Split

#: Rows of a file that are scored in one block.
_ROWS = 1 << 14


@dataclass(frozen=True)
class CachedSet(LocalSet):
    """Examples in a compact copy on disk. Only the rows being read are in memory."""

    cache: RowCache
    is_trial: bool = False  # then `scaled` writes a copy
    is_copy: bool = False

    fixed: ClassVar[Mapping[str, Any]] = {"order": "cyclic"}
    facts: ClassVar[Mapping[str, Any]] = {"streamed": True}

    def examples(self) -> Examples:
        cache = self.cache
        return Examples(cache, cache.rows, self.classes, self.codes, None, self.chosen, cache.release)

    def moments(self) -> Moments:
        return moments_of(self._chosen_blocks(), self.features)

    def trial(self, split: Split) -> "CachedSet":
        return replace(self.split(split), is_trial=True, is_copy=False)

    def scaled(self, scale: Scale) -> "CachedSet":
        cache = self.cache.copy() if self.is_trial else self.cache
        cache.scale(scale.centre, scale.width)
        return replace(self, cache=cache, is_copy=self.is_trial)

    def discard(self) -> None:
        if self.is_copy:
            self.cache.__exit__()

    def small(self) -> Examples | None:
        if self.cache.n_examples * self.cache.n_features > SMALL:
            return None
        X = self._block(0, self.cache.n_examples)
        return Examples(X, rows_of(X), self.classes, self.codes, None, self.chosen)

    @property
    def n_stored(self) -> int:
        return self.cache.n_entries

    def _row_blocks(self) -> Iterator[tuple[int, Matrix]]:
        for begin in range(0, self.n_examples, _ROWS):
            yield begin, self._block(begin, min(begin + _ROWS, self.n_examples))
            self.cache.release()

    def _block(self, begin: int, end: int) -> Matrix:
        if not self.cache.is_sparse:
            return np.asarray(self.cache.dense_block(begin, end), dtype=np.float64)
        values, indices, starts = self.cache.sparse_block(begin, end)
        return Sparse(np.asarray(values, dtype=np.float64), indices, starts, self.cache.n_features, checked=True)

    def _chosen_blocks(self) -> Iterator[Matrix]:
        """The chosen rows in blocks of the same size as for data in memory, so that the moments have the same bits."""
        n = self.n_examples if self.chosen is None else len(self.chosen)
        for first in range(0, n, BLOCK):
            last = min(first + BLOCK, n)
            if self.chosen is None:
                yield self._block(first, last)
            else:
                rows = self.chosen[first:last]
                begin = int(rows[0])
                yield rows_at(self._block(begin, int(rows[-1]) + 1), rows - begin)
            self.cache.release()


class CacheProgress(NamedTuple):
    """The progress of reading a source, and its use of the disk."""

    read: int  # bytes of the source read so far
    of: int  # bytes of the source; 0 if unknown
    examples: int
    written: int  # bytes on disk, including the block that is written next
    expected: int  # bytes on disk at the end; the same as `written` if the size of the source is unknown
    folder: Path


#: Algorithms that need all examples in memory, and the reason.
_NEEDS_MEMORY = {
    "VotedPerceptron": "keeps every example that was a mistake",
    "KernelPerceptron": "keeps every example that was a mistake",
    "compat.Perceptron": "is scikit-learn's, which takes arrays",
}


class StreamSource(Source):
    """A file of any size, read in file order in bounded memory. The run reads a copy on disk.

    `watch` is called before each block is written. If the disk has too little space for the expected size, an error is
    raised and the block is not written.

    Examples
    --------
    >>> from rosenblatt import data, models
    >>> source = models.StreamSource(data.scan("@and"))
    >>> models.train(source, models.Plan()).record.fitted["status_"]
    'separated'
    """

    def __init__(
        self,
        scan: Scan,
        *,
        cache_folder: str | Path | None = None,
        watch: Callable[[CacheProgress], None] | None = None,
    ) -> None:
        self._scan, self._cache_folder, self._watch = scan, cache_folder, watch

    def refuse(self, algorithm: AlgorithmName, plan: Plan) -> None:
        without = "Train without --stream, in memory."
        if algorithm in _NEEDS_MEMORY:
            raise DataError(f"--stream: {algorithm} {_NEEDS_MEMORY[algorithm]}. {without}")
        if plan.parameters.get("record"):
            raise DataError(f"--stream: record keeps the examples in memory. {without}")
        order = plan.parameters.get("order", "cyclic")
        if order != "cyclic":
            raise DataError(
                f"--stream reads in the order of the file; --order {order} would read at random places of the disk. "
                "Leave it out, and shuffle the file once if it is sorted by class."
            )

    @contextmanager
    def open(self, plan: Plan) -> Iterator[CachedSet]:
        scan = self._scan
        if scan.labels is not None:
            refuse_one_class(scan.name, scan.labels)
        with RowCache(self._cache_folder) as cache:
            labels = LabelCodes()
            for block in scan.growing_blocks():
                if block.y is None:
                    raise DataError(f"{scan.name} has no labels. Name the column that holds them ({option('target')}).")
                codes = labels.of(block.y)
                _check_finite(cache, block.X)
                self._check_disk(cache, block.X)
                if isinstance(block.X, Sparse):
                    cache.append_sparse(block.X.values, block.X.indices, block.X.starts, codes)
                else:
                    cache.append_dense(block.X, codes)
            if not cache.n_examples:
                raise DataError(f"{scan.name} has no examples.")
            classes, translation = labels.finish()
            cache.finish(scan.features.n_features, translation, scan.lifted)
            yield CachedSet(
                scan.name,
                scan.features,
                classes,
                cache.codes,
                scan.fingerprint,
                scan.notes,
                None,
                None,
                cache,
            )

    def _check_disk(self, cache: RowCache, X: Matrix) -> None:
        """Raises `DataError` if the disk has too little space for the whole source, estimated from the part read."""
        n = X.shape[0]
        row = 12 if isinstance(X, Sparse) else 4  # bytes of the row pointer and the label
        written = cache.n_bytes + (X.values.nbytes + X.indices.nbytes if isinstance(X, Sparse) else X.nbytes) + row * n
        read, total = self._scan.position, self._scan.n_bytes
        expected = max(written, int(written * total / read)) if read and total else written
        free = shutil.disk_usage(cache.folder).free
        if expected - cache.n_bytes > free:
            raise DataError(
                f"the examples need about {readable_size(expected)} in {cache.folder}, where {readable_size(free)} are "
                "free. Free disk space, or name another folder (--cache-folder)."
            )
        if self._watch is not None:
            self._watch(CacheProgress(read, total, cache.n_examples + n, written, expected, cache.folder))


def _check_finite(cache: RowCache, X: Matrix) -> None:
    place = rows_of(X).first_nonfinite()  # also checks the column indices
    if place is not None:
        raise DataError(f"example {cache.n_examples + place[0] + 1}: NaN or infinity. Remove or replace it.")
