"""Exercises as Moodle XML: embedded answers (cloze), one question per student."""

import html
import re
from collections.abc import Sequence
from typing import Any
from xml.sax.saxutils import escape

from rosenblatt.teaching.exercises.parts import Exercise, Gap, Sentence
from rosenblatt.teaching.exercises.translation.translate import sheet_name
from rosenblatt.trace.table_formats import number_text


def moodle(exercises: Sequence[Exercise], category: str) -> str:
    """A question bank: a category, and in it every exercise as a question of the type cloze.

    Numbers are NUMERICAL, yes and no are MULTICHOICE, other words SHORTANSWER, each worth one mark.
    """
    parts = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        "<quiz>",
        f'  <question type="category"><category><text>$course$/top/{escape(category)}</text></category></question>',
    ]
    for exercise in exercises:
        name = f"{exercise.title}, {sheet_name(exercise)}"
        parts += [
            '  <question type="cloze">',
            f"    <name><text>{escape(name)}</text></name>",
            f'    <questiontext format="html"><text><![CDATA[{_html(exercise)}]]></text></questiontext>',
            '    <generalfeedback format="html"><text></text></generalfeedback>',
            "    <penalty>0.3333333</penalty>",
            "    <hidden>0</hidden>",
            "  </question>",
        ]
    return "\n".join([*parts, "</quiz>", ""])


def _html(exercise: Exercise) -> str:
    made = []
    for block in exercise.blocks:
        if isinstance(block, Sentence):
            made.append(f"<p>{''.join(map(_text, block.pieces))}</p>")
            continue
        head = "".join(f"<th>{html.escape(heading)}</th>" for heading in block.headings)
        rows = "".join(f"<tr>{''.join(f'<td>{_text(piece)}</td>' for piece in row)}</tr>" for row in block.rows)
        made.append(f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>")
    return "\n".join(made)


def _text(piece: Any) -> str:
    if isinstance(piece, tuple):
        return f"[{', '.join(map(_text, piece))}]"
    if isinstance(piece, Gap):
        return _cloze(piece)
    return html.escape(piece if isinstance(piece, str) else number_text(piece))


def _cloze(gap: Gap) -> str:
    if gap.choices:
        choices = "~".join(f"{'=' if choice == gap.answer else ''}{_escaped(choice)}" for choice in gap.choices)
        return f"{{1:MULTICHOICE:{choices}}}"
    if isinstance(gap.answer, str):
        spaced = gap.answer
        tight = spaced.replace(" ", "")
        other = f"~={_escaped(tight)}" if tight != spaced else ""
        return f"{{1:SHORTANSWER:={_escaped(spaced)}{other}}}"
    return f"{{1:NUMERICAL:={float(gap.answer):.10g}:0.001}}"


def _escaped(text: str) -> str:
    """Escapes the characters that are special in cloze: } # ~ / " and the backslash."""
    return re.sub(r'([\\}#~/"])', r"\\\1", html.escape(text, quote=False))
