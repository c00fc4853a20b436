"""Where points come from: a built-in set, the file of the command line, or text that a page sends."""

import csv
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt import data
from rosenblatt.data import DataError, Loaded, Sparse, Wishes
from rosenblatt.data.from_table import USUAL_TARGETS
from rosenblatt.data.text_tables import MISSING
from rosenblatt.lab.asking import RefusedError
from rosenblatt.lab.limits import MAX_CLASSES, MAX_COLUMNS, MAX_POINTS
from rosenblatt.lab.packing import packed

_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?", re.IGNORECASE)


@dataclass(frozen=True)
class Table:
    """A table of numbers with a class for each row, of which a page shows two columns."""

    name: str
    columns: list[str]
    X: NDArray[np.float64]
    classes: list[str]
    codes: NDArray[np.int32]


def table_of(loaded: Loaded) -> Table:
    """What was read, if the lab can show it."""
    labels = loaded.needs_labels()
    if isinstance(loaded.X, Sparse):
        raise DataError(f"{loaded.name}: svmlight data is sparse, and the lab shows tables. Use a CSV file.")
    n, d = loaded.X.shape
    if n > MAX_POINTS:
        raise DataError(f"{loaded.name} has {n:,} rows; the lab shows at most {MAX_POINTS:,}. Take a sample of them.")
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
    if d == 1:  # on a line: the second coordinate is zero
        X, names = np.column_stack([X, np.zeros(n)]), [*names, "0"]
    return Table(loaded.name.removeprefix("@"), names, X, [str(c) for c in labels.classes.tolist()], labels.codes)


def read_text(text: str, name: str) -> Table:
    """A table that somebody pasted or uploaded: CSV with commas, semicolons or tabs, with or without a header."""
    from rosenblatt.data.from_table import read_table

    if not text.strip():
        raise DataError(f"{name} is empty. Paste rows such as 5, 7, +1: two numbers and a class.")
    found = memoryview(text.encode())
    head = text.lstrip().splitlines()[0]
    delimiter = max(",;\t", key=head.count)
    has_header = not _is_data(head, delimiter)
    wishes = Wishes(delimiter=delimiter, has_header=has_header)
    _refuse_stray_words(text, delimiter, has_header, name)
    try:
        return table_of(read_table(name, found, "csv", wishes, None))
    except DataError as error:
        raise DataError(without_options(str(error))) from error


def _is_data(line: str, delimiter: str) -> bool:
    """Whether a first line holds values rather than names: all of it but the class is numbers."""
    fields = [field.strip().strip('"') for field in line.split(delimiter)]
    return len(fields) > 1 and all(_NUMBER.fullmatch(f) for f in fields[:-1])


def _refuse_stray_words(text: str, delimiter: str, has_header: bool, name: str) -> None:
    """Refuses a word among numbers: to the table reader, one typing error would make categories of a whole column."""
    rows = csv.reader(text.removeprefix("\ufeff").splitlines(keepends=True), delimiter=delimiter)
    header = next(rows, []) if has_header else []
    found: dict[int, list[tuple[int, str]]] = {}  # the words in each column, by line
    numbers: Counter[int] = Counter()
    for row in rows:
        for column, value in enumerate(row):
            if _NUMBER.fullmatch(value.strip()):
                numbers[column] += 1
            elif value.strip() not in MISSING:
                found.setdefault(column, []).append((rows.line_num, value.strip()))
    last = max([*numbers, *found], default=0)
    labels = [k for k, title in enumerate(header) if title.strip().lower() in USUAL_TARGETS]
    for column, words in found.items():
        if column != (labels[0] if len(labels) == 1 else last) and len(words) <= numbers[column]:
            line, word = words[0]
            title = repr(header[column]) if column < len(header) else str(column + 1)
            raise DataError(
                f"{name}, line {line}, column {title}: {word[:40]!r} is not a number, as most of the column is. "
                "Correct it."
            )


def without_options(message: str) -> str:
    """An error of the command line for somebody who has a page: its options are left out.

    >>> without_options("line 3: 'a' is not a number. Correct it, or take it as categories (--categorical x).")
    "line 3: 'a' is not a number. Correct it."
    """
    message = re.sub(r",? or [^.,;()]*\(--(?:[^()]|\([^()]*\))*\)", "", message)
    message = re.sub(r"\s*\(--(?:[^()]|\([^()]*\))*\)", "", message)
    sentences = re.split(r"(?<=\.)\s+", message)
    return " ".join(sentence for sentence in sentences if "--" not in sentence)


def shown(table: Table, body: Mapping[str, Any]) -> dict[str, Any]:
    """Two columns of a table, and at most as many classes as the lab has shapes for, as a page draws them."""
    columns = body.get("columns", [0, 1])
    if (
        not isinstance(columns, list)
        or len(columns) != 2
        or not all(type(c) is int and 0 <= c < len(table.columns) for c in columns)
    ):
        raise RefusedError(f"columns must be two numbers from 0 to {len(table.columns) - 1}.")
    kept = table.codes < MAX_CLASSES
    X = table.X[kept][:, columns]
    if body.get("standardize"):
        width = X.std(axis=0)
        X = (X - X.mean(axis=0)) / np.where(width > 0, width, 1.0)
    return {
        "name": table.name,
        "columns": table.columns,
        "chosen": columns,
        "classes": table.classes[:MAX_CLASSES],
        "left_out": int((~kept).sum()),
        "x": packed(np.ascontiguousarray(X).ravel()),
        "y": packed(table.codes[kept]),
    }


def builtin(name: Any) -> Table:
    """A built-in set by name; never a file, whatever the name looks like."""
    if not isinstance(name, str) or name not in data.names():
        raise RefusedError(f"there is no built-in data set {str(name)[:40]!r}; there are: {', '.join(data.names())}.")
    return table_of(data.read(f"@{name}"))


def to_message(table: Table) -> dict[str, Any]:
    """A table on its way to a worker."""
    return {
        "name": table.name,
        "columns": table.columns,
        "X": table.X.tolist(),
        "classes": table.classes,
        "codes": table.codes.tolist(),
    }


def from_message(message: Mapping[str, Any]) -> Table:
    """And as it arrives."""
    return Table(
        message["name"],
        message["columns"],
        np.array(message["X"], dtype=np.float64),
        message["classes"],
        np.array(message["codes"], dtype=np.int32),
    )
