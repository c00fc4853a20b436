"""Parquet and Arrow files and data frames as tables, and the table of any format."""

from collections.abc import Callable, Collection
from typing import Any

import pyarrow as pa

from rosenblatt.data.bytes import Bytes, named
from rosenblatt.data.columns import first_twice, is_number
from rosenblatt.data.errors import DataError, option
from rosenblatt.data.index_columns import declared_index
from rosenblatt.data.memory import check_bytes, megabytes
from rosenblatt.data.text_tables import TextTable


class ArrowTable:
    """A Parquet or Arrow file."""

    index: Collection[str] = ()
    for_model = False  # whether a model says what the columns are

    def __init__(self, source: str, found: Bytes, form: str) -> None:
        self._source = source
        try:
            self._table = _open_parquet(found, named(source)) if form == "parquet" else _open_arrow(found)
        except (pa.ArrowException, OSError) as error:
            text = " ".join(str(error).split())[:200]
            raise DataError(f"{named(source)}: cannot be read as {form} ({text}). Is the file whole?") from error
        self.names: list[str] = self._table.column_names
        self.index = declared_index(self._table.schema.metadata)
        twice = first_twice(self.names)
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
                + ("Convert it." if self.for_model else f"Convert it, or drop it ({option('drop', name)}).")
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
    table.index = declared_index(native.schema.metadata)
    return table


def open_table(source: str, found: Bytes, form: str, delimiter: str | None, has_header: bool) -> TextTable | ArrowTable:
    """A table of this format."""
    if form in ("csv", "tsv"):
        return TextTable(source, found, delimiter or ("\t" if form == "tsv" else ","), has_header)
    return ArrowTable(source, found, form)


def _open_parquet(found: Bytes, name: str) -> pa.Table:
    from pyarrow import parquet

    file = parquet.ParquetFile(pa.BufferReader(pa.py_buffer(found)), pre_buffer=False)
    rows, columns = file.metadata.num_rows, file.metadata.num_columns
    check_bytes(8 * rows * columns, f"{name} ({megabytes(len(found))}): {rows:,} rows of {columns:,} columns need")
    return file.read()


def _open_arrow(found: Bytes) -> pa.Table:
    reader = pa.BufferReader(pa.py_buffer(found))
    openers: list[Callable[[Any], Any]] = [pa.ipc.open_file, pa.ipc.open_stream]
    return openers[found[:6].tobytes() != b"ARROW1"](reader).read_all()
