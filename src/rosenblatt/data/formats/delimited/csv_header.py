"""The first line of a CSV text: delimiter, header and column names."""

import re
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import NoReturn

import pyarrow as pa

from rosenblatt.data.columns.index_columns import is_unnamed
from rosenblatt.data.errors import DataError, option
from rosenblatt.data.formats.delimited.below_header import lines_below_header, note_on_lines
from rosenblatt.data.memory import megabytes
from rosenblatt.data.sources.file_bytes import Bytes

_SAMPLE = 1 << 20
_LONGEST_LINE = 1 << 26
_DELIMITERS = ",;\t|"
#: Signs that separate columns if the first line has none of those and both lines have them equally often.
_RARE_DELIMITERS = "\x1f\x01^~"
_MOST_TITLES = 10
_LONGEST_TITLE = 1 << 12
#: The lines that tell whether runs of spaces separate the columns: their largest number, and their bytes.
_FIRST_LINES = 100
_LINES_SAMPLE = 1 << 16

#: Byte order marks and empty lines before the first line.
_BEFORE_TEXT = re.compile(rb"(?:\xef\xbb\xbf|\r|\n)*+")
#: A line, including line breaks within quotes.
_FIRST_LINE = re.compile(rb'(?:[^"\r\n]++|"[^"]*+")*+(?:\r\n|\r|\n|\Z)')
_SEPARATOR_LINE = re.compile(rb"sep=(.)\r?\n", re.IGNORECASE)
_WHOLE = re.compile(r"[-+]?\d+")


@dataclass(frozen=True)
class Header:
    """The contents of the first line."""

    names: list[str]
    delimiter: str
    has_header: bool
    blank: int  # bytes before the first line
    end: int  # bytes up to the end of the first line
    rows_begin: int
    below: int  # lines between the first line and the rows
    notes: tuple[str, ...]


def read_header(
    name: str,
    content: Bytes,
    form: str,
    delimiter: str | None,
    has_header: bool | None,
    *,
    keep_below: bool = False,
    names_rows: bool = False,
) -> Header:
    """Reads the first line. Without `delimiter` and `has_header` both are inferred and added to the notes.

    Lines below the header that are no rows are left out, unless `keep_below` is set. With `names_rows`, the header
    lacks the name of the first column.
    """
    notes: list[str] = []
    blank = _end_of(_BEFORE_TEXT, content, 0)
    if blank == len(content):
        raise DataError(f"{name} has no lines; a table has a header and rows.")
    separator = _SEPARATOR_LINE.match(content[blank : blank + 8].tobytes())
    if separator:  # a line such as sep=; that spreadsheet programs write
        blank += separator.end()
        delimiter = delimiter or separator[1].decode("ascii", "replace")
    _refuse_zero_bytes(name, content[: 1 << 16].tobytes())
    if has_header is not False:
        titles, after = _end_of_titles(content, blank, delimiter)
        if titles:
            blank = after
            lines = "line is" if titles == 1 else f"{titles} lines are"
            notes.append(f"the first {lines} above the header and left out")
    first = _end_of(_FIRST_LINE, content, blank)
    if first - blank >= _LONGEST_LINE:
        raise DataError(
            f"{name}, line 1 is longer than {megabytes(_LONGEST_LINE)}, the longest that is read. Is it a text with "
            "one example per line?"
        )
    line = content[blank:first].tobytes()
    second = content[first : min(_end_of(_FIRST_LINE, content, first), first + _SAMPLE)].tobytes()
    if delimiter is None:
        usual = "\t" if form == "tsv" else ","
        delimiter = _likely_delimiter(line, second, usual)
        if delimiter != usual:
            notes.append(f"the columns are separated by {delimiter!r} (--delimiter overrides this)")
    cells = _cells(name, line, delimiter)
    if has_header is None:
        has_header = not _is_data(cells, _cells(name, second, delimiter) if second.strip() else [])
        if not has_header:
            notes.append("the first line is data, so the columns are column1, column2, … (--header overrides this)")
    if not has_header:
        names = [f"column{k}" for k in range(1, len(cells) + 1)]
        return Header(names, delimiter, False, blank, blank, blank, 0, tuple(notes))
    next_lines, ends = _lines_from(content, first)
    first_name, last_name = ([""], []) if names_rows else unnamed_ends(len(cells), next_lines, delimiter)
    names, renamed = distinct_names([*first_name, *(cell.strip() for cell in cells), *last_name])
    if renamed:
        shown = ", ".join(f"{old!r} to {new!r}" for old, new in renamed[:3])
        notes.append(f"columns of the same name are renamed: {shown}")
    below = 0 if keep_below else lines_below_header([_rough_cells(each, delimiter) for each in next_lines])
    if below:
        notes.append(note_on_lines(below))
    return Header(names, delimiter, True, blank, first, ends[below], below, tuple(notes))


def unnamed_ends(width: int, lines: list[bytes], delimiter: str) -> tuple[list[str], list[str]]:
    r"""Empty names before and after those of a header that has one name less than each line below it has cells.

    R writes no name for the row names, which are quoted or count from 1; other programs end every line but the header
    with a delimiter. A line that is cut within quotes tells nothing.

    >>> unnamed_ends(2, [b"1,5,a\n", b"2,6,b\n"], ","), unnamed_ends(2, [b"5,a,\n", b"6,b,\n"], ",")
    (([''], []), ([], ['']))
    >>> unnamed_ends(2, [b"5,New York, NY\n"], ","), unnamed_ends(2, [b'"a text, which is, cut'], ",")
    (([], []), ([], []))
    """
    rows = [_rough_cells(line, delimiter) for line in lines if line.strip() and line.count(b'"') % 2 == 0]
    if not rows or {len(row) for row in rows} != {width + 1}:
        return [], []
    if not any(row[-1] for row in rows):
        return [], [""]
    is_quoted = all(line.startswith(b'"') for line in lines if line.strip())
    is_counted = len(rows) > 1 and [row[0] for row in rows] == [str(k) for k in range(1, len(rows) + 1)]
    return ([""], []) if is_quoted or is_counted else ([], [])


def first_lines(content: Bytes) -> list[bytes]:
    """The first lines that are complete and not blank, without their ends."""
    text = content[:_LINES_SAMPLE].tobytes().removeprefix(b"\xef\xbb\xbf")
    lines = text.splitlines()
    complete = lines[:-1] if len(content) > _LINES_SAMPLE else lines
    return [line for line in complete if line.strip()][:_FIRST_LINES]


def _end_of_titles(content: Bytes, start: int, delimiter: str | None) -> tuple[int, int]:
    """The number of lines above the header, such as the title of a report or comments, and where they end.

    A title has one cell, and the other cells of its line are empty; a comment begins with `#` and has not as many cells
    as the next line. Below them is the header: at least two cells, of which none is a number.
    """
    lines, ends = _lines_from(content, start)
    if len(lines) < 3:
        return 0, start
    sign = delimiter or _steadiest_delimiter(lines)
    rows = [_rough_cells(line, sign) for line in lines]
    for count, (cells, after) in enumerate(pairwise(rows)):
        is_comment = lines[count].startswith(b"#") and len(cells) != len(after)
        if not (is_comment or is_title(cells)):
            is_header = len(list(filter(None, cells))) > 1 and not any(map(looks_numeric, cells))
            return (count, ends[count]) if is_header else (0, start)
    return 0, start


def _lines_from(content: Bytes, start: int) -> tuple[list[bytes], list[int]]:
    """The first lines from `start` on, where each ends, and `start` before these. The last one may be a long line."""
    lines: list[bytes] = []
    ends = [start]
    while ends[-1] < len(content) and len(lines) < _MOST_TITLES + 2:
        end = _end_of(_FIRST_LINE, content, ends[-1])
        lines.append(content[ends[-1] : min(end, ends[-1] + _LONGEST_TITLE)].tobytes())
        ends.append(end)
        if end - ends[-2] >= _LONGEST_TITLE:
            break
    return lines, ends


def _steadiest_delimiter(lines: list[bytes]) -> str:
    """The sign that most of the lines have equally often."""
    found = []
    for sign in _DELIMITERS:
        counts = [re.sub(rb'"[^"]*"', b"", line).count(sign.encode()) for line in lines]
        often, n_lines = Counter(filter(None, counts)).most_common(1)[0] if any(counts) else (0, 0)
        found.append((n_lines, often, sign))
    return max(found, key=lambda entry: entry[:2])[2]


def is_title(cells: list[str]) -> bool:
    """Whether a row has at most one cell, the first, and could have more.

    >>> [is_title(cells) for cells in (["Report", "", ""], ["Report"], ["", "x"], ["a", "b", ""])]
    [True, True, False, False]
    """
    return not any(cells[1:]) and len(cells) != 2


def _rough_cells(line: bytes, delimiter: str) -> list[str]:
    """The cells of a line, without the delimiters within quotes."""
    text = re.sub(r'"[^"]*"', lambda quoted: quoted[0].replace(delimiter, " "), line.decode("utf8", "replace"))
    return [cell.strip(' "\ufeff\r\n') for cell in text.split(delimiter)]


def _end_of(pattern: re.Pattern[bytes], content: Bytes, start: int) -> int:
    """The end of the match that begins at `start`. Most matches end in the first megabyte."""
    for size in (_SAMPLE, min(len(content), _LONGEST_LINE)):
        match = pattern.match(content[start : start + size])
        end = match.end() if match else size  # a quote that is not closed
        if end < size:
            break
    return min(start + end, len(content))


def _likely_delimiter(first: bytes, second: bytes, usual: str) -> str:
    """The usual delimiter if the first line has it, else another one that both lines have equally often."""
    plain = [re.sub(rb'"[^"]*"', b"", line) for line in (first, second)]
    counts = {sign: [line.count(sign.encode()) for line in plain] for sign in _DELIMITERS}
    best = max(_DELIMITERS, key=lambda sign: (counts[sign][0], sign == usual))
    if counts[usual][0] and (counts[usual][0] >= counts[best][0] or counts[usual][0] == counts[usual][1]):
        return usual
    if counts[best][0]:
        return best
    rare = (sign for sign in _RARE_DELIMITERS if plain[0].count(sign.encode()) == plain[1].count(sign.encode()) > 0)
    return next(rare, usual)


def other_delimiter(line: str, delimiter: str) -> str | None:
    """The most frequent sign in a line that could separate columns; None if it is the present delimiter.

    >>> other_delimiter("a b,c;d;y", ",")
    ';'
    """
    best = max(_DELIMITERS, key=line.count)
    return best if best in line and best != delimiter else None


def _cells(name: str, line: bytes, delimiter: str) -> list[str]:
    from pyarrow import csv

    try:
        found = csv.read_csv(
            pa.BufferReader(line.decode("utf8").rstrip("\r\n").encode() + b"\n"),
            parse_options=csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
            read_options=csv.ReadOptions(block_size=max(len(line) + 16, 1 << 20)),
        )
    except UnicodeDecodeError as error:
        refuse_encoding(name, line, error)
    except pa.ArrowInvalid as error:
        raise DataError(f"{name}: cannot be read as a table ({' '.join(str(error).split())[:200]}).") from error
    return [cell.strip("\ufeff") for cell in found.column_names]


def _refuse_zero_bytes(name: str, head: bytes) -> None:
    """Refuses a text with zero bytes. If only every second byte is mostly zero, it is UTF-16 without its mark."""
    if b"\0" not in head:
        return
    even, odd = head[::2], head[1::2]
    for encoding, high, low in (("utf-16-le", odd, even), ("utf-16-be", even, odd)):
        if high.count(0) > 0.9 * len(high) and low.count(0) < 0.1 * len(low):
            remedy = option("encoding", encoding)
            raise DataError(f"{name} is text in {encoding} without a byte order mark. Say so ({remedy}).")
    raise DataError(f"{name} is not text: it has zero bytes. Was it cut or damaged?")


def refuse_encoding(name: str, content: bytes, error: Exception) -> NoReturn:
    """Refuses a text that is not UTF-8."""
    encoding = "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "cp1252"
    raise DataError(
        f"{name}: the text is not UTF-8. Name its encoding, which often is {encoding} ({option('encoding', encoding)})."
    ) from error


def _is_data(first: list[str], second: list[str]) -> bool:
    """Whether the first line holds values: cells that are numbers in columns where the second line has numbers, too.

    Names may be whole numbers: positions from 0 or 1, or years.
    """
    numbers = [cell.strip() for cell in first if looks_numeric(cell)]
    if not numbers or len(first) != len(second):
        return bool(numbers) and not second and len(numbers) == len(first) and not _are_names(numbers)
    if any(looks_numeric(a) and not looks_numeric(b) and b.strip() for a, b in zip(first, second, strict=True)):
        return False
    return not _are_names(numbers) or len(set(first)) < len(first)


def _are_names(numbers: list[str]) -> bool:
    if not all(_WHOLE.fullmatch(number) for number in numbers):
        return False
    values = [int(number) for number in numbers]
    consecutive = values == list(range(values[0], values[0] + len(values)))
    return consecutive and (values[0] in (0, 1) or 1800 <= values[0] <= 2200) and len(values) > 1


def distinct_names(names: list[str]) -> tuple[list[str], list[tuple[str, str]]]:
    """The names, where the second `a` becomes `a.1`, and so on; further unnamed columns get the names of pandas.

    >>> distinct_names(["a", "", "a", ""])[0]
    ['a', '', 'a.1', 'Unnamed: 3']
    """
    seen: set[str] = set(names)
    used: set[str] = set()
    made, renamed = [], []
    for place, name in enumerate(names):
        first = f"Unnamed: {place}" if not name and name in used else name
        new, k = first, 1
        while new in used or (new != name and new in seen):
            new, k = f"{first}.{k}", k + 1
        if new != name and not is_unnamed(name):
            renamed.append((name, new))
        used.add(new)
        made.append(new)
    return made, renamed


def looks_numeric(text: str) -> bool:
    """Whether the text is a number as Python writes it."""
    try:
        float(text)
    except ValueError:
        return False
    return True
