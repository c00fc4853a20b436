"""The bytes of a file, of standard input or of a compressed file, and what format they are."""

import io
import mmap
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO

from rosenblatt.data.errors import DataError
from rosenblatt.data.memory import beyond, megabytes, room_for_bytes
from rosenblatt.data.unread import refuse_no_file, refuse_unread

Bytes = memoryview

FORMATS = ("csv", "tsv", "parquet", "arrow", "svmlight", "npy", "npz")

_SUFFIXES = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
    ".svm": "svmlight",
    ".svmlight": "svmlight",
    ".libsvm": "svmlight",
    ".npy": "npy",
    ".npz": "npz",
}
_MAGIC = {b"PAR1": "parquet", b"ARROW1": "arrow", b"\x93NUMPY": "npy", b"PK\x03\x04": "npz"}
_SVMLIGHT_LINE = re.compile(rb"\s*[-+]?[0-9.]+(e[-+]?\d+)?(\s+qid:\d+)?((\s+\d+:\S+)+|\s*)\s*(#.*)?$", re.IGNORECASE)
_BLOCK = 1 << 20
COMPRESSED = {b"\x1f\x8b": "gzip", b"BZh": "bz2", b"\xfd7zXZ\x00": "lzma"}


def read_bytes(source: str) -> Bytes:
    """All bytes of a file (mapped, not copied) or of standard input ("-"); gzip, bz2 and xz are decompressed."""
    with named_errors(source):
        found = _held(standard_input(), named(source), "has") if source == "-" else _from_file(source)
    if not len(found):
        raise DataError(f"{named(source)} is empty.")
    for magic, module in COMPRESSED.items():
        if found[: len(magic)].tobytes() == magic:
            return _decompressed(source, found, module)
    return found


def named(source: str) -> str:
    """A source as messages name it."""
    return "standard input" if source == "-" else source


@contextmanager
def named_errors(source: str) -> Iterator[None]:
    """Gives errors of the system the name of what was read: those of `read` have none."""
    try:
        yield
    except OSError as error:
        if error.errno is None or error.filename is not None:
            raise
        raise OSError(error.errno, error.strerror, named(source)) from error


def standard_input() -> BinaryIO:
    """The bytes of standard input, unless the shell closed it (`<&-`)."""
    if sys.stdin is None:
        raise DataError("standard input is closed. Name a file, or pipe the data into the command.")
    return sys.stdin.buffer


def _from_file(source: str) -> Bytes:
    refuse_no_file(source)
    with Path(source).open("rb") as file:
        try:
            return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        except (OSError, ValueError):  # a pipe, or empty
            return _held(file, source, "has")


def _held(stream: IO[bytes], name: str, verb: str) -> Bytes:
    """All that a stream gives, unless it is more than there is room for."""
    room = room_for_bytes()
    held = io.BytesIO()
    while block := stream.read(_BLOCK):
        if room is not None and held.tell() + len(block) > room:
            raise beyond(room, f"{name} {verb}")
        held.write(block)
    return memoryview(held.getvalue())


def _decompressed(source: str, found: Bytes, module: str) -> Bytes:
    import zlib
    from importlib import import_module
    from lzma import LZMAError

    try:
        with import_module(module).open(io.BytesIO(found)) as stream:
            plain = _held(stream, f"{named(source)} ({megabytes(len(found))})", "unpacks to")
    except (OSError, EOFError, zlib.error, LZMAError) as error:
        raise DataError(
            f"{named(source)} is not whole: its {module} data ends early or is damaged ({error})."
        ) from error
    if not len(plain):
        raise DataError(f"{named(source)} is empty once decompressed.")
    return plain


def format_of(source: str, found: Bytes) -> str:
    """The format: by the file's name, else by what its bytes look like."""
    return format_of_stream(source, found[: 1 << 16].tobytes())


def format_of_stream(source: str, head: bytes) -> str:
    """The same of a file of which only the beginning is at hand."""
    refuse_unread(source, head, named(source))
    return format_of_name(source) or format_of_text(head[: 1 << 16])


def format_of_name(source: str) -> str | None:
    """The format that a file's name says, compressed or not."""
    suffixes = [suffix.lower() for suffix in Path(source).suffixes if suffix.lower() not in (".gz", ".bz2", ".xz")]
    return _SUFFIXES.get(suffixes[-1]) if suffixes else None


def format_of_text(head: bytes) -> str:
    """The format that the beginning of a file looks like."""
    for magic, name in _MAGIC.items():
        if head.startswith(magic):
            return name
    for line in head.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        text = line.strip()
        if text and not text.startswith(b"#"):
            if _SVMLIGHT_LINE.match(text[:4096].rsplit(maxsplit=1)[0] if len(text) > 4096 else text):
                return "svmlight"
            return "tsv" if b"\t" in text and b"," not in text else "csv"
    return "csv"


def available_threads() -> int:
    """As many as this process may run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
