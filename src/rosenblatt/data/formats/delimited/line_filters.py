"""Changes to the lines of a text before it is parsed: repeated headers removed, runs of spaces replaced by tabs."""

import io
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rosenblatt.data.errors import DataError
from rosenblatt.data.sources.byte_source import CheckedStream
from rosenblatt.data.sources.file_bytes import LONGEST_LINE, TOO_LONG

_BLOCK = 1 << 22
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"

LineFilter = Callable[[bytes], bytes]


class FilteredLines(io.RawIOBase):
    """A stream whose lines are changed by a filter, which is called with blocks of complete lines."""

    def __init__(self, stream: "CheckedStream | FilteredLines", change: LineFilter) -> None:
        self._stream, self._change = stream, change
        self.name: str = stream.name
        self._rest = self._made = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._made:
            content = self._stream.read(_BLOCK) or b""
            text = self._rest + content
            end = max(text.rfind(b"\n"), text.rfind(b"\r")) + 1 if content else len(text)
            self._rest = text[end:]
            if len(self._rest) > LONGEST_LINE:
                raise DataError(f"{self.name}: a line{TOO_LONG}")
            self._made = self._change(text[:end])
            if not content and not self._made:
                return 0
        part, self._made = self._made[: len(buffer)], self._made[len(buffer) :]
        buffer[: len(part)] = part
        return len(part)

    def close(self) -> None:
        self._stream.close()
        super().close()


def without_header(text: bytes, header: bytes) -> tuple[bytes, int]:
    r"""The text, which begins with a line, without the lines that are equal to the header, and the number of these.

    A byte order mark before such a line is removed as well: files that were joined may have both.

    >>> without_header(b"1,2\na,b\n3,4\na,bc\n", b"a,b")
    (b'1,2\n3,4\na,bc\n', 1)
    """
    kept, begin, removed = [], 0, 0
    found = text.find(header)
    while found >= 0:
        end = found + len(header)
        marked = found - len(_BYTE_ORDER_MARK)
        start = marked if marked >= 0 and text[marked:found] == _BYTE_ORDER_MARK else found
        if (not start or text[start - 1 : start] in b"\r\n") and (end == len(text) or text[end : end + 1] in b"\r\n"):
            kept.append(text[begin:start])
            begin = end + (text[end : end + 2] == b"\r\n") + (end < len(text))
            removed += 1
        found = text.find(header, end)
    return (b"".join([*kept, text[begin:]]), removed) if removed else (text, 0)


@dataclass(frozen=True)
class SpaceSeparated:
    """A table whose columns are separated by runs of at least `least` spaces.

    The header may lack the name of the first column, as in tables that R and pandas print with row names.
    """

    least: int
    names_rows: bool

    def with_tabs(self, text: bytes) -> bytes:
        r"""The same lines with tabs between the columns; spaces in quotes stay.

        >>> SpaceSeparated(1, False).with_tabs(b'  a   b \n"x  y" 2\n')
        b'a\tb\n"x  y"\t2\n'
        """
        text = re.sub(rb"(?m)^ +| +(?=\r?$)", b"", text)
        if b'"' not in text:
            return re.sub(b" {%d,}" % self.least, b"\t", text)
        return re.sub(b'("[^"\n]*")| {%d,}' % self.least, lambda match: match[1] or b"\t", text)


def space_separated(lines: list[bytes]) -> SpaceSeparated | None:
    """Whether the columns of these lines, the first of which is the header, are separated by runs of spaces.

    Single spaces separate columns, too, unless the lines then differ in their number of columns.

    >>> space_separated([b"size   kind", b"1.5    cat", b"12.5   dog"])
    SpaceSeparated(least=1, names_rows=False)
    >>> space_separated([b"body size  kind", b"1.5        cat"]).least
    2
    """
    if len(lines) < 2:
        return None
    for least in (1, 2):
        for names_rows in (False, True):
            table = SpaceSeparated(least, names_rows)
            widths = [table.with_tabs(line).count(b"\t") + 1 for line in lines]
            widths[0] += names_rows
            if widths[0] > 1 and len(set(widths)) == 1:
                return table
    return None
