"""Columns that number or name the rows: the index of a data frame, written into the file beside the data.

Such a column is neither a feature nor the target unless an option names it. In a file that is sorted by
class, the row numbers would reveal the class.
"""

import json
import re
from collections.abc import Collection, Mapping

#: The names that pandas gives to unnamed index levels (Parquet, Feather) and unnamed columns (CSV).
_PANDAS_NAMES = re.compile(r"__index_level_\d+__|Unnamed: \d+(_level_\d+)?")


def is_unnamed(name: str) -> bool:
    """Whether a column's name is one that pandas gives to unnamed columns.

    >>> [is_unnamed(name) for name in ("", "Unnamed: 0", "__index_level_0__", "id")]
    [True, True, True, False]
    """
    return not name.strip() or _PANDAS_NAMES.fullmatch(name) is not None


def declared_index(metadata: Mapping[bytes, bytes] | None) -> set[str]:
    """The columns that the metadata of an Arrow schema, as pandas writes it, declares to be an index."""
    try:
        found = json.loads((metadata or {})[b"pandas"])["index_columns"]
        # A RangeIndex is stored as a dictionary and has no column.
        return {column for column in found if isinstance(column, str)}
    except (KeyError, ValueError, TypeError):
        return set()


def data_columns(names: Collection[str], index: Collection[str]) -> list[str]:
    """The columns that hold data. Unnamed columns count as data if the table has no other columns."""
    named = [name for name in names if name not in index and not is_unnamed(name)]
    return named or list(names)


def note_on(name: str, index: Collection[str]) -> str:
    """Why a column is left out, and which option includes it."""
    if name in index and not is_unnamed(name):
        return f"column {name!r} is left out: pandas stored it as the index (reset_index() makes it a column)"
    what = f"column {name!r} is left out: it has no name" if name else "a column without a name is left out"
    return f"{what}, like the index of a data frame (rename it to use it)"
