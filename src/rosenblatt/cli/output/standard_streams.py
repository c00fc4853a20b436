"""Standard output and standard error: every byte is written or the write fails, for every pipe and encoding.

Python's own streams lose bytes without an error where they are unbuffered (`PYTHONUNBUFFERED`, `python -u`): a pipe
or a disk may take a part of what it is given, and the number of bytes written is not checked.
"""

import codecs
import errno
import io
import os
import select
import sys
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

#: Characters of our reports that many encodings lack, in ASCII.
_ASCII = str.maketrans({"│": "|", "→": ">", "·": ".", "–": "-", "…": "...", "×": "x", "±": "+/-", "²": "^2"})

_ERRORS = "rosenblatt.legible"


class WholeWriter(io.RawIOBase):
    """Writes all bytes to a file descriptor: it continues partial writes and waits for a full non-blocking pipe.

    Errors name the stream, since they may be reported long after the write.
    """

    def __init__(self, descriptor: int, name: str) -> None:
        self._descriptor = descriptor
        self.name = name

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._descriptor

    def isatty(self) -> bool:
        return self._descriptor >= 0 and os.isatty(self._descriptor)

    def write(self, content: "ReadableBuffer", /) -> int:
        rest = memoryview(content).cast("B")
        size = len(rest)
        try:
            while rest:
                try:
                    rest = rest[os.write(self._descriptor, rest) :]
                except BlockingIOError:
                    select.select([], [self._descriptor], [])
        except OSError as error:
            raise OSError(error.errno, error.strerror, self.name) from error
        return size


def make_whole() -> None:
    """Replaces `sys.stdout` and `sys.stderr` by streams that write all bytes, in the same encoding."""
    codecs.register_error(_ERRORS, _legible)
    # A stream is None if the shell closed it. Writing to standard output must then fail; notes may be lost.
    closed = io.TextIOWrapper(io.BufferedWriter(WholeWriter(-1, "standard output")), "utf-8")
    sys.stdout = closed if sys.stdout is None else _whole(sys.stdout, "standard output", False)
    sys.stderr = io.StringIO() if sys.stderr is None else _whole(sys.stderr, "standard error", True)


def is_utf8(stream: TextIO) -> bool:
    """Whether the stream can encode any text."""
    try:
        return codecs.lookup(stream.encoding or "").name == "utf-8"
    except LookupError:
        return False


def _whole(stream: TextIO, name: str, line_buffering: bool) -> TextIO:
    buffer = getattr(stream, "buffer", None)
    raw = getattr(buffer, "raw", buffer)
    if not isinstance(raw, io.FileIO):  # a Windows console, which is not a byte stream, or a test's stream
        return stream
    stream.flush()
    errors = stream.errors or "strict"
    return io.TextIOWrapper(
        io.BufferedWriter(WholeWriter(raw.fileno(), name)),
        stream.encoding,
        _ERRORS if errors == "strict" or (errors == "surrogateescape" and not is_utf8(stream)) else errors,
        line_buffering=line_buffering or raw.isatty(),
    )


def _legible(error: UnicodeError) -> tuple[str, int]:
    """Replaces a character that the encoding lacks by a similar one, or by its escape (`\\u03b3`)."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end].translate(_ASCII)
    return text.encode("ascii", "backslashreplace").decode("ascii"), error.end


def flush_failure() -> str | None:
    """Flushes standard output and returns the reason of a failure; empty if the reader closed the pipe (`| head`)."""
    try:
        sys.stdout.flush()
    except OSError as error:
        return "" if error.errno == errno.EPIPE else f"{error.filename or 'standard output'}: {error.strerror}."
    return None
