"""Options for reading a file."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from rosenblatt.data.features import Features

Unseen = Literal["error", "zero"]


@dataclass(frozen=True)
class ReadOptions:
    r"""How to read a file.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from rosenblatt import data
    >>> table = Path(tempfile.mkdtemp()) / "pets.csv"
    >>> size = table.write_text("legs,name,kind\n4,Rex,dog\n2,Tweety,bird\n")
    >>> data.read(str(table), data.ReadOptions(target="kind", drop=["name"])).features.names()
    ['legs']
    """

    form: str | None = None
    target: str | None = None
    lowercase_labels: bool = False  # labels that only differ in upper and lower case are one class
    drop: Sequence[str] = ()  # columns to leave out
    keep: Sequence[str] = ()  # columns to use although they look like an id or are constant
    keep_all: bool = False  # use every column that has a value
    number: Sequence[str] = ()  # columns of numbers; other values count as missing
    categorical: Sequence[str] = ()
    date: Sequence[str] = ()
    text: Sequence[str] = ()  # columns whose words are hashed
    interactions: Sequence[str] = ()  # pairs "a:b" of columns whose features are multiplied, or "all"
    impute: bool = True  # replace missing values by the median or the most frequent category, and flag them
    pool: bool = True  # give rare categories one common feature
    delimiter: str | None = None
    decimal: Literal[".", ","] | None = None  # None: inferred from the values
    encoding: str | None = None  # encoding of texts; None: UTF-8, or UTF-16 by its byte order mark
    has_header: bool | None = None  # None: inferred from the first line
    zero_based: bool | None = None
    unseen: Unseen = "zero"
    ngrams: int = 2
    sql: str | None = None  # a query on the source instead of its rows
    hash_bits: int | None = None  # None: 20 for texts, 18 for categories

    def fixed_to(self, features: "Features") -> "ReadOptions":
        """Options that give another file with the same columns the same column types."""
        used = {column.name for column in features.columns}
        return replace(
            self,
            target=features.target,
            drop=[*self.drop, *(r.name for r in features.report if r.name not in {*used, *self.drop, features.target})],
            keep=[*used],
            number=[c.name for c in features.columns if c.is_number and c.number_format is not None],
            categorical=[c.name for c in features.columns if c.vocabulary is not None or (c.bits and not c.is_text)],
            date=[c.name for c in features.columns if c.is_date],
            text=[c.name for c in features.columns if c.is_text],
        )
