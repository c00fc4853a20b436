"""The bytes of a file, of standard input or of a compressed file, and what format they are."""

import mmap
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from rosenblatt.data.errors import DataError

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
COMPRESSED = {b"\x1f\x8b": "gzip", b"BZh": "bz2", b"\xfd7zXZ\x00": "lzma"}


def read_bytes(source: str) -> Bytes:
    """All bytes of a file (mapped, not copied) or of standard input ("-"); gzip, bz2 and xz are decompressed."""
    with named_errors(source):
        found = memoryview(standard_input().read()) if source == "-" else _from_file(Path(source))
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


def _from_file(path: Path) -> Bytes:
    if path.is_dir():
        raise DataError(f"{path} is a folder; name a file in it.")
    with path.open("rb") as file:
        try:
            return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        except (OSError, ValueError):  # a pipe, or empty
            return memoryview(file.read())


def _decompressed(source: str, found: Bytes, module: str) -> Bytes:
    import zlib
    from importlib import import_module
    from lzma import LZMAError

    try:
        plain: bytes = import_module(module).decompress(found)
    except (OSError, EOFError, zlib.error, LZMAError, ValueError) as error:
        raise DataError(
            f"{named(source)} is not whole: its {module} data ends early or is damaged ({error})."
        ) from error
    if not plain:
        raise DataError(f"{named(source)} is empty once decompressed.")
    return memoryview(plain)


def format_of(source: str, found: Bytes) -> str:
    """The format: by the file's name, else by what its bytes look like."""
    return format_of_name(source) or format_of_text(found[: 1 << 16].tobytes())


def format_of_stream(source: str, head: bytes) -> str:
    """The same of a file of which only the beginning is at hand."""
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
