"""The rows of a query: on a DuckDB or SQLite file, or by DuckDB on a CSV, Parquet or JSON file.

A query is one SELECT on its source. It writes nothing, and it opens no other file: the databases are locked before they
see it.
"""

import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from rosenblatt.core import xxh64
from rosenblatt.data.columns import first_twice, is_number
from rosenblatt.data.errors import DataError
from rosenblatt.data.features import Features
from rosenblatt.data.index_columns import declared_index
from rosenblatt.data.loaded import Loaded
from rosenblatt.data.tables import table_of
from rosenblatt.data.wishes import Wishes

if TYPE_CHECKING:
    from rosenblatt.data.scanning import Scan

_ROWS = 1 << 15

_ONLY_READS = "A query only reads: one SELECT on the source, which is opened read-only"
_NO_FILES = {"enable_external_access": "false", "python_enable_replacements": "false"}
#: What a SELECT asks SQLite for.
_READING = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE)
#: What a full-text table asks for when it is opened; to a file that is opened read-only, it changes nothing.
_OPENING = ((sqlite3.SQLITE_UPDATE, "sqlite_master"), (sqlite3.SQLITE_PRAGMA, "data_version"))


def read_sql(source: str, query: str, wishes: Wishes, like: Features | None) -> Loaded:
    """The examples that a query gives, all of them in memory."""
    from dataclasses import replace

    from rosenblatt.data.from_table import loaded_from

    answer = Answer(source, query)
    batches = list(answer.record_batches())
    table = table_of(pa.Table.from_batches(batches, answer.schema), answer.name)
    table.index = answer.index
    if not table.read(set(), set(table.names[:1])).num_rows:
        raise DataError(f"{answer.name} gave no rows.")
    return replace(loaded_from(table, answer.name, wishes, like), fingerprint=answer.fingerprint())


def scan_sql(source: str, query: str, wishes: Wishes, like: Features | None) -> "Scan":
    """The same in batches: the query is run once for the schema, and once for every pass over its rows."""
    from rosenblatt.data.scan_table import scan_table

    return scan_table(Answer(source, query), wishes, like)


class Answer:
    """What a query gives, as a table that is read in batches."""

    n_bytes = 0  # nobody knows how long an answer will be
    for_model = False

    def __init__(self, source: str, query: str) -> None:
        self.name = f"the query on {source}"
        self._source, self._query = source, query
        path = Path(source)
        if not path.is_file():
            raise DataError(f"{source} is no file that can be queried: name a DuckDB, SQLite, CSV or Parquet file.")
        with path.open("rb") as file:
            head = file.read(16)
        self._is_sqlite = head.startswith(b"SQLite format 3")
        self._is_duckdb = head[8:12] == b"DUCK"
        first = next(self.record_batches(), None)
        if first is None:
            raise DataError(f"{self.name} gave no rows.")
        self.schema = first.schema
        self.names: list[str] = self.schema.names
        self.index: Collection[str] = () if self._is_sqlite or self._is_duckdb else _index_of_file(path)
        twice = first_twice(self.names)
        if twice is not None:
            raise DataError(f"{self.name}: two columns are named {twice!r}. Rename one (AS).")

    def record_batches(self) -> Iterator[pa.RecordBatch]:
        yield from self._from_sqlite() if self._is_sqlite else self._from_duckdb()

    def _from_duckdb(self) -> Iterator[pa.RecordBatch]:
        duckdb = _duckdb()
        place = {"database": self._source, "read_only": True, "config": _NO_FILES} if self._is_duckdb else {}
        with self._refusing(duckdb.Error), duckdb.connect(**place) as connection:
            if not self._is_duckdb:
                # A pattern that matches the file's own name and no other.
                literal = "".join(f"[{sign}]" if sign in "*?[" else sign for sign in self._source)
                connection.execute(f"create view data as select * from {_quoted(literal)}")
                connection.execute(f"set allowed_paths = [{_quoted(self._source)}, {_quoted(literal)}]")
                for name, value in _NO_FILES.items():
                    connection.execute(f"set {name} = {value}")
            connection.execute("set lock_configuration = true")
            statements = connection.extract_statements(self._query)
            if [statement.type for statement in statements] != [duckdb.StatementType.SELECT]:
                raise DataError(f"{self.name}: {_ONLY_READS}.")
            answer = connection.sql(self._query)
            if answer is None:
                return
            # Older versions have another name for it.
            yield from (getattr(answer, "to_arrow_reader", None) or answer.fetch_arrow_reader)(_ROWS)

    def _from_sqlite(self) -> Iterator[pa.RecordBatch]:
        with self._refusing(sqlite3.Error, sqlite3.Warning, pa.ArrowInvalid, pa.ArrowTypeError):
            uri = Path(self._source).resolve().as_uri() + "?mode=ro"
            with closing(sqlite3.connect(uri, uri=True)) as connection:
                connection.set_authorizer(_authorized)
                cursor = connection.execute(self._query)
                names = [column[0] for column in cursor.description or ()]
                types: list[pa.DataType] | None = None
                while rows := cursor.fetchmany(_ROWS):
                    columns = list(zip(*rows, strict=True))
                    if types is None:
                        types = [_sqlite_type(column) for column in columns]
                    arrays = [pa.array(column, kind) for column, kind in zip(columns, types, strict=True)]
                    yield pa.RecordBatch.from_arrays(arrays, names)

    @contextmanager
    def _refusing(self, *errors: type[Exception]) -> Iterator[None]:
        """What the database says of the query, in one line."""
        try:
            yield
        except errors as error:
            text = " ".join(str(error).split())
            if any(sign in text for sign in ("authoriz", "Permission Error", "one statement at a time")):
                text = f"{text.removesuffix('.')}. {_ONLY_READS}, and it opens no other file."
            raise DataError(f"{self.name}: {text}") from error

    def guess(self) -> dict[str, bool]:
        return {field.name: is_number(field.type) for field in self.schema}

    def batches(self, numbers: Collection[str], texts: Collection[str]) -> Iterator[pa.Table]:
        for batch in self.record_batches():
            table = table_of(pa.Table.from_batches([batch]), self.name)
            table.for_model = self.for_model
            yield table.read(numbers, texts)

    def place(self, row: int) -> str:
        return f"row {row + 1}"

    def position(self) -> int:
        return 0

    def fingerprint(self) -> str:
        """Of the query: the same one may give other rows tomorrow."""
        return f"query-xxh64:{xxh64(np.frombuffer(self._query.encode(), np.uint8)):016x}"


def _authorized(action: int, what: str | None, *_more: str | None) -> int:
    allowed = action in _READING or (action, what) in _OPENING
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _index_of_file(path: Path) -> set[str]:
    """The columns of a Parquet file that are an index; DuckDB does not tell."""
    from pyarrow import parquet

    try:
        return declared_index(parquet.read_schema(path).metadata)
    except (pa.ArrowException, OSError):
        return set()


def _sqlite_type(column: tuple[Any, ...]) -> pa.DataType:
    """SQLite's columns hold what they like: numbers if the first rows do, else text."""
    known = [value for value in column if value is not None]
    return pa.float64() if known and all(isinstance(value, int | float) for value in known) else pa.string()


def _duckdb() -> Any:
    try:
        import duckdb
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError("queries need DuckDB: pip install 'rosenblatt[sql]'") from error
    return duckdb
