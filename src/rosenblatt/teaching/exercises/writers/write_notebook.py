"""An exercise as a Jupyter notebook with checks; the cells carry nbgrader's metadata."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from rosenblatt.teaching.exercises.parts import Exercise
from rosenblatt.teaching.exercises.translation.languages import Language, in_language
from rosenblatt.teaching.exercises.writers.write_markdown import markdown

_LOOP = """def fit(X, y):
    \"\"\"Returns the list of the weights [w0, w1, ...] after each update.\"\"\"
    {body}
"""
# nbgrader takes the lines between these marks out of the notebook that it gives to students.
_BEGIN, _END = "### BEGIN SOLUTION", "### END SOLUTION"
_SOLUTION = f"""{_BEGIN}
    from rosenblatt import textbook
    run = textbook.online(X, y, **{{choices}})
    return [step.w_after for step in run if step.mistake]
    {_END}"""


def notebook(exercise: Exercise, dialect: Mapping[str, Any], *, key: bool) -> str:
    """The notebook of a student; with `key`, the same with every answer, from which nbgrader makes the student's.

    The check creates the exercise again from its topic, seed and number: the notebook does not contain the key.
    """
    gaps = exercise.gaps()
    lines = _listed([None] * len(gaps))
    if key:
        lines += [_BEGIN, *_listed(exercise.answers()), _END]
    chosen = {name: dialect[name] for name in ("fit_intercept", "eta0", "tie", "init") if name in dialect}
    language = "" if exercise.language == "en" else f", language={exercise.language!r}"
    check = (
        "from rosenblatt.teaching import make\n\n"
        f"exercise = make({exercise.topic!r}, {exercise.seed}, {exercise.number}, dialect={chosen!r}{language})\n"
        "wrong = exercise.wrong(answers)\n"
        f'assert not wrong, f"{in_language("look again at {wrong}", exercise.language)}"'
    )
    cells = [
        _cell("markdown", markdown(exercise, key=False, numbered=True), "sheet"),
        _cell("code", "\n".join(lines), "answers", solution=True),
        _cell("code", check, "check-answers", points=len(gaps)),
    ]
    if exercise.run is not None and "algorithm" not in exercise.run["dialect"]:
        cells += _loop_cells(exercise.run, exercise.language, key)
    document = {
        "cells": cells,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(document, indent=1) + "\n"


def _listed(answers: Sequence[str | None]) -> list[str]:
    return ["answers = [", *(f"    {answer!r},  # ({k})" for k, answer in enumerate(answers, 1)), "]"]


def _loop_cells(run: Mapping[str, Any], language: Language, key: bool) -> list[dict[str, Any]]:
    body = _SOLUTION.format(choices=run["dialect"]) if key else "raise NotImplementedError"
    examples = f"X = {run['X']}\ny = {run['y']}\ndialect = {run['dialect']}"
    check = (
        "from rosenblatt.teaching import grade\n\n"
        "result = grade(fit, X, y, dialect=dialect)\n"
        "assert result.correct, result.message"
    )
    words = in_language("Now write the loop. It is checked step by step, and the first wrong step is named.", language)
    return [
        _cell("markdown", words, "loop"),
        _cell("code", examples, "examples"),
        _cell("code", _LOOP.format(body=body), "fit", solution=True),
        _cell("code", check, "check-fit", points=10),
    ]


def _cell(kind: str, source: str, name: str, *, solution: bool = False, points: int = 0) -> dict[str, Any]:
    graded = {
        "grade": bool(points), "grade_id": name, "locked": not solution, "schema_version": 3, "solution": solution,
        "task": False,
    }  # fmt: skip
    made: dict[str, Any] = {
        "cell_type": kind,
        "id": name,
        "metadata": {"nbgrader": {**graded, "points": points} if points else graded},
        "source": source.splitlines(keepends=True),
    }
    return made | {"execution_count": None, "outputs": []} if kind == "code" else made
