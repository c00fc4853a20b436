"""Common parts of `trace` and `animate`: options, and the textbook run of a dialect on a small table."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from rosenblatt.cli.options.option_values import Command, Options, chosen
from rosenblatt.cli.options.parameter_options import parameter_options, parameters_from
from rosenblatt.learning.parameters import Parameters

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rosenblatt.conventions import Convention
    from rosenblatt.data import Dataset, ReadOptions
    from rosenblatt.data.labels import Labels
    from rosenblatt.textbook import Run


#: The parameters of `textbook.online`.
TEXTBOOK = (
    "max_iter", "max_error", "eta0", "tie", "order", "random_state", "fit_intercept", "error_tie", "init", "init_scale",
    "margin", "step", "C", "max_steps", "max_updates", "patience",
)  # fmt: skip


@dataclass(frozen=True)
class TextbookOptions:
    """The options of a textbook run, except those for reading and for parameters."""

    convention: "Convention"
    steps: int
    positive: str | None
    start: str | None


@dataclass(frozen=True)
class TextbookRun:
    """A run of a textbook algorithm, with its data. y has the labels +1 and −1."""

    loaded: "Dataset"
    X: "NDArray[np.float64]"
    y: "NDArray[np.int64]"
    positive: str | int
    convention: "Convention"
    run: "Run"

    @property
    def has_offset(self) -> bool:
        return bool(self.convention["fit_intercept"])


def textbook_options(command: Command) -> Command:
    """Adds the options for the dialect and its parameters, the initial weights, the positive class and the steps."""
    for option in (
        click.option("--steps", type=click.IntRange(min=1), default=100, show_default=True, help="At most this many."),
        click.option("--positive", metavar="CLASS", help="This class against all others; else the later of two."),
        click.option("--start", metavar="W0,W1,…", help="First weights, the offset first."),
        parameter_options(
            TEXTBOOK,
            convention="L4",
            convention_help="The dialect whose algorithm is run: a lecture's, or your own.",
        ),
    ):
        command = option(command)
    return command


def textbook_run(source: str, read_options: "ReadOptions", given_options: Options) -> TextbookRun:
    """Reads the table and runs the dialect's perceptron on it."""
    options = chosen(TextbookOptions, given_options)
    start = _start(options.start)
    given, seed = _parameters(given_options, options.convention)

    from rosenblatt import textbook
    from rosenblatt.data import DataError, Sparse, read

    loaded = read(source, read_options)
    if isinstance(loaded.X, Sparse):
        raise DataError(f"{loaded.name}: a trace is for small tables, and svmlight files are sparse. Use train.")
    convention = options.convention.replaced(given)
    width = loaded.X.shape[1] + bool(convention["fit_intercept"])
    if start is not None and len(start) != width:
        raise click.BadParameter(f"{width} weights are needed, got {len(start)}", param_hint="--start")
    y, positive = _signs(loaded.needs_labels(), options.positive, loaded.name)
    steps = min(options.steps, given.get("max_steps") or options.steps)
    choices = {**given, "start": start, "max_steps": steps, "random_state": seed}
    run = textbook.run(textbook.online(loaded.X, y.tolist(), **choices))
    return TextbookRun(loaded, loaded.X, y, positive, convention, run)


def _parameters(options: Options, convention: "Convention") -> tuple[dict[str, Any], int]:
    """The parameters of the run, checked by the table, and its seed."""
    given = parameters_from(options, convention)
    checked = Parameters.of("Perceptron", given)
    for name in given:
        if name not in TEXTBOOK:
            raise click.BadParameter(
                f"{name} is not a parameter of the textbook's algorithm; those are {', '.join(TEXTBOOK)}",
                param_hint="--set",
            )
    given.pop("random_state")
    return given, checked.seeded()["random_state"]


def _start(text: str | None) -> list[float] | None:
    if text is None:
        return None
    try:
        return [float(part) for part in text.split(",")]
    except ValueError as error:
        raise click.BadParameter("give numbers with commas, such as --start=-5,0,1", param_hint="--start") from error


def _signs(labels: "Labels", positive: str | None, name: str) -> "tuple[NDArray[np.int64], str | int]":
    import numpy as np

    from rosenblatt.data import DataError

    known = [str(label) for label in labels.classes.tolist()]
    if positive is None:
        if len(known) != 2:
            raise DataError(f"{name} has {len(known)} classes; say which one is positive: --positive {known[0]}.")
        positive = known[1]
    if positive not in known:
        raise DataError(f"{name} has no class {positive!r}; it has {', '.join(known)}.")
    return np.where(labels.codes == known.index(positive), 1, -1), labels.classes[known.index(positive)].item()
