"""What is doubtful about a column of numbers, in words for a note."""

import re
from collections.abc import Collection, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rosenblatt.data.columns.number_text import BOUNDS, GAP_WORDS, MAGNITUDES, SIGN_WORDS, NumberFormat, NumberGuess
from rosenblatt.data.errors import option

_SIGNS = "%$€£¥₹"

#: Least rows in which a number must occur to be taken for a code of a missing value, and least other rows.
_MIN_CODES = 2
_MIN_OTHERS = 10
_CODE = re.compile(r"-[1-9]\.0|-?99+\.(?:0|9+|25)")


def signs_of(counts: Mapping[str, int]) -> list[str]:
    """The percent and currency signs of the texts."""
    return sorted({sign for text in counts for sign in _SIGNS if sign in text})


def doubt_on_numbers(name: str, counts: Mapping[str, int], number: NumberGuess) -> str:
    """The first of the things that could be wrong with a column of texts that is read as numbers; else nothing."""
    form = number.format
    as_categories = f"({option('categorical', name)} takes all values as categories)"
    if not has_gap_words_only(number.strays):
        shown = ", ".join(repr(text[:30]) for text in number.strays[:3])
        return f"column {name!r} is numeric but for {shown}, which count as missing {as_categories}"
    if number.ambiguous and not number.strays:
        what = replace(form, unit="").description()
        return f"column {name!r}: the comma in {next(iter(counts))!r} is read as {what} (--decimal overrides this)"
    bare = _without_unit(counts, form)
    if bare is not None and form.unit == MAGNITUDES:
        return f"column {name!r}: values without {MAGNITUDES}, such as {bare!r}, are not multiplied {as_categories}"
    if bare is not None:
        return f"column {name!r}: values without a unit, such as {bare!r}, are read in {form.unit}, too"
    if form.unit in SIGN_WORDS:
        return f"column {name!r}: {replace(form, thousands='', decimal='.').description()} {as_categories}"
    bounded = [text for text in counts if text.strip().startswith(BOUNDS) and form.parse(text) is not None]
    if bounded:
        return f"column {name!r}: the signs of limits are removed, as in {bounded[0]!r} {as_categories}"
    signs = signs_of(counts)
    if len(signs) > 1:
        return f"column {name!r}: the signs {' '.join(signs)} are removed, and their amounts are not converted"
    if signs == ["%"]:
        bare = next((text for text in counts if "%" not in text and form.parse(text) is not None), None)
        if bare is not None:
            return f"column {name!r}: values without %, such as {bare!r}, are read as percent, too"
    return doubt_on_codes(name, values_of(counts, form))


def doubt_on_codes(name: str, values: NDArray[np.float64]) -> str:
    """A note on numbers that may stand for a missing value, such as -999 among temperatures."""
    found, others = missing_codes(values)
    if not found:
        return ""
    codes = " and ".join(f"{code:.15g}" for code in found)
    rows = int(np.isin(values, found).sum())
    return (
        f"column {name!r}: {codes}, in {rows:,} rows, {'is' if len(found) == 1 else 'are'} far from the other values "
        f"({others[0]:.6g} to {others[1]:.6g}); if this stands for a missing value, leave these cells empty "
        f"({option('drop', name)} leaves the column out)"
    )


def missing_codes(values: NDArray[np.float64]) -> tuple[list[float], tuple[float, float]]:
    """The numbers that may stand for a missing value, and the range of all others.

    These are numbers of nines (99, -999, -9999.9), and -1 to -9, that occur more than once and are farther from all
    others than these are from each other.

    >>> missing_codes(np.array([20.5, 21.0, -999.0] * 10))
    ([-999.0], (20.5, 21.0))
    >>> missing_codes(np.array([1.0, 5.0, -8.0, -9.0] * 10))[0], missing_codes(np.array([0.0, 50.0, 99.0] * 10))[0]
    ([-9.0, -8.0], [])
    """
    if not len(values) or not (_is_code(float(values.min())) or _is_code(float(values.max()))):
        return [], (0.0, 0.0)
    distinct, counts = np.unique(values, return_counts=True)
    is_code = np.array([_is_code(value) for value in distinct.tolist()])
    others = distinct[~is_code]
    if len(others) < 2 or counts[~is_code].sum() < _MIN_OTHERS:
        return [], (0.0, 0.0)
    low, high = float(others[0]), float(others[-1])
    far = is_code & (np.maximum(low - distinct, distinct - high) > high - low) & (counts >= _MIN_CODES)
    return distinct[far].tolist(), (low, high)


def _is_code(value: float) -> bool:
    return _CODE.fullmatch(repr(value)) is not None


def has_gap_words_only(texts: Collection[str]) -> bool:
    """Whether all texts are words that stand for a missing number."""
    return all(text.strip().lower() in GAP_WORDS for text in texts)


def doubt_on_words(name: str, counts: Mapping[str, int], number: NumberGuess) -> str:
    """A note on a column that is read as categories, although half of its values or more are numbers."""
    if number.units or number.fits < sum(counts.values()) / 2:
        return ""
    figure = next(text for text in counts if number.format.parse(text) is not None)
    return (
        f"column {name!r} has numbers and words, such as {figure[:30]!r} and {number.strays[0][:30]!r}, and is read as "
        f"categories ({option('number', name)} takes the words as missing numbers)"
    )


def _without_unit(counts: Mapping[str, int], form: NumberFormat) -> str | None:
    """The first number other than 0 that lacks the unit of the others, if any."""
    if form.unit in ("", *SIGN_WORDS):
        return None
    return next((text for text in counts if not form.has_unit(text) and form.parse(text)), None)


def values_of(counts: Mapping[str, int], form: NumberFormat) -> NDArray[np.float64]:
    """The numbers of the texts, each as often as it occurs."""
    parsed = [(value, count) for text, count in counts.items() if (value := form.parse(text)) is not None]
    return np.repeat([value for value, _ in parsed], [count for _, count in parsed])
