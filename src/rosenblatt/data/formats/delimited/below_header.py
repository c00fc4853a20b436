"""Lines between the header and the rows: units, the questions of a survey, rulers of printed tables."""

import re

from rosenblatt.data.columns.missing import MISSING
from rosenblatt.data.columns.number_text import FORMATS, GAP_WORDS

#: The largest number of such lines, and the rows below them that show which columns hold numbers.
_MOST_LINES = 3
_LEAST_ROWS = 2
#: With a single column of numbers, a line without a number may be a row with a wrong value.
_LEAST_NUMBERS = 2

_RULER = re.compile(r"[:+]?[-=]{3,}[-=+:]*")


def lines_below_header(rows: list[list[str]]) -> int:
    """The number of lines below the header that are no rows. `rows` are the cells of the first lines below it.

    Such a line is a ruler, or it has a word in each column that holds numbers below. There must be two such columns.

    >>> lines_below_header([["cm", "kg", "text"], ["1.5", "2", "a"], ["1,7", "3", "b"]])
    1
    >>> lines_below_header([["unknown", "2", "a"], ["1.5", "2", "a"], ["1.7", "3", "b"]])
    0
    >>> lines_below_header([["---", "----"], ["a", "b"], ["c", "d"]])
    1
    """
    for count in range(min(_MOST_LINES, len(rows) - _LEAST_ROWS), 0, -1):
        numbers = _columns_of_numbers(rows[count:])
        if all(_is_ruler(row) or _is_header(row, numbers) for row in rows[:count]):
            return count
    return 0


def note_on_lines(count: int) -> str:
    """What is left out, and the option that keeps it."""
    if count == 1:
        return "the line below the header is no row and is left out (--header keeps it)"
    return f"the {count} lines below the header are no rows and are left out (--header keeps them)"


def _columns_of_numbers(rows: list[list[str]]) -> list[int]:
    width = len(rows[0])
    if any(len(row) != width for row in rows):
        return []
    columns = [[cell for cell in column if cell not in MISSING] for column in zip(*rows, strict=True)]
    return [j for j, cells in enumerate(columns) if cells and all(map(_is_number, cells))]


def _is_number(cell: str) -> bool:
    return any(form.parse(cell) is not None for form in FORMATS)


def _is_ruler(row: list[str]) -> bool:
    cells = [cell for cell in row if cell]
    return bool(cells) and all(map(_RULER.fullmatch, cells))


def _is_header(row: list[str], numbers: list[int]) -> bool:
    if len(numbers) < _LEAST_NUMBERS or len(row) <= numbers[-1]:
        return False
    words = [row[j] for j in numbers]
    return not any(cell in MISSING or cell.lower() in GAP_WORDS for cell in words) and not any(map(_is_number, row))
