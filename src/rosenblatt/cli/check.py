"""`rosenblatt check`: decides linear separability, with a certificate."""

from dataclasses import dataclass

import click

from rosenblatt.cli.options.option_values import chosen
from rosenblatt.cli.options.reading_options import json_option, read_options_from, reading_options, sources_argument
from rosenblatt.default_budgets import DEFAULT_BUDGETS


@dataclass(frozen=True)
class CheckOptions:
    """The options of `check`, except those for reading."""

    no_offset: bool
    positive: str | None
    budget: float
    jobs: int
    strict: bool
    as_json: bool


@click.command()
@sources_argument
@reading_options
@click.option("--no-offset", is_flag=True, help="Only hyperplanes through the origin.")
@click.option("--positive", metavar="CLASS", help="This class against all others; else all of them.")
@click.option(
    "--budget",
    type=click.FloatRange(min=1),
    default=DEFAULT_BUDGETS["separability"],
    show_default=f"{DEFAULT_BUDGETS['separability']:g}",
    help="Limit on the values read for each answer (10⁹ take about a second); beyond it, the answer is 'undecided'. "
    "inf: no limit.",
)
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Threads for many classes.")
@click.option("--strict", is_flag=True, help="Exit with 3 unless all classes are separable.")
@json_option
def check(source: str, **given: object) -> None:
    """Decide whether the classes are linearly separable, by which margin, or why not: with a proof, checked exactly.

    With more than two classes, each pair is decided, and each class against all others. An answer is printed as soon as
    it is proved, easy ones first.

    \b
    Examples:
      rosenblatt check @iris
      rosenblatt check @xor
      rosenblatt check flowers.csv --target species --positive setosa --json
      rosenblatt check digits.csv --jobs 2 --budget 1e10
    """
    read_options, options = read_options_from(given), chosen(CheckOptions, given)

    import numpy as np

    from rosenblatt.cli.output.printing import echo, note, print_json
    from rosenblatt.data import DataError, Sparse, read
    from rosenblatt.models.training.room import check_room
    from rosenblatt.theory import Separability, SeparabilityTable, iter_separability

    loaded = read(source, read_options)
    check_room(loaded.name, loaded.features, 2, None)
    labels = loaded.needs_labels()
    X = loaded.X.to_scipy() if isinstance(loaded.X, Sparse) else loaded.X
    y, positive = labels.classes[labels.codes], None
    if options.positive is not None:
        known = [str(label) for label in labels.classes.tolist()]
        if options.positive not in known:
            raise DataError(f"{loaded.name} has no class {options.positive!r}; it has {', '.join(known)}.")
        positive = labels.classes[known.index(options.positive)]
    n_classes = len(np.unique(y))
    total = n_classes * (n_classes + 1) // 2 if n_classes > 2 and positive is None else 1
    answers: list[Separability] = []
    found = iter_separability(
        X,
        y,
        fit_intercept=not options.no_offset,
        budget=options.budget,
        jobs=options.jobs,
        positive=positive,
    )
    for answer in found:
        if not options.as_json:
            if not answers:
                note(*loaded.notes)
            echo(answer.explain() + "\n" * (total > 1))
        answers.append(answer)
    undecided = sum(answer.separable is None for answer in answers)  # decided answers have a checked certificate
    if options.as_json:
        document = SeparabilityTable.of(answers).to_dict() if total > 1 else answers[0].to_dict()
        print_json({"source": loaded.name, "verified": not undecided, **document})
    else:
        if undecided < len(answers):
            echo("certificate checked in exact arithmetic: it holds")
        if undecided:
            echo(f"undecided, so without a certificate: {undecided} of {len(answers)}")
    if options.strict and not all(answer.separable for answer in answers):
        raise click.exceptions.Exit(3)
