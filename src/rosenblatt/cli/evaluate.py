"""`rosenblatt evaluate`: assesses a saved model on labelled examples."""

import click

from rosenblatt.cli.options.reading_options import (
    json_option,
    model_argument,
    read_options_from,
    reading_like_options,
    sources_argument,
)
from rosenblatt.cli.output.failing import NOT_AS_ASKED
from rosenblatt.cli.output.places import check_places


@click.command()
@model_argument
@sources_argument
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
    **options: object,
) -> None:
    """Compare a saved model's predictions with the labels of a file.

    \b
    Examples:
      rosenblatt evaluate model.json test.csv
      rosenblatt evaluate model.json test.svm --min-accuracy 0.95 --json
    """
    read_options = read_options_from(options)
    check_places((model, *source.split("\n")), {"--plot": plot_file})

    from rosenblatt.cli.output.printing import (
        console,
        note,
        print_assessment,
        print_facts,
        print_json,
        print_thresholds,
        write_plot,
    )
    from rosenblatt.data import read
    from rosenblatt.models import evaluate as assessed
    from rosenblatt.models import read as read_model

    record = read_model(model)
    loaded = read(source, read_options, like=record.features).labelled()
    note(*loaded.notes)
    found = assessed(record, loaded)
    if loaded.fingerprint and loaded.fingerprint == record.training.get("fingerprint"):
        note("the model was trained on this file: the figures say little about new examples")
    if plot_file is not None:
        from rosenblatt import plot

        write_plot(plot.confusion(found.confusion, found.classes), plot_file)
    if as_json:
        print_json({"model": model, "source": loaded.name, **found.to_dict()})
    else:
        out = console()
        wrong = f"{found.n_errors:,} of {found.n_examples:,} wrong"
        facts = [
            ("data", loaded.name),
            ("accuracy", f"{found.accuracy:.2%} right ({wrong})"),
            ("balanced", f"{found.balanced_accuracy:.2%}, the mean recall of the classes"),
            ("F1", f"{found.macro_f1:.4f}, the mean of the classes"),
        ]
        if found.auc is not None:
            facts.append(("AUC", f"{found.auc:.4f}"))
        if found.log_loss is not None:
            facts.append(("log loss", f"{found.log_loss:.4f}, of the calibrated probabilities"))
        print_facts(out, facts)
        out.print()
        print_assessment(out, found)
        if found.thresholds is not None:
            print_thresholds(out, found.thresholds)
    if min_accuracy is not None and found.accuracy < min_accuracy:
        context.exit(NOT_AS_ASKED)
