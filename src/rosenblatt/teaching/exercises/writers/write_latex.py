"""A sheet and its key as LaTeX documents that need only Debian's texlive-latex-base."""

import re
from typing import Any

from rosenblatt.teaching.exercises.parts import Exercise, Gap, Sentence
from rosenblatt.teaching.exercises.translation.translate import sheet_name
from rosenblatt.trace.table_formats import number_text

_HEAD = r"""\documentclass[11pt]{article}
\usepackage[a4paper,margin=2cm]{geometry}
\usepackage{graphicx}
\setlength{\parindent}{0pt}
\setlength{\parskip}{1.5ex}
\newcommand{\gap}{\underline{\hspace{1.8em}}}
\newcommand{\answer}[1]{\textbf{\boldmath #1}}
\renewcommand{\arraystretch}{1.25}
\newsavebox{\wide}
\newcommand{\fitted}{\ifdim\wd\wide>\linewidth\resizebox{\linewidth}{!}{\usebox{\wide}}\else\usebox{\wide}\fi}
\pagestyle{empty}
\begin{document}
"""


def latex(exercise: Exercise, *, key: bool) -> str:
    """A whole document: the sheet with blanks, or the key with bold answers."""
    parts = [f"\\section*{{{_escaped(exercise.title)}}}", sheet_name(exercise, key)]
    for block in exercise.blocks:
        if isinstance(block, Sentence):
            parts.append("".join(_text(piece, key) for piece in block.pieces))
            continue
        head = " & ".join(map(_words, block.headings))
        rows = "\n".join(" & ".join(_text(piece, key) for piece in row) + r" \\" for row in block.rows)
        columns = "l" * len(block.headings)
        table = f"\\begin{{tabular}}{{{columns}}}\n\\hline\n{head} \\\\\n\\hline\n{rows}\n\\hline\n\\end{{tabular}}"
        parts.append(f"\\sbox{{\\wide}}{{{table}}}\\fitted")
    body = "\n\n".join(parts)
    return f"{_HEAD}{body}\n\\end{{document}}\n"


def _text(piece: Any, key: bool) -> str:
    if isinstance(piece, tuple):
        return "{[}" + ", ".join(_text(part, key) for part in piece) + "]"
    if isinstance(piece, Gap):
        choices = f" ({' / '.join(piece.choices)})" if piece.choices else ""
        return f"\\answer{{{_number(piece.text)}}}" if key else rf"\gap{choices}"
    return _words(piece) if isinstance(piece, str) else _number(number_text(piece))


def _number(text: str) -> str:
    return f"${text}$" if re.fullmatch(r"[+-]?\d+(/\d+)?", text) else _escaped(text)


def _words(text: str) -> str:
    """A text with its symbols set as mathematics: x1, w, alpha, +1."""
    if re.fullmatch(r"[+-]?\d+", text):
        return f"${text}$"
    made = _escaped(text)
    made = re.sub(r"\b([xw])(\d)\b", r"$\1_\2$", made)
    made = re.sub(r"(?<![\w$])([+-]\d+)\b", r"$\1$", made)
    made = re.sub(r"\bR2\b", "$R^2$", re.sub(r"\bW2\b", "$W^2$", made))
    return re.sub(r"(?<![\w$])([xywzbmM])(?![\w$'.])", r"$\1$", made)


def _escaped(text: str) -> str:
    return re.sub(r"([#$%&_{}])", r"\\\1", text)
