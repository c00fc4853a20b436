"""`rosenblatt teach`: exercises with their solutions, and grading."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import click

from rosenblatt.cli.options.one_of import OneOf
from rosenblatt.cli.options.option_values import chosen
from rosenblatt.cli.options.reading_options import convention_option, json_option
from rosenblatt.cli.output.failing import NOT_AS_ASKED

if TYPE_CHECKING:
    from rosenblatt.conventions import Convention
    from rosenblatt.teaching.exercises.make import Topic

_TOPICS = ("and", "by-hand", "pocket", "batch", "dual", "bound", "separable", "witness", "boolean", "one-vs-all")
_FORMATS = ("latex", "markdown", "moodle", "notebook")


@dataclass(frozen=True)
class SheetOptions:
    """The options of `teach make`, except those for output."""

    topic: "Topic"
    seed: int
    students: int
    language: Literal["en", "de"]
    convention: "Convention"
    formats: tuple[str, ...]


@dataclass(frozen=True)
class GradeOptions:
    """The options of `teach grade`, except those for output."""

    function: str
    seconds: float
    memory: int


@click.group()
def teach() -> None:
    """Make exercises with their keys, and grade students' solutions.

    \b
    Examples:
      rosenblatt teach make --topic by-hand --seed 7 --students 3 --out sheets
      rosenblatt teach grade submission.py --exercise sheets/by-hand-7-001.json
    """


@teach.command()
@click.option("--topic", type=OneOf(_TOPICS), required=True, help="What the exercise is about.")
@click.option(
    "--seed", type=click.IntRange(0, 2**32 - 1), default=0, show_default=True, help="Another seed gives other sheets."
)
@click.option(
    "--students", type=click.IntRange(1, 999), default=1, show_default=True, help="Number of different sheets."
)
@click.option(
    "--language",
    type=click.Choice(["en", "de"]),
    default="en",
    show_default=True,
    help="Language of the sheets.",
)
@convention_option("L0", "The rule of the sheets: a lecture's dialect, or your own. The examples come in turn.")
@click.option(
    "--to",
    "formats",
    type=click.Choice(_FORMATS),
    multiple=True,
    help="Only this format (repeatable); else LaTeX, Markdown, Moodle XML and notebooks.",
)
@click.option("--out", "folder", type=click.Path(file_okay=False), default="sheets", show_default=True, help="Folder.")
@json_option
def make(folder: str, as_json: bool, **given: object) -> None:
    """Write sheets and their keys: another exercise for every student, all equally difficult.

    No number of a sheet or its key has more than two digits. The same seed gives the same sheets on every machine.

    \b
    Examples:
      rosenblatt teach make --topic by-hand --seed 7 --students 3
      rosenblatt teach make --topic pocket --convention L3 --to latex --out pocket
      rosenblatt teach make --topic and --language de --out blaetter
    """
    from rosenblatt import teaching
    from rosenblatt.cli.output.printing import echo, print_json

    options = chosen(SheetOptions, given)
    written = teaching.write_sheets(
        folder,
        options.topic,
        seed=options.seed,
        students=options.students,
        dialect=options.convention,
        language=options.language,
        formats=options.formats or _FORMATS,
    )
    if as_json:
        print_json({"rule": str(options.convention), "files": [str(file) for file in written]})
        return
    count = "1 sheet" if options.students == 1 else f"{options.students} sheets"
    echo(f"{count} of the topic {options.topic} under the rule: {options.convention}")
    echo(f"{len(written)} files in {folder}, from {written[0].name} to {written[-1].name}")


@teach.command()
@click.argument("submission", metavar="FILE", type=click.Path(exists=True, dir_okay=False))
@click.option(
    "--exercise",
    required=True,
    metavar="SHEET.json",
    type=click.Path(exists=True, dir_okay=False),
    help="The exercise, as `teach make` wrote it: it has the examples and the dialect.",
)
@click.option("--function", default="fit", show_default=True, help="The function of a Python file.")
@click.option(
    "--seconds",
    type=click.FloatRange(0, min_open=True),
    default=10.0,
    show_default=True,
    help="Time limit, in seconds.",
)
@click.option(
    "--memory", type=click.IntRange(min=64), default=2000, show_default=True, help="Memory limit, in megabytes."
)
@json_option
@click.pass_context
def grade(context: click.Context, /, submission: str, exercise: str, as_json: bool, **given: object) -> None:
    """Grade a student's file: the first wrong step, its likely cause, and a sentence for the student.

    FILE is a Python file with a function fit(X, y) that returns the weights [w0, w1, ...] after each update, or a
    table in Markdown (.md) or CSV (.csv), filled in. A Python file runs in a process of its own, with limits of time,
    memory, output and files. The exit code is 0 if it is right, and 3 if not.

    \b
    Examples:
      rosenblatt teach grade submission.py --exercise sheet.json
      rosenblatt teach grade table.md --exercise sheet.json --json
    """
    from rosenblatt import teaching
    from rosenblatt.cli.output.printing import echo, print_json

    options = chosen(GradeOptions, given)
    X, y, dialect = teaching.read_exercise(exercise)
    if submission.lower().endswith((".md", ".csv")):
        with open(submission, encoding="utf-8") as file:
            result = teaching.grade(file.read(), X, y, dialect=dialect)
    else:
        limits = teaching.ProcessLimits(seconds=options.seconds, memory=options.memory * 1_000_000)
        result = teaching.grade_file(
            submission, X, y, dialect=dialect, function=options.function, limits=limits
        )  # fmt: skip
    if as_json:
        verdict = {"correct": result.correct, "step": result.step, "cause": result.cause, "message": result.message}
        print_json(verdict)
    else:
        echo(result.message if result.correct else f"{result.cause}: {result.message}")
    if not result.correct:
        context.exit(NOT_AS_ASKED)
