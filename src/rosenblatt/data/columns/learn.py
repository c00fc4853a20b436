"""Learns from all rows how columns become features: medians, vocabularies, word frequencies, missing values.

The rows come in one batch or in many; the result is the same.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from rosenblatt.data.columns.arrow_values import coded, dates_of_text, floats, numbers_of_text
from rosenblatt.data.columns.column import Column, ColumnReport
from rosenblatt.data.columns.dates import DAY
from rosenblatt.data.columns.hashing import CATEGORY_BITS, DocumentFrequencies, commonest_levels
from rosenblatt.data.columns.infer import ColumnGuess
from rosenblatt.data.columns.letter_case import differing_in_case
from rosenblatt.data.errors import DataError, option
from rosenblatt.data.read_options import ReadOptions

#: More levels than this are hashed, after rare ones have been pooled.
MAX_CATEGORIES = 1000
#: Counting stops at this number of distinct values.
_MAX_COUNTED = 1 << 17
#: Total number of values kept for the medians of all numeric columns.
_MEDIAN_VALUES = 1 << 21
#: Rows of a matrix that are read at a time.
_BLOCK = 4096
_MISFITS = 3
#: A category with so many different values that all begin with digits may hold numbers in an unknown format.
_MANY_LEVELS = 20
_BEGINS_WITH_DIGIT = re.compile(r"\W{0,2}\d")

Learned = tuple[Column | None, ColumnReport]


class Learner(Protocol):
    """Collects the statistics of one column."""

    def add(self, values: Any) -> None:
        """Adds the column's values in the next rows."""

    def finish(self) -> Learned:
        """The column, or None if it is left out; and the report on it."""


class TableLearner:
    """Collects the statistics of all used columns."""

    def __init__(self, guesses: Sequence[ColumnGuess], options: ReadOptions, source: str) -> None:
        self._guesses = guesses
        used = [guess for guess in guesses if not guess.left_out]
        keep = max(1024, _MEDIAN_VALUES // max(1, len(used)))
        self._learners = {guess.name: _learner(guess, options, source, keep) for guess in used}

    def add(self, batch: pa.Table) -> None:
        for name, learner in self._learners.items():
            learner.add(batch.column(name))

    def add_matrix(self, X: NDArray[np.float64]) -> None:
        """The same for a matrix whose columns are the used columns, all numeric."""
        for begin in range(0, len(X), _BLOCK):
            block = np.asfortranarray(X[begin : begin + _BLOCK])  # within a cache, its columns are read in order
            for j, learner in enumerate(self._learners.values()):
                learner.add(block[:, j])

    def finish(self) -> tuple[list[Column], list[ColumnReport]]:
        columns, reports = [], []
        for guess in self._guesses:
            if guess.left_out:
                reports.append(
                    ColumnReport(guess.name, guess.type, guess.reading, f"left out: {guess.left_out}", (), guess.doubt)
                )
                continue
            column, report = self._learners[guess.name].finish()
            reports.append(report)
            if column is not None:
                columns.append(column)
        return columns, reports


def _learner(guess: ColumnGuess, options: ReadOptions, source: str, keep: int) -> Learner:
    if guess.type == "text":
        return _TextLearner(guess, options)
    if guess.type in ("number", "date"):
        return _NumberLearner(guess, options, source, keep)
    return _CategoryLearner(guess, options, source)


class _MedianSample:
    """The median of a column: exact for up to `keep` values, else the median of every 2^k-th row."""

    def __init__(self, keep: int) -> None:
        self._keep, self._step, self._seen = keep, 1, 0
        self._parts: list[NDArray[np.float64]] = []
        self._size = 0

    def add(self, values: NDArray[np.float64]) -> None:
        while self._size + len(values) // self._step > 2 * self._keep:
            self._parts = [np.concatenate(self._parts)[::2]] if self._parts else []
            self._size, self._step = sum(map(len, self._parts)), 2 * self._step
        part = np.array(values[-self._seen % self._step :: self._step])
        self._seen += len(values)
        self._parts.append(part)
        self._size += len(part)

    def median(self) -> float:
        values = np.concatenate(self._parts) if self._parts else np.empty(0)
        values = values[np.isfinite(values)]
        return _median(values) if len(values) else 0.0


class _NumberLearner:
    """A numeric column, or dates as seconds since 1970."""

    def __init__(self, guess: ColumnGuess, options: ReadOptions, source: str, keep: int) -> None:
        self._guess, self._options, self._source = guess, options, source
        self._median = _MedianSample(keep)
        self._rows = self._gaps = self._stray_values = 0
        self._low, self._high, self._first = np.inf, -np.inf, np.nan
        self._misfits: dict[str, None] = {}
        self._has_time = False

    def add(self, values: Any) -> None:
        numbers = self._numbers(values)
        self._rows += len(numbers)
        self._median.add(numbers)
        with np.errstate(invalid="ignore", over="ignore"):
            finite = np.isfinite(numbers.sum())
        if not finite:
            kept = numbers[np.isfinite(numbers)]
            self._gaps += len(numbers) - len(kept)
            numbers = kept
        if len(numbers):
            if self._guess.date_format is not None:
                self._has_time = self._has_time or bool((numbers % DAY != 0).any())
            constant = self._low == self._high or self._low == np.inf
            if constant or self._guess.date_format is not None:  # the extremes matter for constants and dates only
                self._low, self._high = min(self._low, numbers.min()), max(self._high, numbers.max())

    def _numbers(self, values: Any) -> NDArray[np.float64]:
        if isinstance(values, np.ndarray):
            return values
        guess = self._guess
        if not guess.as_text:
            return floats(values)
        if guess.date_format is not None:
            numbers, misfits, count = dates_of_text(values, guess.date_format)
        else:
            numbers, misfits, count = numbers_of_text(values, guess.number_format)
        self._stray_values += count
        for text in misfits[:_MISFITS]:
            if len(self._misfits) < _MISFITS:
                self._misfits[text] = None
        return numbers

    def finish(self) -> Learned:
        guess, name = self._guess, self._guess.name
        misfits = tuple(self._misfits)
        if self._stray_values > self._rows / 2:
            kind = "dates" if guess.date_format else "numbers"
            raise DataError(
                f"{self._source}, column {name!r}: {self._stray_values:,} of {self._rows:,} values are not {kind}, "
                f"such as {misfits[0][:30]!r}. Take the column as categories ({option('categorical', name)}) or "
                f"drop it ({option('drop', name)})."
            )
        if self._gaps == self._rows:
            return _left_out(guess, "empty", "every value is missing", misfits)
        if self._low == self._high and not self._gaps and self._rows > 1 and not _is_kept(name, self._options):
            return _left_out(guess, "constant", f"every value is {_shown(guess, self._low)}", misfits)
        impute = self._options.impute
        fill = self._median.median() if impute else None
        gap = impute and self._gaps > 0
        uses = [f"{_gaps(self._gaps)} filled with the median {_shown(guess, fill)} and flagged"] if gap else []
        form = guess.number_format if guess.as_text and guess.date_format is None else None
        if guess.date_format is not None:
            parts: tuple[str, ...] = (
                ("hour",) if guess.date_format.order == "time" else ("year", "month", "weekday", "elapsed days")
            )
            parts += ("hour",) * (self._has_time and "hour" not in parts)
            origin = float(np.floor(self._low / DAY) * DAY)
            column = Column(name, fill=fill, gap=gap, date_format=guess.date_format, parts=parts, origin=origin)
            uses.insert(0, ", ".join(parts))
        else:
            column = Column(name, fill=fill, gap=gap, number_format=form)
        return column, ColumnReport(name, guess.type, guess.reading, "; ".join(uses), misfits, guess.doubt)


def _is_kept(name: str, options: ReadOptions) -> bool:
    return options.keep_all or name in options.keep


def _gaps(count: int) -> str:
    return f"{count:,} gap{'s' if count > 1 else ''}"


def _shown(guess: ColumnGuess, value: float | None) -> str:
    if guess.date_format is None or value is None:
        return f"{value:g}"
    return str(np.datetime64(int(value), "s")).replace("T", " ")


def _left_out(guess: ColumnGuess, kind: str, why: str, misfits: tuple[str, ...] = ()) -> Learned:
    return None, ColumnReport(guess.name, kind, guess.reading, f"left out: {why}", misfits)


class _CategoryLearner:
    """Counts words. Rare words share a feature; if there are still too many words, they are hashed."""

    def __init__(self, guess: ColumnGuess, options: ReadOptions, source: str) -> None:
        self._guess, self._options, self._source = guess, options, source
        self._counts: Counter[str] = Counter()
        self._rows = self._gaps = 0
        self._overflow = False

    def add(self, values: Any) -> None:
        texts, codes = coded(values)
        known = codes[codes >= 0]
        self._rows += len(codes)
        self._gaps += len(codes) - len(known)
        refuse_marks(texts, self._source, self._guess.name)
        if not self._overflow:
            counts = np.bincount(known, minlength=len(texts)).tolist()
            self._counts.update({text: count for text, count in zip(texts, counts, strict=True) if count})
            if len(self._counts) > _MAX_COUNTED:
                self._overflow = True

    def finish(self) -> Learned:
        guess, name, options = self._guess, self._guess.name, self._options
        if self._gaps == self._rows:
            return _left_out(guess, "empty", "every value is missing")
        if len(self._counts) == 1 and not self._gaps and self._rows > 1 and not _is_kept(name, options):
            return _left_out(guess, "constant", f"every value is {next(iter(self._counts))[:40]!r}")
        least = max(2, self._rows // 1000) if self._rows >= 50 and options.pool else 1
        vocabulary = sorted(text for text, count in self._counts.items() if count >= least)
        rare = len(self._counts) - len(vocabulary)
        if rare == 1 or not vocabulary:
            vocabulary, rare = sorted(self._counts), 0
        gap = options.impute and self._gaps > 0
        commonest = max(self._counts, key=lambda text: (self._counts[text], [-ord(c) for c in text]))
        fill = commonest if options.impute else None
        if self._overflow or len(vocabulary) > MAX_CATEGORIES:
            bits = options.hash_bits or CATEGORY_BITS
            many = f"more than {_MAX_COUNTED:,}" if self._overflow else f"{len(self._counts):,}"
            use = f"{many} values hashed to {1 << bits:,} features"
            doubt = (
                f"column {name!r} has {many} different values, too many for categories; they are hashed "
                f"({option('drop', name)} leaves the column out)"
            )
            doubt = "" if options.hash_bits else guess.doubt or doubt
            column = Column(name, fill=fill, bits=bits, words=commonest_levels(self._counts, bits))
            return column, ColumnReport(name, guess.type, guess.reading, use, (), doubt)
        uses = ["1 value" if len(vocabulary) == 1 else f"{len(vocabulary):,} values"]
        uses += [f"{rare:,} rare values in one feature"] if rare else []
        uses += [f"{_gaps(self._gaps)} filled with {commonest[:30]!r} and flagged"] if gap else []
        column = Column(name, tuple(vocabulary), fill, gap=gap, pooled=rare > 0)
        doubt = guess.doubt or self._doubt([text for text, n in self._counts.items() if rare and n < least])
        doubt = "" if name in options.categorical else doubt
        return column, ColumnReport(name, guess.type, guess.reading, "; ".join(uses), (), doubt)

    def _doubt(self, rare: Sequence[str]) -> str:
        """A note on values that differ in case, or that are mostly rare: numbers or dates in an unknown format, say."""
        name = self._guess.name
        cases = differing_in_case(self._counts)
        if cases:
            return (
                f"column {name!r}: {cases} differ only in upper and lower case, and are different categories (write "
                f"them alike; {option('categorical', name)} keeps them apart without this note)"
            )
        if sum(self._counts[text] for text in rare) <= (self._rows - self._gaps) / 2:
            if len(self._counts) < _MANY_LEVELS or not all(map(_BEGINS_WITH_DIGIT.match, self._counts)):
                return ""
            return (
                f"column {name!r}: values such as {min(self._counts)[:40]!r} begin with digits, but are no numbers or "
                f"dates in a known format, and are read as categories ({option('categorical', name)} leaves out this "
                "note)"
            )
        return (
            f"column {name!r}: most values, such as {min(rare)[:40]!r}, are rare and share one feature "
            f"({option('text', name)} takes their words)"
        )


class _TextLearner:
    """Hashes and weights the words of texts."""

    def __init__(self, guess: ColumnGuess, options: ReadOptions) -> None:
        self._guess = guess
        self._frequencies = DocumentFrequencies(guess.name, options)
        self._rows = self._gaps = 0

    def add(self, values: Any) -> None:
        self._rows += len(values)
        self._gaps += values.null_count
        self._frequencies.add(values)

    def finish(self) -> Learned:
        guess = self._guess
        if self._gaps == self._rows:
            return _left_out(guess, "empty", "every value is missing")
        column = self._frequencies.column()
        use = f"{column.width:,} features from hashed words"
        return column, ColumnReport(guess.name, "text", guess.reading, use, (), guess.doubt)


def refuse_marks(words: Sequence[str], source: str, name: str) -> None:
    """Refuses words that begin with a byte order mark: joined files have one where the second file begins."""
    marked = next((word for word in words if word.startswith("\ufeff")), None)
    if marked is not None:
        raise DataError(
            f"{source}, column {name!r}: {marked[:40]!r} begins with a byte order mark, which belongs to the start of "
            "a file. Were files joined? Remove the mark, and the header after it."
        )


def number_column(name: str, values: NDArray[np.float64], *, impute: bool) -> Column:
    """A complete numeric column; with `impute`, its median replaces missing values in later files."""
    return Column(name, fill=_median(values) if impute and len(values) else None)


def _median(values: NDArray[np.float64]) -> float:
    """The median of finite values; `np.median` would import numpy.ma, which takes longer than most columns."""
    middle = len(values) // 2
    low = middle - 1 + len(values) % 2
    parts = np.partition(values, (low, middle))
    return float((parts[low] + parts[middle]) / 2)
