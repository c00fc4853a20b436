"""A CSV or TSV text in memory: its columns, their types and its rows."""

import re
import shlex
from collections.abc import Collection, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pyarrow as pa

from rosenblatt.core import plain_table
from rosenblatt.data.columns.arrow_values import coded, is_number
from rosenblatt.data.columns.index_columns import is_unnamed
from rosenblatt.data.columns.infer import are_codes, are_compact_dates
from rosenblatt.data.columns.missing import MISSING
from rosenblatt.data.errors import DataError, option
from rosenblatt.data.features import Features
from rosenblatt.data.formats.delimited.csv_header import (
    first_lines,
    looks_numeric,
    other_delimiter,
    read_header,
    refuse_encoding,
)
from rosenblatt.data.formats.delimited.line_filters import SpaceSeparated, space_separated, without_header
from rosenblatt.data.formats.tables.table_reader import PlainTable
from rosenblatt.data.formats.tables.table_schema import NotANumberError, TableDefaults
from rosenblatt.data.memory import check_matrix, megabytes
from rosenblatt.data.read_options import ReadOptions
from rosenblatt.data.sources.file_bytes import (
    Bytes,
    available_threads,
    display_name,
    is_plain_file,
    refuse_long_line,
)

_BLOCK = 1 << 22

#: Bytes at the beginning of a text from which the schema is inferred.
SAMPLE = 1 << 20

#: A code with a leading zero, such as a postal code, a hexadecimal number or a date of eight digits: Arrow would read
#: them as whole numbers. Numbers and dates that have such digits after a sign are not matched.
_CODE = re.compile(rb"(?<![\d.:/-])(?:0(?:\d{3}|[xX][0-9a-fA-F])|(?:19|20)\d{6}(?!\d))")


class TextTable(TableDefaults):
    """A CSV or TSV text: its columns, their types, and the line of each row.

    Only `read_header` reads the header; the row readers get the names from it.
    """

    def __init__(self, source: str, content: Bytes, form: str, options: ReadOptions, like: Features | None) -> None:
        self._source = source
        refuse_long_line(content, display_name(source))
        delimiter, notes = options.delimiter, []
        self._spaces = _space_separated(content, delimiter)
        if self._spaces is not None:
            notes += [] if delimiter else ["the columns are separated by runs of spaces (--delimiter overrides this)"]
            content, delimiter = memoryview(self._spaces.with_tabs(content.tobytes())), "\t"
        self._bytes = content
        has_header, keep_below = _has_header(options.has_header, like), options.has_header is not None
        names_rows = self._spaces is not None and self._spaces.names_rows
        header = read_header(
            display_name(source), content, form, delimiter, has_header, keep_below=keep_below, names_rows=names_rows
        )
        self.names = header.names
        self.notes: Sequence[str] = (*notes, *header.notes)
        self._delimiter, self._has_header = header.delimiter, header.has_header
        self._blank, self._header_end, self._rows_begin = header.blank, header.end, header.rows_begin
        self._lines_above = header.has_header + header.below
        self._rows = content[self._rows_begin :]
        # A line that is equal to a header of numbers may be a row.
        is_unique = self._has_header and len(self.names) > 1 and not all(map(looks_numeric, header.names))
        self._header = content[self._blank : self._header_end].tobytes().rstrip(b"\r\n") if is_unique else b""
        self._decimal = options.decimal
        self.prefer_comma = header.delimiter == ";"

    def read(self, numbers: Collection[str], texts: Collection[str], prose: Collection[str] = ()) -> pa.Table:
        """The named columns, as float64 or as text. An invalid row is refused with its line.

        Text columns are dictionary-encoded, except those in `prose`, whose values hardly ever repeat.
        """
        text = pa.dictionary(pa.int32(), pa.string())
        self._check_room(len({*numbers, *texts, *prose}))
        types = dict.fromkeys(numbers, pa.float64()) | dict.fromkeys(texts, text) | dict.fromkeys(prose, pa.string())
        return self._read(types, include=[name for name in self.names if name in types])

    def read_plain(self, numbers: Sequence[str], label: str | None) -> PlainTable | None:
        """The named columns as a matrix, and the texts and codes of the labels, if the file is simple enough.

        None if the general reader is needed: quotes, missing values, fields that are not numbers, short rows.
        """
        wanted = set(numbers)
        if self._delimiter not in ",;\t|" or not wanted <= set(self.names):
            return None
        self._check_room(len(numbers))
        roles = "".join("n" if name in wanted else "l" if name == label else "-" for name in self.names)
        # A line that repeats the header is a row of numbers only if all its names are numbers.
        rows = self._body if all(map(looks_numeric, numbers)) else self._rows
        found = plain_table(rows, delimiter=self._delimiter, roles=roles, threads=available_threads())
        if found is None:
            return None
        X, codes, labels = found
        try:
            texts = [text.decode() for text in labels]
        except UnicodeDecodeError:
            return None
        if not {text.strip() for text in texts}.isdisjoint(MISSING):
            return None
        place = {name: k for k, name in enumerate(name for name in self.names if name in wanted)}
        order = [place[name] for name in numbers]
        return (X if order == sorted(order) else np.ascontiguousarray(X[:, order])), texts, codes

    def sample(self) -> pa.Table:
        """The complete rows in the first megabyte: numbers as numbers, all other types as text."""
        body = self._rows[:SAMPLE].tobytes()
        if len(self._rows) > SAMPLE:
            body = body[: _end_of_records(body)] or self._rows.tobytes()
        if self._header:
            body, _ = without_header(body, self._header)
        inferred = {} if self._decimal != "," else dict.fromkeys(self.names, pa.string())
        table = self._parsed(body, inferred, self.names)
        texts = [field.name for field in table.schema if not is_number(field.type) and field.type != pa.string()]
        if _CODE.search(body):
            whole = [field.name for field in table.schema if pa.types.is_integer(field.type)]
            written = self._parsed(body, dict.fromkeys(whole, pa.string()), whole) if whole else table
            texts += [name for name in whole if _has_codes(set(coded(written.column(name))[0]))]
        if not texts:
            return table
        again = self._parsed(body, dict.fromkeys(texts, pa.string()), texts)
        return pa.table({name: (again if name in set(texts) else table).column(name) for name in self.names})

    def _parsed(self, body: bytes, types: dict[str, pa.DataType], include: Sequence[str]) -> pa.Table:
        from pyarrow import csv

        try:
            return csv.read_csv(
                pa.BufferReader(pa.py_buffer(body)),
                read_options=self._arrow_read_options(use_threads=False, block_size=2 * SAMPLE + len(body)),
                parse_options=self._parse_options(b'"' in body),
                convert_options=self._convert_options(types, include),
            )
        except pa.ArrowInvalid as error:
            self._refuse(error)

    def _convert_options(self, types: dict[str, pa.DataType], include: Sequence[str]) -> Any:
        from pyarrow import csv

        return csv.ConvertOptions(
            column_types=types, include_columns=list(include), null_values=MISSING, strings_can_be_null=True
        )

    def place(self, row: int) -> str:
        """The position of a row (from 0) in the file, for messages."""
        return f"line {self._line_of(row + self._lines_above)}"

    def _read(self, types: dict[str, pa.DataType], include: list[str]) -> pa.Table:
        from pyarrow import csv

        def attempt(use_threads: bool) -> pa.Table:
            return csv.read_csv(
                pa.BufferReader(pa.py_buffer(self._body)),
                read_options=self._arrow_read_options(use_threads=use_threads, block_size=_BLOCK),
                parse_options=self._parse_options(self._has_quotes),
                convert_options=self._convert_options(types, include),
            )

        try:
            return attempt(use_threads=True)
        except pa.ArrowInvalid:
            try:
                return attempt(use_threads=False)  # only the single-threaded reader reports the row of an error
            except pa.ArrowInvalid as error:
                self._refuse(error)

    def _arrow_read_options(self, **how: Any) -> Any:
        from pyarrow import csv

        return csv.ReadOptions(column_names=self.names, encoding="utf8", **how)

    def _parse_options(self, has_quotes: bool) -> Any:
        from pyarrow import csv

        # The check for line breaks inside quotes is slow, so it is on only if there are quotes.
        return csv.ParseOptions(delimiter=self._delimiter, newlines_in_values=has_quotes)

    @cached_property
    def _body(self) -> Bytes:
        """The bytes of the rows without the lines that repeat the header."""
        rows, size = self._rows, len(self._header)
        blocks = range(0, len(rows), SAMPLE) if size else ()
        if not any(self._header in rows[k : k + SAMPLE + size].tobytes() for k in blocks):
            return rows
        text, self.dropped_lines = without_header(rows.tobytes(), self._header)
        return memoryview(text)

    def _repeats_header(self, line: bytes) -> bool:
        return bool(self._header) and line.removeprefix(b"\xef\xbb\xbf") == self._header

    @cached_property
    def _has_quotes(self) -> bool:
        """Whether the rows have quotes. The header does not count: some writers quote every column's name."""
        blocks = range(0, len(self._body), SAMPLE)
        return any(b'"' in self._body[k : k + SAMPLE].tobytes() for k in blocks)

    def _check_room(self, columns: int) -> None:
        """Checks the memory for `columns` columns; the number of rows is estimated from the first megabyte."""
        sample = self._rows[:SAMPLE].tobytes()
        if len(sample) == SAMPLE:
            check_matrix(sample.count(b"\n") * len(self._rows) // SAMPLE, columns, display_name(self._source))

    def _of_width(self, expected: int, found: int) -> str:
        """The expected number of columns, and the remedy for a line with another number of them."""
        if not self._has_header:
            return f"the first line has {expected}. Correct the line."
        sign = repr(self._delimiter)
        header = self._bytes[self._blank : self._header_end].tobytes().decode(errors="replace")
        if found == 1 and other_delimiter(header, self._delimiter):
            remedy = option("delimiter", other_delimiter(header, self._delimiter))
            return f"the header has {expected}. Correct the line, or name what separates the columns ({remedy})."
        if found == expected - 1 and self.names and is_unnamed(self.names[-1]):
            return f"the header, which ends with {sign}, has {expected}. Remove the last {sign} of the header."
        if found == expected + 1:
            return (
                f"the header has {expected}. Correct the line; if every line ends with {sign}, "
                f"end the header with {sign} too."
            )
        return f"the header has {expected}. Correct the line."

    def _remedy_for_line(self, record: int) -> str:
        """The remedy for a comment between rows, or for quotes that are escaped by a backslash; else nothing."""
        lines = self._lines(record + 1)
        line = lines[-1][1] if len(lines) == record + 1 else b""
        if line.startswith(b"#"):
            remedy = "It is a comment. Remove the lines that begin with #"
            clean = f"clean{Path(self._source).suffix}"
            if not is_plain_file(self._source) or Path(self._source).name == clean or lines[0][1].startswith(b"#"):
                return f"{remedy}."
            return f"{remedy} (grep -v '^#' {shlex.quote(self._source)} > {shlex.quote(clean)})."
        if b'\\"' in line:
            return 'It has the quotes \\", which are not read. Write them twice, as "".'
        return ""

    def _lines(self, count: int) -> list[tuple[int, bytes, int]]:
        """The first lines that are not blank: number, content, end. Line breaks within quotes do not end a line."""
        found: list[tuple[int, bytes, int]] = []
        start, size = self._blank, len(self._bytes)
        number = 1 + self._bytes[:start].tobytes().count(b"\n")
        block = self._bytes[:SAMPLE].tobytes()
        while start < size and len(found) < count:
            if start + SAMPLE > len(block) and len(block) < size:
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
            if line and not (found and self._repeats_header(line)):
                found.append((number, line, min(end, size)))
            start, number = end, number + lines
        return found

    def _line_of(self, record: int) -> int:
        lines = self._lines(record + 1)
        return lines[-1][0] if lines else 1

    def _is_last(self, row: int) -> bool:
        """Whether a row is the last one, and its line does not end."""
        record = row + self._lines_above + 2
        return not self._bytes[-1:].tobytes().endswith(b"\n") and len(self._lines(record)) < record

    def _refuse(self, error: Exception) -> NoReturn:
        name, message = display_name(self._source), str(error)
        row = re.search(r"Row #(\d+): ", message)
        place = f", line {self._line_of(int(row[1]) - 1 + self._lines_above)}" if row else ""
        value = re.search(r"In CSV column #(\d+): .*invalid value '(.*)'", message, re.DOTALL)
        width = re.search(r"Expected (\d+) columns, got (\d+)", message)
        if value:
            column = self.names[int(value[1])]
            problem = f"{value[2][:40]!r} is not a number. Correct it."
            raise NotANumberError(f"{name}{place}, column {column!r}: {problem}", column)
        if width:
            cut = " It is the last line: is the file whole?" if row and self._is_last(int(row[1]) - 1) else ""
            expected, found = map(int, width.groups())
            remedy = self._remedy_for_line(int(row[1]) - 1 + self._lines_above) if row else ""
            header = f"the header has {expected}. {remedy}" if remedy else self._of_width(expected, found)
            raise DataError(f"{name}{place}: {found} columns where {header}{cut}")
        if "utf8" in message.lower().replace("-", ""):
            refuse_encoding(name, self._bytes[:2].tobytes(), error)
        if "straddling object" in message:
            raise DataError(
                f"{name}: a line is longer than {megabytes(_BLOCK)}, the longest of a table with words or gaps. "
                "Is it a text with one example per line?"
            )
        if "Empty CSV" in message:
            raise DataError(f"{name} has a header but no rows." if self._has_header else f"{name} has no rows.")
        raise DataError(f"{name}: cannot be read as a table ({' '.join(message.split())[:200]}).")


def _has_codes(texts: Collection[str]) -> bool:
    return are_codes(texts) or are_compact_dates(texts) or any(text[1:2] in ("x", "X") for text in texts)


def _has_header(asked: bool | None, like: Features | None) -> bool | None:
    """Whether there is a header. A model whose columns are column1, column2, … was trained on a file without one."""
    if asked is None and like is not None and like.kind == "table":
        return not all(re.fullmatch(r"column\d+", column.name) for column in like.columns)
    return asked


def _space_separated(content: Bytes, delimiter: str | None) -> SpaceSeparated | None:
    """How runs of spaces separate the columns, if the delimiter is a space, or if there is none in the first line."""
    if delimiter not in (None, " "):
        return None
    lines = first_lines(content)
    if delimiter is None and (not lines or other_delimiter(lines[0].decode(errors="replace"), "")):
        return None
    return space_separated(lines) or (SpaceSeparated(1, False) if delimiter else None)


def _end_of_records(text: bytes) -> int:
    """The end of the last complete record: after a line break that is not within quotes. 0 without a line break.

    If no quotes are balanced, all of the text.
    """
    if b'"' not in text:
        return text.rfind(b"\n") + 1
    end = quotes = whole = 0
    for line in text.splitlines(keepends=True):
        quotes += line.count(b'"')
        end += len(line)
        if quotes % 2 == 0 and line.endswith(b"\n"):
            whole = end
    return whole or len(text)
