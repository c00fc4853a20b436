"""JSON and JSON lines: objects with a column for each key, whole or block by block. Nested objects become `a.b`."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa

from rosenblatt.data.columns.infer import SAMPLE_ROWS
from rosenblatt.data.dataset import Dataset
from rosenblatt.data.errors import DataError
from rosenblatt.data.features import Features
from rosenblatt.data.formats.json_objects import rows_of_object
from rosenblatt.data.formats.tables.batch_table import BatchTable, table_of_rows
from rosenblatt.data.formats.tables.table_reader import InMemoryTable, dataset_of
from rosenblatt.data.formats.tables.table_scanner import scan_of
from rosenblatt.data.memory import megabytes
from rosenblatt.data.read_options import ReadOptions
from rosenblatt.data.scanner import Scan
from rosenblatt.data.sources.byte_source import ByteSource
from rosenblatt.data.sources.file_bytes import Bytes, display_name

_BLOCK = 1 << 22
_LONGEST_OBJECT = 1 << 28
_SPACE = " \t\r\n,"


def read(source: str, content: Bytes, form: str, options: ReadOptions, like: Features | None) -> Dataset:
    """Reads all objects; with `like`, by a model's columns."""
    return dataset_of(open_table(source, content, form, options, like), display_name(source), options, like)


def scan(source: ByteSource, form: str, options: ReadOptions, like: Features | None) -> Scan:
    """Scans the same objects in blocks."""
    return scan_of(open_stream(source, form, options, like), options, like)


def open_table(source: str, content: Bytes, form: str, options: ReadOptions, like: Features | None) -> InMemoryTable:
    name = display_name(source)

    def blocks() -> Iterator[bytes]:
        for start in range(0, len(content), _BLOCK):
            yield content[start : start + _BLOCK].tobytes()

    return BatchTable(name, lambda: _batches(name, blocks())).in_memory()


def open_stream(source: ByteSource, form: str, options: ReadOptions, like: Features | None) -> BatchTable:
    def batches() -> Iterator[pa.Table]:
        with source.open() as stream:
            yield from _batches(source.name, iter(lambda: stream.read(_BLOCK), b""))

    return BatchTable(
        source.name,
        batches,
        n_bytes=source.n_bytes,
        position=lambda: source.position,
        fingerprint=source.fingerprint,
        place=lambda row: f"object {row + 1}",
    )


def _batches(name: str, blocks: Iterator[bytes]) -> Iterator[pa.Table]:
    rows: list[Mapping[str, Any]] = []
    for row in _rows(name, blocks):
        rows.append(_flat(row))
        if len(rows) == SAMPLE_ROWS:
            yield table_of_rows(rows)
            rows = []
    if rows:
        yield table_of_rows(rows)


def _rows(name: str, blocks: Iterator[bytes]) -> Iterator[Mapping[str, Any]]:
    """The objects of an array, or one after the other; the rows of a file that is one object."""
    objects = _objects(name, blocks)
    first, is_array = next(objects, (None, False))
    second, _ = next(objects, (None, False))
    if first is not None:
        yield from [first] if second is not None or is_array else rows_of_object(first)
    if second is not None:
        yield second
        yield from (row for row, _ in objects)


def _objects(name: str, blocks: Iterator[bytes]) -> Iterator[tuple[Mapping[str, Any], bool]]:
    """The objects, and whether they are those of an array."""
    import codecs

    decoder, parser = codecs.getincrementaldecoder("utf-8-sig")(), json.JSONDecoder()
    text, count, ended, started, is_array = "", 0, False, False, False
    while True:
        text = text.lstrip(_SPACE)
        if not started and text:
            started, is_array = True, text[0] == "["
            text = text[1:].lstrip(_SPACE) if is_array else text
        if text.startswith("]") or (ended and not text):
            return
        try:
            found, end = parser.raw_decode(text) if text else (None, 0)
        except ValueError as error:
            found, end = None, 0
            if ended or len(text) > _LONGEST_OBJECT:
                size = f" within {megabytes(_LONGEST_OBJECT)}" if not ended else ""
                raise DataError(
                    f"{name}, object {count + 1}: not JSON{size} ({error}). Is the file complete?"
                ) from error
        if not end:
            content = next(blocks, b"")
            ended = not content
            try:
                text += decoder.decode(content, final=ended)
            except UnicodeDecodeError as error:
                raise DataError(f"{name}: the text is not UTF-8. Name its encoding (--encoding cp1252).") from error
            continue
        count, text = count + 1, text[end:]
        if not isinstance(found, dict):
            raise DataError(
                f"{name}, object {count}: {str(found)[:40]!r} is not an object. Each row must be one, such as "
                '{"size": 1, "kind": "a"}.'
            )
        yield found, is_array


def _flat(row: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in row.items():
        if isinstance(value, dict):
            flat |= _flat(value, f"{before}{key}.")
        else:
            flat[f"{before}{key}"] = value
    return flat
