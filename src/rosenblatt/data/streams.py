"""A file, or standard input, that is read from its beginning as often as needed, without ever being in memory whole."""

import errno
import io
import tempfile
import weakref
import zlib
from collections.abc import Iterator
from lzma import LZMAError
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np

from rosenblatt.core import Xxh64
from rosenblatt.data.bytes import COMPRESSED, named, named_errors, standard_input
from rosenblatt.data.errors import DataError
from rosenblatt.data.memory import megabytes
from rosenblatt.data.unread import refuse_no_file

_HEAD = 1 << 21
_BLOCK = 1 << 24
_LONGEST_LINE = 1 << 28


class Source:
    """Bytes that can be opened again; gzip, bz2 and xz are unpacked on the way."""

    def __init__(self, source: str) -> None:
        self.name = named(source)
        self._path = None if source == "-" else Path(source)
        self._raw: BinaryIO | None = None
        self._kept: BinaryIO | None = None
        if self._path is not None:
            refuse_no_file(source)
        if self._path is None:
            self._kept = self._spooled(standard_input())
        elif not self._path.is_file():  # a pipe, or nothing
            with self._path.open("rb") as pipe:
                self._kept = self._spooled(pipe)
        with named_errors(self.name), self._opened_raw() as raw:
            self.n_bytes = raw.seek(0, io.SEEK_END)
            raw.seek(0)
            start = raw.read(8)
        if not self.n_bytes:
            raise DataError(f"{self.name} is empty.")
        self._packing = next((module for magic, module in COMPRESSED.items() if start.startswith(magic)), None)

    def _spooled(self, stream: Any) -> BinaryIO:
        """What can be read only once is kept in an unnamed file, for as long as this source lives."""
        kept = cast(BinaryIO, tempfile.TemporaryFile(prefix="rosenblatt-"))  # noqa: SIM115  # lives as long as this source
        weakref.finalize(self, kept.close)
        while True:
            with named_errors(self.name):
                block = stream.read(_BLOCK)
            if not block:
                break
            self._keep(kept, block)
        return kept

    def _keep(self, kept: BinaryIO, block: bytes) -> None:
        folder = tempfile.gettempdir()
        try:
            with named_errors(f"a temporary file in {folder}"):
                kept.write(block)
                kept.flush()
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
                raise
            raise DataError(
                f"the disk is full: {folder} has no room for a copy of {self.name}, which is needed to read it more "
                "than once. Nothing is left there. Make room, or name another folder (the environment variable TMPDIR)."
            ) from error

    def _opened_raw(self) -> BinaryIO:
        if self._kept is not None:
            self._kept.flush()
            return open(self._kept.fileno(), "rb", closefd=False)
        if self._path is None:
            raise AssertionError("standard input is kept")
        return self._path.open("rb")

    def open(self) -> "CheckedStream":
        """The unpacked bytes, from the beginning."""
        self._raw = self._opened_raw()
        self._raw.seek(0)
        if self._packing is None:
            return CheckedStream(self._raw, self._raw, self.name, "")
        from importlib import import_module

        opener = import_module(self._packing)
        return CheckedStream(opener.open(self._raw, "rb"), self._raw, self.name, self._packing)

    def seekable(self) -> BinaryIO:
        """The unpacked bytes where one can jump about, as Parquet needs it."""
        if self._packing is not None:
            with self.open() as stream:
                self._kept = self._spooled(stream)
            self._packing = None
        return self._opened_raw()

    @property
    def position(self) -> int:
        """How many of `n_bytes` have been read."""
        return 0 if self._raw is None or self._raw.closed else self._raw.tell()

    def head(self) -> bytes:
        """The first megabytes, up to the end of a line."""
        with self.open() as stream:
            start = stream.read(_HEAD)
        if not start:
            raise DataError(f"{self.name} is empty once decompressed.")
        return start if len(start) < _HEAD else start[: start.rfind(b"\n") + 1] or start

    def line_blocks(self) -> Iterator[bytes]:
        """The bytes in large blocks of whole lines."""
        with self.open() as stream:
            yield from _line_blocks(stream)

    def fingerprint(self) -> str:
        with self.open() as stream:
            while stream.read(_BLOCK):
                pass
            return stream.fingerprint


class CheckedStream(io.RawIOBase):
    """A stream that says in our words when it ends early, and knows the fingerprint of what was read."""

    def __init__(self, stream: Any, raw: BinaryIO, name: str, packing: str) -> None:
        self._stream, self._raw, self.name, self._packing = stream, raw, name, packing
        self._hash = Xxh64()
        self.so_far = (0, 0)  # bytes read: unpacked, and of the file; a pair, since a thread of a parser may be reading

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        try:
            content = self._stream.read(size)
        except (OSError, EOFError, zlib.error, LZMAError) as error:
            if not self._packing:
                with named_errors(self.name):
                    raise
            raise DataError(
                f"{self.name} is not whole: its {self._packing} data ends early or is damaged ({error})."
            ) from error
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


def _line_blocks(stream: CheckedStream) -> Iterator[bytes]:
    rest: list[bytes] = []
    while content := stream.read(_BLOCK):
        end = content.rfind(b"\n") + 1
        if end:
            yield b"".join([*rest, content[:end]])
            rest = []
        rest.append(content[end:])
        if sum(map(len, rest)) > _LONGEST_LINE:
            raise DataError(
                f"{stream.name}: a line is longer than {megabytes(_LONGEST_LINE)}, the longest that a stream holds. "
                "Is it a text with an example a line?"
            )
    if any(rest):
        yield b"".join(rest)
