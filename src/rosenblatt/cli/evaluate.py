"""`rosenblatt evaluate`: how good a saved model is on labelled examples."""

from typing import Any

import click

from rosenblatt.cli.failing import NOT_AS_ASKED
from rosenblatt.cli.options import json_option, model_argument, reading_like_options, source_argument, wishes_from
from rosenblatt.cli.places import check_places


@click.command()
@model_argument
@source_argument
@reading_like_options
@click.option("--min-accuracy", type=click.FloatRange(0, 1), help="Exit with 3 if the accuracy is below this.")
@click.option("--plot", "plot_file", metavar="FILE", help="Draw the confusion matrix (.png, .svg, .pdf).")
@json_option
@click.pass_context
def evaluate(
    context: click.Context,
    /,
    model: str,
    source: str,
    min_accuracy: float | None,
    plot_file: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Compare a saved model's predictions with the labels of a file.

    \b
    Examples:
      rosenblatt evaluate model.json test.csv
      rosenblatt evaluate model.json test.svm --min-accuracy 0.95 --json
    """
    wishes = wishes_from(options)
    check_places((model, source), {"--plot": plot_file})

    from rosenblatt.cli.printing import console, print_assessment, print_facts, print_json, write_plot
    from rosenblatt.data import read
    from rosenblatt.models import read as read_model
    from rosenblatt.models.assessment import assess

    record = read_model(model)
    loaded = read(source, wishes, like=record.features)
    labels = loaded.needs_labels().among(record.classes, loaded.name, loaded.place)
    found = assess(record.classes, labels.codes, record.predicted_codes(loaded.X))
    if plot_file is not None:
        from rosenblatt import plot

        write_plot(plot.confusion(found.confusion, found.classes), plot_file)
    if as_json:
        print_json({"model": model, "source": loaded.name, **found.to_dict()})
    else:
        out = console()
        wrong = f"{found.n_errors:,} of {found.n_examples:,} wrong"
        print_facts(out, [("data", loaded.name), ("accuracy", f"{found.accuracy:.2%} right ({wrong})")])
        out.print()
        print_assessment(out, found)
    if min_accuracy is not None and found.accuracy < min_accuracy:
        context.exit(NOT_AS_ASKED)
