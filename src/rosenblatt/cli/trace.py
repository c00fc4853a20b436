"""`rosenblatt trace`: the lecture's table of steps."""

from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from rosenblatt.cli.options import json_option, reading_options, source_argument, wishes_from
from rosenblatt.cli.places import check_places

if TYPE_CHECKING:
    from rosenblatt.textbook import Step

_WIDEST = 8


@click.command()
@source_argument
@reading_options
@click.option(
    "--convention",
    type=click.Choice(["L0", "L1", "L1_offset", "L2", "L3", "L4"]),
    default="L4",
    show_default=True,
    help="The lecture whose algorithm is walked.",
)
@click.option("--start", metavar="W0,W1,…", help="First weights, the offset first.")
@click.option("--positive", metavar="CLASS", help="This class against all others; else the later of two.")
@click.option("--steps", type=click.IntRange(min=1), default=100, show_default=True, help="At most this many.")
@click.option("--mistakes-only", is_flag=True, help="Leave out the steps that change nothing.")
@click.option("--random-state", type=click.IntRange(0, 2**32 - 1), default=0, show_default=True, help="The seed.")
@click.option("--plot", "plot_file", metavar="FILE", help="Draw the updates, for two features (.png, .svg, .pdf).")
@json_option
def trace(source: str, **options: Any) -> None:
    """Walk a lecture's algorithm step by step: each example presented, its score, and the weights it leaves.

    \b
    Examples:
      rosenblatt trace @lecture4 --start=-5,0,1
      rosenblatt trace @and --convention L3 --plot and.png
      rosenblatt trace @iris --positive setosa --mistakes-only --json
    """
    wishes = wishes_from(options)
    check_places((source,), {"--plot": options["plot_file"]})
    start = _start(options["start"])

    from rosenblatt import conventions, textbook
    from rosenblatt.cli.printing import echo, note, print_json, write_plot
    from rosenblatt.data import DataError, Sparse, read

    loaded = read(source, wishes)
    if isinstance(loaded.X, Sparse):
        raise DataError(f"{loaded.name}: a trace is for small tables, and svmlight files are sparse. Use train.")
    convention = dict(getattr(conventions, options["convention"]))
    width = loaded.X.shape[1] + bool(convention["fit_intercept"])
    if start is not None and len(start) != width:
        raise click.BadParameter(f"{width} weights are needed, got {len(start)}", param_hint="--start")
    y, positive = _signs(loaded.needs_labels(), options["positive"], loaded.name)
    run = textbook.online(
        loaded.X, y, **convention, start=start, max_steps=options["steps"], random_state=options["random_state"]
    )
    ended = textbook.run(run)
    if options["plot_file"]:
        from rosenblatt import plot

        names = loaded.features.names()
        write_plot(plot.trace(ended.steps, loaded.X, y, feature_names=names), options["plot_file"])
    shown = [step for step in ended.steps if step.mistake or not options["mistakes_only"]]
    if options["as_json"]:
        print_json(
            {
                "convention": options["convention"],
                "positive": positive,
                "steps": [_as_dict(step) for step in shown],
                "status": ended.status,
                "w": ended.w.tolist(),
                "mistakes": ended.n_mistakes,
                "epochs": ended.n_iter,
            }
        )
        return
    note(*loaded.notes, f"the positive class (y = +1) is {positive!r}")
    _print_steps(shown, loaded.features.names(), bool(convention["fit_intercept"]))
    echo(f"\n{ended.status} after {ended.n_mistakes} mistakes in {len(ended.steps)} steps; w = {_vector(ended.w)}")


def _start(text: str | None) -> list[float] | None:
    if text is None:
        return None
    try:
        return [float(part) for part in text.split(",")]
    except ValueError as error:
        raise click.BadParameter("give numbers with commas, such as --start=-5,0,1", param_hint="--start") from error


def _signs(labels: Any, positive: str | None, name: str) -> tuple[Any, Any]:
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


def _print_steps(steps: "Iterable[Step]", names: list[str], offset: bool) -> None:
    from rich.table import Table

    from rosenblatt.cli.printing import console, shown

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


def _vector(values: Any) -> str:
    shown = ", ".join(f"{value:g}" for value in values[:_WIDEST])
    return f"[{shown}{', …' if len(values) > _WIDEST else ''}]"


def _as_dict(step: "Step") -> dict[str, Any]:
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
