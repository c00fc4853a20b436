"""Infers the type of a column from a sample: the rows in the first megabyte of a text, or the first rows of a table."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from rosenblatt.data.columns.arrow_values import coded, floats, is_number
from rosenblatt.data.columns.booleans import are_booleans
from rosenblatt.data.columns.column import ColumnType
from rosenblatt.data.columns.date_words import names_a_time
from rosenblatt.data.columns.dates import DateFormat, Order, count_from_1970, guess_date_format, zones_of
from rosenblatt.data.columns.number_doubts import (
    doubt_on_codes,
    doubt_on_numbers,
    doubt_on_words,
    has_gap_words_only,
    signs_of,
    values_of,
)
from rosenblatt.data.columns.number_text import DURATION, NumberFormat, NumberGuess, guess_number_format, units_of
from rosenblatt.data.errors import option
from rosenblatt.data.read_options import ReadOptions

#: Rows of the sample, for formats whose sample is limited by rows.
SAMPLE_ROWS = 20_000

#: With fewer rows than this, a column is taken for an identifier only if its name is that of one.
_MIN_ROWS_OF_IDS = 20

#: Whole numbers from a range of more than 100 per row are taken for identifiers only from 100 rows on: with fewer, the
#: test also accepts measured values, such as 40 from a normal distribution.
_MAX_ROW_NUMBERS = 100
_MIN_ROWS_OF_SPREAD = 100

_ID_NAME = re.compile(r"(^|[\W_ ]|(?<=[a-z])(?=I))(id|uuid|guid|idx|index|row|rownum|rowid|key)$", re.IGNORECASE)

#: The least digits of codes with leading zeros. Shorter ones may be months or hours.
_MIN_CODE = 4

#: The least number of different dates without signs between year, month and day.
_MIN_COMPACT = 3

_MAX_STRAY_SHARE = 0.2
_MAX_STRAY_WORDS = 5


@dataclass(frozen=True)
class ColumnGuess:
    """The type of a column, and how its values are to be read."""

    name: str
    type: ColumnType
    as_text: bool = True  # the values are read as text and parsed here
    number_format: NumberFormat | None = None
    date_format: DateFormat | None = None
    reading: str = ""
    doubt: str = ""
    left_out: str = ""  # why the column is not used

    def lenient(self) -> "ColumnGuess":
        """The same numeric column, read as text, so that values that are not numbers become missing."""
        return replace(self, as_text=True, number_format=NumberFormat())


def infer_column(name: str, sample: pa.ChunkedArray, options: ReadOptions, *, prefer_comma: bool) -> ColumnGuess:
    """The type of a column: from the options, else inferred from its values."""
    if name in options.text:
        return ColumnGuess(name, "text", reading="as asked")
    if name in options.categorical:
        return ColumnGuess(name, "category", reading="as asked")
    if pa.types.is_nested(sample.type):
        doubt = f"column {name!r} holds lists and is left out ({option('drop', name)} leaves out this note)"
        return ColumnGuess(name, "list", left_out="lists are no features", doubt=doubt)
    if is_number(sample.type) and name not in options.date:
        return _numeric(name, floats(sample), options)
    counts = _counts(sample)
    if name in options.number or name in options.date:
        return _by_options(name, counts, options, prefer_comma)
    guess = _by_values(name, counts, options, prefer_comma)
    keep_it = name in options.keep and guess.left_out
    return ColumnGuess(name, "category", reading="kept as asked") if keep_it else guess


def _counts(sample: pa.ChunkedArray) -> dict[str, int]:
    """The number of occurrences of each text."""
    texts, codes = coded(sample.cast(pa.string()))
    return dict(zip(texts, np.bincount(codes[codes >= 0], minlength=len(texts)).tolist(), strict=True))


def _by_options(name: str, counts: Mapping[str, int], options: ReadOptions, prefer_comma: bool) -> ColumnGuess:
    if name in options.date:
        date = guess_date_format(counts)
        since_1970 = None if date.fits else count_from_1970(values_of(counts, NumberFormat()))
        form = date.format if since_1970 is None else DateFormat(since_1970)
        return ColumnGuess(name, "date", date_format=form, reading="as asked")
    number = guess_number_format(counts, decimal=options.decimal, prefer_comma=prefer_comma)
    duration = None if number.fits else _duration(name, counts, sum(counts.values()))
    if duration is not None:
        return replace(duration, reading=f"as asked, {duration.reading}", doubt="")
    reading = ", ".join(part for part in ("as asked", number.format.description()) if part)
    return ColumnGuess(name, "number", number_format=number.format, reading=reading)


def _numeric(name: str, values: NDArray[np.float64], options: ReadOptions) -> ColumnGuess:
    guess = ColumnGuess(name, "number", as_text=False)
    if name in options.number:
        return replace(guess.lenient(), reading="as asked")
    if name in options.keep:
        return replace(guess, reading="kept as asked")
    values = values[np.isfinite(values)]
    since_1970 = count_from_1970(values)
    # Times of events are often as evenly spread as identifiers, so the name decides between them.
    if since_1970 is not None and names_a_time(name) and not _ID_NAME.search(name):
        return _counted(name, since_1970, f"{values[0]:.0f}")
    kind = _identifies_rows(name, values)
    if kind is not None:
        return _identifier(guess, kind)
    doubt = doubt_on_codes(name, values)
    if since_1970 is not None and not doubt:
        doubt = f"column {name!r}: whole numbers such as '{values[0]:.0f}' are read as numbers; if they are "
        doubt += f"{since_1970} since 1970, read them as dates ({option('date', name)})"
    return replace(guess, doubt=doubt) if doubt else guess


def _counted(name: str, order: Order, example: str) -> ColumnGuess:
    """A column of dates that are numbers, counted from 1970."""
    doubt = (
        f"column {name!r}: whole numbers such as {example!r} are read as dates, in {order} since 1970 "
        f"({option('number', name)} takes them as numbers)"
    )
    return ColumnGuess(name, "date", date_format=DateFormat(order), reading=_DATE_ORDERS[order], doubt=doubt)


def _identifier(guess: ColumnGuess, kind: Literal["id", "row number"]) -> ColumnGuess:
    name, what = guess.name, {"id": "an id", "row number": "a row number"}[kind]
    named = _ID_NAME.search(name) is not None
    doubt = "" if named else f"column {name!r} looks like {what} and is left out ({option('keep', name)})"
    why = "consecutive whole numbers" if kind == "row number" else "whole numbers, nearly all distinct, evenly spread"
    return replace(guess, type=kind, left_out=why, doubt=doubt)


def _identifies_rows(name: str, values: NDArray[np.float64]) -> Literal["id", "row number"] | None:
    """Whether whole numbers are row numbers or identifiers.

    Measured whole numbers can be distinct, too, but they are not spread evenly over their range. This is a
    Kolmogorov-Smirnov test at 5% against the uniform distribution; row numbers also pass it after a random split.
    """
    n = len(values)
    if n < 2 or not np.array_equal(values, np.floor(values)):
        return None
    ordered = np.unique(values)
    named = _ID_NAME.search(name) is not None
    if len(ordered) < (0.9 if named else 0.99) * n or (n < _MIN_ROWS_OF_IDS and not named):
        return None
    extent = ordered[-1] - ordered[0] + 1
    if extent == n == len(ordered):
        return "row number"
    if named:
        return "id"
    if extent > _MAX_ROW_NUMBERS * n and n < _MIN_ROWS_OF_SPREAD:
        return None
    places = (ordered - ordered[0] + 0.5) / extent
    ranks = np.arange(len(ordered))
    distance = max(float((places - ranks / len(ordered)).max()), float(((ranks + 1) / len(ordered) - places).max()))
    return "id" if distance * np.sqrt(len(ordered)) < 1.36 else None


def _by_values(name: str, counts: Mapping[str, int], options: ReadOptions, prefer_comma: bool) -> ColumnGuess:
    n = sum(counts.values())
    if not n:
        return ColumnGuess(name, "category")
    if are_booleans(counts):
        return ColumnGuess(name, "boolean")
    if are_codes(counts):
        codes = replace(_words(name, counts, n), reading="codes")
        doubt = (
            f"column {name!r}: numbers of one length with leading zeros, such as {min(counts)!r}, are read as codes "
            f"({option('number', name)} takes them as numbers)"
        )
        return codes if codes.left_out else replace(codes, doubt=doubt)
    if are_compact_dates(counts):
        doubt = (
            f"column {name!r}: whole numbers such as {min(counts)!r} are read as dates "
            f"({option('number', name)} takes them as numbers)"
        )
        return ColumnGuess(name, "date", date_format=DateFormat("ymd"), reading="year, month, day", doubt=doubt)
    figures = guess_number_format(counts, decimal=options.decimal, prefer_comma=prefer_comma)
    number = _number(name, counts, n, options, figures)
    if number is not None:
        return number
    date = guess_date_format(counts)
    if date.fits >= max(0.9 * n, 1) and len(date.strays) <= _MAX_STRAY_WORDS:
        doubt = ""
        if date.ambiguous:
            doubt = f"column {name!r} is read as day, month, year; every date could also be month, day, year "
            doubt += "(write them as 2024-12-31 to be sure)"
        if date.format.is_mixed:
            first = date.format.order.removeprefix("any, ")
            doubt = (
                f"column {name!r} mixes formats of dates; where day and month could be exchanged, dates with points "
                f"are read with the day first, others with the {first} (write them as 2024-12-31)"
            )
        zones = zones_of(counts)
        if len(zones) > 1 and not doubt:
            doubt = f"column {name!r} has several time zones ({', '.join(zones[:3])}), which are ignored "
            doubt += "(write all times in one of them)"
        reading = _DATE_ORDERS[date.format.order]
        return ColumnGuess(name, "date", date_format=date.format, reading=reading, doubt=doubt)
    duration = _duration(name, counts, n)
    if duration is not None:
        return duration
    words = _words(name, counts, n)
    units = units_of(counts)
    if len(units) > 1:
        mixed = f"column {name!r} has numbers in several units ({', '.join(units)}), which are not converted"
        words = replace(words, doubt=f"{words.doubt}; {mixed}" if words.doubt else f"{mixed} but read as categories")
    return words if words.doubt or words.left_out else replace(words, doubt=doubt_on_words(name, counts, figures))


def _duration(name: str, counts: Mapping[str, int], n: int) -> ColumnGuess | None:
    """A column of durations, such as 37:30. Those that are all times of a day have been read as such before."""
    form = NumberFormat(unit=DURATION)
    fitting = [text for text in counts if form.parse(text) is not None]
    if sum(counts[text] for text in fitting) < max(0.9 * n, 1) or len(counts) - len(fitting) > _MAX_STRAY_WORDS:
        return None
    colons = {text.count(":"): text for text in fitting}
    doubt = ""
    if len(colons) > 1:
        doubt = f"column {name!r}: {colons[1]!r} is read as minutes and seconds, because {colons[2]!r} has hours, too "
        doubt += f"({option('categorical', name)} takes all values as categories)"
    return ColumnGuess(name, "number", number_format=form, reading=form.description(), doubt=doubt)


def are_codes(texts: Collection[str]) -> bool:
    """Whether texts are whole numbers of one length, some with leading zeros, as postal codes are.

    >>> are_codes(["01067", "80331"]), are_codes(["80331", "80333"]), are_codes(["01", "12"])
    (True, False, False)
    """
    lengths = {len(text) for text in texts}
    is_fixed = len(lengths) == 1 and lengths.pop() >= _MIN_CODE
    return is_fixed and all(map(str.isdigit, texts)) and any(text.startswith("0") for text in texts)


def are_compact_dates(texts: Collection[str]) -> bool:
    """Whether texts are dates of eight digits, which few other numbers of eight digits are.

    >>> are_compact_dates(["20230115", "20231231", "19991130"]), are_compact_dates(["20230115", "20231301", "20230101"])
    (True, False)
    """
    form = DateFormat("ymd")
    return len(texts) >= _MIN_COMPACT and all(
        len(text) == 8 and text.isdigit() and form.parse(text) is not None for text in texts
    )


_DATE_ORDERS: dict[Order, str] = {
    "ymd": "",
    "dmy": "day first",
    "mdy": "month first",
    "time": "time of day",
    "any, day first": "mixed formats, day first",
    "any, month first": "mixed formats, month first",
    "seconds": "seconds since 1970",
    "milliseconds": "milliseconds since 1970",
}


def _number(
    name: str, counts: Mapping[str, int], n: int, options: ReadOptions, number: NumberGuess
) -> ColumnGuess | None:
    if not number.fits or number.units:
        return None
    strays, numbers = len(number.strays), len(counts) - len(number.strays)
    share = 1 - number.fits / n
    gap_words = has_gap_words_only(number.strays)
    enough = numbers > strays if gap_words else numbers >= max(10, 3 * strays)
    if strays and not (strays <= _MAX_STRAY_WORDS and share <= (0.5 if gap_words else _MAX_STRAY_SHARE) and enough):
        return None
    signs = signs_of(counts)
    reading = [number.format.description(), f"without {' '.join(signs)}" if signs else ""]
    doubt = doubt_on_numbers(name, counts, number)
    guess = ColumnGuess(name, "number", number_format=number.format, doubt=doubt,
                        reading=", ".join(part for part in reading if part))  # fmt: skip
    texts = [text for text in counts if number.format.parse(text) is not None]
    whole = all(text.strip().lstrip("-").isdigit() for text in texts)
    if signs or not whole or name in options.keep or number.fits != numbers:
        return guess
    kind = _identifies_rows(name, np.array([float(text) for text in texts]))
    return guess if kind is None else _identifier(guess, kind)


def _words(name: str, counts: Mapping[str, int], n: int) -> ColumnGuess:
    distinct = len(counts) / n
    words = sum(count * len(text.split()) for text, count in counts.items()) / n
    if words >= 4 and distinct > 0.5:
        return ColumnGuess(name, "text", reading=f"about {words:.0f} words each")
    named = _ID_NAME.search(name) is not None
    if distinct >= (0.9 if named else 0.95) and (n >= _MIN_ROWS_OF_IDS or (named and n > 1)):
        doubt = "" if named else (
            f"column {name!r} looks like an id or a name and is left out, since nearly all values are distinct "
            f"({option('keep', name)})"
        )  # fmt: skip
        return ColumnGuess(name, "id", left_out="nearly all values are distinct", doubt=doubt)
    return ColumnGuess(name, "category")
