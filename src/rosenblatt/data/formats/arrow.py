"""Parquet and Arrow files: whole, or block by block; and data frames."""

import io
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, BinaryIO

import pyarrow as pa

from rosenblatt.data.columns.arrow_values import first_twice, is_number
from rosenblatt.data.columns.index_columns import declared_index
from rosenblatt.data.columns.infer import SAMPLE_ROWS
from rosenblatt.data.dataset import Dataset
from rosenblatt.data.errors import DataError, option
from rosenblatt.data.features import Features
from rosenblatt.data.formats.tables.table_reader import PlainTable, dataset_of
from rosenblatt.data.formats.tables.table_scanner import scan_of
from rosenblatt.data.formats.tables.table_schema import NotANumberError, TableDefaults
from rosenblatt.data.memory import check_bytes, megabytes
from rosenblatt.data.read_options import ReadOptions
from rosenblatt.data.scanner import Scan
from rosenblatt.data.sources.byte_source import ByteSource
from rosenblatt.data.sources.file_bytes import Bytes, display_name

_ROWS = 1 << 15  # rows per batch


def read(source: str, content: Bytes, form: str, options: ReadOptions, like: Features | None) -> Dataset:
    """Reads all examples of a file; with `like`, by a model's columns."""
    return dataset_of(open_table(source, content, form, options, like), display_name(source), options, like)


def scan(source: ByteSource, form: str, options: ReadOptions, like: Features | None) -> Scan:
    """Scans the same examples by row groups or record batches."""
    return scan_of(open_stream(source, form, options, like), options, like)


def open_table(source: str, content: Bytes, form: str, options: ReadOptions, like: Features | None) -> "ArrowTable":
    return ArrowTable(source, content, form)


def open_stream(source: ByteSource, form: str, options: ReadOptions, like: Features | None) -> "StreamedArrow":
    return StreamedArrow(source, form)


class ArrowTable(TableDefaults):
    """A Parquet or Arrow file."""

    places: Callable[[int], str] = staticmethod(lambda row: f"row {row + 1}")

    def __init__(self, source: str, content: Bytes, form: str) -> None:
        self._source = source
        try:
            self._table = _open_parquet(content, display_name(source)) if form == "parquet" else _open_arrow(content)
            self._table.validate()
            self._table = flattened(self._table)
        except (pa.ArrowException, OSError) as error:
            text = " ".join(str(error).split())[:200]
            raise DataError(
                f"{display_name(source)}: cannot be read as {form} ({text}). Is the file complete?"
            ) from error
        self.names: list[str] = self._table.column_names
        self.index = declared_index(self._table.schema.metadata)
        twice = first_twice(self.names)
        if twice is not None:
            raise DataError(f"{display_name(source)}: two columns are named {twice!r}. Rename one.")

    def sample(self) -> pa.Table:
        return sample_of(self._table.slice(0, SAMPLE_ROWS))

    def read(self, numbers: Collection[str], texts: Collection[str], prose: Collection[str] = ()) -> pa.Table:
        columns = {}
        for name in self.names:
            if name in numbers or name in texts or name in prose:
                column = self._table.column(name)
                columns[name] = self._cast(name, column, pa.float64() if name in numbers else pa.string())
        return pa.table(columns)

    def read_plain(self, numbers: Sequence[str], label: str | None) -> PlainTable | None:
        return None

    def place(self, row: int) -> str:
        return self.places(row)

    def _cast(self, name: str, column: pa.ChunkedArray, to: pa.DataType) -> pa.ChunkedArray:
        try:
            # Whole numbers above 2^53 are rounded, as they are when read from a text.
            return column if column.type == to else column.cast(to, safe=not is_number(column.type))
        except pa.ArrowException as error:
            kind = "numbers" if to == pa.float64() else "categories"
            if kind == "numbers" and pa.types.is_string(column.type):
                where = f"{display_name(self._source)}, column {name!r}"
                raise NotANumberError(f"{where}: a text is not a number. Correct it.", name) from error
            raise DataError(
                f"{display_name(self._source)}, column {name!r}: {column.type} cannot be taken as {kind}. "
                + ("Convert it." if self.for_model else f"Convert it, or drop it ({option('drop', name)}).")
            ) from error


class StreamedArrow(TableDefaults):
    """A Parquet or Arrow file, read by row groups or record batches."""

    def __init__(self, source: ByteSource, form: str) -> None:
        self.name = source.name
        self.n_bytes = source.n_bytes
        self._source = source
        self._form = form
        self._position = 0
        try:
            with source.seekable() as file:
                found = self._open(file)
                self._stored = found.schema_arrow if form == "parquet" else found.schema
                self._schema = flattened(self._stored.empty_table()).schema.with_metadata(self._stored.metadata)
        except (pa.ArrowException, OSError) as error:
            text = " ".join(str(error).split())[:200]
            raise DataError(f"{self.name}: cannot be read as {form} ({text}). Is the file complete?") from error
        self.names: list[str] = self._schema.names
        self.index: Collection[str] = declared_index(self._schema.metadata)
        twice = first_twice(self.names)
        if twice is not None:
            raise DataError(f"{self.name}: two columns are named {twice!r}. Rename one.")

    def _open(self, file: BinaryIO) -> Any:
        if self._form == "parquet":
            from pyarrow import parquet

            return parquet.ParquetFile(pa.PythonFile(file, "r"), pre_buffer=False, buffer_size=1 << 20)
        start = file.read(6)
        file.seek(0)
        stream = pa.PythonFile(file, "r")
        return pa.ipc.open_file(stream) if start == b"ARROW1" else pa.ipc.open_stream(stream)

    def sample(self) -> pa.Table:
        batches, rows = [], 0
        for batch in self._record_batches(self.names):
            batches.append(flattened(pa.Table.from_batches([batch])))
            rows += batch.num_rows
            if rows >= SAMPLE_ROWS:
                break
        table = pa.concat_tables(batches) if batches else self._schema.empty_table()
        return sample_of(table.slice(0, SAMPLE_ROWS))

    def batches(self, numbers: Collection[str], texts: Collection[str]) -> Iterator[pa.Table]:
        wanted = [name for name in self.names if name in numbers or name in texts]
        try:
            for batch in self._record_batches(wanted):
                yield self._table(batch).read(numbers, texts)
        except (pa.ArrowException, OSError) as error:
            text = " ".join(str(error).split())[:200]
            raise DataError(f"{self.name}: cannot be read as {self._form} ({text}). Is the file complete?") from error

    def _table(self, batch: pa.RecordBatch) -> ArrowTable:
        table = table_of(flattened(pa.Table.from_batches([batch])), self.name)
        table.for_model = self.for_model
        return table

    def _record_batches(self, wanted: Sequence[str]) -> Iterator[pa.RecordBatch]:
        with self._source.seekable() as file:
            end = file.seek(0, io.SEEK_END)
            file.seek(0)
            found = self._open(file)
            if self._form == "parquet":
                rows, done = found.metadata.num_rows, 0
                for batch in found.iter_batches(batch_size=_ROWS, columns=list(wanted), use_threads=False):
                    done += batch.num_rows
                    self._position = self.n_bytes * done // rows
                    yield batch
                return
            many = getattr(found, "num_record_batches", None)
            for batch in found if many is None else map(found.get_batch, range(many)):
                self._position = self.n_bytes * file.tell() // end
                yield batch.select([name for name in batch.schema.names if _is_wanted(name, wanted)])

    def place(self, row: int) -> str:
        return f"row {row + 1}"

    def position(self) -> int:
        return self._position

    def fingerprint(self) -> str:
        return self._source.fingerprint()


def table_from_frame(frame: Any) -> ArrowTable:
    """Any data frame (pandas, polars, pyarrow) as a table."""
    import narwhals as nw

    native = frame if isinstance(frame, pa.Table) else nw.from_native(frame, eager_only=True).to_arrow()
    return table_of(native, "the data frame")


def flattened(table: pa.Table) -> pa.Table:
    """The table without structs: the field `b` of the column `a` becomes the column `a.b`."""
    while any(pa.types.is_struct(field.type) for field in table.schema):
        table = table.flatten()
    return table


def sample_of(table: pa.Table) -> pa.Table:
    """The rows for inference: numbers as numbers, lists unchanged, all other types as text.

    Values without a text form are missing; the column is refused when it is read.
    """
    columns = {}
    for name, column in zip(table.column_names, table.columns, strict=True):
        try:
            unchanged = is_number(column.type) or pa.types.is_nested(column.type)
            columns[name] = column if unchanged else column.cast(pa.string())
        except pa.ArrowException:
            columns[name] = pa.nulls(len(column), pa.string())
    return pa.table(columns)


def table_of(native: pa.Table, source: str) -> ArrowTable:
    """An Arrow table that is in memory already."""
    table = ArrowTable.__new__(ArrowTable)
    table._source = source
    table._table = native
    table.names = native.column_names
    table.index = declared_index(native.schema.metadata)
    return table


def _open_parquet(content: Bytes, name: str) -> pa.Table:
    from pyarrow import parquet

    file = parquet.ParquetFile(pa.BufferReader(pa.py_buffer(content)), pre_buffer=False)
    rows, columns = file.metadata.num_rows, file.metadata.num_columns
    check_bytes(8 * rows * columns, f"{name} ({megabytes(len(content))}): {rows:,} rows of {columns:,} columns need")
    return file.read()


def _open_arrow(content: Bytes) -> pa.Table:
    reader = pa.BufferReader(pa.py_buffer(content))
    openers: list[Callable[[Any], Any]] = [pa.ipc.open_file, pa.ipc.open_stream]
    return openers[content[:6].tobytes() != b"ARROW1"](reader).read_all()


def _is_wanted(stored: str, wanted: Sequence[str]) -> bool:
    """Whether a stored column, or a field of it, is wanted."""
    return any(name == stored or name.startswith(f"{stored}.") for name in wanted)
