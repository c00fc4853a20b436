"""Writes the sheets of a course and their keys, and reads an exercise back for grading."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rosenblatt.conventions import L0
from rosenblatt.teaching.exercises.make import Topic, make
from rosenblatt.teaching.exercises.parts import Exercise
from rosenblatt.teaching.exercises.translation.languages import Language
from rosenblatt.teaching.exercises.writers.write_latex import latex
from rosenblatt.teaching.exercises.writers.write_markdown import markdown
from rosenblatt.teaching.exercises.writers.write_moodle import moodle
from rosenblatt.teaching.exercises.writers.write_notebook import notebook
from rosenblatt.whole_file import write_whole

FORMATS = ("latex", "markdown", "moodle", "notebook")
_FORMAT = "rosenblatt-exercise-1"


def write_sheets(
    folder: str | Path,
    topic: Topic,
    *,
    seed: int = 0,
    students: int = 1,
    dialect: Mapping[str, Any] = L0,
    language: Language = "en",
    formats: Sequence[str] = FORMATS,
) -> list[Path]:
    """Writes for each student the sheet, its key and its data, and one Moodle file for all; returns the files.

    The files of student 1 of topic `and` and seed 7 are and-7-001.tex, and-7-001-key.tex, the same with .md and
    .ipynb, and and-7-001.json, which `rosenblatt teach grade` reads. and-7.xml has all questions for Moodle.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from rosenblatt.teaching import write_sheets
    >>> with TemporaryDirectory() as folder:
    ...     [file.name for file in write_sheets(folder, "bound", seed=3, formats=["markdown"])]
    ['bound-3-001.json', 'bound-3-001.md', 'bound-3-001-key.md']
    """
    strange = [form for form in formats if form not in FORMATS]
    if strange:
        raise ValueError(f"there is no format {strange[0]!r}; there are: {', '.join(FORMATS)}.")
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    exercises = []
    for number in range(1, students + 1):
        exercise = make(topic, seed, number, dialect=dialect, language=language)
        exercises.append(exercise)
        for name, text in _files(exercise, dialect, formats).items():
            written.append(place / f"{topic}-{seed}-{number:03d}{name}")
            write_whole(written[-1], text.encode())
    if "moodle" in formats:
        written.append(place / f"{topic}-{seed}.xml")
        write_whole(written[-1], moodle(exercises, f"{topic} {seed}").encode())
    return written


def _files(exercise: Exercise, dialect: Mapping[str, Any], formats: Sequence[str]) -> dict[str, str]:
    document = {
        "format": _FORMAT, "topic": exercise.topic, "seed": exercise.seed, "number": exercise.number,
        "code": exercise.code, "language": exercise.language, "run": exercise.run, "answers": exercise.answers(),
    }  # fmt: skip
    made = {".json": json.dumps(document, indent=1) + "\n"}
    for key, suffix in ((False, ""), (True, "-key")):
        if "latex" in formats:
            made[f"{suffix}.tex"] = latex(exercise, key=key)
        if "markdown" in formats:
            made[f"{suffix}.md"] = markdown(exercise, key=key)
        if "notebook" in formats:
            made[f"{suffix}.ipynb"] = notebook(exercise, dialect, key=key)
    return made


def read_exercise(path: str | Path) -> tuple[list[list[float]], list[int], dict[str, Any]]:
    """The examples, labels and dialect of an exercise file, as `grade` takes them.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from rosenblatt.teaching import read_exercise, write_sheets
    >>> with TemporaryDirectory() as folder:
    ...     X, y, dialect = read_exercise(write_sheets(folder, "and", formats=[])[0])
    >>> len(X), dialect["tie"]
    (4, 'positive')
    """
    try:
        document = json.loads(Path(path).read_text(encoding="utf-8"))
        if document["format"] != _FORMAT:
            raise KeyError("format")
        run = document["run"]
        if run is None:
            raise ValueError(
                f"{path}: a sheet of the topic {document['topic']!r} asks for no loop, so there is none to grade. "
                "Its Moodle file and its notebook check the answers."
            )
        return run["X"], run["y"], run["dialect"]
    except (KeyError, TypeError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ValueError(f"{path} is not an exercise file; `rosenblatt teach make` writes them as .json.") from error
