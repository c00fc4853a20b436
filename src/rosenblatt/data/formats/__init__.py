"""The file formats, one module each, with its reader and its scanner.

To add a format, write a module with the two functions of `Format` and add a line to `_TABLE`.
"""

import re
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

from rosenblatt.data.errors import DataError

if TYPE_CHECKING:
    from rosenblatt.data.dataset import Dataset
    from rosenblatt.data.features import Features
    from rosenblatt.data.read_options import ReadOptions
    from rosenblatt.data.scanner import Scan
    from rosenblatt.data.sources.byte_source import ByteSource
    from rosenblatt.data.sources.file_bytes import Bytes


class Format(Protocol):
    """The interface of a format's module. `form` is the format's name, since a module may handle two formats."""

    def read(
        self, source: str, content: "Bytes", form: str, options: "ReadOptions", like: "Features | None"
    ) -> "Dataset":
        """Reads all examples of a file whose bytes are `content`; with `like`, by the columns of a model."""

    def scan(self, source: "ByteSource", form: str, options: "ReadOptions", like: "Features | None") -> "Scan":
        """Reads the same examples block by block."""


class _Entry(NamedTuple):
    module: str
    suffixes: tuple[str, ...]
    magic: bytes | None = None  # the first bytes of every file of this format


_TABLE = {
    "csv": _Entry("csv", (".csv",)),
    "tsv": _Entry("csv", (".tsv", ".tab")),
    "parquet": _Entry("arrow", (".parquet", ".pq"), b"PAR1"),
    "arrow": _Entry("arrow", (".arrow", ".feather", ".ipc"), b"ARROW1"),
    "svmlight": _Entry("svmlight", (".svm", ".svmlight", ".libsvm")),
    "npy": _Entry("npy", (".npy",), b"\x93NUMPY"),
    "npz": _Entry("npy", (".npz",)),
    "json": _Entry("json", (".json", ".jsonl", ".ndjson")),
    "excel": _Entry("excel", (".xlsx", ".xls", ".xlsm", ".xlsb", ".ods"), b"\xd0\xcf\x11\xe0"),
    "sqlite": _Entry("sql", (".sqlite", ".sqlite3"), b"SQLite format 3"),
    "duckdb": _Entry("sql", (".duckdb",)),
}

FORMATS = tuple(_TABLE)

#: The endings of names that tell a format.
SUFFIXES = tuple(suffix for entry in _TABLE.values() for suffix in entry.suffixes)

_COMPRESSED_SUFFIXES = (".gz", ".bz2", ".xz", ".zst", ".lz4", ".zip")
_SVMLIGHT_LINE = re.compile(rb"\s*[-+]?[0-9.]+(e[-+]?\d+)?(\s+qid:\d+)?((\s+\d+:\S+)+|\s*)\s*(#.*)?$", re.IGNORECASE)


def format_named(form: str) -> Format:
    """The module of a format. It is imported here, so that a command imports only the formats that it reads."""
    if form not in _TABLE:
        raise DataError(f"there is no format {form!r}; there are: {', '.join(FORMATS)}.")
    return cast(Format, import_module(f"rosenblatt.data.formats.{_TABLE[form].module}"))


def detect_format(source: str, head: bytes) -> str:
    """The format of a file: by its name, else by its first bytes."""
    return format_of_name(source) or _format_of_content(head)


def format_of_name(source: str) -> str | None:
    """The format that the name of a file tells, if any; a suffix of compression is skipped."""
    suffixes = [suffix.lower() for suffix in Path(source).suffixes if suffix.lower() not in _COMPRESSED_SUFFIXES]
    return next((form for form, entry in _TABLE.items() if suffixes and suffixes[-1] in entry.suffixes), None)


def _format_of_content(head: bytes) -> str:
    for form, entry in _TABLE.items():
        if entry.magic is not None and head.startswith(entry.magic):
            return form
    if head[8:12] == b"DUCK":
        return "duckdb"
    if head.startswith(b"PK\x03\x04"):  # a zip file that is not an archive of files
        return "npz" if b".npy" in head[:100] else "excel"
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(b'{"') or re.match(rb"\[\s*\{", start) or re.match(rb'\{\s*"', start):
        return "json"
    for line in head.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        text = line.strip()
        if text and not text.startswith(b"#"):
            if _SVMLIGHT_LINE.match(text[:4096].rsplit(maxsplit=1)[0] if len(text) > 4096 else text):
                return "svmlight"
            return "tsv" if b"\t" in text and b"," not in text else "csv"
    return "csv"
