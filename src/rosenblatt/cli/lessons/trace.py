"""`rosenblatt trace`: the table of steps of a textbook run."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Literal

import click

from rosenblatt.cli.options.option_values import chosen
from rosenblatt.cli.options.reading_options import json_option, read_options_from, reading_options, source_argument
from rosenblatt.cli.options.textbook_options import TextbookRun, textbook_options, textbook_run
from rosenblatt.cli.output.places import check_places

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rosenblatt.textbook import Step

_WIDEST = 8


@dataclass(frozen=True)
class TraceOptions:
    """The options of `trace`, except those for reading and for the run."""

    mistakes_only: bool
    to: Literal["markdown", "latex", "csv", "html", "typst"] | None
    columns: str | None
    blank: str | None
    notation: Literal["w0", "wb", "theta"]
    labels: Literal["signs", "binary"]
    pocket: bool
    decimals: bool
    plot_file: str | None
    as_json: bool

    def check(self) -> None:
        """Raises `UsageError` if two options exclude each other, or if an option lacks the one that it needs."""
        if self.to and self.as_json:
            raise click.UsageError("--to and --json exclude each other: choose one format.")
        for name in ("columns", "blank", "pocket", "decimals"):
            if getattr(self, name) and not self.to:
                raise click.UsageError(f"--{name} is for --to. Add --to markdown.")


@click.command()
@source_argument
@reading_options
@textbook_options
@click.option("--mistakes-only", is_flag=True, help="Leave out the steps that change nothing.")
@click.option(
    "--to",
    type=click.Choice(["markdown", "latex", "csv", "html", "typst"]),
    help="Write the table in this format; LaTeX is a tabular to be included.",
)
@click.option(
    "--columns",
    metavar="A,B,…",
    help="Columns of --to: step, epoch, example, x, y, score, mistake, before, update, after, run, run_pocket, "
    "w_pocket.",
)
@click.option("--blank", metavar="A,B,…", help="Columns of --to that are left empty, for students to fill in.")
@click.option(
    "--notation",
    type=click.Choice(["w0", "wb", "theta"]),
    default="w0",
    show_default=True,
    help="Vectors of --to with w0 first, w and b apart, or θ with θ0 first.",
)
@click.option(
    "--labels",
    type=click.Choice(["signs", "binary"]),
    default="signs",
    show_default=True,
    help="Labels of --to: +1 and −1, or 1 and 0.",
)
@click.option("--pocket", is_flag=True, help="Add the pocket to --to: run, run_pocket and w_pocket after each step.")
@click.option("--decimals", is_flag=True, help="Write 0.5 for 1/2 in --to.")
@click.option("--plot", "plot_file", metavar="FILE", help="Draw the updates, for two features (.png, .svg, .pdf).")
@json_option
def trace(source: str, **given: object) -> None:
    """Run a dialect's algorithm step by step: each example presented, its score, and the weights it leaves.

    \b
    Examples:
      rosenblatt trace @lecture4 --start=-5,0,1
      rosenblatt trace @and --convention L3 --plot and.png
      rosenblatt trace @and --convention L0 --to latex --blank score,mistake,before,update,after
      rosenblatt trace @iris --positive setosa --mistakes-only --json
    """
    read_options, options = read_options_from(given), chosen(TraceOptions, given)
    options.check()
    check_places((source,), {"--plot": options.plot_file})
    made = textbook_run(source, read_options, given)

    from rosenblatt.cli.output.printing import echo, note, print_json, write_plot

    if options.plot_file:
        from rosenblatt import plot

        names = made.loaded.features.names()
        write_plot(plot.trace(made.run.steps, made.X, made.y, feature_names=names), options.plot_file)
    shown = [step for step in made.run.steps if step.mistake or not options.mistakes_only]
    if options.as_json:
        print_json(_as_json(made, shown))
        return
    table = _table(made, options.to, options) if options.to else None
    note(*made.loaded.notes, f"the rule: {made.convention}", f"the positive class (y = +1) is {made.positive!r}")
    if table is not None:
        echo(table)
        return
    _print_steps(shown, made.loaded.features.names(), made.has_offset)
    run = made.run
    echo(f"\n{run.status} after {run.n_mistakes} mistakes in {len(run.steps)} steps; w = {_vector(run.w)}")


def _table(made: TextbookRun, form: Literal["markdown", "latex", "csv", "html", "typst"], options: TraceOptions) -> str:
    from rosenblatt.trace import step_table

    return step_table(
        made.run.steps,
        form,
        columns=_listed(options.columns) or None,
        notation=options.notation,
        labels=options.labels,
        blanks=_listed(options.blank),
        mistakes_only=options.mistakes_only,
        pocket=options.pocket,
        decimals=options.decimals,
        has_offset=made.has_offset,
    )


def _listed(text: str | None) -> list[str]:
    return [part.strip() for part in text.split(",")] if text else []


def _print_steps(steps: "Iterable[Step]", names: list[str], offset: bool) -> None:
    from rich.table import Table

    from rosenblatt.cli.output.printing import console, shown

    table = Table(box=None, pad_edge=False, header_style="bold")
    w = (["w0"] if offset else []) + [f"w {name}" for name in names]
    for heading in ("step", "epoch", "example", "x", "y", "score", "", f"w = [{', '.join(islice(w, _WIDEST))}]"):
        table.add_column(
            shown(heading), justify="right" if heading in ("step", "epoch", "example", "y", "score") else "left"
        )
    for step in steps:
        table.add_row(
            str(step.k + 1), str(step.epoch + 1), str(step.i + 1), shown(_vector(step.x[1:] if offset else step.x)),
            f"{step.y:+d}", f"{step.score:g}", "mistake" if step.mistake else "", shown(_vector(step.w_after)),
        )  # fmt: skip
    console().print(table)


def _vector(values: "NDArray[np.float64]") -> str:
    shown = ", ".join(f"{value:g}" for value in values[:_WIDEST])
    return f"[{shown}{', …' if len(values) > _WIDEST else ''}]"


def _as_json(made: TextbookRun, steps: "list[Step]") -> dict[str, object]:
    return {
        "convention": made.convention.name,
        "rule": str(made.convention),
        "positive": made.positive,
        "steps": [_as_dict(step) for step in steps],
        "status": made.run.status,
        "w": made.run.w.tolist(),
        "mistakes": made.run.n_mistakes,
        "epochs": made.run.n_iter,
    }


def _as_dict(step: "Step") -> dict[str, object]:
    return {
        "step": step.k + 1,
        "epoch": step.epoch + 1,
        "example": step.i + 1,
        "x": step.x.tolist(),
        "y": step.y,
        "score": step.score,
        "mistake": step.mistake,
        "score_after": step.score_after,
        "w": step.w_after.tolist(),
    }
