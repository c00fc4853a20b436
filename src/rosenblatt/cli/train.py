"""`rosenblatt train`: trains a model on data and reports on it."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from threading import Thread
from typing import TYPE_CHECKING, Any, Literal, cast

import click
from click.core import ParameterSource

from rosenblatt.cli.options.cluster_options import ClusterOptions, cluster_options, shard_source
from rosenblatt.cli.options.option_values import chosen
from rosenblatt.cli.options.parameter_options import parameter_options, parameters_from
from rosenblatt.cli.options.reading_options import (
    check_command,
    json_option,
    read_options_from,
    reading_options,
    sources_argument,
    unseen_option,
)
from rosenblatt.cli.output.failing import NOT_AS_ASKED
from rosenblatt.cli.output.places import check_places, check_readable
from rosenblatt.cli.output.printing import note

if TYPE_CHECKING:
    from rosenblatt.conventions import Convention
    from rosenblatt.data import Dataset, ReadOptions
    from rosenblatt.models import Assessment, Plan, Source, Trained
    from rosenblatt.models.training.plan import AlgorithmName


#: Runs of words of texts that --tune compares.
_NGRAMS = (1, 2, 3)


@dataclass(frozen=True)
class TrainOptions:
    """The options of `train`, except those for reading, for the algorithm's parameters and for a cluster."""

    scale: bool | None
    no_search: bool
    tune: bool
    proba: bool | None
    algorithm: str | None
    holdout: float | None
    test: str | None
    cv: int | None
    output: str | None
    plot_file: str | None
    plot_kind: Literal["auto", "regions", "mistakes", "margins", "confusion"]
    pair: str | None
    stream: bool
    cache_folder: str | None
    strict: bool
    quiet: bool
    as_json: bool

    @property
    def is_silent(self) -> bool:
        """Whether no progress is shown."""
        return self.quiet or self.as_json

    def check(self, cluster: ClusterOptions) -> None:
        """Raises `UsageError` for options that exclude each other."""
        if self.cv and self.test:
            raise click.UsageError("--cv and --test exclude each other: choose one way to test.")
        if self.tune and (self.no_search or self.algorithm):
            other = "--no-search" if self.no_search else "--algorithm"
            raise click.UsageError(f"--tune searches for the algorithm and its parameters; leave {other} out.")
        if self.cache_folder and not self.stream:
            raise click.UsageError("--cache-folder is for --stream.")
        if self.quiet and (self.plot_file or self.as_json):
            raise click.UsageError("--quiet leaves nothing for --json or --plot to show.")
        if self.stream and cluster.is_used:
            raise click.UsageError("--stream is for one machine; a cluster holds its shards in memory.")
        if (self.stream or cluster.is_used) and self.plot_file and self.plot_kind in ("regions", "margins"):
            raise click.UsageError(
                f"--plot-kind {self.plot_kind} draws examples, which --stream and a cluster do not keep here. Draw "
                "--plot-kind mistakes, or train in memory."
            )

    def plan(self, algorithm: "AlgorithmName | None", parameters: dict[str, Any], scale_off: bool) -> "Plan":
        """The training plan, with checked parameters. `scale_off` turns off the default scale."""
        from rosenblatt.models import Plan
        from rosenblatt.models.training.selection.choosing import algorithm_for

        tests_itself = self.cv or self.test or self.quiet
        plan = Plan(
            algorithm=algorithm,
            parameters=parameters,
            scale=False if scale_off and self.scale is None else self.scale,
            search=not self.no_search,
            tune=self.tune,
            proba=self.proba,
            held_out=(self.holdout or 0.0) if tests_itself else self.holdout,
            folds=self.cv or 0,
            assess=not self.quiet,
            verbose=not self.is_silent,
        )
        if self.tune and plan.fixed:
            raise click.UsageError(f"--tune searches for the parameters of the algorithm; leave {plan.fixed[0]} out.")
        algorithm_for(plan)  # rejects a wrong parameter before any data is read
        return plan


@click.command()
@sources_argument
@reading_options
@click.option(
    "--scale/--no-scale",
    default=None,
    help="Scale the columns [default: dense ones to mean 0 and deviation 1]; the scale is kept in the model.",
)
@click.option("--no-search", is_flag=True, help="Do not compare settings on the training part.")
@click.option("--tune", is_flag=True, help="Compare more settings, and votes, kernels and runs of words: minutes.")
@click.option(
    "--proba/--no-proba",
    default=None,
    help="Calibrate probabilities on held-out scores, for predict --proba [default: where it costs little].",
)
@click.option("--algorithm", metavar="NAME", help="The estimator; else one is chosen, and the report says why.")
@parameter_options()
@click.option(
    "--holdout",
    type=click.FloatRange(0, 1, max_open=True),
    help="The share of examples held out for a test [default: 0.2 where there are enough].",
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
@click.option("--cache-folder", metavar="FOLDER", help="Where --stream keeps its copy of the examples.")
@cluster_options
@click.option("--strict", is_flag=True, help="Exit with 3 unless the run separated (or reached --max-error).")
@click.option("-q", "--quiet", is_flag=True, help="No report, no test: only train and save.")
@json_option
@click.pass_context
def train(context: click.Context, /, source: str, convention: "Convention | None", **given: object) -> None:
    """Train a model on a file or a built-in set, and report how it ended and how good it is.

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
    read_options = read_options_from(given)
    parameters = parameters_from(given, convention)
    cluster, options = chosen(ClusterOptions, given), chosen(TrainOptions, given)
    options.check(cluster)
    cluster.check()
    check_places(
        (*source.split("\n"), options.test),
        {"-o": options.output, "--plot": options.plot_file, "--checkpoint": cluster.checkpoint},
    )
    if options.test is not None:
        check_readable(options.test)  # before minutes of training
    algorithm = _algorithm(options.algorithm, convention is not None or options.strict)
    plan = options.plan(algorithm, parameters, scale_off=convention is not None)  # a lecture's run is unscaled
    with _opened(source, read_options, options, cluster) as (examples, loaded):
        from rosenblatt.models import train as fit

        if options.tune and loaded is not None and context.get_parameter_source("ngrams") is ParameterSource.DEFAULT:
            examples = loaded = _with_best_ngrams(loaded, source, read_options, plan)
        trained = fit(examples, plan)
    tested = trained.held_out
    if options.test is not None:
        tested = _tested(trained, options.test, read_options, options.stream)
    _save(trained, options.output)
    if options.plot_file:
        _plot(loaded, trained, tested, options)
    if not options.quiet:
        if convention is not None:
            note(f"the rule: {convention.replaced(parameters)}")
        _report(trained, tested, options, check_command(source, read_options))
    if options.strict and not _as_asked(trained.record.fitted["status_"], parameters):
        context.exit(NOT_AS_ASKED)


@contextmanager
def _opened(
    source: str, read_options: "ReadOptions", options: TrainOptions, cluster: ClusterOptions
) -> "Iterator[tuple[Source | Dataset, Dataset | None]]":
    """The source to train on, and the dataset if it is in memory."""
    if cluster.is_used:
        with shard_source(source, read_options, cluster, not options.is_silent) as shards:
            yield shards, None
    elif options.stream:
        from rosenblatt.cli.output.reading_line import ReadingLine
        from rosenblatt.data import scan
        from rosenblatt.models import StreamSource

        with ReadingLine(options.is_silent) as line:
            scanned = scan(source, read_options)
            yield StreamSource(scanned, cache_folder=options.cache_folder, watch=line.show), None
    else:
        # Idle threads of NumPy's BLAS otherwise spin and slow down the parser's threads.
        os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")
        from rosenblatt.data import read

        # The trainer's modules are imported while the core parses the file.
        Thread(target=import_module, args=("rosenblatt.models.training.trainer",)).start()
        loaded = read(source, read_options)
        yield loaded, loaded


def _with_best_ngrams(loaded: "Dataset", source: str, read_options: "ReadOptions", plan: "Plan") -> "Dataset":
    """The same examples with the runs of words that do best on the training part, if there are texts."""
    if not any(column.is_text for column in loaded.features.columns) or "-" in source.split("\n"):
        return loaded
    from rosenblatt.data import read
    from rosenblatt.models.training.trainer import best_of

    others = (n for n in _NGRAMS if n != read_options.ngrams)
    return best_of([loaded, *(read(source, replace(read_options, ngrams=n)) for n in others)], plan)


def _algorithm(name: str | None, plain: bool) -> "AlgorithmName | None":
    """The algorithm of this name; None leaves the choice to `models.train`.

    A convention defines the plain perceptron, and --strict needs a run that continues until it separates, so `plain`
    selects the plain perceptron.
    """
    from rosenblatt.models.files.registry import TRAINABLE

    if name is None:
        return "Perceptron" if plain else None
    found = next((kind for kind in TRAINABLE if kind.lower() == name.lower()), None)
    if found is None:
        raise click.BadParameter(f"there is no {name!r}; there are: {', '.join(TRAINABLE)}", param_hint="--algorithm")
    return cast("AlgorithmName", found)


def _as_asked(status: str, parameters: dict[str, Any]) -> bool:
    return status == "separated" or (status == "error_reached" and bool(parameters.get("max_error")))


def _tested(trained: "Trained", source: str, read_options: "ReadOptions", stream: bool) -> "Assessment":
    from rosenblatt.data import read, scan
    from rosenblatt.models import evaluate

    test = (scan if stream else read)(source, read_options, like=trained.record.features)
    return evaluate(trained.record, test)


def _save(trained: "Trained", output: str | None) -> None:
    if output is None:
        return
    from rosenblatt.models import to_bytes, write

    if output == "-":
        sys.stdout.buffer.write(to_bytes(trained.record))
    else:
        write(trained.record, output)


def _plot(loaded: "Dataset | None", trained: "Trained", tested: "Assessment | None", options: TrainOptions) -> None:
    from rosenblatt.cli.output.printing import write_plot
    from rosenblatt.cli.output.training_plot import training_figure

    figure = training_figure(loaded, trained, tested, options.plot_kind, options.pair)
    write_plot(figure, cast(str, options.plot_file))


def _report(trained: "Trained", tested: "Assessment | None", options: TrainOptions, check: str) -> None:
    from rosenblatt.cli.output import training_report as report
    from rosenblatt.cli.output.printing import console, print_json

    note(*trained.notes)
    way = f"in {options.test}" if options.test else "held out" if tested is not None else None
    if options.as_json and options.output != "-":
        print_json(report.as_dict(trained, tested, way))
    else:
        report.print_report(console(stderr=options.output == "-"), trained, tested, way, check)
