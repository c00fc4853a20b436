"""Several files of one format as one table: names, patterns and folders."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from rosenblatt.core import xxh64
from rosenblatt.data.dataset import Dataset
from rosenblatt.data.errors import DataError
from rosenblatt.data.features import Features
from rosenblatt.data.formats import detect_format, format_named
from rosenblatt.data.formats.tables.table_reader import InMemoryTable, PlainTable, dataset_of
from rosenblatt.data.formats.tables.table_scanner import StreamedTable, scan_of
from rosenblatt.data.read_options import ReadOptions
from rosenblatt.data.scanner import Scan
from rosenblatt.data.sources.byte_source import ByteSource
from rosenblatt.data.sources.file_bytes import read_bytes
from rosenblatt.data.sources.unsupported import refuse_unsupported

_HEAD = 1 << 16
_TABLES = ("csv", "tsv", "parquet", "arrow", "json", "excel")


def read_files(files: Sequence[str], options: ReadOptions, like: Features | None) -> Dataset:
    """Reads all examples of several tables as one."""
    forms = _forms(files, options)
    contents = [read_bytes(file, options.encoding) for file in files]
    tables = [
        _table_format(form, file).open_table(file, content, form, options, like)
        for file, content, form in zip(files, contents, forms, strict=True)
    ]
    dataset = dataset_of(_JoinedTable(files, tables), _name(files), options, like)
    stamps = "".join(f"{xxh64(content):016x}" for content in contents)
    return replace(dataset, fingerprint=_fingerprint(stamps), n_bytes=sum(map(len, contents)))


def scan_files(files: Sequence[str], options: ReadOptions, like: Features | None) -> Scan:
    """Scans the same examples in blocks, file after file."""
    streams = [ByteSource(file, options.encoding) for file in files]
    tables = [
        _table_format(form, file).open_stream(stream, form, options, like)
        for file, stream, form in zip(files, streams, _forms(files, options), strict=True)
    ]
    return scan_of(_JoinedStream(files, tables), options, like)


def _table_format(form: str, file: str) -> Any:
    if form not in _TABLES:
        raise DataError(f"{file} is {form}; only tables ({', '.join(_TABLES)}) are read several at a time.")
    return format_named(form)


def _forms(files: Sequence[str], options: ReadOptions) -> list[str]:
    forms = []
    for file in files:
        with Path(file).open("rb") as opened:
            head = opened.read(_HEAD)
        refuse_unsupported(file, head, file)
        forms.append(options.form or detect_format(file, head))
    return forms


def _name(files: Sequence[str]) -> str:
    return f"{files[0]} and {len(files) - 1} more file{'s' if len(files) > 2 else ''}"


def _fingerprint(stamps: str) -> str:
    return f"xxh64:{xxh64(memoryview(stamps.encode())):016x}"


class _Joined:
    """Common base of both kinds of joined tables: all files must have the columns of the first one."""

    for_model = False

    def __init__(self, files: Sequence[str], tables: Sequence[Any]) -> None:
        self._files, self._tables = files, tables
        first = tables[0]
        self.name = _name(files)
        self.names: list[str] = first.names
        self.index: Collection[str] = first.index
        self.prefer_comma: bool = first.prefer_comma
        self.notes: Sequence[str] = (*first.notes, f"{len(files):,} files are read as one table")
        self._rows: list[int] = []
        for file, table in zip(files, tables, strict=True):
            if set(table.names) != set(self.names):
                odd = min(set(table.names) ^ set(self.names))
                lacks, has = (file, files[0]) if odd in self.names else (files[0], file)
                raise DataError(f"{has} has the column {odd!r}, which {lacks} lacks. Give all files the same columns.")

    @property
    def dropped_lines(self) -> int:
        return sum(table.dropped_lines for table in self._tables)

    def sample(self) -> pa.Table:
        return self._tables[0].sample()

    def place(self, row: int) -> str:
        """The file and the position in it, for messages."""
        for file, table, n in zip(self._files, self._tables, self._rows, strict=False):
            if row < n:
                return f"{file}, {table.place(row)}"
            row -= n
        return f"row {row + 1}"


class _JoinedTable(_Joined):
    """Tables in memory."""

    def __init__(self, files: Sequence[str], tables: Sequence[InMemoryTable]) -> None:
        super().__init__(files, tables)

    def read_plain(self, numbers: Sequence[str], label: str | None) -> PlainTable | None:
        return None

    def read(self, numbers: Collection[str], texts: Collection[str], prose: Collection[str] = ()) -> pa.Table:
        wanted = [name for name in self.names if name in {*numbers, *texts, *prose}]
        parts = []
        for table in self._tables:
            table.for_model = self.for_model
            parts.append(_plain_text(table.read(numbers, texts, prose).select(wanted)))
        self._rows = [part.num_rows for part in parts]
        return pa.concat_tables(parts)


def _plain_text(table: pa.Table) -> pa.Table:
    """The table without dictionaries, which differ between files."""
    columns = [c.cast(pa.string()) if pa.types.is_dictionary(c.type) else c for c in table.columns]
    return pa.table(dict(zip(table.column_names, columns, strict=True)))


class _JoinedStream(_Joined):
    """Tables that are read in batches."""

    def __init__(self, files: Sequence[str], tables: Sequence[StreamedTable]) -> None:
        super().__init__(files, tables)
        self.n_bytes = sum(table.n_bytes for table in tables)
        self._current = 0

    def batches(self, numbers: Collection[str], texts: Collection[str]) -> Iterator[pa.Table]:
        wanted = [name for name in self.names if name in {*numbers, *texts}]
        self._rows = []
        for k, table in enumerate(self._tables):
            self._current, rows = k, 0
            table.for_model = self.for_model
            self._rows.append(1 << 62)  # placeholder until the number of rows is known
            for batch in table.batches(numbers, texts):
                rows += batch.num_rows
                yield batch.select(wanted)
            self._rows[-1] = rows

    def position(self) -> int:
        done = sum(int(table.n_bytes) for table in self._tables[: self._current])
        return done + int(self._tables[self._current].position())

    def fingerprint(self) -> str:
        return _fingerprint("".join(table.fingerprint().removeprefix("xxh64:") for table in self._tables))
