"""Tables, block by block: CSV and TSV texts, Parquet and Arrow files, and whatever else gives Arrow batches."""

import io
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, BinaryIO, Protocol

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from rosenblatt.data.columns import coded, first_twice, floats, is_number
from rosenblatt.data.encode import COMPLETE, COMPLETE_OR_DROP, MAX_CATEGORIES, encode, refuse_marks, too_many
from rosenblatt.data.errors import DataError
from rosenblatt.data.features import Column, Features
from rosenblatt.data.from_table import chosen_columns, missing_label, target_column, target_of_model
from rosenblatt.data.hashing import DocumentFrequencies
from rosenblatt.data.index_columns import declared_index
from rosenblatt.data.labels import numeric_labels
from rosenblatt.data.scanning import Block, Scan
from rosenblatt.data.streams import CheckedStream, Source
from rosenblatt.data.tables import ArrowTable, table_of
from rosenblatt.data.text_tables import MISSING, TextTable
from rosenblatt.data.wishes import Wishes

_BLOCK = 1 << 22
_ROWS = 1 << 15


class Streamed(Protocol):
    """A table of which only some rows are in memory."""

    name: str
    names: list[str]
    index: Collection[str]
    for_model: bool
    n_bytes: int

    def guess(self) -> dict[str, bool]:
        """Whether each column is numeric."""

    def batches(self, numbers: Collection[str], texts: Collection[str]) -> Iterator[pa.Table]:
        """The columns named, as float64 or as text, from the first row on."""

    def place(self, row: int) -> str:
        """Where a row (from 0) stands."""

    def position(self) -> int:
        """How many of `n_bytes` have been read."""

    def fingerprint(self) -> str:
        """Of the whole file."""


def scan_table(table: Streamed, wishes: Wishes, like: Features | None) -> Scan:
    """The schema first, for which texts are read twice if there are categories; then the rows."""
    notes: list[str] = []
    target: str | None
    if wishes.impute:
        raise DataError(
            "--impute needs the median of all values, which a stream does not have. Complete the data first."
        )
    table.for_model = like is not None
    if like is None:
        target = target_column(table, wishes.target, table.name, notes)
        chosen, numbers = chosen_columns(table, target, wishes, table.name, notes)
        features = Features.of_table(_learned(table, chosen, numbers, wishes), target)
    else:
        target = target_of_model(table.names, wishes.target, like, table.name)
        features = like
        numbers = {column.name for column in like.columns if column.is_number}
    wanted = {column.name for column in features.columns}
    missing = COMPLETE if like else COMPLETE_OR_DROP
    label_is_number = target is not None and table.guess()[target]

    def blocks() -> Iterator[Block]:
        first = 0
        texts = {*wanted, *([target] if target and not label_is_number else [])} - numbers
        for batch in table.batches({*numbers, *([target] if target and label_is_number else [])}, texts):
            place = _shifted(table.place, first)
            X = encode(batch, features, source=table.name, place=place, unseen=wishes.unseen, missing=missing)
            yield Block(
                X, _labels(batch.column(target), target, label_is_number, table.name, place) if target else None
            )
            first += batch.num_rows

    return Scan(
        table.name,
        lambda: features,
        blocks,
        table.n_bytes,
        table.position,
        table.fingerprint,
        table.place,
        tuple(notes),
    )


def _shifted(place: Callable[[int], str], first: int) -> Callable[[int], str]:
    return lambda row: place(first + row)


def _learned(table: Streamed, chosen: Sequence[str], numbers: set[str], wishes: Wishes) -> list[Column]:
    """What the columns are, for which all texts are read once; the words of categories that get hashed are not kept."""
    words: dict[str, set[str]] = {name: set() for name in chosen if name not in numbers and name not in wishes.text}
    prose = {name: DocumentFrequencies(name, wishes) for name in chosen if name in wishes.text}
    hashed: set[str] = set()
    for batch in table.batches(set(), [*words, *prose]) if words or prose else ():
        for name, frequencies in prose.items():
            frequencies.add(batch.column(name))
        for name, known in words.items():
            if name in hashed:
                continue
            known.update(text for text in coded(batch.column(name))[0] if text is not None)
            if len(known) > MAX_CATEGORIES:
                if wishes.hash_bits is None:
                    raise too_many(table.name, name, f"more than {MAX_CATEGORIES:,}")
                hashed.add(name)
    for name, known in words.items():
        refuse_marks(known, table.name, name)
    columns = []
    for name in chosen:
        if name in prose:
            columns.append(prose[name].column())
        elif name in hashed:
            columns.append(Column(name, bits=wishes.hash_bits))
        else:
            columns.append(Column(name, tuple(sorted(words[name])) if name in words else None))
    return columns


def _labels(
    column: pa.ChunkedArray, target: str, is_numeric: bool, source: str, place: Callable[[int], str]
) -> NDArray[Any]:
    if column.null_count:
        raise missing_label(column, target, source, place)
    if is_numeric:
        values = floats(column)
        strange = np.flatnonzero(~np.isfinite(values))
        if len(strange):
            raise DataError(f"{source}, {place(int(strange[0]))}: the target is not finite. Remove the row.")
        return numeric_labels(values, source, place).y
    texts, codes = coded(column)
    return np.array(texts)[codes]


def open_streamed(source: Source, form: str, wishes: Wishes) -> Streamed:
    """A file as a table of this format."""
    if form in ("csv", "tsv"):
        return StreamedText(source, wishes.delimiter or ("\t" if form == "tsv" else ","), wishes.has_header)
    return StreamedArrow(source, form)


class StreamedText(TextTable):
    """A CSV or TSV text of any size: its beginning gives the schema."""

    def __init__(self, source: Source, delimiter: str, has_header: bool) -> None:
        super().__init__(source.name, memoryview(source.head()), delimiter, has_header)
        self.name = source.name
        self.n_bytes = source.n_bytes
        self._stream = source
        self._last: CheckedStream | None = None
        self._parsed = 0

    def batches(self, numbers: Collection[str], texts: Collection[str]) -> Iterator[pa.Table]:
        from pyarrow import csv

        types = dict.fromkeys(numbers, pa.float64()) | dict.fromkeys(texts, pa.string())
        with self._stream.open() as stream:
            self._last = stream
            stream.read(self._rows_begin)
            try:
                reader = csv.open_csv(
                    pa.PythonFile(stream, "r"),
                    read_options=self._read_options(use_threads=False, block_size=_BLOCK),
                    parse_options=csv.ParseOptions(delimiter=self._delimiter, newlines_in_values=True),
                    convert_options=csv.ConvertOptions(
                        column_types=types,
                        include_columns=[name for name in self.names if name in types],
                        null_values=MISSING,
                        strings_can_be_null=True,
                    ),
                )
                for count, batch in enumerate(reader, 1):
                    self._parsed = count * _BLOCK  # while the reader has read some blocks more
                    yield pa.Table.from_batches([batch])
            except pa.ArrowInvalid as error:
                self._refuse(error)

    def position(self) -> int:
        unpacked, packed = (0, 0) if self._last is None else self._last.so_far
        return int(packed * min(1.0, self._parsed / unpacked)) if unpacked else 0

    def fingerprint(self) -> str:
        return self._stream.fingerprint() if self._last is None else self._last.fingerprint

    def _line_of(self, record: int) -> int:
        """The line of a record: records are lines, but for blank ones and for what quotes hold together."""
        number, records, open_quote = 0, -1, False
        for text in self._stream.line_blocks():
            for line in text.split(b"\n"):
                number += 1
                begins = not open_quote and line.strip(b"\r\xef\xbb\xbf") != b""
                records += begins
                if begins and records == record:
                    return number
                open_quote ^= line.count(b'"') % 2 == 1
            number -= 1  # the empty piece after the last newline
        return number


class StreamedArrow:
    """A Parquet or Arrow file, read by row groups or record batches."""

    for_model = False

    def __init__(self, source: Source, form: str) -> None:
        self.name = source.name
        self.n_bytes = source.n_bytes
        self._source = source
        self._form = form
        self._position = 0
        try:
            with source.seekable() as file:
                found = self._open(file)
                self._schema = found.schema_arrow if form == "parquet" else found.schema
        except (pa.ArrowException, OSError) as error:
            text = " ".join(str(error).split())[:200]
            raise DataError(f"{self.name}: cannot be read as {form} ({text}). Is the file whole?") from error
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

    def guess(self) -> dict[str, bool]:
        return {field.name: is_number(field.type) for field in self._schema}

    def batches(self, numbers: Collection[str], texts: Collection[str]) -> Iterator[pa.Table]:
        wanted = [name for name in self.names if name in numbers or name in texts]
        try:
            for batch in self._record_batches(wanted):
                yield self._table(batch).read(numbers, texts)
        except (pa.ArrowException, OSError) as error:
            text = " ".join(str(error).split())[:200]
            raise DataError(f"{self.name}: cannot be read as {self._form} ({text}). Is the file whole?") from error

    def _table(self, batch: pa.RecordBatch) -> ArrowTable:
        table = table_of(pa.Table.from_batches([batch]), self.name)
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
                yield batch.select(list(wanted))

    def place(self, row: int) -> str:
        return f"row {row + 1}"

    def position(self) -> int:
        return self._position

    def fingerprint(self) -> str:
        return self._source.fingerprint()
