"""svmlight (LIBSVM) files, parsed by the core: whole, or block by block."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from numpy.typing import NDArray

from rosenblatt.core import SvmlightError, SvmlightReading
from rosenblatt.data.dataset import Dataset, refuse_kind
from rosenblatt.data.errors import DataError
from rosenblatt.data.features import Features
from rosenblatt.data.labels import numeric_labels
from rosenblatt.data.read_options import ReadOptions
from rosenblatt.data.scanner import Block, Scan
from rosenblatt.data.sources.byte_source import ByteSource, CheckedStream, line_blocks
from rosenblatt.data.sources.file_bytes import Bytes, available_threads, display_name, refuse_long_line
from rosenblatt.data.sparse import Sparse


def read(source: str, content: Bytes, form: str, options: ReadOptions, like: Features | None) -> Dataset:
    """Reads all examples of a text; with `like`, with the model's number of features."""
    name = display_name(source)
    if like is not None and like.kind == "table":
        refuse_kind(name, "svmlight data", like)
    zero_based = like.zero_based if like is not None and like.kind == "svmlight" else options.zero_based
    n_features = None if like is None else like.n_features
    refuse_long_line(content, name)
    parser = SvmlightReading(
        content, zero_based=zero_based, features=n_features, threads=available_threads(), hash=True
    )
    try:
        parsed = parser.finish()
    except SvmlightError as error:
        raise DataError(f"{name}, {error}.") from None

    def place(row: int) -> str:
        return f"line {1 + _lines_before(content.tobytes(), row)}"

    X = _sparse(parsed, parsed["features"])
    return Dataset(
        name,
        X,
        numeric_labels(parsed["labels"], name, place),
        like or Features("svmlight", X.n_features, zero_based=parsed["zero_based"]),
        f"xxh64:{parsed['hash']:016x}",
        place,
        (_note_on_first_index(parsed["zero_based"]),) if zero_based is None else (),
    )


def scan(source: ByteSource, form: str, options: ReadOptions, like: Features | None) -> "SvmlightScan":
    """Scans the examples of a text; with `like`, with the model's number of features."""
    if like is None:
        return SvmlightScan(source, None, options.zero_based)
    if like.kind == "table":
        refuse_kind(source.name, "svmlight data", like)
    return SvmlightScan(source, like, like.zero_based if like.kind == "svmlight" else bool(options.zero_based))


class SvmlightScan(Scan):
    """A text whose number of features is known once it has been read: by `growing_blocks`, or by a separate pass."""

    def __init__(self, source: ByteSource, like: Features | None, zero_based: bool | None) -> None:
        super().__init__(
            source.name, self._learn_features, self._blocks_of_full_width, source.n_bytes, lambda: source.position,
            lambda: self._last.fingerprint if self._last else source.fingerprint(), lambda row: f"example {row + 1}",
        )  # fmt: skip
        self._features = like
        self._source = source
        self._zero_based = zero_based
        self._detects_first_index = like is None and zero_based is None
        self._last: CheckedStream | None = None
        self._lifted = 0

    @property
    def notes(self) -> tuple[str, ...]:
        if not self._detects_first_index:
            return ()
        return (_note_on_first_index(bool(self.features.zero_based)),)

    @property
    def lifted(self) -> int:
        return self._lifted

    def growing_blocks(self) -> Iterator[Block]:
        if self._features is not None:
            yield from self.blocks()
            return
        # Indices are taken to begin at one until a zero occurs: the indices before it were then too small by one.
        largest, entries, lifted = -1, 0, 0
        for parsed, y in self._parse(None):
            if self._zero_based is None and parsed["zero_based"]:
                self._zero_based, lifted = True, entries
            largest = max(largest, _largest_index(parsed))
            entries += len(parsed["values"])
            if len(y):
                yield Block(_sparse(parsed, parsed["features"]), y)
        self._features, self._lifted = self._features_up_to(bool(self._zero_based), largest), lifted

    def _blocks_of_full_width(self) -> Iterator[Block]:
        width = self.features.n_features
        return (Block(_sparse(parsed, width), y) for parsed, y in self._parse(width))

    def _learn_features(self) -> Features:
        has_zero, largest, first_line = False, -1, 1
        for text in self._source.line_blocks():
            parsed = _parse(self.name, text, first_line, self._zero_based, None)
            largest = max(largest, _largest_index(parsed))
            has_zero |= parsed["zero_based"]
            first_line += text.count(b"\n")
        return self._features_up_to(has_zero if self._zero_based is None else self._zero_based, largest)

    def _features_up_to(self, zero_based: bool, largest: int) -> Features:
        if not largest + zero_based:
            raise DataError(f"{self.name} has no features: every example is empty.")
        self._zero_based = zero_based
        return Features("svmlight", largest + zero_based, zero_based=zero_based)

    def _parse(self, n_features: int | None) -> Iterator[tuple[Mapping[str, Any], NDArray[Any]]]:
        """Yields each parsed block of lines with its labels."""
        with self._source.open() as stream:
            self._last = stream
            first_line = 1
            for text in line_blocks(stream):
                parsed = _parse(self.name, text, first_line, self._zero_based, n_features)

                def place(row: int, text: bytes = text, before: int = first_line) -> str:
                    return f"line {before + _lines_before(text, row)}"

                yield parsed, numeric_labels(parsed["labels"], self.name, place).y
                first_line += text.count(b"\n")


def _note_on_first_index(zero_based: bool) -> str:
    return f"indices begin at {0 if zero_based else 1} (--zero-based or --one-based overrides this)"


def _largest_index(parsed: Mapping[str, Any]) -> int:
    """The largest index as written in the file."""
    return int(parsed["features"]) - bool(parsed["zero_based"])


def _sparse(parsed: Mapping[str, Any], n_features: int) -> Sparse:
    return Sparse(parsed["values"], parsed["indices"], parsed["starts"], n_features, checked=True)


def _parse(
    name: str, text: bytes, first_line: int, zero_based: bool | None, n_features: int | None
) -> Mapping[str, Any]:
    try:
        return SvmlightReading(text, zero_based=zero_based, features=n_features, threads=available_threads()).finish()
    except SvmlightError as error:
        line, _, problem = re.sub(r"^line ", "", str(error)).partition(": ")
        raise DataError(f"{name}, line {int(line) + first_line - 1}: {problem}.") from None


def _lines_before(text: bytes, row: int) -> int:
    """The number of lines before example `row`. Blank lines and comments hold no example."""
    examples = -1
    for number, line in enumerate(text.split(b"\n")):
        examples += bool(line.split(b"#", 1)[0].strip())
        if examples == row:
            return number
    raise IndexError(row)
