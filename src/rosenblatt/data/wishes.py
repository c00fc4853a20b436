"""What can be wished of reading."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Wishes:
    r"""How to read a file, where its name and content leave a choice.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from rosenblatt import data
    >>> table = Path(tempfile.mkdtemp()) / "pets.csv"
    >>> size = table.write_text("legs,name,kind\n4,Rex,dog\n2,Tweety,bird\n")
    >>> data.read(str(table), data.Wishes(target="kind", drop=["name"])).features.names()
    ['legs']
    """

    form: str | None = None
    target: str | None = None
    drop: Sequence[str] = ()
    categorical: Sequence[str] = ()
    impute: bool = False
    delimiter: str | None = None
    has_header: bool = True
    zero_based: bool | None = None
    unseen: str = "error"
    text: Sequence[str] = ()  # columns whose words are hashed
    ngrams: int = 2
    sql: str | None = None  # a query on the source instead of its rows
    hash_bits: int | None = None  # None: 18 for texts, and no hashing of categories
