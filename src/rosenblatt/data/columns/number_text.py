"""Numbers written as text: decimal commas, thousands separators, percent and currency signs."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

#: Words that stand for a missing number. A numeric column may have them besides `MISSING`.
GAP_WORDS = frozenset(
    (
        "-", "--", "---", ".", "..", "*", "#", "x", "unknown", "unk", "missing", "none", "nil", "null", "na", "n/a",
        "n.a.", "nan", "not available", "not known", "no data", "tbd", "unbekannt", "#n/a", "#na", "#null!", "#div/0!",
        "#value!", "#ref!", "#num!", "inf", "-inf", "+inf", "infinity",
    )
)  # fmt: skip

_SIGN = r"(?:[$€£¥₹]|USD|EUR|GBP|CHF|JPY|INR)"
_MARKS = re.compile(rf"^\s*([-+−]?)\s*{_SIGN}?\s*([-+−]?)(.*?)\s*(?:{_SIGN}|%)?\s*$", re.IGNORECASE)
_SPACES = str.maketrans({"\u00a0": " ", "\u202f": " ", "\u2009": " ", "’": "'"})


@dataclass(frozen=True)
class NumberFormat:
    """How the numbers of a column are written. Percent and currency signs are removed in every format.

    >>> [NumberFormat(",", ".").parse(text) for text in ("1.234,5", "12 €", "unknown")]
    [1234.5, 12.0, None]
    """

    decimal: Literal[".", ","] = "."
    thousands: Literal["", ",", ".", " ", "'"] = ""

    def parse(self, text: str) -> float | None:
        """The number, or None if the text is not a number of this format."""
        marks = _MARKS.match(text.translate(_SPACES))
        if marks is None or (marks[1] and marks[2]):
            return None
        sign, body = marks[1] or marks[2], marks[3].strip()
        if not sign and body.startswith("(") and body.endswith(")"):  # accounting notation: (12) is -12
            sign, body = "-", body[1:-1].strip()
        if not _pattern(self.decimal, self.thousands).fullmatch(body):
            return None
        value = float(body.replace(self.thousands, "").replace(self.decimal, ".") if self.thousands else
                      body.replace(self.decimal, "."))  # fmt: skip
        return -value if sign in ("-", "−") else value

    @property
    def is_plain(self) -> bool:
        return self.decimal == "." and not self.thousands

    def description(self) -> str:
        """The format in words; empty for plain numbers."""
        words = ["decimal comma"] if self.decimal == "," else []
        names = {",": "comma", ".": "point", " ": "space", "'": "apostrophe"}
        words += [f"{names[self.thousands]} between thousands"] if self.thousands else []
        return ", ".join(words)


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


def guess_number_format(
    counts: Mapping[str, int], *, decimal: str | None = None, prefer_comma: bool = False
) -> NumberGuess:
    """The format that most of the texts have; ties go to the first of `FORMATS`, or to the decimal comma."""
    candidates = [form for form in FORMATS if decimal is None or form.decimal == decimal]
    if prefer_comma:
        candidates.sort(key=lambda form: form.decimal != ",")
    texts = list(counts)
    scored = [(_fits(form, counts, texts), form) for form in candidates]
    best = max(fits for fits, _ in scored)
    equal = [form for fits, form in scored if fits == best]
    chosen = equal[0]
    if any(form.thousands == "" and form.decimal == chosen.decimal for form in equal):
        chosen = next(form for form in equal if form.thousands == "" and form.decimal == chosen.decimal)
    rival = {NumberFormat(".", ","), NumberFormat(",", "")} <= set(equal) and NumberFormat(".", "") not in equal
    if rival and not prefer_comma:
        chosen = NumberFormat(".", ",")
    strays = tuple(text for text in texts if chosen.parse(text) is None)
    return NumberGuess(chosen, best, strays, rival)


def _fits(form: NumberFormat, counts: Mapping[str, int], texts: Iterable[str]) -> int:
    return sum(counts[text] for text in texts if form.parse(text) is not None)
