"""A cache of examples on disk, for data that does not fit in memory: memory-mapped temporary files.

Only the pages being read are resident. The files have no name, so the system deletes them when the process ends, also
when it is killed. A run over the cache gives the same bits as a run in memory, because the core reads the same bytes.
"""

import mmap
import os
import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from types import TracebackType
from typing import IO, cast

import numpy as np
from numpy.typing import NDArray

from rosenblatt.core import Rows
from rosenblatt.learning.rows.array_types import CsrMatrix, Matrix
from rosenblatt.whole_file import is_disk_full

Floating = NDArray[np.floating]
Integers = NDArray[np.signedinteger]

_BLOCK = 1 << 20  # entries converted at a time
_NARROW = 2**31 - 1


def readable_size(n_bytes: int) -> str:
    """Formats a number of bytes.

    >>> readable_size(312), readable_size(22_400_000)
    ('312 bytes', '22.4 MB')
    """
    for unit, name in ((10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if n_bytes >= unit:
            return f"{n_bytes / unit:,.1f} {name}"
    return f"{n_bytes} bytes"


class CacheError(OSError):
    """The examples could not be written to disk. The message names the folder, the size and the remedy."""


class RowCache(AbstractContextManager["RowCache"]):
    """Rows and their label codes, appended in batches and then read as one matrix.

    Dense batches form a dense matrix. Sparse batches (`values`, `indices`, `starts`) form a CSR matrix with 32-bit
    indices if they are sufficient. The caller has checked every batch: indices in range, row pointers in order, numbers
    finite.
    """

    def __init__(self, folder: str | Path | None = None) -> None:
        self.folder = Path(folder or tempfile.gettempdir())
        if not self.folder.is_dir():
            raise CacheError(f"there is no folder {self.folder} for the cache of examples. Create it first.")
        self.n_examples = 0
        self.n_entries = 0
        self.n_bytes = 0
        self._files: dict[str, IO[bytes]] = {}
        self._types: dict[str, np.dtype[np.generic]] = {}
        self._maps: list[mmap.mmap] = []
        self._arrays: dict[str, NDArray[np.generic]] = {}

    def __exit__(
        self,
        kind: type[BaseException] | None = None,
        value: BaseException | None = None,
        where: TracebackType | None = None,
    ) -> None:
        self._arrays.clear()
        for mapped in self._maps:
            with suppress(BufferError):  # an array that is still referenced keeps its map open
                mapped.close()
        for file in self._files.values():
            with suppress(OSError):  # a failed write does not matter any more
                file.close()

    def append_dense(self, X: Floating, codes: NDArray[np.int32]) -> None:
        """Appends rows of a dense matrix; all batches must have the type (float32 or float64) of the first."""
        self._write("values", X)
        self._count(len(X), X.size, codes)

    def append_sparse(self, values: Floating, indices: Integers, starts: Integers, codes: NDArray[np.int32]) -> None:
        """Appends rows in CSR form; `starts[0]` is 0."""
        if not self.n_examples:
            self._write("starts", np.zeros(1, np.int64))
        if indices.dtype.itemsize > self._types.get("indices", np.dtype(np.int32)).itemsize:
            self._convert("indices", np.dtype(np.int64))
        self._write("values", values)
        self._write("indices", indices.astype(self._types.get("indices", indices.dtype), copy=False))
        self._write("starts", starts[1:].astype(np.int64) + self.n_entries)
        self._count(len(starts) - 1, len(values), codes)

    def finish(self, n_features: int, translation: NDArray[np.int32], lifted: int = 0) -> None:
        """Ends writing and maps the files. `translation` has the final code of each appended code.

        The column indices of the first `lifted` entries are increased by one (svmlight files whose first rows looked
        one-based).
        """
        self.n_features = n_features
        left = lifted

        def lift(indices: Integers) -> Integers:
            nonlocal left
            low = np.arange(len(indices)) < left
            left -= len(indices)
            return indices + low

        if lifted:
            self._convert("indices", self._types["indices"], lift)
        self._convert("codes", np.dtype(np.int32), lambda codes: translation[codes])
        if "starts" in self._files:
            narrow = self._types["indices"] == np.int32 and self.n_entries <= _NARROW and n_features <= _NARROW
            for name in ("indices", "starts"):
                self._convert(name, np.dtype(np.int32 if narrow else np.int64))
        for name in self._files:
            self._map(name)

    @property
    def rows(self) -> Rows:
        """All rows, in the form that the core reads."""
        if "starts" not in self._arrays:
            return Rows.dense(self._table())
        return Rows.csr(*self._csr(), self.n_features, checked=True)

    @property
    def codes(self) -> NDArray[np.int32]:
        return cast(NDArray[np.int32], self._arrays["codes"])

    @property
    def is_sparse(self) -> bool:
        return "starts" in self._arrays

    def dense_block(self, begin: int, end: int) -> Floating:
        """Some rows of a dense matrix, one after the other."""
        return self._table()[begin:end]

    def sparse_block(self, begin: int, end: int) -> tuple[Floating, Integers, Integers]:
        """Values, indices and starts of some rows, one after the other."""
        values, indices, starts = self._csr()
        first, last = int(starts[begin]), int(starts[end])
        return values[first:last], indices[first:last], starts[begin : end + 1] - first

    def scale(self, centre: NDArray[np.float64] | None, width: NDArray[np.float64]) -> None:
        """Replaces every value x of feature j by (x - centre[j]) / width[j], in place, a block at a time."""
        if self.is_sparse:
            values, indices, _ = self._csr()
            for begin in range(0, self.n_entries, _BLOCK):
                part = slice(begin, begin + _BLOCK)
                found = indices[part]
                values[part] = (values[part] if centre is None else values[part] - centre[found]) / width[found]
                self.release()
            return
        table = self._table()
        rows = max(1, _BLOCK // max(self.n_features, 1))
        for begin in range(0, self.n_examples, rows):
            X = table[begin : begin + rows]
            table[begin : begin + rows] = (X if centre is None else X - centre) / width
            self.release()

    def copy(self) -> "RowCache":
        """A cache with a copy of the values on disk; everything else is shared."""
        other = RowCache(self.folder)
        other.n_examples, other.n_entries, other.n_features = self.n_examples, self.n_entries, self.n_features
        values = self._arrays["values"]
        other._write("values", values[:0])
        for begin in range(0, len(values), _BLOCK):
            other._write("values", values[begin : begin + _BLOCK])
            self.release()
        other._map("values")
        other._arrays = {**self._arrays, **other._arrays}
        return other

    def matrix(self, count: int | None = None) -> Matrix:
        """The first `count` rows, or all, as an array or a scipy CSR matrix."""
        end = self.n_examples if count is None else min(count, self.n_examples)
        if "starts" not in self._arrays:
            return self._table()[:end]
        from scipy.sparse import csr_matrix

        values, indices, starts = self._csr()
        last = int(starts[end])
        found: CsrMatrix = csr_matrix((values[:last], indices[:last], starts[: end + 1]), shape=(end, self.n_features))
        return found

    def to_scipy(self) -> Matrix:
        """All rows as one matrix."""
        return self.matrix()

    def release(self) -> None:
        """Drops the pages that were read or written from this process's memory; the system still caches the file."""
        if hasattr(mmap, "MADV_DONTNEED"):
            for mapped in self._maps:
                mapped.madvise(mmap.MADV_DONTNEED)

    def _table(self) -> Floating:
        return cast(Floating, self._arrays["values"]).reshape(self.n_examples, self.n_features)

    def _csr(self) -> tuple[Floating, Integers, Integers]:
        values, indices, starts = (self._arrays[name] for name in ("values", "indices", "starts"))
        return cast(Floating, values), cast(Integers, indices), cast(Integers, starts)

    def _count(self, rows: int, entries: int, codes: NDArray[np.int32]) -> None:
        self._write("codes", np.ascontiguousarray(codes, dtype=np.int32))
        self.n_examples += rows
        self.n_entries += entries
        for file in self._files.values():
            self._guard(file.flush)

    def _write(self, name: str, array: NDArray[np.generic]) -> None:
        kind = self._types.setdefault(name, array.dtype)
        if array.dtype != kind:
            raise ValueError(f"a batch has type {array.dtype}, the first has {kind}. Give all batches one type.")
        if name not in self._files:
            self._files[name] = self._new()
        self._append(self._files[name], array)

    def _append(self, file: IO[bytes], array: NDArray[np.generic]) -> None:
        content = np.ascontiguousarray(array).ravel().view(np.uint8).data if array.size else b""
        self._guard(lambda: file.write(content))
        self.n_bytes += len(content)

    def _guard(self, write: Callable[[], object]) -> None:
        try:
            write()
        except OSError as error:
            if not is_disk_full(error):
                raise
            raise CacheError(
                f"the disk is full: {self.folder} has no room left after {readable_size(self.n_bytes)} of examples, "
                "which were deleted again. Free disk space, or use another folder (--cache-folder, cache_folder=)."
            ) from error

    def _new(self) -> IO[bytes]:
        return tempfile.TemporaryFile(dir=self.folder, prefix="rosenblatt-")

    def _convert(
        self, name: str, to: np.dtype[np.generic], change: Callable[[Integers], Integers] | None = None
    ) -> None:
        """Rewrites a file with another type or other values, block by block; in place unless it grows."""
        if name not in self._files or (self._types[name] == to and change is None):
            return
        old, kind = self._files[name], self._types[name]
        new = old if to.itemsize <= kind.itemsize else self._new()
        self._guard(old.flush)
        read = written = 0
        while True:
            old.seek(read)
            content = old.read(_BLOCK * kind.itemsize)
            if not content:
                break
            block = np.frombuffer(content, dtype=kind)
            new.seek(written)
            self._append(new, (change(block) if change else block).astype(to, copy=False))
            self._guard(new.flush)
            read += len(content)
            written += len(block) * to.itemsize
            self.n_bytes -= len(content)
        new.truncate(written)
        if new is not old:
            old.close()
        self._files[name], self._types[name] = new, to

    def _map(self, name: str) -> None:
        file = self._files[name]
        self._guard(file.flush)
        if os.fstat(file.fileno()).st_size == 0:
            self._arrays[name] = np.empty(0, self._types[name])
            return
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_WRITE if name == "values" else mmap.ACCESS_READ)
        self._maps.append(mapped)
        self._arrays[name] = np.frombuffer(mapped, dtype=self._types[name])
