"""All bytes of a file or of standard input, decompressed."""

import io
import mmap
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO

from rosenblatt.data.errors import DataError
from rosenblatt.data.memory import megabytes, room_for_bytes, too_large
from rosenblatt.data.sources.compression import (
    Recoded,
    compression_of,
    damage_reported,
    encoding_of,
    inferred_encoding,
    note_on_encoding,
    open_decompressed,
)

Bytes = memoryview

_BLOCK = 1 << 20

#: Bytes from which the encoding of a text is inferred.
_HEAD = 1 << 20

#: The longest line of a text that is read, in bytes.
LONGEST_LINE = 1 << 28


def read_bytes(source: str, encoding: str | None = None) -> Bytes:
    """Returns all bytes of a file (memory-mapped) or of standard input ("-"), decompressed; texts as UTF-8."""
    name = display_name(source)
    with named_errors(source):
        content = _read_all(standard_input(), name, "has") if source == "-" else _from_file(source)
    if not len(content):
        raise DataError(f"{name} is empty.")
    compression = compression_of(io.BytesIO(content)) if _may_be_compressed(content) else None
    if compression is not None:
        size = f"{name} ({megabytes(len(content))})"
        with damage_reported(name, compression), open_decompressed(io.BytesIO(content), compression, name) as stream:
            content = _read_all(stream, size, "unpacks to")
        if not len(content):
            raise DataError(f"{name} is empty once decompressed.")
    found = encoding_of(content[:4].tobytes(), encoding, name)
    return content if found is None else as_utf8(content, found, name)


def as_utf8(content: Bytes, encoding: str, name: str) -> Bytes:
    """Returns a text of another encoding as UTF-8."""
    with Recoded(io.BytesIO(content), encoding, name) as text:
        return _read_all(io.BufferedReader(text), name, "has")


def read_text_or_binary(source: str, encoding: str | None = None) -> tuple[Bytes, tuple[str, ...]]:
    """The same as `read_bytes`, but a text that is not UTF-8 is read as cp1252, with a note."""
    content = read_bytes(source, encoding)
    found = None if encoding else inferred_encoding(content[:_HEAD].tobytes())
    if found is None:
        return content, ()
    return as_utf8(content, found, display_name(source)), (note_on_encoding(found),)


def _may_be_compressed(content: Bytes) -> bool:
    return content[:1].tobytes() in (b"\x1f", b"B", b"\xfd", b"\x28", b"\x04", b"P")


def is_plain_file(source: str) -> bool:
    """Whether the source is a file on disk, neither compressed nor UTF-16 or UTF-32, so that grep can read it."""
    if source == "-" or not Path(source).is_file():
        return False
    with Path(source).open("rb") as file:
        return compression_of(file) is None and encoding_of(file.read(4), None, source) is None


def display_name(source: str) -> str:
    """The name of a source in messages."""
    return "standard input" if source == "-" else source


@contextmanager
def named_errors(source: str) -> Iterator[None]:
    """Adds the source's name to operating system errors that have no file name, such as those of `read`."""
    try:
        yield
    except OSError as error:
        if error.errno is None or error.filename is not None:
            raise
        raise OSError(error.errno, error.strerror, display_name(source)) from error


def standard_input() -> BinaryIO:
    """Returns standard input as a binary stream; refuses one that the shell closed (`<&-`)."""
    if sys.stdin is None:
        raise DataError("standard input is closed. Name a file, or pipe the data into the command.")
    return sys.stdin.buffer


def _from_file(source: str) -> Bytes:
    with Path(source).open("rb") as file:
        try:
            return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        except (OSError, ValueError):  # a pipe, or empty
            return _read_all(file, source, "has")


def _read_all(stream: IO[bytes], name: str, verb: str) -> Bytes:
    """Reads a stream to its end; refuses one that needs more than half of the available memory."""
    room = room_for_bytes()
    buffer = io.BytesIO()
    while block := stream.read(_BLOCK):
        if room is not None and buffer.tell() + len(block) > room:
            raise too_large(room, f"{name} {verb}")
        buffer.write(block)
    return memoryview(buffer.getvalue())


def refuse_long_line(content: Bytes, name: str) -> None:
    """Refuses a text that has a line longer than `LONGEST_LINE`. A text without one is read at a few places only."""
    start = 0
    while len(content) - start > LONGEST_LINE:
        stop = start + LONGEST_LINE
        while True:
            first = max(stop - _BLOCK, start)
            block = content[first:stop].tobytes()
            found = max(block.rfind(b"\n"), block.rfind(b"\r"))
            if found >= 0:
                break
            if first == start:
                number = 1 + sum(
                    content[k : min(k + _BLOCK, start)].tobytes().count(b"\n") for k in range(0, start, _BLOCK)
                )
                raise DataError(f"{name}, line {number}{TOO_LONG}")
            stop = first
        start = first + found + 1


#: The end of the message about a line that is longer than `LONGEST_LINE`.
TOO_LONG = (
    f" is longer than {megabytes(LONGEST_LINE)}, the longest that is read. Is it a text with one example per line?"
)


def available_threads() -> int:
    """The number of threads that this process may run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
