"""Dates and times written as text, and the features that they become."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rosenblatt.data.columns.date_words import is_weekday, month_of

Order = Literal["ymd", "dmy", "mdy", "time", "any, day first", "any, month first", "seconds", "milliseconds"]

DAY = 86400.0
#: Numbers that count from 1970: how many of them a second has.
_PER_SECOND = {"seconds": 1.0, "milliseconds": 1000.0}
#: Numbers are taken for such a count if all lie in these years, from 2000 to 2050, and so many are different.
_YEARS = (946_684_800.0, 2_524_608_000.0)
_MIN_COUNTS = 3
#: Larger numbers of seconds are no dates: NumPy's calendar ends before.
_LARGEST_COUNT = 1e11
_EPOCH = date(1970, 1, 1).toordinal()
_CLOCK = r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,]\d+)?)?\s*(?P<half>[AaPp][Mm])?"
#: Z, UTC, CET, +02:00, -0500, GMT+1.
_ZONE = r"(?:[A-Z]{1,5})?(?:[-+]\d{1,2}(?::?\d{2})?)?"
_TIME = rf"(?:,?[T ]\s*{_CLOCK}\s*(?:Uhr|{_ZONE}))?"
_NAME = r"(?P<name>[^\W\d_]{3,10})"
#: A word before a date, which must be a weekday.
_WEEKDAY = r"(?:(?P<weekday>[^\W\d_]+(?:-feira)?)\.?,? )"
_ORDINAL = r"(?:st|nd|rd|th|er|º)?"
_PATTERNS = {
    "ymd": (
        rf"(?P<y>\d{{4}})(?P<sep>[-/.])(?P<m>\d{{1,2}})(?P=sep)(?P<d>\d{{1,2}}){_TIME}",
        r"(?P<y>(?:19|20)\d{2})(?P<m>\d{2})(?P<d>\d{2})",
        r"(?P<y>(?:19|20)\d{2})-(?P<m>\d{2})",
        r"(?P<y>(?:19|20)\d{2})-?W(?P<week>\d{2})",
        rf"(?P<y>\d{{4}})[年년] ?(?P<m>\d{{1,2}})[月월] ?(?P<d>\d{{1,2}})[日일]{_TIME}",
    ),
    "dmy": (
        rf"{_WEEKDAY}?(?P<d>\d{{1,2}})(?P<sep>[-/.])(?P<m>\d{{1,2}})(?P=sep)(?P<y>\d{{4}}|\d{{2}}){_TIME}",
        rf"{_WEEKDAY}?(?P<d>\d{{1,2}}){_ORDINAL}(?:\.? (?:de )?|[-/]){_NAME}\.?,?(?: del? |[ /-])"
        rf"(?P<y>\d{{4}}|\d{{2}}){_TIME}",
        rf"{_WEEKDAY}?{_NAME}\.? (?P<d>\d{{1,2}}){_ORDINAL},? (?P<y>\d{{4}}){_TIME}",
        rf"{_NAME}\.?[ -](?P<y>(?:19|20)\d{{2}})",
        rf"{_WEEKDAY}{_NAME} +(?P<d>\d{{1,2}}) {_CLOCK} (?:{_ZONE} )?(?P<y>\d{{4}})",  # ctime
        rf"\[?(?P<d>\d{{2}})/{_NAME}/(?P<y>\d{{4}}):{_CLOCK}(?: {_ZONE})?\]?",  # log of a web server
    ),
    "mdy": (rf"{_WEEKDAY}?(?P<m>\d{{1,2}})(?P<sep>[-/.])(?P<d>\d{{1,2}})(?P=sep)(?P<y>\d{{4}}|\d{{2}}){_TIME}",),
    "time": (_CLOCK,),
}


@dataclass(frozen=True)
class DateFormat:
    """The order in which a column writes day, month and year; `"time"` has a time of day only.

    `"seconds"` and `"milliseconds"` are numbers that count from 1970.

    The orders "any, …" are for columns that mix formats. The day comes first in dates with points. In other dates whose
    day and month could be exchanged, the day or the month comes first, as the order says. Time zones are ignored: the
    features are those of the clock time as written.

    >>> DateFormat("dmy").parse("02.01.1970 12:00") / 3600
    36.0
    >>> mixed = DateFormat("any, month first")
    >>> [mixed.parse(text) / 86400 for text in ("1970-01-02", "02.01.1970", "1/2/1970", "Jan 2, 1970", "13/1/1970")]
    [1.0, 1.0, 1.0, 1.0, 12.0]
    """

    order: Order

    def parse(self, text: str) -> float | None:
        """Seconds since 1970-01-01 00:00, or None if the text is not a date of this format."""
        text = text.strip()
        if self.order in _PER_SECOND:
            return _counted(text, _PER_SECOND[self.order])
        if not self.is_mixed:
            return _parsed(text, self.order)
        first_day = self.order == "any, day first" or _WITH_POINTS.match(text) is not None
        orders = ("ymd", "dmy", "mdy") if first_day else ("ymd", "mdy", "dmy")
        return next((value for order in orders if (value := _parsed(text, order)) is not None), None)

    @property
    def is_mixed(self) -> bool:
        return self.order.startswith("any")


_WITH_POINTS = re.compile(r"\d{1,2}\.\d{1,2}\.")
_WITHOUT_POINTS = re.compile(r"\d{1,2}[-/]\d{1,2}[-/]")


@cache
def _patterns(order: str) -> list[re.Pattern[str]]:
    """The compiled patterns of an order. Compiling all of them at each start would take 8 ms."""
    return [re.compile(pattern) for pattern in _PATTERNS[order]]


def _parsed(text: str, order: str) -> float | None:
    for pattern in _patterns(order):
        match = pattern.fullmatch(text)
        seconds = None if match is None else _seconds(match.groupdict())
        if seconds is not None:
            return seconds
    return None


def _counted(text: str, per_second: float) -> float | None:
    try:
        number = float(text) / per_second
    except ValueError:
        return None
    return number if abs(number) < _LARGEST_COUNT else None


def count_from_1970(values: NDArray[np.float64]) -> Order | None:
    """Whether numbers count seconds or milliseconds from 1970: different whole numbers that all lie in usual years.

    >>> count_from_1970(np.array([1.7e9, 1.71e9, 1.72e9])), count_from_1970(np.array([1.7, 1.71, 1.72]))
    ('seconds', None)
    """
    if len(values) < _MIN_COUNTS:
        return None
    low, high = values.min(), values.max()
    orders: tuple[Order, ...] = ("seconds", "milliseconds")
    found = next((o for o in orders if _YEARS[0] <= low / _PER_SECOND[o] and high / _PER_SECOND[o] <= _YEARS[1]), None)
    is_count = found is not None and np.array_equal(values, np.floor(values)) and len(np.unique(values)) >= _MIN_COUNTS
    return found if is_count else None


def _seconds(parts: Mapping[str, str | None]) -> float | None:
    days = 0
    weekday = parts.get("weekday")
    if weekday and not is_weekday(weekday):
        return None
    if parts.get("y"):
        name = parts.get("name")
        month = month_of(name) if name else int(parts.get("m") or 0)
        year = int(parts["y"] or 0)
        year += (2000 if year < 69 else 1900) if len(parts["y"] or "") == 2 else 0
        week = parts.get("week")
        try:
            first = (
                date.fromisocalendar(year, int(week), 1) if week else date(year, month, int(parts.get("d", "1") or 0))
            )
            days = first.toordinal() - _EPOCH
        except ValueError:
            return None
    hour, minute, second = (int(parts.get(key) or 0) for key in ("hour", "minute", "second"))
    half = parts.get("half")
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half.lower() == "pm" else 0)
    if hour > 23 or minute > 59 or second > 60:
        return None
    return days * DAY + hour * 3600.0 + minute * 60.0 + second


@dataclass(frozen=True)
class DateGuess:
    """The best format for some texts."""

    format: DateFormat
    fits: int
    strays: tuple[str, ...]
    ambiguous: bool  # day and month could be exchanged


def guess_date_format(counts: Mapping[str, int]) -> DateGuess:
    """The format that most of the texts have; if day and month are ambiguous, the day comes first.

    A column mixes formats if no single format has nine tenths of the texts and all formats together have more.
    """
    orders: tuple[Order, ...] = ("ymd", "dmy", "mdy", "time")
    parsed = {order: {text for text in counts if _parsed(text.strip(), order) is not None} for order in orders}
    scored = {order: sum(counts[text] for text in texts) for order, texts in parsed.items()}
    best = max(orders, key=lambda order: scored[order])
    ambiguous = best == "dmy" and scored["mdy"] == scored["dmy"] and scored["dmy"] > 0
    if scored[best] < 0.9 * sum(counts.values()):
        one_order = [text for text in parsed["dmy"] ^ parsed["mdy"] if _WITHOUT_POINTS.match(text.strip())]
        day_first = sum(counts[text] if text in parsed["dmy"] else -counts[text] for text in one_order)
        mixed: Order = "any, month first" if day_first < 0 else "any, day first"
        fits = sum(counts[text] for text in parsed["ymd"] | parsed["dmy"] | parsed["mdy"])
        if fits > scored[best]:
            best, scored[mixed], ambiguous = mixed, fits, False
    form = DateFormat(best)
    strays = tuple(text for text in counts if form.parse(text) is None)
    return DateGuess(form, scored[best], strays, ambiguous)


def zones_of(texts: Iterable[str]) -> list[str]:
    """The time zones after the times of the texts.

    >>> zones_of(["2024-05-01T10:00:00+02:00", "2024-05-01T10:00Z", "2024-05-01 10:00", "May 1, 2024 10:00 PM"])
    ['+02:00', 'Z']
    """
    found = (_ZONE_OF_TIME.search(text) for text in texts)
    return sorted({match[1] for match in found if match is not None} - {"AM", "PM", ""})


_ZONE_OF_TIME = re.compile(rf"\d:\d{{2}}(?:[.,]\d+)?\s*({_ZONE})\]?$")


#: The features of a date, and how each follows from the seconds since 1970 and the first date of training.
PARTS = ("year", "month", "weekday", "elapsed days", "hour")
Part = Literal["year", "month", "weekday", "elapsed days", "hour"]


def part_of(seconds: NDArray[np.float64], part: str, origin: float) -> NDArray[np.float64]:
    """One feature of dates without missing values. Mondays are 0; `origin` is the date from which days are counted.

    >>> part_of(np.array([86400.0 * 31]), "month", 0.0)
    array([2.])
    """
    if part == "elapsed days":
        return (seconds - origin) / DAY
    days = np.floor(seconds / DAY)
    if part == "hour":
        return np.asarray((seconds - days * DAY) / 3600.0)
    if part == "weekday":
        return np.asarray((days + 3) % 7)
    dates = days.astype(np.int64).astype("datetime64[D]")
    months = dates.astype("datetime64[M]").astype(np.int64)
    return np.asarray(months // 12 + 1970 if part == "year" else months % 12 + 1, dtype=np.float64)
