"""An exercise in another language: the same data, gaps and numbers with other words."""

from dataclasses import replace
from typing import Any

from rosenblatt.teaching.exercises.parts import Block, Exercise, Gap, Sentence, Table
from rosenblatt.teaching.exercises.translation.languages import Language, in_language


def translated(exercise: Exercise, language: Language) -> Exercise:
    """The exercise in this language."""
    if language == "en":
        return exercise
    blocks = tuple(_block(block, language) for block in exercise.blocks)
    return replace(exercise, title=in_language(exercise.title, language), blocks=blocks, language=language)


def _block(block: Block, language: Language) -> Block:
    if isinstance(block, Sentence):
        named = {name: _piece(piece, language) for name, piece in block.named.items()}
        return Sentence(in_language(block.text, language), named)
    headings = tuple(in_language(heading, language) for heading in block.headings)
    return Table(headings, tuple(tuple(_piece(piece, language) for piece in row) for row in block.rows))


def _piece(piece: Any, language: Language) -> Any:
    if isinstance(piece, tuple):
        return tuple(_piece(part, language) for part in piece)
    if isinstance(piece, Gap):
        return Gap(_piece(piece.answer, language), tuple(in_language(choice, language) for choice in piece.choices))
    return in_language(piece, language) if isinstance(piece, str) else piece


def sheet_name(exercise: Exercise, key: bool = False) -> str:
    """The name of a sheet or its key: its four letters."""
    return in_language("Sheet {code}, key" if key else "Sheet {code}", exercise.language).format(code=exercise.code)
