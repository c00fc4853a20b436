"""svmlight files, block by block."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from rosenblatt.core import SvmlightError, SvmlightReading
from rosenblatt.data.bytes import available_threads
from rosenblatt.data.errors import DataError
from rosenblatt.data.features import Features
from rosenblatt.data.labels import numeric_labels
from rosenblatt.data.loaded import refuse_kind
from rosenblatt.data.scanning import Block, Scan
from rosenblatt.data.sparse import Sparse
from rosenblatt.data.streams import CheckedStream, Source, _line_blocks
from rosenblatt.data.wishes import Wishes


def scan_svmlight(source: Source, wishes: Wishes, like: Features | None) -> Scan:
    """Reads the text twice: first for the largest index and whether they begin at 0; not where a model knows that."""
    notes: tuple[str, ...] = ()
    if like is not None:
        if like.kind == "table":
            refuse_kind(source.name, "svmlight data", like)
        features = like
        zero_based = bool(like.zero_based if like.kind == "svmlight" else wishes.zero_based)
    else:
        zero_based, n_features = _extent(source, wishes.zero_based)
        features = Features("svmlight", n_features, zero_based=zero_based)
        if wishes.zero_based is None:
            notes = (f"indices begin at {0 if zero_based else 1} (--zero-based or --one-based says otherwise)",)
    if not features.n_features:
        raise DataError(f"{source.name} has no features: every example is empty.")
    last: list[CheckedStream] = []

    def blocks() -> Iterator[Block]:
        with source.open() as stream:
            last[:] = [stream]
            first_line = 1
            for text in _line_blocks(stream):
                parsed = _parsed(source.name, text, first_line, zero_based, features.n_features)
                X = Sparse(parsed["values"], parsed["indices"], parsed["starts"], features.n_features)
                before = first_line

                def place(row: int, text: bytes = text, before: int = before) -> str:
                    return f"line {before + _line_in(text, row)}"

                yield Block(X, numeric_labels(parsed["labels"], source.name, place).y)
                first_line += text.count(b"\n")

    return Scan(
        source.name, features, blocks, source.n_bytes, lambda: source.position,
        lambda: last[0].fingerprint if last else source.fingerprint(), lambda row: f"example {row + 1}", notes,
    )  # fmt: skip


def _extent(source: Source, zero_based: bool | None) -> tuple[bool, int]:
    largest, has_zero, first_line = -1, False, 1
    for text in source.line_blocks():
        parsed = _parsed(source.name, text, first_line, zero_based, None)
        largest = max(largest, parsed["features"] - bool(parsed["zero_based"]))
        has_zero |= bool(parsed["zero_based"])
        first_line += text.count(b"\n")
    based = has_zero if zero_based is None else zero_based
    return based, largest + based


def _parsed(
    name: str, text: bytes, first_line: int, zero_based: bool | None, n_features: int | None
) -> Mapping[str, Any]:
    try:
        return SvmlightReading(text, zero_based=zero_based, features=n_features, threads=available_threads()).finish()
    except SvmlightError as error:
        line, _, what = re.sub(r"^line ", "", str(error)).partition(": ")
        raise DataError(f"{name}, line {int(line) + first_line - 1}: {what}.") from None


def _line_in(text: bytes, row: int) -> int:
    """How many lines come before example `row` of a block."""
    examples = -1
    for number, line in enumerate(text.split(b"\n")):
        examples += bool(line.split(b"#", 1)[0].strip())
        if examples == row:
            return number
    raise IndexError(row)
