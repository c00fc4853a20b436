"""The columns of a table as they are written: numbers as float64, everything else as text."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from rosenblatt.data.columns.arrow_values import is_number
from rosenblatt.data.columns.index_columns import data_columns, note_on
from rosenblatt.data.errors import DataError
from rosenblatt.data.formats import detect_format
from rosenblatt.data.formats.arrow import ArrowTable
from rosenblatt.data.formats.delimited.csv_table import TextTable
from rosenblatt.data.formats.tables.table_schema import note_on_repeated_header, target_column
from rosenblatt.data.read_options import ReadOptions
from rosenblatt.data.sources.file_bytes import display_name, read_text_or_binary
from rosenblatt.data.sources.unsupported import refuse_unsupported

_HEAD = 1 << 16
_TABLES = ("csv", "tsv", "parquet", "arrow")


@dataclass(frozen=True)
class RawColumns:
    """A table in memory. The `target` is the column of the outcome."""

    name: str
    target: str
    columns: pa.Table
    notes: tuple[str, ...]


def read_columns(source: str, options: ReadOptions) -> RawColumns:
    """Reads all columns of a file or of a built-in set, but for those dropped and for an index.

    Nothing is encoded or filled: missing values stay missing.

    >>> read_columns("@xor", ReadOptions()).columns.column_names
    ['x1', 'x2', 'target']
    """
    if source.startswith("@"):
        return _builtin(source, options)
    content, inferred = read_text_or_binary(source, options.encoding)
    head = content[:_HEAD].tobytes()
    name = display_name(source)
    if options.form is None:
        refuse_unsupported(source, head, name)
    form = options.form or detect_format(source, head)
    if form not in _TABLES:
        raise DataError(
            f"{name} is in the format {form}, which has no named columns. Write it as a CSV or Parquet table."
        )
    table: TextTable | ArrowTable
    if form in ("csv", "tsv"):
        table = TextTable(source, content, form, options, None)
    else:
        table = ArrowTable(source, content, form)
    notes: list[str] = [*inferred, *table.notes]
    target = target_column(table, options.target, name, notes)
    kept = data_columns(table.names, table.index)
    notes += [note_on(column, table.index) for column in table.names if column not in kept]
    for column in [*options.drop, *options.categorical]:
        if column not in table.names:
            raise DataError(f"{name} has no column {column!r}. It has: {', '.join(table.names)}.")
    wanted = [column for column in table.names if column in {*kept, target} and column not in set(options.drop)]
    schema = table.sample().schema
    numbers = {
        column for column in wanted if is_number(schema.field(column).type) and column not in options.categorical
    }
    found = table.read(numbers, set(wanted) - numbers)
    if not found.num_rows:
        raise DataError(f"{name} has a header but no rows.")
    texts = {column: found.column(column).cast(pa.string()) for column in wanted if column not in numbers}
    columns = pa.table({column: texts.get(column, found.column(column)) for column in wanted})
    return RawColumns(name, target, columns, (*notes, *note_on_repeated_header(table.dropped_lines)))


def _builtin(source: str, options: ReadOptions) -> RawColumns:
    from rosenblatt.data.formats.builtin import load

    loaded = load(source[1:])
    columns = {name: np.ascontiguousarray(loaded.X[:, j]) for j, name in enumerate(loaded.feature_names)}
    table = pa.table(columns | {"target": loaded.y})
    return RawColumns(source, options.target or "target", table.drop_columns(list(options.drop)), ())
