"""svmlight files, block by block."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from numpy.typing import NDArray

from rosenblatt.core import SvmlightError, SvmlightReading
from rosenblatt.data.bytes import available_threads
from rosenblatt.data.errors import DataError
from rosenblatt.data.features import Features
from rosenblatt.data.labels import numeric_labels
from rosenblatt.data.loaded import refuse_kind
from rosenblatt.data.scanning import Block, Scan
from rosenblatt.data.sparse import Sparse
from rosenblatt.data.streams import CheckedStream, Source, _line_blocks
from rosenblatt.data.svmlight import where_indices_begin
from rosenblatt.data.wishes import Wishes


def scan_svmlight(source: Source, wishes: Wishes, like: Features | None) -> "SvmlightScan":
    """The examples of a text; with `like`, of a model's width."""
    if like is None:
        return SvmlightScan(source, None, wishes.zero_based)
    if like.kind == "table":
        refuse_kind(source.name, "svmlight data", like)
    return SvmlightScan(source, like, like.zero_based if like.kind == "svmlight" else bool(wishes.zero_based))


class SvmlightScan(Scan):
    """A text whose features are known when it has been read: by `growing_blocks`, else by a reading of their own."""

    def __init__(self, source: Source, like: Features | None, zero_based: bool | None) -> None:
        super().__init__(
            source.name, self._learned, self._of_full_width, source.n_bytes, lambda: source.position,
            lambda: self._last.fingerprint if self._last else source.fingerprint(), lambda row: f"example {row + 1}",
        )  # fmt: skip
        self._features = like
        self._source = source
        self._zero_based = zero_based
        self._detects = like is None and zero_based is None
        self._last: CheckedStream | None = None
        self._lifted = 0

    @property
    def notes(self) -> tuple[str, ...]:
        if not self._detects:
            return ()
        return (where_indices_begin(bool(self.features.zero_based)),)

    @property
    def lifted(self) -> int:
        return self._lifted

    def growing_blocks(self) -> Iterator[Block]:
        if self._features is not None:
            yield from self.blocks()
            return
        # Indices begin at one until a zero is met: then those before it were taken for one too small.
        largest, entries, lifted = -1, 0, 0
        for parsed, y in self._read(None):
            if self._zero_based is None and parsed["zero_based"]:
                self._zero_based, lifted = True, entries
            largest = max(largest, _largest_written(parsed))
            entries += len(parsed["values"])
            if len(y):
                yield Block(_sparse(parsed, parsed["features"]), y)
        self._features, self._lifted = self._of_extent(bool(self._zero_based), largest), lifted

    def _of_full_width(self) -> Iterator[Block]:
        width = self.features.n_features
        return (Block(_sparse(parsed, width), y) for parsed, y in self._read(width))

    def _learned(self) -> Features:
        has_zero, largest, first_line = False, -1, 1
        for text in self._source.line_blocks():
            parsed = _parsed(self.name, text, first_line, self._zero_based, None)
            largest = max(largest, _largest_written(parsed))
            has_zero |= parsed["zero_based"]
            first_line += text.count(b"\n")
        return self._of_extent(has_zero if self._zero_based is None else self._zero_based, largest)

    def _of_extent(self, zero_based: bool, largest: int) -> Features:
        if not largest + zero_based:
            raise DataError(f"{self.name} has no features: every example is empty.")
        self._zero_based = zero_based
        return Features("svmlight", largest + zero_based, zero_based=zero_based)

    def _read(self, n_features: int | None) -> Iterator[tuple[Mapping[str, Any], NDArray[Any]]]:
        """What is parsed of each block of lines, by what is known of the indices by then, and its labels."""
        with self._source.open() as stream:
            self._last = stream
            first_line = 1
            for text in _line_blocks(stream):
                parsed = _parsed(self.name, text, first_line, self._zero_based, n_features)

                def place(row: int, text: bytes = text, before: int = first_line) -> str:
                    return f"line {before + _line_in(text, row)}"

                yield parsed, numeric_labels(parsed["labels"], self.name, place).y
                first_line += text.count(b"\n")


def _largest_written(parsed: Mapping[str, Any]) -> int:
    return int(parsed["features"]) - bool(parsed["zero_based"])


def _sparse(parsed: Mapping[str, Any], n_features: int) -> Sparse:
    return Sparse(parsed["values"], parsed["indices"], parsed["starts"], n_features, checked=True)


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
