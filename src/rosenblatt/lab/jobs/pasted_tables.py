"""The jobs `data` and `text`: a built-in data set, the file given on the command line, or text that a page sends."""

import csv
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from rosenblatt import data
from rosenblatt.data import DataError, Dataset, Features, ReadOptions, Sparse
from rosenblatt.data.columns.dates import DateFormat, Order
from rosenblatt.data.columns.missing import MISSING
from rosenblatt.data.columns.number_text import FORMATS as NUMBER_FORMATS
from rosenblatt.data.columns.number_text import guess_number_format
from rosenblatt.data.formats.tables.table_schema import named_target
from rosenblatt.lab.encoding.packing import packed
from rosenblatt.lab.limits import MAX_CLASSES, MAX_COLUMNS, MAX_POINTS, MAX_VALUES
from rosenblatt.lab.requests.request_values import RefusedError
from rosenblatt.lab.requests.table_requests import TableRequest

_OPTION = r"\(--(?:[^()]|\([^()]*\))*\)"  # (--option value; in Python …)
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?", re.IGNORECASE)


@dataclass(frozen=True)
class Table:
    """A table of numbers with a class for each row. A page shows two of its columns."""

    name: str
    columns: list[str]
    X: NDArray[np.float64]
    classes: list[str]
    codes: NDArray[np.int32]
    sampled_from: int | None = None  # the number of rows from which these were drawn; None: these are all


def sample_of(loaded: Dataset) -> Dataset:
    """At most `MAX_POINTS` examples of a dataset, drawn at random, in their order in the file; a note says so."""
    n = loaded.n_examples
    if n <= MAX_POINTS:
        return loaded
    rows = np.sort(np.random.default_rng(0).choice(n, MAX_POINTS, replace=False))
    return loaded.selected(rows, f"the lab shows {MAX_POINTS:,} of the {n:,} rows, drawn at random")


def without_texts(loaded: Dataset) -> Dataset:
    """The dataset without texts and hashed categories, which have more features than the lab shows; a note names them.

    A dataset of nothing else stays as it is.
    """
    features = loaded.features
    kept = [column for column in features.columns if column.bits is None]
    if not isinstance(loaded.X, Sparse) or not kept:
        return loaded
    is_kept = np.concatenate([np.full(column.width, column.bits is None) for column in features.columns])
    names = ", ".join(repr(column.name) for column in features.columns if column.bits is not None)
    return replace(
        loaded,
        X=loaded.X.to_scipy()[:, np.flatnonzero(is_kept)].toarray(),
        features=Features.of_table(kept, features.target, features.report),
        notes=(*loaded.notes, f"the lab leaves out {names}, because texts have too many features to show"),
    )


def table_of(loaded: Dataset, sampled_from: int | None = None) -> Table:
    """Converts a dataset to a table. Raises `DataError` if the lab cannot show it."""
    labels = loaded.needs_labels()
    if isinstance(loaded.X, Sparse):
        wide = next((column.name for column in loaded.features.columns if column.bits is not None), None)
        if wide is None:
            raise DataError(f"{loaded.name}: svmlight data is sparse, and the lab shows tables. Use a CSV file.")
        raise DataError(
            f"{loaded.name}, column {wide!r}: its texts would become more features than the lab shows. "
            "Leave the column out."
        )
    n, d = loaded.X.shape
    if n > MAX_POINTS:
        raise DataError(
            f"{loaded.name} has {n:,} rows; the lab shows at most {MAX_POINTS:,}. Take a sample of them; the command "
            "rosenblatt lab FILE draws one."
        )
    if not 1 <= d <= MAX_COLUMNS:
        raise DataError(f"{loaded.name} has {d:,} columns; the lab takes at most {MAX_COLUMNS:,}. Leave some out.")
    if len(labels.classes) > MAX_CLASSES + 2:
        raise DataError(
            f"{loaded.name} has {len(labels.classes):,} classes; the lab shows at most {MAX_CLASSES + 2}. "
            "Is the label in another column?"
        )
    X = np.asarray(loaded.X, dtype=np.float64)
    if not np.isfinite(X).all():
        row, column = np.argwhere(~np.isfinite(X))[0]
        raise DataError(f"{loaded.name}, {loaded.place(int(row))}: column {column + 1} is not a finite number.")
    names = loaded.features.names()
    if d == 1:  # one column: the points lie on a line, with second coordinate zero
        X, names = np.column_stack([X, np.zeros(n)]), [*names, "0"]
    name = PurePath(loaded.name).name.removeprefix("@")
    classes = [str(c) for c in labels.classes.tolist()]
    return Table(name, names, X, classes, labels.codes, sampled_from if sampled_from != n else None)


def read_text(text: str, name: str) -> Table:
    """Reads a pasted or uploaded table: CSV with commas, semicolons or tabs, with or without a header."""
    from rosenblatt.data.formats import csv as csv_format

    if not text.strip():
        raise DataError(f"{name} is empty. Paste rows such as 5, 7, +1: two numbers and a class.")
    found = memoryview(text.encode())
    head = text.lstrip().splitlines()[0]
    delimiter = _delimiter(head)
    has_header = not _is_data(head, delimiter)
    read_options = ReadOptions(delimiter=delimiter, has_header=has_header, keep_all=True, impute=False, pool=False)
    _refuse_stray_words(text, delimiter, has_header, name)
    try:
        return table_of(csv_format.read(name, found, "csv", read_options, None))
    except DataError as error:
        raise DataError(without_options(str(error))) from error


def _delimiter(head: str) -> str:
    """The most frequent of the signs in a first line. A comma can also be a decimal comma, so it is the last choice."""
    best = max("\t;,", key=head.count)
    return best if best in head else ","


def _is_data(line: str, delimiter: str) -> bool:
    """Whether a first line holds values, not column names: all fields except the last are numbers or dates."""
    fields = [field.strip() for field in next(csv.reader([line], delimiter=delimiter), [])]
    return len(fields) > 1 and all(map(_is_value, fields[:-1]))


def _is_value(text: str) -> bool:
    if any(form.parse(text) is not None for form in NUMBER_FORMATS):
        return True
    return any(DateFormat(order).parse(text) is not None for order in get_args(Order))


def _refuse_stray_words(text: str, delimiter: str, has_header: bool, name: str) -> None:
    """Refuses a word in a column of numbers: with one typing error the reader would infer a categorical column."""
    rows = csv.reader(text.removeprefix("\ufeff").splitlines(keepends=True), delimiter=delimiter)
    header = next(rows, []) if has_header else []
    found: dict[int, dict[str, int]] = {}  # for each column, the line where each text occurs first
    counts: dict[int, Counter[str]] = {}
    for row in rows:
        for column, value in enumerate(map(str.strip, row)):
            if value not in MISSING:
                found.setdefault(column, {}).setdefault(value, rows.line_num)
                counts.setdefault(column, Counter())[value] += 1
    last = max(found, default=0)
    named = named_target(header)
    for column, lines in found.items():
        if column == (last if named is None else named) or all(map(_NUMBER.fullmatch, lines)):
            continue
        number = guess_number_format(counts[column], prefer_comma=delimiter == ";")
        if number.strays and sum(counts[column][word] for word in number.strays) <= number.fits:
            word = min(number.strays, key=lines.__getitem__)
            title = repr(header[column]) if column < len(header) else f"'column{column + 1}'"
            raise DataError(
                f"{name}, line {lines[word]}, column {title}: {word[:40]!r} is not a number, as most of the column is. "
                "Correct it."
            )


def without_options(message: str) -> str:
    """Removes the names of command-line options from an error message, because a page does not have them.

    >>> without_options("line 3: 'a' is not a number. Correct it, or take it as categories (--categorical x).")
    "line 3: 'a' is not a number. Correct it."
    """
    message = re.sub(rf", ([^.,;()]*) {_OPTION}, or leave --[\w-]+ out", r", or \1", message)
    message = re.sub(rf",? or [^.,;()]*{_OPTION}", "", message)
    message = re.sub(rf"\s*{_OPTION}", "", message)
    sentences = re.split(r"(?<=\.)\s+", message)
    return " ".join(sentence for sentence in sentences if "--" not in sentence)


def shown(table: Table, body: Mapping[str, Any]) -> dict[str, Any]:
    """Encodes two columns of a table, and all columns if they have at most `MAX_VALUES` values.

    Rows of classes beyond the first `MAX_CLASSES` are left out.
    """
    request = TableRequest.of(body, len(table.columns))
    columns = list(request.columns)
    kept = table.codes < MAX_CLASSES
    X = table.X[kept]
    if request.standardize:
        width = X.std(axis=0)
        X = (X - X.mean(axis=0)) / np.where(width > 0, width, 1.0)
    return {
        "name": table.name,
        "columns": table.columns,
        "chosen": columns,
        "classes": table.classes[:MAX_CLASSES],
        "left_out": int((~kept).sum()),
        "sampled_from": table.sampled_from,
        "x": packed(np.ascontiguousarray(X[:, columns]).ravel()),
        "y": packed(table.codes[kept]),
        "values": packed(np.ascontiguousarray(X).ravel()) if X.shape[1] > 2 and X.size <= MAX_VALUES else None,
    }


def builtin(name: str) -> Table:
    """Returns a built-in data set by name. A name is never read as a file path."""
    if name not in data.names():
        raise RefusedError(f"there is no built-in data set {name[:40]!r}; there are: {', '.join(data.names())}.")
    return table_of(data.read(f"@{name}"))


def to_message(table: Table) -> dict[str, Any]:
    """Converts a table to JSON values, to send it to a worker."""
    return {
        "name": table.name,
        "columns": table.columns,
        "X": table.X.tolist(),
        "classes": table.classes,
        "codes": table.codes.tolist(),
        "sampled_from": table.sampled_from,
    }


def from_message(message: Mapping[str, Any]) -> Table:
    """The inverse of `to_message`."""
    return Table(
        message["name"],
        message["columns"],
        np.array(message["X"], dtype=np.float64),
        message["classes"],
        np.array(message["codes"], dtype=np.int32),
        message["sampled_from"],
    )
