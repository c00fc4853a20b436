"""A table read as Arrow batches: rows of JSON, workbooks, queries and several files."""

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import pyarrow as pa

from rosenblatt.data.columns.infer import SAMPLE_ROWS
from rosenblatt.data.errors import DataError
from rosenblatt.data.formats.arrow import ArrowTable, sample_of, table_of
from rosenblatt.data.formats.tables.table_schema import TableDefaults


class BatchTable(TableDefaults):
    """A table read in batches. The first rows define the columns; later rows must have no others."""

    def __init__(
        self,
        name: str,
        batches: Callable[[], Iterator[pa.Table]],
        *,
        n_bytes: int = 0,
        position: Callable[[], int] = lambda: 0,
        fingerprint: Callable[[], str] = lambda: "",
        place: Callable[[int], str] = lambda row: f"row {row + 1}",
    ) -> None:
        self.name, self.n_bytes = name, n_bytes
        self._batches = batches
        self.position, self.fingerprint, self.place = position, fingerprint, place
        self._first = next(batches(), None)
        if self._first is None or not self._first.num_rows:
            raise DataError(f"{name} has no rows.")
        self.names: list[str] = self._first.column_names

    def sample(self) -> pa.Table:
        tables, rows = [], 0
        for table in self._batches():
            tables.append(sample_of(self._aligned(table)))
            rows += table.num_rows
            if rows >= SAMPLE_ROWS:
                break
        return joined(tables).slice(0, SAMPLE_ROWS)

    def batches(self, numbers: Collection[str], texts: Collection[str]) -> Iterator[pa.Table]:
        for table in self._batches():
            part = table_of(self._aligned(table), self.name)
            part.for_model = self.for_model
            yield part.read(numbers, texts)

    def in_memory(self) -> ArrowTable:
        """All batches as one table."""
        table = table_of(joined([self._aligned(table) for table in self._batches()]), self.name)
        table.places, table.notes, table.dropped_lines = self.place, self.notes, self.dropped_lines
        return table

    def _aligned(self, table: pa.Table) -> pa.Table:
        if table.column_names == self.names:
            return table
        new = next((name for name in table.column_names if name not in self.names), None)
        if new is not None:
            rows = f"the first {SAMPLE_ROWS:,} rows"
            raise DataError(f"{self.name}: the column {new!r} is not in {rows}. Give every row the same keys.")
        known = set(table.column_names)
        gaps = pa.nulls(table.num_rows, pa.string())
        return pa.table({name: table.column(name) if name in known else gaps for name in self.names})


def joined(tables: Sequence[pa.Table]) -> pa.Table:
    """One table of all rows. A column that is text in one of them is text in all."""
    schema = {}
    for name in tables[0].column_names:
        kinds = {table.schema.field(name).type for table in tables}
        kinds.discard(pa.null())
        schema[name] = kinds.pop() if len(kinds) == 1 else pa.string()
    parts = [
        pa.table({name: _text_or_same(table.column(name), kind) for name, kind in schema.items()}) for table in tables
    ]
    return pa.concat_tables(parts)


def _text_or_same(column: pa.ChunkedArray, kind: pa.DataType) -> pa.ChunkedArray:
    if column.type != kind and pa.types.is_nested(column.type):
        return pa.chunked_array([array_of([None if value is None else _text(value) for value in column.to_pylist()])])
    return column if column.type == kind else column.cast(kind)


def table_of_rows(rows: Sequence[Mapping[str, Any]]) -> pa.Table:
    """A table of dictionaries; a key that a row lacks is a missing value."""
    names = list(dict.fromkeys(chain.from_iterable(rows)))
    return pa.table({name: array_of([row.get(name) for row in rows]) for name in names})


def array_of(values: Sequence[Any]) -> pa.Array:
    """Numbers or lists if all values are, else text; missing values are None."""
    present = [value for value in values if value is not None]
    if present and all(isinstance(value, list) for value in present):
        return pa.array([None if value is None else [*map(_text, value)] for value in values], pa.list_(pa.string()))
    if present and all(isinstance(value, int | float) and not isinstance(value, bool) for value in present):
        return pa.array([None if value is None else float(value) for value in values], pa.float64())
    return pa.array([None if value is None else _text(value) for value in values], pa.string())


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if hasattr(value, "isoformat"):  # dates and times
        return str(value.isoformat(" ") if hasattr(value, "hour") and hasattr(value, "year") else value.isoformat())
    return json.dumps(value) if isinstance(value, list | dict) else str(value)
