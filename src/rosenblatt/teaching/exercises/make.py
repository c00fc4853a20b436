"""Makes an exercise from a topic, a seed and a number; the same on every machine."""

from collections.abc import Callable, Mapping
from typing import Any, Literal, get_args

from rosenblatt.conventions import L0
from rosenblatt.teaching.exercises.parts import Exercise
from rosenblatt.teaching.exercises.topics import class_topics, gradient_topics, step_topics, theory_topics
from rosenblatt.teaching.exercises.topics.drawing import Draw, search
from rosenblatt.teaching.exercises.translation.languages import LANGUAGES, Language
from rosenblatt.teaching.exercises.translation.translate import translated

Topic = Literal[
    "and", "by-hand", "pocket", "batch", "dual", "bound", "separable", "witness", "boolean", "one-vs-all"
]  # fmt: skip
TOPICS: tuple[Topic, ...] = get_args(Topic)

_CANDIDATES: dict[str, Callable[[Draw, Mapping[str, Any]], dict[str, Any] | None]] = {
    "and": step_topics.boolean_and,
    "by-hand": step_topics.by_hand,
    "pocket": step_topics.pocket,
    "batch": gradient_topics.batch,
    "dual": gradient_topics.dual,
    "bound": theory_topics.bound,
    "separable": theory_topics.separable,
    "witness": theory_topics.witness,
    "boolean": class_topics.boolean,
    "one-vs-all": class_topics.one_vs_all,
}

#: Within these ranges all exercises of a topic are equally difficult.
RANGES: dict[str, dict[str, tuple[int, int]]] = {
    "and": {"mistakes": (3, 8), "steps": (8, 24), "ties": (1, 24)},
    "by-hand": {"mistakes": (3, 6), "steps": (8, 20), "ties": (0, 20), "undershoots": (0, 6)},
    "pocket": {"mistakes": (4, 8), "steps": (12, 12), "changes of the pocket": (2, 3)},
    "batch": {"steps": (3, 6), "mistakes": (4, 12)},
    "dual": {"mistakes": (3, 6), "steps": (6, 15)},
    "bound": {"bound": (4, 60), "mistakes": (2, 8)},
    "separable": {"separable sets": (1, 2)},
    "witness": {"examples": (3, 4), "largest multiplier": (1, 9)},
    "boolean": {"ones": (2, 6), "offsets": (1, 4), "ties": (0, 8)},
    "one-vs-all": {"points": (5, 5), "several positive": (1, 5)},
}


def make(
    topic: Topic, seed: int, number: int = 1, *, dialect: Mapping[str, Any] = L0, language: Language = "en"
) -> Exercise:
    """The exercise of one student; every seed and number gives another one of equal difficulty.

    Parameters
    ----------
    topic : {"and", "by-hand", "pocket", "batch", "dual", "bound", "separable", "witness", "boolean", "one-vs-all"}
    seed : int
        Seed of the sheet.
    number : int, default=1
        Number of the student.
    dialect : mapping, default=conventions.L0
        The rule that the sheet states and its key follows; the examples are in file order.
    language : {"en", "de"}, default="en"
        English or German. The data and the numbers are the same.

    Returns
    -------
    Exercise
        No number of the sheet or its key has more than two digits.

    Examples
    --------
    >>> from rosenblatt.teaching import make
    >>> exercise = make("witness", seed=1)
    >>> exercise.title, exercise.fits_two_digits, len(exercise.answers()) in (3, 4)
    ('A witness that no line separates', True, True)
    """
    if topic not in TOPICS:
        raise ValueError(f"there is no topic {topic!r}; there are: {', '.join(TOPICS)}.")
    if not isinstance(seed, int) or not 0 <= seed < 2**32 or not isinstance(number, int) or not 1 <= number < 10**6:
        raise ValueError(f"seed must be a whole number ≥ 0 and number one from 1; got {seed!r} and {number!r}.")
    if language not in LANGUAGES:
        raise ValueError(f"there is no language {language!r}; there are: {', '.join(LANGUAGES)}.")
    rule = {"fit_intercept": True, "eta0": 1.0, "tie": "mistake", "init": "zeros", "order": "cyclic", **dialect}
    if rule["order"] != "cyclic":
        raise ValueError(
            f"the dialect takes its examples by order={rule['order']!r}; a sheet has one key only if they come in "
            'turn. Use a dialect with order="cyclic".'
        )

    def candidate(draw: Draw) -> Exercise | None:
        made = _CANDIDATES[topic](draw, rule)
        if made is None:
            return None
        blocks = tuple(made.pop("blocks"))
        exercise = Exercise(topic, seed, number, code=_code(topic, seed, number), blocks=blocks, **made)
        return exercise if exercise.fits_two_digits else None

    return translated(search(topic, seed, number, candidate), language)


def _code(topic: str, seed: int, number: int) -> str:
    """Four letters that name a sheet: a number could be mistaken for data of the exercise."""
    draw = Draw(topic, seed, number, 2**20)
    return "".join("ABCDEFGHJKLMNPQRSTUVWXYZ"[draw.below(24)] for _ in range(4))
