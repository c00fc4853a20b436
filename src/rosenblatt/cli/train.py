"""`rosenblatt train`: data in, a fitted model and its report out."""

import json
import os
import sys
from typing import TYPE_CHECKING, Any

import click

from rosenblatt.cli.failing import NOT_AS_ASKED
from rosenblatt.cli.on_cluster import cluster_options, train_on_cluster, wants_cluster
from rosenblatt.cli.options import (
    check_command,
    json_option,
    reading_options,
    source_argument,
    unseen_option,
    wishes_from,
)
from rosenblatt.cli.places import check_places

if TYPE_CHECKING:
    from rosenblatt.data import Loaded
    from rosenblatt.models import Assessment, Trained

_HELD_OUT = 0.2

#: Parameters with an option of their own; the others go by --set.
_PARAMETERS = ("max_iter", "max_error", "eta0", "tie", "order", "multi_class", "fit_intercept", "random_state")


@click.command()
@source_argument
@reading_options
@click.option("--scale", is_flag=True, help="Scale the columns; the scale is kept in the model.")
@click.option("--algorithm", metavar="NAME", help="The estimator; else one is chosen, and the report says why.")
@click.option(
    "--convention", type=click.Choice(["L0", "L1", "L1_offset", "L2", "L3", "L4"]), help="A lecture's dialect."
)
@click.option("--max-iter", type=click.IntRange(min=1), help="At most this many epochs.")
@click.option("--max-error", type=click.FloatRange(0, 1), help="Be content with this share of errors in an epoch.")
@click.option("--eta0", type=click.FloatRange(0, min_open=True), help="The step.")
@click.option("--tie", type=click.Choice(["mistake", "positive", "negative"]), help="What a score of 0 is.")
@click.option("--order", type=click.Choice(["shuffle", "cyclic", "misclassified"]), help="The order of an epoch.")
@click.option(
    "--multi-class",
    type=click.Choice(["ova", "ovo", "joint"]),
    help="Many classes: one against all others, one against one, or all as one problem.",
)
@click.option("--no-intercept", "fit_intercept", flag_value=False, default=None, help="Through the origin.")
@click.option("--set", "settings", metavar="NAME=VALUE", multiple=True, help="Any other parameter (repeatable).")
@click.option("--random-state", type=click.IntRange(0, 2**32 - 1), default=0, show_default=True, help="The seed.")
@click.option(
    "--holdout",
    type=click.FloatRange(0, 1, max_open=True),
    help=f"The share of examples kept for a test [default: {_HELD_OUT} where there are enough].",
)
@click.option("--test", "test", metavar="FILE", help="Test on this file; then all of FILE is trained on.")
@unseen_option
@click.option("--cv", type=click.IntRange(min=2), metavar="K", help="Cross-validate in K folds; then train on all.")
@click.option("-o", "--output", metavar="MODEL", help='Save the model here ("-": standard output).')
@click.option("--plot", "plot_file", metavar="FILE", help="Draw a figure (.png, .svg, .pdf).")
@click.option(
    "--plot-kind",
    type=click.Choice(["auto", "regions", "mistakes", "margins", "confusion"]),
    default="auto",
    help="What to draw: regions where there are two features (or a --pair), else mistakes.",
)
@click.option("--pair", metavar="A,B", help="The two features of a plot of regions.")
@click.option(
    "--stream", is_flag=True, help="Bounded memory, for files of any size: in file order, via a file on disk."
)
@click.option("--cache-folder", metavar="FOLDER", help="Where --stream keeps the examples meanwhile.")
@cluster_options
@click.option("--strict", is_flag=True, help="Exit with 3 unless the run separated (or reached --max-error).")
@click.option("-q", "--quiet", is_flag=True, help="No report, no test: only train and save.")
@json_option
@click.pass_context
def train(context: click.Context, /, source: str, **options: Any) -> None:
    """Train a model on a file or a built-in set, and say how it ended and how good it is.

    A fifth of the examples, chosen by the seed and stratified by class, is held out for a test, and the model that is
    saved is the one that was tested; --holdout 0 trains on everything.

    \b
    Examples:
      rosenblatt train @digits
      rosenblatt train flowers.csv --target species --scale -o model.json
      rosenblatt train rcv1.svm.gz --max-iter 5 --test rcv1_test.svm.gz -o model.json
      zcat data.csv.gz | rosenblatt train - --cv 5 --json
      rosenblatt train 'parts/*.parquet' --target label --dask tcp://scheduler:8786 --checkpoint run.npz
    """
    wishes = wishes_from(options)
    options["check"] = check_command(source, wishes)
    if options["cv"] and options["test"]:
        raise click.UsageError("--cv and --test exclude each other: choose one way to test.")
    if options["cache_folder"] and not options["stream"]:
        raise click.UsageError("--cache-folder is for --stream.")
    if options["quiet"] and (options["plot_file"] or options["as_json"]):
        raise click.UsageError("--quiet leaves nothing for --json or --plot to show.")
    parameters = _parameters(options)
    algorithm = _algorithm(options)

    check_places(
        (source, options["test"]),
        {"-o": options["output"], "--plot": options["plot_file"], "--checkpoint": options["checkpoint"]},
    )
    if options["stream"]:
        from rosenblatt.cli.streaming import stream

        if wants_cluster(options):
            raise click.UsageError("--stream is for one machine; a cluster holds its shards in memory.")
        streamed, of = stream(source, wishes, algorithm, parameters, options)
        _finish(context, of, streamed, streamed.held_out, options, parameters)
        return
    from rosenblatt.data.reading import begin

    examples = None if wants_cluster(options) else begin(source, wishes)
    # An svmlight file is parsed while the rest is imported, on cores that the idle threads of NumPy's BLAS would keep
    # busy waiting for work, were they not told to sleep.
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")
    from rosenblatt.models import Plan
    from rosenblatt.models import train as fit
    from rosenblatt.models.training import worth_holding_out

    loaded = None if examples is None else examples()
    held_out = options["holdout"]
    if options["cv"] or options["test"] or options["quiet"]:
        held_out = held_out or 0.0
    elif held_out is None:
        held_out = _HELD_OUT if loaded is None or worth_holding_out(loaded.needs_labels()) else 0.0
    plan = Plan(
        algorithm=algorithm,
        parameters=parameters,
        scale=options["scale"],
        held_out=held_out,
        folds=options["cv"] or 0,
        seed=options["random_state"],
        assess=not options["quiet"],
        verbose=not options["quiet"] and not options["as_json"],
    )
    if loaded is None:
        loaded, trained = train_on_cluster(source, wishes, plan, options)
    else:
        trained = fit(loaded, plan)
    tested = _tested(trained, options["test"], wishes) if options["test"] else trained.held_out
    _finish(context, loaded, trained, tested, options, parameters)


def _finish(
    context: click.Context,
    loaded: Any,
    trained: "Trained",
    tested: "Assessment | None",
    options: dict[str, Any],
    parameters: dict[str, Any],
) -> None:
    _save(trained, options["output"])
    if options["plot_file"]:
        _plot(loaded, trained, tested, options)
    if not options["quiet"]:
        _report(loaded, trained, tested, options)
    if options["strict"] and not _as_asked(trained.record.fitted["status_"], parameters):
        context.exit(NOT_AS_ASKED)


def _algorithm(options: dict[str, Any]) -> str | None:
    """The one asked for; None leaves the choice to `models.train`."""
    from rosenblatt.models.registry import TRAINABLE

    name = options["algorithm"]
    if name is None:
        # A lecture's dialect is the perceptron's, and a strict user wants it to go on until it separates.
        return "Perceptron" if options["convention"] or options["strict"] else None
    found = next((kind for kind in TRAINABLE if kind.lower() == name.lower()), None)
    if found is None:
        raise click.BadParameter(f"there is no {name!r}; there are: {', '.join(TRAINABLE)}", param_hint="--algorithm")
    return found


def _parameters(options: dict[str, Any]) -> dict[str, Any]:
    """A convention's choices, then the options given, then --set."""
    parameters: dict[str, Any] = {}
    if options["convention"]:
        from rosenblatt import conventions

        parameters |= getattr(conventions, options["convention"])
    parameters |= {name: options[name] for name in _PARAMETERS if options[name] is not None}
    for setting in options["settings"]:
        name, equals, text = setting.partition("=")
        if not equals or not name.isidentifier():
            raise click.BadParameter(f"{setting!r} is not of the form NAME=VALUE", param_hint="--set")
        try:
            parameters[name] = json.loads(text)
        except ValueError:
            parameters[name] = {"True": True, "False": False, "None": None}.get(text, text)
    return parameters


def _as_asked(status: str, parameters: dict[str, Any]) -> bool:
    return status == "separated" or (status == "error_reached" and bool(parameters.get("max_error")))


def _tested(trained: "Trained", source: str, wishes: Any) -> "Assessment":
    from rosenblatt.data import read
    from rosenblatt.models.assessment import assess

    test = read(source, wishes, like=trained.record.features)
    labels = test.needs_labels().among(trained.record.classes, test.name, test.place)
    return assess(trained.record.classes, labels.codes, trained.record.predicted_codes(test.X))


def _save(trained: "Trained", output: str | None) -> None:
    if output is None:
        return
    from rosenblatt.models import to_bytes, write

    if output == "-":
        sys.stdout.buffer.write(to_bytes(trained.record))
    else:
        write(trained.record, output)


def _plot(loaded: "Loaded", trained: "Trained", tested: "Assessment | None", options: dict[str, Any]) -> None:
    from rosenblatt.cli.printing import write_plot
    from rosenblatt.cli.training_plot import training_figure

    figure = training_figure(loaded, trained, tested, options["plot_kind"], options["pair"])
    write_plot(figure, options["plot_file"])


def _report(loaded: "Loaded", trained: "Trained", tested: "Assessment | None", options: dict[str, Any]) -> None:
    from rosenblatt.cli import training_report as report
    from rosenblatt.cli.printing import console, note, print_json

    note(*loaded.notes)
    way = f"in {options['test']}" if options["test"] else "held out" if tested is not None else None
    if options["as_json"] and options["output"] != "-":
        print_json(report.as_dict(loaded, trained, tested, way))
    else:
        report.print_report(console(stderr=options["output"] == "-"), loaded, trained, tested, way, options["check"])
