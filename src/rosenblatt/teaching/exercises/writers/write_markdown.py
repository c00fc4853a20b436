"""A sheet and its key as Markdown; the gaps are numbered, so that a notebook can refer to them."""

from itertools import count
from typing import Any

from rosenblatt.teaching.exercises.parts import Exercise, Gap, Sentence
from rosenblatt.teaching.exercises.translation.languages import in_language
from rosenblatt.teaching.exercises.translation.translate import sheet_name
from rosenblatt.trace.table_formats import number_text


def markdown(exercise: Exercise, *, key: bool, numbered: bool = False) -> str:
    """The sheet with blanks, or the key with bold answers. `numbered` blanks are (1), (2) and so on."""
    numbers = count(1)
    either = in_language("or", exercise.language)

    def text(piece: Any) -> str:
        if isinstance(piece, tuple):
            return f"[{', '.join(map(text, piece))}]"
        if isinstance(piece, Gap):
            blank = f"({next(numbers)}) ____" if numbered else "____"
            choices = f" ({f' {either} '.join(piece.choices)})" if piece.choices else ""
            return f"**{piece.text}**" if key else blank + choices
        return piece if isinstance(piece, str) else number_text(piece)

    parts = [f"# {exercise.title}", sheet_name(exercise, key)]
    for block in exercise.blocks:
        if isinstance(block, Sentence):
            parts.append("".join(map(text, block.pieces)))
            continue
        lines = [f"| {' | '.join(block.headings)} |", f"|{'---|' * len(block.headings)}"]
        lines += [f"| {' | '.join(map(text, row))} |" for row in block.rows]
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"
