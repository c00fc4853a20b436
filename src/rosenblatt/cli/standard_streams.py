"""Standard output and standard error: every byte is written or the write fails, whatever the pipe and the encoding.

Python's own streams lose bytes without an error where they are unbuffered (`PYTHONUNBUFFERED`, `python -u`): a pipe
or a disk may take a part of what it is given, and nobody looks at how much it was.
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
    """A file descriptor that takes all bytes: partial writes are continued, and a full non-blocking pipe is awaited.

    An error names the stream, since it can be shown far from the write that it belongs to.
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
    """Replaces `sys.stdout` and `sys.stderr` by streams that write all they are given, in the same encoding."""
    codecs.register_error(_ERRORS, _legible)
    # The shell closed a stream that is None. What is written to standard output must fail then; notes may vanish.
    closed = io.TextIOWrapper(io.BufferedWriter(WholeWriter(-1, "standard output")), "utf-8")
    sys.stdout = closed if sys.stdout is None else _whole(sys.stdout, "standard output", False)
    sys.stderr = io.StringIO() if sys.stderr is None else _whole(sys.stderr, "standard error", True)


def is_utf8(stream: TextIO) -> bool:
    """Whether the stream can take any text."""
    try:
        return codecs.lookup(stream.encoding or "").name == "utf-8"
    except LookupError:
        return False


def _whole(stream: TextIO, name: str, line_buffering: bool) -> TextIO:
    buffer = getattr(stream, "buffer", None)
    raw = getattr(buffer, "raw", buffer)
    if not isinstance(raw, io.FileIO):  # a Windows console, which has no bytes; or a test's stream
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
    """Writes a character that the encoding lacks as a similar one, or by its number (`\\u03b3`)."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end].translate(_ASCII)
    return text.encode("ascii", "backslashreplace").decode("ascii"), error.end


def flush_failure() -> str | None:
    """Flushes standard output and says why that failed; an empty text for a reader that went away (`| head`)."""
    try:
        sys.stdout.flush()
    except OSError as error:
        return "" if error.errno == errno.EPIPE else f"{error.filename or 'standard output'}: {error.strerror}."
    return None
