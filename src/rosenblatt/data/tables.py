"""CSV, TSV, Parquet and Arrow files as Arrow tables whose schema is fixed before the first row counts."""

import re
from collections.abc import Callable, Collection, Sequence
from functools import cached_property
from typing import Any, NoReturn

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from rosenblatt.core import plain_table
from rosenblatt.data.bytes import Bytes, available_threads, named
from rosenblatt.data.errors import DataError

#: What a table writes where it has no value.
MISSING = ("", "NA", "N/A", "NaN", "nan", "NULL", "null", "None", "?")

PlainTable = tuple[NDArray[np.float64], list[str], NDArray[np.int32]]

_BLOCK = 1 << 22
_SAMPLE = 1 << 20


class TextTable:
    """A CSV or TSV text: its columns, their types, and the line on which a row stands."""

    def __init__(self, source: str, found: Bytes, delimiter: str, has_header: bool) -> None:
        self._source = source
        self._bytes = found
        self._delimiter = delimiter
        self._has_header = has_header
        first = self._lines(1)
        if not first:
            raise DataError(f"{named(source)} has no lines; a table has a header and rows.")
        self.names = self._names()

    def read(self, numbers: Collection[str], texts: Collection[str], prose: Collection[str] = ()) -> pa.Table:
        """The columns named, as float64 or as text. A row that breaks this is refused with its line.

        Texts are coded by their different values, but for `prose`, whose values hardly ever repeat.
        """
        text = pa.dictionary(pa.int32(), pa.string())
        types = dict.fromkeys(numbers, pa.float64()) | dict.fromkeys(texts, text) | dict.fromkeys(prose, pa.string())
        return self._read(types, include=[name for name in self.names if name in types])

    def read_plain(self, numbers: Sequence[str], label: str | None) -> PlainTable | None:
        """The columns named as a matrix, and the texts and codes of the labels, where the text is plain enough.

        None where anything needs the general reader: quotes, missing values, fields that are no numbers, short rows.
        """
        if self._has_quotes or self._delimiter not in ",;\t|" or not set(numbers) <= set(self.names):
            return None
        roles = "".join("n" if name in numbers else "l" if name == label else "-" for name in self.names)
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
        order = [[name for name in self.names if name in numbers].index(name) for name in numbers]
        return (X if order == sorted(order) else np.ascontiguousarray(X[:, order])), texts, codes

    def guess(self) -> dict[str, bool]:
        """Whether each column is numeric, by the first megabyte. The target's own type is looked at later."""
        from pyarrow import csv

        try:
            with csv.open_csv(
                pa.BufferReader(pa.py_buffer(self._bytes)),
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
                pa.BufferReader(pa.py_buffer(self._bytes)),
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

        return csv.ReadOptions(
            column_names=self.names if not self._has_header else None,
            encoding="utf8",
            **how,
        )

    def _parse_options(self) -> Any:
        from pyarrow import csv

        # Looking for line ends inside quotes costs time: only where there are quotes.
        return csv.ParseOptions(delimiter=self._delimiter, newlines_in_values=self._has_quotes)

    @cached_property
    def _body(self) -> Bytes:
        """What comes after the header."""
        return self._bytes[self._lines(1)[0][2] :] if self._has_header else self._bytes

    @cached_property
    def _has_quotes(self) -> bool:
        """In the rows, that is: some writers quote every column's name."""
        blocks = range(0, len(self._body), _SAMPLE)
        return any(b'"' in self._body[k : k + _SAMPLE].tobytes() for k in blocks)

    def _names(self) -> list[str]:
        from pyarrow import csv

        try:
            head = "\n".join(line.decode("utf8") for _, line, _ in self._lines(1)) + "\n"
        except UnicodeDecodeError as error:
            self._refuse(error)
        try:
            names: list[str] = csv.read_csv(
                pa.BufferReader(head.removeprefix("\ufeff").encode()),
                parse_options=csv.ParseOptions(delimiter=self._delimiter),
            ).column_names
        except pa.ArrowInvalid as error:
            self._refuse(error)
        name = named(self._source)
        if not self._has_header:
            return [f"column{k}" for k in range(1, len(names) + 1)]
        twice = next((n for k, n in enumerate(names) if n in names[:k]), None)
        if twice is not None:
            raise DataError(f"{name}, line 1: two columns are named {twice!r}. Rename one.")
        if all(_looks_numeric(n) for n in names) and names != [str(k) for k in range(len(names))]:
            raise DataError(
                f"{name}, line 1: every column name is a number, so the first line looks like data. "
                "Pass --no-header, or give the columns names."
            )
        if len(names) == 1:
            other = next((c for c in ";\t|,:" if c != self._delimiter and c in names[0]), None)
            if other is not None:
                raise DataError(
                    f"{name}, line 1: no {self._delimiter!r} separates the columns, but {other!r} may. "
                    f"Pass --delimiter {other!r}."
                )
        return names

    def _lines(self, count: int) -> list[tuple[int, bytes, int]]:
        """The first lines that are not blank: number, content, end. What quotes hold together is one line."""
        found: list[tuple[int, bytes, int]] = []
        start, number, size = 0, 1, len(self._bytes)
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
        place = f", line {self._line_of(int(row[1]) - 1)}" if row else ""
        value = re.search(r"In CSV column #(\d+): .*invalid value '(.*)'", message, re.DOTALL)
        width = re.search(r"Expected (\d+) columns, got (\d+)", message)
        if value:
            column = self.names[int(value[1])]
            raise DataError(
                f"{name}{place}, column {column!r}: {value[2][:40]!r} is not a number, as the column's first rows are. "
                f"Correct it, or pass --categorical {column} to take the column as categories."
            )
        if width:
            raise DataError(f"{name}{place}: {width[2]} columns where the header has {width[1]}. Correct the line.")
        if "utf8" in message.lower().replace("-", ""):
            raise DataError(f"{name}: the text is not UTF-8. Convert it first (iconv -t UTF-8).")
        if "Empty CSV" in message:
            raise DataError(f"{name} has no rows.")
        raise DataError(f"{name}: cannot be read as a table ({' '.join(message.split())[:200]}).")


class ArrowTable:
    """A Parquet or Arrow file."""

    def __init__(self, source: str, found: Bytes, form: str) -> None:
        self._source = source
        try:
            self._table = _open_parquet(found) if form == "parquet" else _open_arrow(found)
        except (pa.ArrowException, OSError) as error:
            text = " ".join(str(error).split())[:200]
            raise DataError(f"{named(source)}: cannot be read as {form} ({text}). Is the file whole?") from error
        self.names: list[str] = self._table.column_names
        twice = next((n for k, n in enumerate(self.names) if n in self.names[:k]), None)
        if twice is not None:
            raise DataError(f"{named(source)}: two columns are named {twice!r}. Rename one.")

    def guess(self) -> dict[str, bool]:
        return {field.name: is_number(field.type) for field in self._table.schema}

    def read(self, numbers: Collection[str], texts: Collection[str], prose: Collection[str] = ()) -> pa.Table:
        columns = {}
        for name in self.names:
            if name in numbers or name in texts or name in prose:
                column = self._table.column(name)
                columns[name] = self._cast(name, column, pa.float64() if name in numbers else pa.string())
        return pa.table(columns)

    def place(self, row: int) -> str:
        return f"row {row + 1}"

    def _cast(self, name: str, column: pa.ChunkedArray, to: pa.DataType) -> pa.ChunkedArray:
        try:
            return column if column.type == to else column.cast(to)
        except pa.ArrowException as error:
            kind = "numbers" if to == pa.float64() else "categories"
            raise DataError(
                f"{named(self._source)}, column {name!r}: {column.type} cannot be taken as {kind}. "
                f"Drop it (--drop {name})."
            ) from error


def table_from_frame(frame: Any) -> ArrowTable:
    """Any data frame (pandas, polars, pyarrow) as a table."""
    import narwhals as nw

    native = frame if isinstance(frame, pa.Table) else nw.from_native(frame, eager_only=True).to_arrow()
    return table_of(native, "the data frame")


def table_of(native: pa.Table, source: str) -> ArrowTable:
    """An Arrow table that is in memory already."""
    table = ArrowTable.__new__(ArrowTable)
    table._source = source
    table._table = native
    table.names = native.column_names
    return table


def open_table(source: str, found: Bytes, form: str, delimiter: str | None, has_header: bool) -> TextTable | ArrowTable:
    """A table of this format."""
    if form in ("csv", "tsv"):
        return TextTable(source, found, delimiter or ("\t" if form == "tsv" else ","), has_header)
    return ArrowTable(source, found, form)


def _open_parquet(found: Bytes) -> pa.Table:
    from pyarrow import parquet

    return parquet.ParquetFile(pa.BufferReader(pa.py_buffer(found)), pre_buffer=False).read()


def _open_arrow(found: Bytes) -> pa.Table:
    reader = pa.BufferReader(pa.py_buffer(found))
    openers: list[Callable[[Any], Any]] = [pa.ipc.open_file, pa.ipc.open_stream]
    return openers[found[:6].tobytes() != b"ARROW1"](reader).read_all()


def is_number(kind: pa.DataType) -> bool:
    """Whether a column of this type is one of numbers."""
    types = pa.types
    return bool(types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind) or types.is_null(kind))


def _looks_numeric(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
