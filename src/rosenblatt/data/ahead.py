"""Begins on an svmlight file as soon as the words of a command name it, before the command line itself is imported.

To import the command line and NumPy takes as long as to parse a hundred megabytes, and the core can do so meanwhile.
`begin` takes over what was begun here; what nobody takes is dropped, and every error waits for who asks for the file.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from rosenblatt.data.bytes import Bytes, available_threads, format_of_name, read_bytes
from rosenblatt.data.errors import DataError

if TYPE_CHECKING:
    from rosenblatt.core import SvmlightReading

#: Options that read the file in another way, or not all of it into memory.
_OTHERWISE = ("--format", "--sql", "--zero-based", "--one-based", "--stream", "--dask", "--workers", "-h", "--help")


class Begun(NamedTuple):
    """The bytes of a file, and their parsing."""

    found: Bytes
    reading: "SvmlightReading"


_begun: dict[str, Begun] = {}


def look_ahead(words: Sequence[str]) -> None:
    """Begins to parse FILE of `train FILE …`, if by its name it is svmlight as it stands there."""
    if len(words) < 2 or words[0] != "train" or any(word.startswith(_OTHERWISE) for word in words[2:]):
        return
    source = words[1]
    if source.endswith((".gz", ".bz2", ".xz")) or format_of_name(source) != "svmlight":
        return
    from rosenblatt.core import SvmlightReading  # which other commands may not need

    with suppress(OSError, DataError):
        found = read_bytes(source)
        _begun[source] = Begun(found, SvmlightReading(found, threads=available_threads(), hash=True))


def taken(source: str) -> Begun | None:
    """What was begun for this file; once."""
    return _begun.pop(source, None)
