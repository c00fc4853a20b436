"""The rows of a query: on a DuckDB or SQLite file, or by DuckDB on a CSV, Parquet or JSON file.

A query is one SELECT on its source. It cannot write or open another file: these rights are removed before
the query is run.
"""

import re
import shlex
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from rosenblatt.core import xxh64
from rosenblatt.data.columns.arrow_values import first_twice
from rosenblatt.data.columns.index_columns import declared_index
from rosenblatt.data.columns.infer import SAMPLE_ROWS
from rosenblatt.data.dataset import Dataset
from rosenblatt.data.errors import DataError
from rosenblatt.data.features import Features
from rosenblatt.data.formats.arrow import sample_of, table_of
from rosenblatt.data.formats.tables.batch_table import array_of, joined
from rosenblatt.data.formats.tables.table_reader import dataset_of
from rosenblatt.data.formats.tables.table_scanner import scan_of
from rosenblatt.data.formats.tables.table_schema import TableDefaults
from rosenblatt.data.read_options import ReadOptions
from rosenblatt.data.sources.byte_source import ByteSource
from rosenblatt.data.sources.file_bytes import Bytes

if TYPE_CHECKING:
    from rosenblatt.data.scanner import Scan

_ROWS = 1 << 15

#: Words that are likely names of tables and keywords of SQL.
_KEYWORDS = ("order", "group", "table", "values", "index", "transaction", "check", "case", "select", "from", "user")

_ONLY_READS = "A query only reads: one SELECT on the source, which is opened read-only"
_NO_FILES = {"enable_external_access": "false", "python_enable_replacements": "false"}
#: The SQLite actions that a SELECT needs.
_READING = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE)
#: The actions that opening a full-text table needs; they cannot change a file that is opened read-only.
_OPENING = ((sqlite3.SQLITE_UPDATE, "sqlite_master"), (sqlite3.SQLITE_PRAGMA, "data_version"))


def read(source: str, content: Bytes, form: str, options: ReadOptions, like: Features | None) -> Dataset:
    """Reads the only table of a database."""
    return read_sql(source, _only_table(source, form), options, like)


def scan(source: ByteSource, form: str, options: ReadOptions, like: Features | None) -> "Scan":
    """Scans the only table of a database."""
    return scan_sql(source.name, _only_table(source.name, form), options, like)


def _only_table(source: str, form: str) -> str:
    """The query for all rows of the only table of a database."""
    if form == "sqlite":
        tables = "select name from sqlite_master where type in ('table', 'view') and name not like 'sqlite_%'"
        try:
            with closing(sqlite3.connect(Path(source).resolve().as_uri() + "?mode=ro", uri=True)) as connection:
                names = [row[0] for row in connection.execute(tables)]
        except sqlite3.Error as error:
            raise DataError(f"{source}: cannot be read as a database ({error}). Is the file complete?") from error
    else:
        duckdb = _duckdb()
        try:
            with duckdb.connect(source, read_only=True) as connection:
                names = [
                    row[0] for row in connection.sql("select table_name from information_schema.tables").fetchall()
                ]
        except duckdb.Error as error:
            text = " ".join(str(error).split())[:160]
            raise DataError(f"{source}: cannot be read as a database ({text}). Is the file complete?") from error
    if len(names) != 1:
        shown = f"the tables {', '.join(names[:8])}" if names else "no table"
        example = f"select * from {_identifier(names[0])}" if names else ""
        raise DataError(
            f"{source} is a database with {shown}; name one in a query (--sql {shlex.quote(example)}; in Python "
            f"ReadOptions(sql={example!r}))."
            if names
            else f"{source} is a database with no table."
        )
    return f"select * from {_identifier(names[0])}"


def _identifier(name: str) -> str:
    """The name of a table as a query needs it: in quotes unless it is a plain word."""
    escaped = name.replace('"', '""')
    return name if re.fullmatch(r"[A-Za-z_]\w*", name) and name.lower() not in _KEYWORDS else f'"{escaped}"'


def read_sql(source: str, query: str, options: ReadOptions, like: Features | None) -> Dataset:
    """Reads all examples of a query into memory."""
    result = QueryResult(source, query)
    batches = list(result.record_batches())
    table = table_of(joined([pa.Table.from_batches([batch]) for batch in batches]), result.name)
    table.index = result.index
    if not table.read(set(), set(table.names[:1])).num_rows:
        raise DataError(f"{result.name} gave no rows.")
    return replace(dataset_of(table, result.name, options, like), fingerprint=result.fingerprint())


def scan_sql(source: str, query: str, options: ReadOptions, like: Features | None) -> "Scan":
    """Scans the same examples in batches; the query runs once for the schema and once for every pass over its rows."""
    return scan_of(QueryResult(source, query), options, like)


class QueryResult(TableDefaults):
    """The rows of a query, read in batches."""

    n_bytes = 0  # unknown before the query has run

    def __init__(self, source: str, query: str) -> None:
        self.name = f"the query on {source}"
        self._source, self._query = source, query
        path = Path(source)
        if not path.is_file():
            raise DataError(f"{source} is not a file that can be queried: name a DuckDB, SQLite, CSV or Parquet file.")
        with path.open("rb") as file:
            head = file.read(16)
        self._is_sqlite = head.startswith(b"SQLite format 3")
        self._is_duckdb = head[8:12] == b"DUCK"
        first = next(self.record_batches(), None)
        if first is None:
            raise DataError(f"{self.name} gave no rows.")
        self.names: list[str] = first.schema.names
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
                # DuckDB takes the name as a pattern; this one matches only the file itself.
                literal = "".join(f"[{sign}]" if sign in "*?[" else sign for sign in self._source)
                connection.execute(f"create view data as select * from {_quoted(literal)}")
                connection.execute(f"set allowed_paths = [{_quoted(self._source)}, {_quoted(literal)}]")
                for name, value in _NO_FILES.items():
                    connection.execute(f"set {name} = {value}")
            connection.execute("set lock_configuration = true")
            statements = connection.extract_statements(self._query)
            if [statement.type for statement in statements] != [duckdb.StatementType.SELECT]:
                raise DataError(f"{self.name}: {_ONLY_READS}.")
            relation = connection.sql(self._query)
            if relation is None:
                return
            # Older versions of DuckDB have another name for the method.
            yield from (getattr(relation, "to_arrow_reader", None) or relation.fetch_arrow_reader)(_ROWS)

    def _from_sqlite(self) -> Iterator[pa.RecordBatch]:
        with self._refusing(sqlite3.Error, sqlite3.Warning, pa.ArrowInvalid, pa.ArrowTypeError):
            uri = Path(self._source).resolve().as_uri() + "?mode=ro"
            with closing(sqlite3.connect(uri, uri=True)) as connection:
                connection.set_authorizer(_authorized)
                cursor = connection.execute(self._query)
                names = [column[0] for column in cursor.description or ()]
                while rows := cursor.fetchmany(_ROWS):  # SQLite does not fix the type of a column
                    columns = zip(*rows, strict=True)
                    yield pa.RecordBatch.from_arrays([array_of([*map(_value, column)]) for column in columns], names)

    @contextmanager
    def _refusing(self, *errors: type[Exception]) -> Iterator[None]:
        """Turns an error of the database into a `DataError` of one line."""
        try:
            yield
        except errors as error:
            text = " ".join(str(error).split())
            if any(sign in text for sign in ("authoriz", "Permission Error", "one statement at a time")):
                text = f"{text.removesuffix('.')}. {_ONLY_READS}, and it opens no other file."
            raise DataError(f"{self.name}: {text}") from error

    def sample(self) -> pa.Table:
        batches, rows = [], 0
        for batch in self.record_batches():
            batches.append(batch)
            rows += batch.num_rows
            if rows >= SAMPLE_ROWS:
                break
        return sample_of(joined([pa.Table.from_batches([batch]) for batch in batches]).slice(0, SAMPLE_ROWS))

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
        """The fingerprint of the query text; the database may change."""
        return f"query-xxh64:{xxh64(np.frombuffer(self._query.encode(), np.uint8)):016x}"


def _authorized(action: int, what: str | None, *_more: str | None) -> int:
    allowed = action in _READING or (action, what) in _OPENING
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _index_of_file(path: Path) -> set[str]:
    """The columns of a Parquet file that are an index; DuckDB does not report it."""
    from pyarrow import parquet

    try:
        return declared_index(parquet.read_schema(path).metadata)
    except (pa.ArrowException, OSError):
        return set()


def _value(value: Any) -> Any:
    """A value of SQLite; bytes are text, if they can be."""
    return value.decode("utf8", "backslashreplace") if isinstance(value, bytes) else value


def _duckdb() -> Any:
    try:
        import duckdb
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError("queries need DuckDB: pip install 'rosenblatt[sql]'") from error
    return duckdb
