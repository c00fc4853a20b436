"""CSV and TSV texts as Arrow tables whose schema is fixed before the first row counts."""

import re
import shlex
from collections.abc import Collection, Sequence
from functools import cached_property
from typing import Any, NoReturn

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from rosenblatt.core import plain_table
from rosenblatt.data.bytes import Bytes, available_threads, named
from rosenblatt.data.columns import first_twice, is_number
from rosenblatt.data.errors import DataError, option
from rosenblatt.data.index_columns import is_unnamed
from rosenblatt.data.memory import check_matrix

#: What a table writes where it has no value.
MISSING = ("", "NA", "N/A", "NaN", "nan", "NULL", "null", "None", "?")

PlainTable = tuple[NDArray[np.float64], list[str], NDArray[np.int32]]

_BLOCK = 1 << 22
_SAMPLE = 1 << 20


#: What comes before the first line: byte order marks and empty lines.
_BEFORE_TEXT = re.compile(rb"(?:\xef\xbb\xbf|\r|\n)*+")
#: What quotes hold together is one line.
_FIRST_LINE = re.compile(rb'(?:[^"\r\n]++|"[^"]*+")*+(?:\r\n|\r|\n|\Z)')


class TextTable:
    """A CSV or TSV text: its columns, their types, and the line on which a row stands.

    The header is read here and nowhere else; the readers of the rows are told its names.
    """

    index: Collection[str] = ()
    for_model = False  # whether a model says what the columns are

    def __init__(self, source: str, found: Bytes, delimiter: str, has_header: bool) -> None:
        self._source = source
        self._bytes = found
        self._delimiter = delimiter
        self._has_header = has_header
        self._blank = self._until(_BEFORE_TEXT, 0)
        if self._blank == len(found):
            raise DataError(f"{named(source)} has no lines; a table has a header and rows.")
        first = self._until(_FIRST_LINE, self._blank)
        self._rows_begin = first if has_header else self._blank
        self.names: list[str] = []
        self.names = self._names(self._bytes[self._blank : first].tobytes())

    def read(self, numbers: Collection[str], texts: Collection[str], prose: Collection[str] = ()) -> pa.Table:
        """The columns named, as float64 or as text. A row that breaks this is refused with its line.

        Texts are coded by their different values, but for `prose`, whose values hardly ever repeat.
        """
        text = pa.dictionary(pa.int32(), pa.string())
        self._check_room(len({*numbers, *texts, *prose}))
        types = dict.fromkeys(numbers, pa.float64()) | dict.fromkeys(texts, text) | dict.fromkeys(prose, pa.string())
        return self._read(types, include=[name for name in self.names if name in types])

    def read_plain(self, numbers: Sequence[str], label: str | None) -> PlainTable | None:
        """The columns named as a matrix, and the texts and codes of the labels, where the text is plain enough.

        None where anything needs the general reader: quotes, missing values, fields that are no numbers, short rows.
        """
        wanted = set(numbers)
        if self._has_quotes or self._delimiter not in ",;\t|" or not wanted <= set(self.names):
            return None
        self._check_room(len(numbers))
        roles = "".join("n" if name in wanted else "l" if name == label else "-" for name in self.names)
        found = plain_table(self._body, delimiter=self._delimiter, roles=roles, threads=available_threads())
        if found is None:
            return None
        X, codes, labels = found
        try:
            texts = [text.decode() for text in labels]
        except UnicodeDecodeError:
            return None
        if not set(texts).isdisjoint(MISSING):
            return None
        place = {name: k for k, name in enumerate(name for name in self.names if name in wanted)}
        order = [place[name] for name in numbers]
        return (X if order == sorted(order) else np.ascontiguousarray(X[:, order])), texts, codes

    def guess(self) -> dict[str, bool]:
        """Whether each column is numeric, by the first megabyte. The target's own type is looked at later."""
        from pyarrow import csv

        try:
            with csv.open_csv(
                pa.BufferReader(pa.py_buffer(self._body)),
                read_options=self._read_options(use_threads=False, block_size=_SAMPLE),
                parse_options=self._parse_options(),
                convert_options=csv.ConvertOptions(null_values=MISSING, strings_can_be_null=True),
            ) as reader:
                schema = reader.schema
        except pa.ArrowInvalid as error:
            self._refuse(error)
        return {field.name: is_number(field.type) for field in schema}

    def place(self, row: int) -> str:
        """Where a row (from 0) stands."""
        return f"line {self._line_of(row + self._has_header)}"

    def _read(self, types: dict[str, pa.DataType], include: list[str]) -> pa.Table:
        from pyarrow import csv

        def attempt(use_threads: bool) -> pa.Table:
            return csv.read_csv(
                pa.BufferReader(pa.py_buffer(self._body)),
                read_options=self._read_options(use_threads=use_threads, block_size=_BLOCK),
                parse_options=self._parse_options(),
                convert_options=csv.ConvertOptions(
                    column_types=types, include_columns=include, null_values=MISSING, strings_can_be_null=True
                ),
            )

        try:
            return attempt(use_threads=True)
        except pa.ArrowInvalid:
            try:
                return attempt(use_threads=False)  # only one thread can say in which row it was
            except pa.ArrowInvalid as error:
                self._refuse(error)

    def _read_options(self, **how: Any) -> Any:
        from pyarrow import csv

        return csv.ReadOptions(column_names=self.names, encoding="utf8", **how)

    def _parse_options(self) -> Any:
        from pyarrow import csv

        # Looking for line ends inside quotes costs time: only where there are quotes.
        return csv.ParseOptions(delimiter=self._delimiter, newlines_in_values=self._has_quotes)

    @cached_property
    def _body(self) -> Bytes:
        """The rows."""
        return self._bytes[self._rows_begin :]

    @cached_property
    def _has_quotes(self) -> bool:
        """In the rows, that is: some writers quote every column's name."""
        blocks = range(0, len(self._body), _SAMPLE)
        return any(b'"' in self._body[k : k + _SAMPLE].tobytes() for k in blocks)

    def _check_room(self, columns: int) -> None:
        """Asks for the memory of so many columns; the first megabyte tells about how many rows there are."""
        sample = self._body[:_SAMPLE].tobytes()
        if len(sample) == _SAMPLE:
            check_matrix(sample.count(b"\n") * len(self._body) // _SAMPLE, columns, named(self._source))

    def _until(self, pattern: re.Pattern[bytes], start: int) -> int:
        """Where the match that begins at `start` ends. Most end in the first megabyte."""
        for size in (_SAMPLE, len(self._bytes)):
            match = pattern.match(self._bytes[start : start + size])
            end = match.end() if match else size  # a quote that is not closed
            if end < size:
                break
        return min(start + end, len(self._bytes))

    def _names(self, line: bytes) -> list[str]:
        from pyarrow import csv

        try:
            found = csv.read_csv(
                pa.BufferReader(line.decode("utf8").rstrip("\r\n").encode() + b"\n"),
                parse_options=csv.ParseOptions(delimiter=self._delimiter, newlines_in_values=True),
            )
        except (UnicodeDecodeError, pa.ArrowInvalid) as error:
            self._refuse(error)
        names = [name.strip("\ufeff") for name in found.column_names]
        name = named(self._source)
        if not self._has_header:
            return [f"column{k}" for k in range(1, len(names) + 1)]
        if all(_looks_numeric(n) for n in names) and names != [str(k) for k in range(len(names))]:
            raise DataError(
                f"{name}, line 1: every column name is a number, so the first line looks like data. "
                "Give the columns names, or say that there is no header (--no-header; in Python "
                "Wishes(has_header=False))."
            )
        twice = first_twice(name for name in names if not is_unnamed(name))
        if twice is not None:
            raise DataError(f"{name}, line 1: two columns are named {twice!r}. Rename one.")
        if len(names) == 1:
            other = next((c for c in ";\t|,:" if c != self._delimiter and c in names[0]), None)
            if other is not None:
                raise DataError(
                    f"{name}, line 1: no {self._delimiter!r} separates the columns, but {other!r} may. "
                    f"Name it ({option('delimiter', other)})."
                )
        return names

    def _of_width(self, expected: int, found: int) -> str:
        """How many columns there should be, and what to do about a line with another number of them."""
        if not self._has_header:
            return f"the first line has {expected}. Correct the line."
        sign = repr(self._delimiter)
        if found == expected - 1 and self.names and is_unnamed(self.names[-1]):
            return f"the header, which ends with {sign}, has {expected}. Remove the last {sign} of the header."
        if found == expected + 1:
            return (
                f"the header has {expected}. Correct the line; if every line ends with {sign}, "
                f"end the header with {sign} too."
            )
        return f"the header has {expected}. Correct the line."

    def _lines(self, count: int) -> list[tuple[int, bytes, int]]:
        """The first lines that are not blank: number, content, end. What quotes hold together is one line."""
        found: list[tuple[int, bytes, int]] = []
        start, size = self._blank, len(self._bytes)
        number = 1 + self._bytes[:start].tobytes().count(b"\n")
        block = self._bytes[:_SAMPLE].tobytes()
        while start < size and len(found) < count:
            if start + _SAMPLE > len(block) and len(block) < size:
                block = self._bytes.tobytes()
            end, quotes, lines = start, 0, 0
            while True:
                stop = block.find(b"\n", end)
                stop = len(block) if stop < 0 else stop
                quotes += block.count(b'"', end, stop)
                end, lines = stop + 1, lines + 1
                if quotes % 2 == 0 or end >= len(block):
                    break
            line = block[start : end - 1].rstrip(b"\r")
            if line:
                found.append((number, line, min(end, size)))
            start, number = end, number + lines
        return found

    def _line_of(self, record: int) -> int:
        lines = self._lines(record + 1)
        return lines[-1][0] if lines else 1

    def _refuse(self, error: Exception) -> NoReturn:
        name, message = named(self._source), str(error)
        row = re.search(r"Row #(\d+): ", message)
        place = f", line {self._line_of(int(row[1]) - 1 + self._has_header)}" if row else ""
        value = re.search(r"In CSV column #(\d+): .*invalid value '(.*)'", message, re.DOTALL)
        width = re.search(r"Expected (\d+) columns, got (\d+)", message)
        if value:
            column = self.names[int(value[1])]
            raise DataError(
                f"{name}{place}, column {column!r}: {value[2][:40]!r} is not a number, as the column's first rows are. "
                + (
                    "Correct it."
                    if self.for_model
                    else f"Correct it, or take the column as categories ({option('categorical', column)})."
                )
            )
        if width:
            raise DataError(f"{name}{place}: {width[2]} columns where {self._of_width(*map(int, width.groups()))}")
        if "utf8" in message.lower().replace("-", ""):
            encoding = "UTF-16" if self._bytes[:2].tobytes() in (b"\xff\xfe", b"\xfe\xff") else "LATIN1"
            convert = f"iconv -f {encoding} -t UTF-8 {shlex.quote(self._source)} > utf8.csv"
            raise DataError(f"{name}: the text is not UTF-8. Convert it first, if it is {encoding}: {convert}")
        if "Empty CSV" in message:
            raise DataError(f"{name} has a header but no rows." if self._has_header else f"{name} has no rows.")
        raise DataError(f"{name}: cannot be read as a table ({' '.join(message.split())[:200]}).")


def _looks_numeric(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
