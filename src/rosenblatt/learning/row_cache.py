"""Examples that need not fit in memory: a compact copy on disk, mapped, of which only what is being read is resident.

The files have no name: they vanish with the process, however it ends. A run over them is the run over the same arrays
in memory, bit for bit, since it is the same code over the same bytes.
"""

import errno
import mmap
import os
import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.core import Rows

_BLOCK = 1 << 20  # entries converted at a time
_NARROW = 2**31 - 1


def readable_size(n_bytes: int) -> str:
    """A size for people.

    >>> readable_size(312), readable_size(22_400_000)
    ('312 bytes', '22.4 MB')
    """
    for unit, name in ((10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if n_bytes >= unit:
            return f"{n_bytes / unit:,.1f} {name}"
    return f"{n_bytes} bytes"


class CacheError(OSError):
    """The examples could not be kept on disk; the message says where, how many bytes and what to do."""


class RowCache(AbstractContextManager["RowCache"]):
    """Rows and their codes, appended in batches and then read as one matrix.

    Dense batches make a dense matrix, sparse ones (`values`, `indices`, `starts`) a CSR matrix whose indices are 32-bit
    where that suffices. Every batch must have been checked: indices in range, row pointers in order, numbers finite.
    """

    def __init__(self, folder: str | Path | None = None) -> None:
        self.folder = Path(folder or tempfile.gettempdir())
        if not self.folder.is_dir():
            raise CacheError(f"there is no folder {self.folder} to keep the examples in. Make it first.")
        self.n_examples = 0
        self.n_entries = 0
        self.n_bytes = 0
        self._files: dict[str, IO[bytes]] = {}
        self._types: dict[str, np.dtype[Any]] = {}
        self._maps: list[mmap.mmap] = []
        self._arrays: dict[str, NDArray[Any]] = {}

    def __exit__(
        self,
        kind: type[BaseException] | None = None,
        value: BaseException | None = None,
        where: TracebackType | None = None,
    ) -> None:
        self._arrays.clear()
        for mapped in self._maps:
            with suppress(BufferError):  # an array that somebody still holds keeps its map, until it goes
                mapped.close()
        for file in self._files.values():
            with suppress(OSError):  # what could not be written is not missed
                file.close()

    def append_dense(self, X: NDArray[Any], codes: NDArray[np.int32]) -> None:
        """Adds rows of a dense matrix, of the type (float32 or float64) of the first."""
        self._write("values", X)
        self._count(len(X), X.size, codes)

    def append_sparse(
        self, values: NDArray[Any], indices: NDArray[Any], starts: NDArray[Any], codes: NDArray[np.int32]
    ) -> None:
        """Adds rows in compressed form; `starts` begins with 0."""
        if not self.n_examples:
            self._write("starts", np.zeros(1, np.int64))
        if indices.dtype.itemsize > self._types.get("indices", np.dtype(np.int32)).itemsize:
            self._convert("indices", np.dtype(np.int64))
        self._write("values", values)
        self._write("indices", indices.astype(self._types.get("indices", indices.dtype), copy=False))
        self._write("starts", starts[1:].astype(np.int64) + self.n_entries)
        self._count(len(starts) - 1, len(values), codes)

    def finish(self, n_features: int, translation: NDArray[np.int32], lifted: int = 0) -> None:
        """Ends the writing: `translation` gives the final code of each code that was appended.

        The columns of the first `lifted` entries are one more than they were said to be.
        """
        self.n_features = n_features
        left = lifted

        def lift(indices: NDArray[Any]) -> NDArray[Any]:
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
        """All rows, as the core reads them."""
        if "starts" not in self._arrays:
            return Rows.dense(self._arrays["values"].reshape(self.n_examples, self.n_features))
        values, indices, starts = (self._arrays[name] for name in ("values", "indices", "starts"))
        return Rows.csr(values, indices, starts, self.n_features, checked=True)

    @property
    def codes(self) -> NDArray[np.int32]:
        return self._arrays["codes"]

    def block(self, begin: int, end: int) -> Rows:
        """Some rows, one after the other."""
        if "starts" not in self._arrays:
            return Rows.dense(self._arrays["values"].reshape(self.n_examples, self.n_features)[begin:end])
        values, indices, starts = (self._arrays[name] for name in ("values", "indices", "starts"))
        first, last = int(starts[begin]), int(starts[end])
        return Rows.csr(
            values[first:last], indices[first:last], starts[begin : end + 1] - first, self.n_features, checked=True
        )

    def matrix(self, count: int | None = None) -> Any:
        """The first rows, or all, as an array or a CSR matrix of scipy's."""
        end = self.n_examples if count is None else min(count, self.n_examples)
        if "starts" not in self._arrays:
            return self._arrays["values"].reshape(self.n_examples, self.n_features)[:end]
        from scipy.sparse import csr_matrix

        values, indices, starts = (self._arrays[name] for name in ("values", "indices", "starts"))
        last = int(starts[end])
        return csr_matrix((values[:last], indices[:last], starts[: end + 1]), shape=(end, self.n_features))

    def to_scipy(self) -> Any:
        """All rows, for those who need them as one matrix."""
        return self.matrix()

    def release(self) -> None:
        """Lets go of the pages that were read: they stay in the system's cache, but no longer count as ours."""
        if hasattr(mmap, "MADV_DONTNEED"):
            for mapped in self._maps:
                mapped.madvise(mmap.MADV_DONTNEED)

    def _count(self, rows: int, entries: int, codes: NDArray[np.int32]) -> None:
        self._write("codes", np.ascontiguousarray(codes, dtype=np.int32))
        self.n_examples += rows
        self.n_entries += entries
        for file in self._files.values():
            self._guard(file.flush)

    def _write(self, name: str, array: NDArray[Any]) -> None:
        kind = self._types.setdefault(name, array.dtype)
        if array.dtype != kind:
            raise ValueError(f"a batch holds {array.dtype}, the first held {kind}. Give all batches one type.")
        if name not in self._files:
            self._files[name] = self._new()
        self._append(self._files[name], array)

    def _append(self, file: IO[bytes], array: NDArray[Any]) -> None:
        content = np.ascontiguousarray(array).ravel().view(np.uint8).data if array.size else b""
        self._guard(lambda: file.write(content))
        self.n_bytes += len(content)

    def _guard(self, write: Callable[[], object]) -> None:
        try:
            write()
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
                raise
            raise CacheError(
                f"the disk is full: {self.folder} took {readable_size(self.n_bytes)} of the examples and has room for "
                "no more. Nothing is left there. Make room, or name another folder (--cache-folder, cache_folder=)."
            ) from error

    def _new(self) -> IO[bytes]:
        return tempfile.TemporaryFile(dir=self.folder, prefix="rosenblatt-")

    def _convert(
        self, name: str, to: np.dtype[Any], change: Callable[[NDArray[Any]], NDArray[Any]] | None = None
    ) -> None:
        """Writes a file anew, in another type or with other values, a block at a time; in place, unless it grows."""
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
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._maps.append(mapped)
        self._arrays[name] = np.frombuffer(mapped, dtype=self._types[name])
