"""The parts of a sheet: sentences and tables, with gaps that a student fills in."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from rosenblatt.teaching.exercises.translation.languages import Language
from rosenblatt.trace.table_formats import number_text

LARGEST = 99  # the largest numerator or denominator: two digits


@dataclass(frozen=True)
class Gap:
    """A place to fill in, and its answer: a number, or one of a few words."""

    answer: float | str
    choices: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return self.answer if isinstance(self.answer, str) else number_text(float(self.answer))


#: A cell or a piece of a sentence: words and numbers as they are, gaps to be filled in, several one after the other.
Piece = str | float | Gap | tuple[Any, ...]


@dataclass(frozen=True)
class Table:
    """A table; a vector is a tuple of numbers or gaps."""

    headings: tuple[str, ...]
    rows: tuple[tuple[Piece, ...], ...]


@dataclass(frozen=True)
class Sentence:
    """A paragraph: a text with {names}, and the words, numbers, vectors and gaps that stand for them."""

    text: str
    named: Mapping[str, Piece] = field(default_factory=dict)

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The text and what stands for its names, in order. Neighbouring words are one piece."""
        found: list[Piece] = []
        for k, part in enumerate(re.split(r"\{(\w+)\}", self.text)):
            piece = self.named[part] if k % 2 else part
            if isinstance(piece, str) and found and isinstance(found[-1], str):
                found[-1] += piece
            elif piece != "":
                found.append(piece)
        return tuple(found)


Block = Table | Sentence


@dataclass(frozen=True)
class Exercise:
    """One student's exercise. `run` has the data and the dialect where a loop can be handed in.

    Examples
    --------
    >>> from rosenblatt.teaching import make
    >>> exercise = make("by-hand", seed=7)
    >>> exercise.topic, exercise.wrong(exercise.answers())
    ('by-hand', [])
    """

    topic: str
    seed: int
    number: int
    title: str
    code: str  # four letters that name the sheet
    blocks: tuple[Block, ...]
    difficulty: Mapping[str, int] = field(default_factory=dict)
    run: Mapping[str, Any] | None = None
    language: Language = "en"

    def gaps(self) -> list[Gap]:
        """All gaps, in the order of the sheet."""
        return list(_gaps(self.blocks))

    def answers(self) -> list[str]:
        """The key: one text per gap."""
        return [gap.text for gap in self.gaps()]

    def wrong(self, answers: Sequence[Any]) -> list[int]:
        """The numbers of the answers that are wrong or missing, from 1."""
        gaps = self.gaps()
        if len(answers) != len(gaps):
            raise ValueError(f"{len(gaps)} answers are needed, in the order of the gaps; got {len(answers)}.")
        return [k for k, (gap, got) in enumerate(zip(gaps, answers, strict=True), 1) if not _is_right(gap, got)]

    def numbers(self) -> list[Fraction]:
        """Every number of the sheet and its key, in sentences, tables and gaps."""
        found: list[Fraction] = []
        for piece in _pieces(self.blocks):
            if isinstance(piece, Gap):
                piece = piece.answer
            if isinstance(piece, str):
                found += [Fraction(text) for text in re.findall(r"(?<![\w.])-?\d+(?:/\d+)?", piece)]
            else:
                found.append(Fraction(number_text(float(piece))))
        return found

    @property
    def fits_two_digits(self) -> bool:
        """Whether no number of the sheet or its key has more than two digits."""
        return all(abs(n.numerator) <= LARGEST and n.denominator <= LARGEST for n in self.numbers())


def vector(values: Any, *, gap: bool = False) -> tuple[Piece, ...]:
    """A vector as a piece: numbers, or gaps for them."""
    return tuple(Gap(float(value)) if gap else float(value) for value in values)


def yes_no(truth: bool) -> Gap:
    """A gap for yes or no."""
    return Gap("yes" if truth else "no", ("yes", "no"))


def sentence(text: str, **named: Piece) -> Sentence:
    return Sentence(text, named)


def _pieces(blocks: Sequence[Block]) -> Iterator[Any]:
    for block in blocks:
        if isinstance(block, Sentence):
            yield from _flat(block.pieces)
        else:
            yield from block.headings
            for row in block.rows:
                yield from _flat(row)


def _flat(pieces: Sequence[Any]) -> Iterator[Any]:
    for piece in pieces:
        if isinstance(piece, tuple):
            yield from _flat(piece)
        else:
            yield piece


def _gaps(blocks: Sequence[Block]) -> Iterator[Gap]:
    return (piece for piece in _pieces(blocks) if isinstance(piece, Gap))


def _is_right(gap: Gap, got: Any) -> bool:
    text = str(got).strip().replace("−", "-")
    if isinstance(gap.answer, str):
        return text.lower().replace(" ", "") == gap.answer.lower().replace(" ", "")
    try:
        return abs(float(Fraction(text)) - float(gap.answer)) < 1e-9
    except (ValueError, ZeroDivisionError):
        return False
