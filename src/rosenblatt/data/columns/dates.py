"""Dates and times written as text, and the features that they become."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Order = Literal["ymd", "dmy", "mdy", "time"]

DAY = 86400.0
_EPOCH = date(1970, 1, 1).toordinal()
_CLOCK = r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,]\d+)?)?\s*(?P<half>[AaPp][Mm])?"
_TIME = rf"(?:[T ]\s*{_CLOCK}\s*(?:Z|UTC|[-+]\d{{2}}:?\d{{2}})?)?"
_PATTERNS: dict[str, tuple[re.Pattern[str], ...]] = {
    "ymd": (re.compile(rf"(?P<y>\d{{4}})(?P<sep>[-/.])(?P<m>\d{{1,2}})(?P=sep)(?P<d>\d{{1,2}}){_TIME}"),),
    "dmy": (
        re.compile(rf"(?P<d>\d{{1,2}})(?P<sep>[-/.])(?P<m>\d{{1,2}})(?P=sep)(?P<y>\d{{4}}|\d{{2}}){_TIME}"),
        re.compile(rf"(?P<d>\d{{1,2}})[ -](?P<name>[A-Za-z]{{3,9}})\.?,?[ -](?P<y>\d{{4}}|\d{{2}}){_TIME}"),
        re.compile(rf"(?P<name>[A-Za-z]{{3,9}})\.? (?P<d>\d{{1,2}}),? (?P<y>\d{{4}}){_TIME}"),
    ),
    "mdy": (re.compile(rf"(?P<m>\d{{1,2}})(?P<sep>[-/.])(?P<d>\d{{1,2}})(?P=sep)(?P<y>\d{{4}}|\d{{2}}){_TIME}"),),
    "time": (re.compile(_CLOCK),),
}
_MONTHS = {
    name: k
    for k, name in enumerate(("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), 1)
}


@dataclass(frozen=True)
class DateFormat:
    """The order in which a column writes day, month and year; `"time"` has a time of day only.

    Time zones are ignored: the features are those of the clock time as written.

    >>> DateFormat("dmy").parse("02.01.1970 12:00") / 3600
    36.0
    """

    order: Order

    def parse(self, text: str) -> float | None:
        """Seconds since 1970-01-01 00:00, or None if the text is not a date of this format."""
        for pattern in _PATTERNS[self.order]:
            match = pattern.fullmatch(text.strip())
            if match is not None:
                return _seconds(match.groupdict())
        return None


def _seconds(parts: Mapping[str, str | None]) -> float | None:
    days = 0
    if parts.get("y"):
        name = parts.get("name")
        month = _MONTHS.get(name[:3].lower(), 0) if name else int(parts["m"] or 0)
        year = int(parts["y"] or 0)
        year += (2000 if year < 69 else 1900) if len(parts["y"] or "") == 2 else 0
        try:
            days = date(year, month, int(parts["d"] or 0)).toordinal() - _EPOCH
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
    """The format that most of the texts have; if day and month are ambiguous, the day comes first."""
    orders: tuple[Order, ...] = ("ymd", "dmy", "mdy", "time")
    scored = {
        order: sum(count for text, count in counts.items() if DateFormat(order).parse(text) is not None)
        for order in orders
    }
    best = max(orders, key=lambda order: scored[order])
    form = DateFormat(best)
    strays = tuple(text for text in counts if form.parse(text) is None)
    ambiguous = best == "dmy" and scored["mdy"] == scored["dmy"] and scored["dmy"] > 0
    return DateGuess(form, scored[best], strays, ambiguous)


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
