"""Numbers as text: decimal commas, thousands separators, percent and currency signs, units and durations."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

#: Words that stand for a missing number. A numeric column may have them besides `MISSING`.
GAP_WORDS = frozenset(
    (
        "-", "--", "---", ".", "..", "*", "#", "x", "unknown", "unk", "missing", "none", "nil", "null", "na", "n/a",
        "n.a.", "nan", "not available", "not known", "no data", "tbd", "unbekannt", "#n/a", "#na", "#null!", "#div/0!",
        "#value!", "#ref!", "#num!", "inf", "-inf", "+inf", "infinity", "–", "—", "n.d.", "nd", "n/d", "k.a.", "k. a.",
        "not applicable", "not recorded", "(blank)", "(null)", "(none)", "[null]",
    )
)  # fmt: skip

_SIGN = r"(?:[$€£¥₹]|USD|EUR|GBP|CHF|JPY|INR)"
#: Limits and estimates, as in <0.5 of a laboratory and ~20. The number is taken without the sign.
BOUNDS = ("<", ">", "≤", "≥", "~", "≈")
_BOUND = rf"(?:[{''.join(BOUNDS)}]=?\s*)?"
_MARKS = re.compile(rf"^\s*{_BOUND}([-+−]?)\s*{_SIGN}?\s*([-+−]?)(.*?)\s*(?:{_SIGN}|%)?\s*$", re.IGNORECASE)
#: A number that may have a unit: one or two words, such as m², km/h, °C or sq ft,
#: a rate, as in 12.50/hr, or the largest number of points, as in 7/10.
_UNIT = r"(?:(?:[^\W\d_°][\w°/·^.-]*|°\w?)(?: [^\W\d_]+)?|/ ?(?:5|10|20|100|[^\W\d_]+))"
_WITH_UNIT = re.compile(rf"{_BOUND}[-+−(]?(?:[$€£¥₹]\s?)?[\d.,'’\s]*\d\)?(?:[eE][-+]?\d+)?(?:\s?[$€£¥₹])?\s*({_UNIT})?")
#: Accounting notation, in which (12), ($12.50) and 12.50- are negative. Without a decimal sign, 2- may be a grade.
_ACCOUNTING = re.compile(
    rf"\(\s*{_SIGN}?\s*([\d.,'\s]+?)\s*(?:{_SIGN}|%)?\s*\)|([\d.,'\s]*[.,]\d+)\s*[-−]", re.IGNORECASE
)
_LONGEST_WITH_UNIT = 40
#: The longest unit, and the largest number of units that are told apart; more are words.
MAX_UNIT = 12
_MAX_UNITS = 5
#: The largest share of words besides numbers with units.
_MAX_OTHERS = 0.2
#: Units of this length may end with s, as in 1 year and 2 years.
_MIN_PLURAL = 3
#: The "unit" of numbers such as 35K and 1.2M, and the magnitudes that they are multiplied by. A single letter without a
#: currency sign is a unit: kelvin, metres, bytes.
MAGNITUDES = "k, M, B"
_CURRENCY = re.compile(_SIGN, re.IGNORECASE)
_MAGNITUDES = {"k": 1e3, "K": 1e3, "M": 1e6, "B": 1e9}
#: The "units" of numbers whose sign is a word after them: credit and debit, in any case, and compass directions, which
#: are capitals: s is seconds.
SIGN_WORDS = {"+CR -DR": ("CR", "DR"), "+N -S": ("N", "S"), "+E -W": ("E", "W")}
#: The "unit" of durations such as 37:30 and 1:02:45, which are counted in their last unit: 2250 and 3765.
DURATION = ":"
_DURATION = re.compile(r"([-+−]?)(\d+):([0-5]\d)(?::([0-5]\d))?([.,]\d+)?")
_SPACES = str.maketrans({"\u00a0": " ", "\u202f": " ", "\u2009": " ", "’": "'"})


@dataclass(frozen=True)
class NumberFormat:
    """How the numbers of a column are written. Percent and currency signs are removed in every format.

    >>> [NumberFormat(",", ".").parse(text) for text in ("1.234,5", "12 €", "unknown")]
    [1234.5, 12.0, None]
    >>> [NumberFormat(unit="kg").parse(text) for text in ("5 kg", "5kg", "5", "5 g")]
    [5.0, 5.0, 5.0, None]
    >>> [NumberFormat().parse(text) for text in ("<0.5", ">= 100", "~20", "<b>")]
    [0.5, 100.0, 20.0, None]
    >>> [NumberFormat(unit="year").parse(text) for text in ("1 year", "2 years")]
    [1.0, 2.0]
    >>> [NumberFormat(unit=DURATION).parse(text) for text in ("37:30", "1:02:45", "0:59.5", "12:75")]
    [2250.0, 3765.0, 59.5, None]
    >>> [NumberFormat(unit=MAGNITUDES).parse(text) for text in ("$1.2M", "35 K", "500")]
    [1200000.0, 35000.0, 500.0]
    >>> [NumberFormat(unit="+CR -DR").parse(text) for text in ("12.50 CR", "12.50Dr", "0")]
    [12.5, -12.5, 0.0]
    >>> [NumberFormat(thousands=",").parse(text) for text in ("(1,200)", "($1,200.50)", "1,200.50-", "1-", "(-3)")]
    [-1200.0, -1200.5, -1200.5, None, None]
    """

    decimal: Literal[".", ","] = "."
    thousands: Literal["", ",", ".", " ", "'"] = ""
    unit: str = ""  # the unit after the numbers, which may be left out

    def parse(self, text: str) -> float | None:
        """The number, or None if the text is not a number of this format."""
        text = text.strip()
        if self.unit == DURATION:
            return _duration(text)
        if self.unit == MAGNITUDES:
            magnitude = _MAGNITUDES.get(text[-1:])
            number = replace(self, unit="").parse(text[:-1] if magnitude else text)
            return None if number is None else number * (magnitude or 1.0)
        if self.unit in SIGN_WORDS:
            return self._with_sign_word(text)
        if len(self.unit) >= _MIN_PLURAL and text.endswith(f"{self.unit}s"):
            text = text[:-1]
        marks = _MARKS.match(text.removesuffix(self.unit).translate(_SPACES))
        if marks is None or (marks[1] and marks[2]):
            return None
        sign, body = marks[1] or marks[2], marks[3].strip()
        amount = _ACCOUNTING.fullmatch(body)
        if amount is not None and not sign:
            sign, body = "-", amount[1] or amount[2]
        if not _pattern(self.decimal, self.thousands).fullmatch(body):
            return None
        value = float(body.replace(self.thousands, "").replace(self.decimal, ".") if self.thousands else
                      body.replace(self.decimal, "."))  # fmt: skip
        return -value if sign in ("-", "−") else value

    def _with_sign_word(self, text: str) -> float | None:
        plus, minus = SIGN_WORDS[self.unit]
        word = next((word for word in (plus, minus) if _sign_word(text[-len(word) :]) == word), "")
        number = replace(self, unit="").parse(text[: len(text) - len(word)])
        return -number if number is not None and word == minus else number

    def with_decimal(self, decimal: Literal[".", ","]) -> "NumberFormat":
        """The same format with another decimal sign. The sign that is free may then stand between thousands.

        >>> [NumberFormat().with_decimal(",").parse(text) for text in ("3,5", "1.234,5", "3.5")]
        [3.5, 1234.5, None]
        """
        free: Literal[".", ","] = "." if decimal == "," else ","
        return replace(self, decimal=decimal, thousands=self.thousands if self.thousands in (" ", "'") else free)

    def has_unit(self, text: str) -> bool:
        """Whether the unit, or a letter of a magnitude, stands after the number."""
        text = text.strip()
        if self.unit == MAGNITUDES:
            return text[-1:] in _MAGNITUDES
        return text.endswith(self.unit) or (len(self.unit) >= _MIN_PLURAL and text.endswith(f"{self.unit}s"))

    def description(self) -> str:
        """The format in words; empty for plain numbers."""
        if self.unit == DURATION:
            return "durations, counted in their last unit"
        words = ["decimal comma"] if self.decimal == "," else []
        names = {",": "comma", ".": "point", " ": "space", "'": "apostrophe"}
        words += [f"{names[self.thousands]} between thousands"] if self.thousands else []
        if self.unit == MAGNITUDES:
            words += ["k, M and B taken as thousands, millions and billions"]
        elif self.unit in SIGN_WORDS:
            words += ["{} taken as plus and {} as minus".format(*SIGN_WORDS[self.unit])]
        elif self.unit:
            words += [f"in {self.unit}"]
        return ", ".join(words)


def _sign_word(text: str) -> str:
    """The spelling of a word in `SIGN_WORDS`."""
    return text if len(text) == 1 else text.upper()


def _duration(text: str) -> float | None:
    match = _DURATION.fullmatch(text)
    if match is None:
        return None
    sign, *parts, fraction = match.groups()
    value = 0.0
    for part in parts:
        value = value if part is None else 60 * value + int(part)
    value += float((fraction or ".0").replace(",", "."))
    return -value if sign in ("-", "−") else value


FORMATS = (
    NumberFormat(".", ""),
    NumberFormat(".", ","),
    NumberFormat(",", ""),
    NumberFormat(",", "."),
    NumberFormat(".", " "),
    NumberFormat(",", " "),
    NumberFormat(".", "'"),
)


@lru_cache
def _pattern(decimal: str, thousands: str) -> re.Pattern[str]:
    point = re.escape(decimal)
    grouped = rf"\d{{1,3}}(?:{re.escape(thousands)}\d{{3}})+(?:{point}\d*)?|" if thousands else ""
    if thousands == ",":  # India groups by two digits above the thousands: 12,34,567
        grouped += rf"\d{{1,2}}(?:,\d{{2}})+,\d{{3}}(?:{point}\d*)?|"
    return re.compile(rf"{grouped}\d+(?:{point}\d*)?(?:[eE][-+]?\d+)?|{point}\d+(?:[eE][-+]?\d+)?")


@dataclass(frozen=True)
class NumberGuess:
    """The best format for some texts."""

    format: NumberFormat
    fits: int  # values that are numbers, counted with repetition
    strays: tuple[str, ...]  # distinct texts that are not numbers
    ambiguous: bool  # a decimal comma and a comma between thousands both fit
    units: tuple[str, ...] = ()  # the units, if there are several


def guess_number_format(
    counts: Mapping[str, int], *, decimal: str | None = None, prefer_comma: bool = False
) -> NumberGuess:
    """The format that most of the texts have; ties go to the first of `FORMATS`, or to the decimal comma."""
    units = units_of(counts)
    if units and _MAGNITUDES.keys() >= set(units) and (len(units) > 1 or any(map(_CURRENCY.search, counts))):
        units = (MAGNITUDES,)
    words = {_sign_word(unit) for unit in units}
    units = next(((signed,) for signed, pair in SIGN_WORDS.items() if words == set(pair)), units)
    unit = units[0] if len(units) == 1 else ""
    candidates = [replace(form, unit=unit) for form in FORMATS if decimal is None or form.decimal == decimal]
    if prefer_comma:
        candidates.sort(key=lambda form: form.decimal != ",")
    texts = list(counts)
    scored = [(sum(counts[text] for text in texts if form.parse(text) is not None), form) for form in candidates]
    best = max(fits for fits, _ in scored)
    equal = [form for fits, form in scored if fits == best]
    chosen = equal[0]
    if any(form.thousands == "" and form.decimal == chosen.decimal for form in equal):
        chosen = next(form for form in equal if form.thousands == "" and form.decimal == chosen.decimal)
    signs = [(form.decimal, form.thousands) for form in equal]
    rival = (".", ",") in signs and (",", "") in signs and (".", "") not in signs
    if rival and not prefer_comma:
        chosen = NumberFormat(".", ",", unit)
    strays = tuple(text for text in texts if chosen.parse(text) is None)
    return NumberGuess(chosen, best, strays, rival, units if len(units) > 1 else ())


def units_of(counts: Mapping[str, int]) -> tuple[str, ...]:
    """The units of the texts, the most frequent first. Empty if less than four fifths of the texts are numbers.

    A unit of less than a hundredth of the texts does not count, nor do words that stand for a missing number.

    >>> units_of({"5 kg": 1, "7.5kg": 2}), units_of({"5 kg": 1, "300 g": 2}), units_of({"red": 5, "5 kg": 1})
    (('kg',), ('g', 'kg'), ())
    """
    found: Counter[str] = Counter()
    n = sum(counts.values())
    others = 0
    for text, count in counts.items():
        match = _WITH_UNIT.fullmatch(text.strip()) if len(text) <= _LONGEST_WITH_UNIT else None
        unit = None if match is None else match[1] or ""
        if unit is not None and len(unit) <= MAX_UNIT:
            found[unit] += count
        elif text.strip().lower() not in GAP_WORDS:
            others += count
            if others > _MAX_OTHERS * n:
                return ()
    del found[""]
    for unit in [unit for unit in found if len(unit) > _MIN_PLURAL and unit.endswith("s") and unit[:-1] in found]:
        found[unit[:-1]] += found.pop(unit)
    units = tuple(unit for unit, count in found.most_common() if count >= 0.01 * n)
    return units if len(units) <= _MAX_UNITS else ()
