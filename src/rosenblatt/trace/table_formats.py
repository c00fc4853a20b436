"""A table of numbers, vectors and words, written as Markdown, LaTeX, CSV, HTML or Typst."""

import csv
import html
import io
import math
import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any, Literal, get_args

Format = Literal["markdown", "latex", "csv", "html", "typst"]
FORMATS: tuple[Format, ...] = get_args(Format)

_LARGEST_DENOMINATOR = 1024  # numbers with a larger denominator are not shown as fractions


class _Blank:
    def __repr__(self) -> str:
        return "BLANK"


#: A cell to be filled in by hand.
BLANK = _Blank()
Cell = str | int | float | tuple[Any, ...] | _Blank


def write_table(headings: Sequence[str], rows: Sequence[Sequence[Cell]], to: Format, decimals: bool = False) -> str:
    """The table as text. A heading has symbols in braces, such as `{w} after`.

    If a number of the table is no short fraction, all are decimals: sums of 0.1 and 0.3 are rounded, and a table that
    mixes 1/10 with 0.400001 is hard to read.
    """
    decimals = decimals or not all(_is_short(value) for row in rows for cell in row for value in _numbers(cell))
    return _WRITERS[to](headings, rows, lambda value: number_text(value, decimals))


def _numbers(cell: Cell) -> Iterator[float]:
    if isinstance(cell, tuple):
        for part in cell:
            yield from _numbers(part)
    elif isinstance(cell, int | float):
        yield cell


def _is_short(value: float) -> bool:
    """Whether a fraction with a small denominator rounds to exactly this number."""
    return math.isfinite(value) and float(Fraction(value).limit_denominator(_LARGEST_DENOMINATOR)) == value


def number_text(value: float, decimals: bool = False) -> str:
    """A number as on a blackboard: an integer, a fraction that rounds to exactly this float, else six digits.

    >>> number_text(3.0), number_text(-0.125), number_text(1 / 3), number_text(2**0.5)
    ('3', '-1/8', '1/3', '1.41421')
    """
    if not math.isfinite(value):
        return str(value)
    near = Fraction(value).limit_denominator(_LARGEST_DENOMINATOR)
    if near.denominator == 1 and float(near) == value:
        return str(near.numerator)
    return f"{value:.6g}" if decimals or not _is_short(value) else str(near)


_Number = Callable[[float], str]


def _text(cell: Cell, number: _Number) -> str:
    if isinstance(cell, str):
        return cell
    if isinstance(cell, tuple):
        return f"[{', '.join(_text(part, number) for part in cell)}]"
    if isinstance(cell, _Blank):
        return ""
    return number(cell)


def _plain(heading: str) -> str:
    return re.sub(r"\{(\w+)\}", lambda found: {"theta": "θ"}.get(found[1], found[1]), heading)


def _markdown(headings: Sequence[str], rows: Sequence[Sequence[Cell]], number: _Number) -> str:
    table = [[_plain(heading) for heading in headings]]
    table += [["____" if cell is BLANK else _text(cell, number).replace("|", "\\|") for cell in row] for row in rows]
    widths = [max(len(line[column]) for line in table) for column in range(len(headings))]
    lines = [f"| {' | '.join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))} |" for line in table]
    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return "\n".join([lines[0], rule, *lines[1:]])


def _csv(headings: Sequence[str], rows: Sequence[Sequence[Cell]], number: _Number) -> str:
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([_plain(heading) for heading in headings])
    writer.writerows([_text(cell, number) for cell in row] for row in rows)
    return file.getvalue().removesuffix("\n")


def _html(headings: Sequence[str], rows: Sequence[Sequence[Cell]], number: _Number) -> str:
    def symbols(heading: str) -> str:
        return re.sub(r"\{(\w+)\}", lambda found: f"<var>{_plain(found[0])}</var>", html.escape(heading))

    head = "".join(f"<th>{symbols(heading)}</th>" for heading in headings)
    blank = '<td class="blank">&nbsp;</td>'
    lines = [
        "".join(blank if cell is BLANK else f"<td>{html.escape(_text(cell, number))}</td>" for cell in row)
        for row in rows
    ]
    body = "\n".join(f"    <tr>{line}</tr>" for line in lines)
    return f"<table>\n  <thead>\n    <tr>{head}</tr>\n  </thead>\n  <tbody>\n{body}\n  </tbody>\n</table>"


def _latex(headings: Sequence[str], rows: Sequence[Sequence[Cell]], number: _Number) -> str:
    def symbols(heading: str) -> str:
        escaped = re.sub(r"([_&%#])", r"\\\1", heading)
        return re.sub(r"\{(\w+)\}", lambda found: f"${_LATEX.get(found[1], found[1])}$", escaped)

    def cell_text(cell: Cell) -> str:
        if cell is BLANK:
            return r"\underline{\hspace{2.5em}}"
        if isinstance(cell, str):
            return f"${cell}$" if re.fullmatch(r"[+-]\d+", cell) else re.sub(r"([_&%#])", r"\\\1", cell)
        text = _text(cell, number).replace(", ", r",\, ")
        fractions = re.sub(r"(\d+)/(\d+)", r"\\frac{\1}{\2}", text)
        return f"${fractions}$"

    kinds = [next((row[k] for row in rows if row[k] is not BLANK), "") for k in range(len(headings))]
    columns = "".join("l" if isinstance(kind, str | tuple) else "r" for kind in kinds)
    lines = [" & ".join(map(symbols, headings)), *(" & ".join(map(cell_text, row)) for row in rows)]
    body = "\n".join(f"  {line} \\\\" for line in lines[1:])
    return (
        f"\\begin{{tabular}}{{{columns}}}\n  \\hline\n  {lines[0]} \\\\\n  \\hline\n{body}\n  \\hline\n\\end{{tabular}}"
    )


_LATEX = {"w": r"\mathbf{w}", "x": r"\mathbf{x}", "theta": r"\theta"}


def _typst(headings: Sequence[str], rows: Sequence[Sequence[Cell]], number: _Number) -> str:
    def escaped(text: str) -> str:
        return re.sub(r"([\\#$*_`<>@\[\]])", r"\\\1", text)

    def cell_text(cell: Cell) -> str:
        return "[#box(width: 2.5em, stroke: (bottom: 0.5pt))]" if cell is BLANK else f"[{escaped(_text(cell, number))}]"

    head = ", ".join(f"[*{escaped(_plain(heading))}*]" for heading in headings)
    lines = [f"  table.header({head}),", *(f"  {', '.join(map(cell_text, row))}," for row in rows)]
    body = "\n".join(lines)
    return f"#table(\n  columns: {len(headings)},\n{body}\n)"


_WRITERS: dict[str, Callable[[Sequence[str], Sequence[Sequence[Cell]], _Number], str]] = {
    "markdown": _markdown,
    "latex": _latex,
    "csv": _csv,
    "html": _html,
    "typst": _typst,
}
