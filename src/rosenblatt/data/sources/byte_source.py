"""A file or standard input that can be read several times from its beginning, in blocks."""

import io
import tempfile
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

import numpy as np

from rosenblatt.core import Xxh64
from rosenblatt.data.errors import DataError
from rosenblatt.data.sources.compression import Recoded, compression_of, damage_reported, encoding_of, open_decompressed
from rosenblatt.data.sources.file_bytes import LONGEST_LINE, TOO_LONG, display_name, named_errors, standard_input
from rosenblatt.whole_file import is_disk_full

_HEAD = 1 << 21
_BLOCK = 1 << 24


class ByteSource:
    """A byte stream that can be reopened; compressed files are decompressed, texts become UTF-8."""

    def __init__(self, source: str, encoding: str | None = None) -> None:
        self.name = display_name(source)
        self._path = None if source == "-" else Path(source)
        self._raw: BinaryIO | None = None
        self._copy: BinaryIO | None = None
        if self._path is None:
            self._copy = self._copied(standard_input())
        elif not self._path.is_file():  # a pipe, or not found
            with self._path.open("rb") as pipe:
                self._copy = self._copied(pipe)
        with named_errors(self.name), self._open_raw() as raw:
            self.n_bytes = raw.seek(0, io.SEEK_END)
            if not self.n_bytes:
                raise DataError(f"{self.name} is empty.")
            self._compression = compression_of(raw)
        self._encoding: str | None = None
        with self.open() as stream:
            start = stream.read(4)
        self._encoding = encoding_of(start, encoding, self.name)

    def set_encoding(self, encoding: str) -> None:
        """Reads the text in another encoding from now on."""
        self._encoding = encoding

    def _copied(self, stream: Any) -> BinaryIO:
        """Copies a stream that can be read only once to an unnamed temporary file."""
        copy = cast(BinaryIO, tempfile.TemporaryFile(prefix="rosenblatt-"))  # noqa: SIM115  # closed with this object
        weakref.finalize(self, copy.close)
        while True:
            with named_errors(self.name):
                block = stream.read(_BLOCK)
            if not block:
                break
            self._append(copy, block)
        return copy

    def _append(self, copy: BinaryIO, block: bytes) -> None:
        folder = tempfile.gettempdir()
        try:
            with named_errors(f"a temporary file in {folder}"):
                copy.write(block)
                copy.flush()
        except OSError as error:
            if not is_disk_full(error):
                raise
            raise DataError(
                f"the disk is full: {folder} has no room for a copy of {self.name}, which is needed to read it more "
                "than once. Nothing is left there. Free disk space, or name another folder (the environment variable "
                "TMPDIR)."
            ) from error

    def _open_raw(self) -> BinaryIO:
        if self._copy is not None:
            self._copy.flush()
            return open(self._copy.fileno(), "rb", closefd=False)
        if self._path is None:
            raise AssertionError("standard input is copied to a file")
        return self._path.open("rb")

    def open(self) -> "CheckedStream":
        """Opens the decompressed bytes from the beginning."""
        self._raw = self._open_raw()
        self._raw.seek(0)
        stream: IO[bytes] = self._raw
        if self._compression is not None:
            try:
                with damage_reported(self.name, self._compression):
                    stream = open_decompressed(self._raw, self._compression, self.name)
            except BaseException:
                self._raw.close()
                raise
        if self._encoding is not None:
            stream = io.BufferedReader(Recoded(stream, self._encoding, self.name))
        return CheckedStream(stream, self._raw, self.name, self._compression)

    def seekable(self) -> BinaryIO:
        """Opens the decompressed bytes with random access, which Parquet needs."""
        if self._compression is not None:
            with self.open() as stream:
                self._copy = self._copied(stream)
            self._compression = None
        return self._open_raw()

    @property
    def position(self) -> int:
        """The number of bytes read, out of `n_bytes`."""
        return 0 if self._raw is None or self._raw.closed else self._raw.tell()

    def head(self) -> bytes:
        """Returns the first 2 MB, up to the end of a line."""
        with self.open() as stream:
            start = stream.read(_HEAD)
        if not start:
            raise DataError(f"{self.name} is empty once decompressed.")
        return start if len(start) < _HEAD else start[: start.rfind(b"\n") + 1] or start

    def line_blocks(self) -> Iterator[bytes]:
        """Yields large blocks of whole lines."""
        with self.open() as stream:
            yield from line_blocks(stream)

    def fingerprint(self) -> str:
        with self.open() as stream:
            while stream.read(_BLOCK):
                pass
            return stream.fingerprint


class CheckedStream(io.RawIOBase):
    """A stream that reports damaged data as a `DataError` and computes the fingerprint of what was read."""

    def __init__(self, stream: Any, raw: BinaryIO, name: str, compression: str | None) -> None:
        self._stream, self._raw, self.name, self._compression = stream, raw, name, compression
        self._hash = Xxh64()
        self.so_far = (
            0,
            0,
        )  # bytes read: decompressed, and of the file; a pair, for parser threads

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        with named_errors(self.name), damage_reported(self.name, self._compression):
            content = self._stream.read(size)
        self._hash.add(np.frombuffer(content, np.uint8))
        self.so_far = (self.so_far[0] + len(content), self._raw.tell())
        return cast(bytes, content)

    def readinto(self, buffer: Any) -> int:
        content = self.read(len(buffer))
        buffer[: len(content)] = content
        return len(content)

    def close(self) -> None:
        self._stream.close()
        self._raw.close()
        super().close()

    @property
    def fingerprint(self) -> str:
        return f"xxh64:{self._hash.value:016x}"


def line_blocks(stream: CheckedStream) -> Iterator[bytes]:
    rest: list[bytes] = []
    while content := stream.read(_BLOCK):
        end = content.rfind(b"\n") + 1
        if end:
            yield b"".join([*rest, content[:end]])
            rest = []
        rest.append(content[end:])
        if sum(map(len, rest)) > LONGEST_LINE:
            raise DataError(f"{stream.name}: a line{TOO_LONG}")
    if any(rest):
        yield b"".join(rest)
