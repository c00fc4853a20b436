"""Dates and times written as text, and the features that they become."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Order = Literal["ymd", "dmy", "mdy", "time", "any, day first", "any, month first"]

DAY = 86400.0
_EPOCH = date(1970, 1, 1).toordinal()
_CLOCK = r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,]\d+)?)?\s*(?P<half>[AaPp][Mm])?"
#: Z, UTC, CET, +02:00, -0500, GMT+1.
_ZONE = r"(?:[A-Z]{1,5})?(?:[-+]\d{1,2}(?::?\d{2})?)?"
_TIME = rf"(?:[T ]\s*{_CLOCK}\s*{_ZONE})?"
_NAME = r"(?P<name>[^\W\d_]{3,10})"
_PATTERNS: dict[str, tuple[re.Pattern[str], ...]] = {
    "ymd": (
        re.compile(rf"(?P<y>\d{{4}})(?P<sep>[-/.])(?P<m>\d{{1,2}})(?P=sep)(?P<d>\d{{1,2}}){_TIME}"),
        re.compile(r"(?P<y>(?:19|20)\d{2})(?P<m>\d{2})(?P<d>\d{2})"),
        re.compile(r"(?P<y>(?:19|20)\d{2})-(?P<m>\d{2})"),
    ),
    "dmy": (
        re.compile(rf"(?P<d>\d{{1,2}})(?P<sep>[-/.])(?P<m>\d{{1,2}})(?P=sep)(?P<y>\d{{4}}|\d{{2}}){_TIME}"),
        re.compile(rf"(?P<d>\d{{1,2}})(?:\.? |[-/]){_NAME}\.?,?[ /-](?P<y>\d{{4}}|\d{{2}}){_TIME}"),
        re.compile(rf"{_NAME}\.? (?P<d>\d{{1,2}}),? (?P<y>\d{{4}}){_TIME}"),
    ),
    "mdy": (re.compile(rf"(?P<m>\d{{1,2}})(?P<sep>[-/.])(?P<d>\d{{1,2}})(?P=sep)(?P<y>\d{{4}}|\d{{2}}){_TIME}"),),
    "time": (re.compile(_CLOCK),),
}
#: How the names of the months begin in English, German, French and Spanish, without accents.
_MONTHS = {
    beginning: k
    for k, beginnings in enumerate(
        (
            ("jan", "ene"), ("feb", "fev"), ("mar",), ("apr", "avr", "abr"), ("may", "mai"), ("jun", "juin"),
            ("jul", "juil"), ("aug", "aou", "ago"), ("sep",), ("oct", "okt"), ("nov",), ("dec", "dez", "dic"),
        ),
        1,
    )
    for beginning in beginnings
}  # fmt: skip


def _month(name: str) -> int:
    """The number of a month by its name; 0 for another word.

    >>> [_month(name) for name in ("Sept", "März", "juillet", "août", "Monday")]
    [9, 3, 7, 8, 0]
    """
    plain = "".join(sign for sign in unicodedata.normalize("NFD", name.lower()) if not unicodedata.combining(sign))
    return _MONTHS.get(plain[:3]) or _MONTHS.get(plain[:4], 0)


@dataclass(frozen=True)
class DateFormat:
    """The order in which a column writes day, month and year; `"time"` has a time of day only.

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


def _parsed(text: str, order: str) -> float | None:
    for pattern in _PATTERNS[order]:
        match = pattern.fullmatch(text)
        if match is not None:
            return _seconds(match.groupdict())
    return None


def _seconds(parts: Mapping[str, str | None]) -> float | None:
    days = 0
    if parts.get("y"):
        name = parts.get("name")
        month = _month(name) if name else int(parts["m"] or 0)
        year = int(parts["y"] or 0)
        year += (2000 if year < 69 else 1900) if len(parts["y"] or "") == 2 else 0
        try:
            days = date(year, month, int(parts.get("d", "1") or 0)).toordinal() - _EPOCH
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
