"""Workbooks (.xlsx, .xls, .xlsm, .xlsb, .ods): the first sheet that has rows. They are read whole."""

import io
from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from rosenblatt.data.columns.infer import SAMPLE_ROWS
from rosenblatt.data.dataset import Dataset
from rosenblatt.data.errors import DataError
from rosenblatt.data.features import Features
from rosenblatt.data.formats.delimited.below_header import lines_below_header, note_on_lines
from rosenblatt.data.formats.delimited.csv_header import distinct_names, is_title
from rosenblatt.data.formats.tables.batch_table import BatchTable, array_of
from rosenblatt.data.formats.tables.table_reader import InMemoryTable, dataset_of
from rosenblatt.data.formats.tables.table_scanner import scan_of
from rosenblatt.data.memory import check_bytes
from rosenblatt.data.read_options import ReadOptions
from rosenblatt.data.scanner import Scan
from rosenblatt.data.sources.byte_source import ByteSource
from rosenblatt.data.sources.file_bytes import Bytes, display_name

#: Rows that tell whether lines below the header are rows.
_FIRST_ROWS = 13


def read(source: str, content: Bytes, form: str, options: ReadOptions, like: Features | None) -> Dataset:
    """Reads all rows; with `like`, by a model's columns."""
    return dataset_of(open_table(source, content, form, options, like), display_name(source), options, like)


def scan(source: ByteSource, form: str, options: ReadOptions, like: Features | None) -> Scan:
    """Scans the same rows in blocks."""
    return scan_of(open_stream(source, form, options, like), options, like)


def open_table(source: str, content: Bytes, form: str, options: ReadOptions, like: Features | None) -> InMemoryTable:
    return _opened(display_name(source), content.tobytes(), options).in_memory()


def open_stream(source: ByteSource, form: str, options: ReadOptions, like: Features | None) -> BatchTable:
    check_bytes(source.n_bytes, f"{source.name} needs")
    with source.open() as stream:
        table = _opened(source.name, stream.read(), options)
        table.n_bytes, table.position = source.n_bytes, lambda: source.n_bytes
        table.fingerprint = source.fingerprint
        return table


def _opened(name: str, content: bytes, options: ReadOptions) -> BatchTable:
    try:
        from python_calamine import CalamineError, load_workbook
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError("workbooks need python-calamine: pip install 'rosenblatt[excel]'") from error
    try:
        book = load_workbook(io.BytesIO(content))
        sheets = [(title, book.get_sheet_by_name(title).to_python()) for title in book.sheet_names]
    except (CalamineError, OSError, ValueError) as error:
        raise DataError(f"{name}: cannot be read as a workbook ({error}). Is the file complete?") from error
    filled = [(title, rows) for title, rows in sheets if len(rows) > 1]
    if not filled:
        raise DataError(f"{name}: no sheet has a header and rows.")
    title, rows = filled[0]
    above = 0 if options.has_header is False else _titles(rows)
    rows = rows[above:]
    header = [str(cell) for cell in rows[0]]
    names, renamed = distinct_names([cell.strip() for cell in header])
    below = 0 if options.has_header is not None else lines_below_header(_texts(rows[1:_FIRST_ROWS]))
    places = [k for k, row in enumerate(rows) if k > below and row != rows[0]]
    if options.has_header is False:
        names, places = [f"column{k}" for k in range(1, len(header) + 1)], list(range(len(rows)))
    body = [rows[k] for k in places]

    def batches() -> Iterator[pa.Table]:
        for start in range(0, len(body), SAMPLE_ROWS):
            part = body[start : start + SAMPLE_ROWS]
            columns = zip(*part, strict=True)
            yield pa.table({n: array_of([_cell(v) for v in column]) for n, column in zip(names, columns, strict=True)})

    table = BatchTable(name, batches, place=lambda row: f"row {above + places[row] + 1}")
    table.dropped_lines = len(rows) - len(body) - below - (options.has_header is not False)
    notes = [f"the sheet is {title!r}"] if len(sheets) > 1 else []
    if above:
        lines = "row is" if above == 1 else f"{above} rows are"
        notes.append(f"the first {lines} above the header and left out")
    notes += [note_on_lines(below)] if below else []
    notes += [f"columns of the same name are renamed: {old!r} to {new!r}" for old, new in renamed[:3]]
    table.notes = tuple(notes)
    return table


def _texts(rows: list[list[Any]]) -> list[list[str]]:
    return [[str(cell).strip() for cell in row] for row in rows]


def _titles(rows: list[list[Any]]) -> int:
    """The number of rows above the header: titles and empty rows, followed by a row of at least two names."""
    for count, row in enumerate(rows[:-1]):
        cells = [str(cell).strip() for cell in row]
        if not is_title(cells):
            return count if all(isinstance(cell, str) for cell in row) else 0
    return 0


def _cell(value: Any) -> Any:
    return None if value == "" else value
