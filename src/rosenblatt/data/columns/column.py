"""One column of a table, and how it becomes features. It is stored in the model file."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from rosenblatt.data.columns.dates import PARTS, DateFormat, Order, part_of
from rosenblatt.data.columns.number_text import FORMATS, MAX_UNIT, NumberFormat
from rosenblatt.data.errors import DataError

MAX_BITS = 24
MAX_NGRAMS = 5

Keep = Callable[[NDArray[Any], str], Any]
Restore = Callable[[Any, str], NDArray[Any]]


@dataclass(frozen=True)
class Column:
    """A column that a model uses.

    The features of a column are contiguous:

    - a number: its value;
    - a category: one feature for each word of the vocabulary, then one for all other words if `pooled`;
    - a date: the features named by `parts`;
    - a hashed category: 2^bits features; with `ngrams` a hashed text: one feature for each of its `buckets`;
    - last, if `gap`: 1 where the value is missing, else 0.

    A missing value is replaced by `fill` (for a date, seconds since 1970); without `fill` it is refused.
    """

    name: str
    vocabulary: tuple[str, ...] | None = None
    fill: float | str | None = None
    bits: int | None = None
    ngrams: int | None = None
    buckets: NDArray[np.int32] | None = field(default=None, compare=False, repr=False)  # in ascending order; None: all
    idf: NDArray[np.float64] | None = field(default=None, compare=False, repr=False)  # of each feature
    gap: bool = False
    pooled: bool = False
    number_format: NumberFormat | None = None  # None: plain numbers
    booleans: bool = False  # a number may also be True (1) or False (0), as in a pipeline of scikit-learn
    date_format: DateFormat | None = None
    parts: tuple[str, ...] = ()
    origin: float = 0.0  # the date from which elapsed days are counted, in seconds since 1970
    words: Mapping[int, str] | None = field(default=None, compare=False, repr=False)  # what fills most of each feature

    @property
    def is_number(self) -> bool:
        return self.vocabulary is None and self.bits is None and self.date_format is None

    @property
    def is_text(self) -> bool:
        return self.ngrams is not None

    @property
    def is_date(self) -> bool:
        return self.date_format is not None

    @property
    def width(self) -> int:
        if self.vocabulary is not None:
            return len(self.vocabulary) + self.pooled + self.gap
        if self.buckets is not None:
            return len(self.buckets)
        return (len(self.parts) if self.is_date else 1 << (self.bits or 0)) + self.gap

    @property
    def n_numbers(self) -> int:
        """How many of its features are numbers, which come first. Words, categories and the flag of a gap are not."""
        return 0 if self.vocabulary is not None or self.bits is not None else self.width - self.gap

    def fills(self) -> list[float]:
        """The value of each feature where the column's value is missing; NaN if such a value is refused."""
        if self.fill is None or self.bits is not None:
            return [np.nan] * self.width
        flag = [1.0] * self.gap
        if self.vocabulary is not None:
            return [*(float(v == self.fill) for v in self.vocabulary), *([0.0] * self.pooled), *flag]
        if self.is_date:
            seconds = np.array([float(self.fill)])
            return [*(float(part_of(seconds, part, self.origin)[0]) for part in self.parts), *flag]
        return [float(self.fill), *flag]

    def feature_names(self) -> list[str]:
        """The name of each feature."""
        flag = [f"{self.name} is missing"] * self.gap
        if self.bits is not None:
            sign, words = ":" if self.is_text else "=", self.words or {}
            return [f"{self.name}{sign}{words[k]}" if k in words else f"{self.name}#{k}" for k in range(self.width)]
        if self.vocabulary is not None:
            return [*(f"{self.name}={v}" for v in self.vocabulary), *([f"{self.name}=(rare)"] * self.pooled), *flag]
        return [*([f"{self.name} {part}" for part in self.parts] if self.is_date else [self.name]), *flag]

    def to_json(self, keep: Keep | None = None) -> dict[str, Any]:
        """The column in plain types; `keep` stores large arrays."""
        made: dict[str, Any] = {"name": self.name}
        if self.vocabulary is not None:
            made["vocabulary"] = list(self.vocabulary)
        for key in ("fill", "bits", "ngrams"):
            if getattr(self, key) is not None:
                made[key] = getattr(self, key)
        for key in ("buckets", "idf"):
            array = getattr(self, key)
            if array is not None:
                made[key] = keep(array, f"{key} of {self.name}") if keep else array.tolist()
        if self.words:
            made["words"] = {str(bucket): word for bucket, word in sorted(self.words.items())}
        for key in ("gap", "pooled", "booleans"):
            if getattr(self, key):
                made[key] = True
        if self.number_format is not None:
            made["number"] = {key: v for key, v in asdict(self.number_format).items() if key != "unit" or v}
        if self.date_format is not None:
            made["date"] = {"order": self.date_format.order, "parts": list(self.parts), "origin": self.origin}
        return made

    @classmethod
    def from_json(cls, entry: Any, restore: Restore | None = None) -> "Column":
        """Reads what `to_json` wrote; anything else is refused with a `DataError`."""
        if not isinstance(entry, Mapping) or not isinstance(entry.get("name"), str):
            raise DataError("a column has no name")
        name = entry["name"]
        flags = gap, pooled, booleans = [entry.get(key, False) for key in ("gap", "pooled", "booleans")]
        if any(type(flag) is not bool for flag in flags):
            raise DataError(f"gap, pooled and booleans of column {name!r} must be true or false")
        if "bits" in entry:
            return _hashed(name, entry, restore)
        if entry.get("vocabulary") is not None:
            return _category(name, entry, gap, pooled)
        fill = entry.get("fill")
        if fill is not None and not (type(fill) in (int, float) and np.isfinite(fill)):
            raise DataError(f"column {name!r} must be filled with a number")
        if "date" in entry:
            return _date(name, entry["date"], fill, gap)
        form = _number_format(name, entry.get("number"))
        return cls(name, None, fill, gap=gap, number_format=form, booleans=booleans)


def _number_format(name: str, entry: Any) -> NumberFormat | None:
    if entry is None:
        return None
    unit: Any = entry.get("unit", "") if isinstance(entry, Mapping) else None
    if isinstance(unit, str) and len(unit) <= MAX_UNIT:
        known = [form for form in FORMATS if asdict(form) == {**entry, "unit": ""}]
        if known:
            return replace(known[0], unit=unit)
    raise DataError(f"the number format of column {name!r} is not known")


def _date(name: str, entry: Any, fill: float | None, gap: bool) -> Column:
    order, parts, origin = (entry.get(key) for key in ("order", "parts", "origin"))
    if order not in get_args(Order) or not isinstance(parts, list) or not set(parts) <= set(PARTS) or not parts:
        raise DataError(f"the date format of column {name!r} is not known")
    if type(origin) not in (int, float) or not np.isfinite(origin) or len(set(parts)) != len(parts):
        raise DataError(f"the date of column {name!r} needs a finite origin and distinct parts")
    return Column(name, fill=fill, gap=gap, date_format=DateFormat(order), parts=tuple(parts), origin=float(origin))


def _category(name: str, entry: Any, gap: bool, pooled: bool) -> Column:
    vocabulary, fill = entry["vocabulary"], entry.get("fill")
    if not (isinstance(vocabulary, list) and all(isinstance(v, str) for v in vocabulary)):
        raise DataError(f"the vocabulary of column {name!r} must be a list of texts")
    if len(set(vocabulary)) != len(vocabulary):
        raise DataError(f"the vocabulary of column {name!r} has an entry twice")
    if fill is not None and fill not in vocabulary:
        raise DataError(f"column {name!r} must be filled with a word of its vocabulary")
    return Column(name, tuple(vocabulary), fill, gap=gap, pooled=pooled)


def _hashed(name: str, entry: Any, restore: Restore | None) -> Column:
    bits, ngrams, stored, fill = (entry.get(key) for key in ("bits", "ngrams", "idf", "fill"))
    if type(bits) is not int or not 1 <= bits <= MAX_BITS:
        raise DataError(f"column {name!r} must be hashed to 1 to {MAX_BITS} bits")
    if not isinstance(fill, str | None):
        raise DataError(f"column {name!r} must be filled with a text")
    if ngrams is None:
        return Column(name, fill=fill, bits=bits, words=_bucket_words(name, entry.get("words"), 1 << bits))
    if type(ngrams) is not int or not 1 <= ngrams <= MAX_NGRAMS:
        raise DataError(f"the runs of words of column {name!r} must be of 1 to {MAX_NGRAMS}")
    buckets: NDArray[np.int32] | None = None
    if "buckets" in entry:
        buckets = np.asarray(restore(entry["buckets"], f"buckets of {name}") if restore else entry["buckets"], np.int32)
        if buckets.ndim != 1 or not len(buckets) or buckets[0] < 0 or buckets[-1] >= 1 << bits:
            raise DataError(f"the buckets of column {name!r} must be from 0 to {(1 << bits) - 1}")
        if not (np.diff(buckets) > 0).all():
            raise DataError(f"the buckets of column {name!r} must be in ascending order")
    width = 1 << bits if buckets is None else len(buckets)
    idf = np.asarray(restore(stored, f"idf of {name}") if restore else np.array(stored, dtype=np.float64))
    if idf.dtype != np.float64 or idf.shape != (width,) or not np.isfinite(idf).all():
        raise DataError(f"the weights of the words of column {name!r} must be {width} finite numbers")
    words = _bucket_words(name, entry.get("words"), width)
    return Column(name, bits=bits, ngrams=ngrams, buckets=buckets, idf=idf, words=words)


def _bucket_words(name: str, found: Any, width: int) -> dict[int, str] | None:
    if found is None:
        return None
    if not isinstance(found, Mapping) or not all(isinstance(word, str) for word in found.values()):
        raise DataError(f"the words of the buckets of column {name!r} must be texts")
    words = {int(bucket): word for bucket, word in found.items() if bucket.isascii() and bucket.isdigit()}
    if len(words) != len(found) or not all(bucket < width for bucket in words):
        raise DataError(f"the words of column {name!r} must be those of its {width} features")
    return words


ColumnType = Literal[
    "number", "boolean", "date", "category", "text", "id", "row number", "constant", "empty", "index", "list"
]


@dataclass(frozen=True)
class ColumnReport:
    """How one column of the file was read and used: one line of `rosenblatt look`."""

    name: str
    type: str  # a `ColumnType`, or "target"
    reading: str = ""  # how the values were read
    use: str = ""  # how the values are used
    misfits: tuple[str, ...] = ()  # examples of values that did not fit
    doubt: str = ""  # why the type is a doubtful guess, and the option that overrules it

    def line(self) -> str:
        """The report without the name."""
        shown = ", ".join(repr(text[:30]) for text in self.misfits)
        parts = [self.type, self.reading, self.use, f"does not fit: {shown}" if shown else ""]
        return "; ".join(part for part in parts if part)

    def to_json(self) -> dict[str, Any]:
        made: dict[str, Any] = {"name": self.name, "type": self.type}
        for key in ("reading", "use", "doubt"):
            if getattr(self, key):
                made[key] = getattr(self, key)
        return made | ({"misfits": list(self.misfits)} if self.misfits else {})

    @classmethod
    def from_json(cls, entry: Any) -> "ColumnReport":
        texts = {key: entry.get(key, "") for key in ("name", "type", "reading", "use", "doubt")}
        misfits = entry.get("misfits", [])
        if not isinstance(misfits, list) or not all(isinstance(text, str) for text in [*texts.values(), *misfits]):
            raise DataError("the report on a column must consist of texts")
        return cls(misfits=tuple(misfits), **texts)
