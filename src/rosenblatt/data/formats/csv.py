"""CSV and TSV files: whole, or block by block."""

import io
from collections.abc import Collection, Iterator
from typing import Any

import pyarrow as pa

from rosenblatt.data.dataset import Dataset
from rosenblatt.data.errors import DataError
from rosenblatt.data.features import Features
from rosenblatt.data.formats.delimited.csv_table import SAMPLE, TextTable
from rosenblatt.data.formats.delimited.line_filters import FilteredLines, without_header
from rosenblatt.data.formats.tables.table_reader import dataset_of
from rosenblatt.data.formats.tables.table_scanner import scan_of
from rosenblatt.data.memory import megabytes
from rosenblatt.data.read_options import ReadOptions
from rosenblatt.data.scanner import Scan
from rosenblatt.data.sources.byte_source import ByteSource, CheckedStream
from rosenblatt.data.sources.file_bytes import Bytes, display_name

_SCAN_BLOCK = 1 << 22


def read(source: str, content: Bytes, form: str, options: ReadOptions, like: Features | None) -> Dataset:
    """Reads all examples of a text; with `like`, by a model's columns."""
    return dataset_of(open_table(source, content, form, options, like), display_name(source), options, like)


def scan(source: ByteSource, form: str, options: ReadOptions, like: Features | None) -> Scan:
    """Scans the same examples in blocks; the first 2 MB give the schema."""
    return scan_of(open_stream(source, form, options, like), options, like)


def open_table(source: str, content: Bytes, form: str, options: ReadOptions, like: Features | None) -> TextTable:
    return TextTable(source, content, form, options, like)


def open_stream(source: ByteSource, form: str, options: ReadOptions, like: Features | None) -> "StreamedText":
    return StreamedText(source, form, options, like)


class StreamedText(TextTable):
    """A CSV or TSV text of any size: its beginning gives the schema."""

    def __init__(self, source: ByteSource, form: str, options: ReadOptions, like: Features | None) -> None:
        head = source.head()
        if len(head) > SAMPLE and b"\n" not in head and b"\r" not in head:
            raise DataError(
                f"{source.name}, line 1 is longer than {megabytes(len(head))}, the longest that a stream begins with. "
                "Is it a text with one example per line?"
            )
        super().__init__(source.name, memoryview(head), form, options, like)
        self.name = source.name
        self.n_bytes = source.n_bytes
        self._stream = source
        self._last: CheckedStream | None = None
        self._n_parsed = 0

    def batches(self, numbers: Collection[str], texts: Collection[str]) -> Iterator[pa.Table]:
        from pyarrow import csv

        types = dict.fromkeys(numbers, pa.float64()) | dict.fromkeys(texts, pa.string())
        self.dropped_lines = 0
        with self._stream.open() as stream:
            self._last = stream
            try:
                reader = csv.open_csv(
                    pa.PythonFile(self._rows_of(stream), "r"),
                    read_options=self._arrow_read_options(use_threads=False, block_size=_SCAN_BLOCK),
                    parse_options=csv.ParseOptions(delimiter=self._delimiter, newlines_in_values=True),
                    convert_options=self._convert_options(types, [name for name in self.names if name in types]),
                )
                for count, batch in enumerate(reader, 1):
                    self._n_parsed = count * _SCAN_BLOCK  # the reader itself is some blocks ahead
                    yield pa.Table.from_batches([batch])
            except pa.ArrowInvalid as error:
                self._refuse(error)

    def _rows_of(self, stream: CheckedStream) -> Any:
        """The bytes of the rows, as `_body` has them."""
        lines: Any = stream
        if self._spaces is not None:
            lines = io.BufferedReader(FilteredLines(stream, self._spaces.with_tabs), _SCAN_BLOCK)
        lines.read(self._rows_begin)
        return io.BufferedReader(FilteredLines(lines, self._without_header), _SCAN_BLOCK) if self._header else lines

    def _without_header(self, text: bytes) -> bytes:
        text, count = without_header(text, self._header)
        self.dropped_lines += count
        return text

    def position(self) -> int:
        unpacked, packed = (0, 0) if self._last is None else self._last.so_far
        return int(packed * min(1.0, self._n_parsed / unpacked)) if unpacked else 0

    def fingerprint(self) -> str:
        return self._stream.fingerprint() if self._last is None else self._last.fingerprint

    def _is_last(self, row: int) -> bool:
        """Whether a row is the last one, and its line does not end. A file longer than the head is not searched."""
        return len(self._bytes) == self._stream.n_bytes and super()._is_last(row)

    def _line_of(self, record: int) -> int:
        """The line of a record: records are lines, except blank ones and line breaks within quotes."""
        number, records, open_quote = 0, -1, False
        above = self._bytes[: self._blank].tobytes().count(b"\n")  # lines above the header
        for text in self._stream.line_blocks():
            for line in text.split(b"\n"):
                number += 1
                begins = number > above and not open_quote and line.strip(b"\r\xef\xbb\xbf") != b""
                if begins and records >= 0:
                    tabbed = line if self._spaces is None else self._spaces.with_tabs(line)
                    begins = not self._repeats_header(tabbed.rstrip(b"\r"))
                records += begins
                if begins and records == record:
                    return number
                open_quote ^= line.count(b'"') % 2 == 1
            number -= 1  # the empty piece after the last newline
        return number
