"""`rosenblatt check`: is it linearly separable, with the certificate."""

from typing import Any

import click

from rosenblatt.cli.options import json_option, reading_options, source_argument, wishes_from


@click.command()
@source_argument
@reading_options
@click.option("--no-offset", is_flag=True, help="Only hyperplanes through the origin.")
@click.option("--positive", metavar="CLASS", help="This class against all others; else all of them.")
@click.option("--budget", type=click.FloatRange(min=1), help="Touched values after which the answer is 'undecided'.")
@click.option("--strict", is_flag=True, help="Exit with 3 unless everything asked about is separable.")
@json_option
def check(source: str, **options: Any) -> None:
    """Say whether the classes are linearly separable, by how much, or why not: with a proof, checked exactly.

    \b
    Examples:
      rosenblatt check @iris
      rosenblatt check @xor
      rosenblatt check flowers.csv --target species --positive setosa --json
    """
    wishes = wishes_from(options)

    import numpy as np

    from rosenblatt.cli.printing import echo, note, print_json
    from rosenblatt.data import DataError, Sparse, read
    from rosenblatt.models.room import check_room
    from rosenblatt.theory import SeparabilityTable, separability

    loaded = read(source, wishes)
    check_room(loaded.name, loaded.features, 2, None)
    labels = loaded.needs_labels()
    X = loaded.X.to_scipy() if isinstance(loaded.X, Sparse) else loaded.X
    y = labels.classes[labels.codes]
    if options["positive"] is not None:
        known = [str(label) for label in labels.classes.tolist()]
        if options["positive"] not in known:
            raise DataError(f"{loaded.name} has no class {options['positive']!r}; it has {', '.join(known)}.")
        rest = f"not {options['positive']}"
        y = np.where(labels.codes == known.index(options["positive"]), options["positive"], rest)
    found = separability(X, y, fit_intercept=not options["no_offset"], budget=options["budget"])
    answers = list(found.values()) if isinstance(found, SeparabilityTable) else [found]
    undecided = sum(answer.separable is None for answer in answers)  # of the others, each certificate was checked
    if options["as_json"]:
        print_json({"source": loaded.name, "verified": not undecided, **found.to_dict()})
    else:
        note(*loaded.notes)
        echo(found.explain())
        if undecided < len(answers):
            echo("certificate checked in exact arithmetic: it holds")
        if undecided:
            echo(f"undecided, so without a certificate: {undecided} of {len(answers)}")
    if options["strict"] and not all(answer.separable for answer in answers):
        raise click.exceptions.Exit(3)
