"""`rosenblatt animate`: a run as an animation for slides."""

from dataclasses import asdict, dataclass
from typing import Literal

import click

from rosenblatt.cli.options.option_values import chosen
from rosenblatt.cli.options.reading_options import read_options_from, reading_options, source_argument
from rosenblatt.cli.options.textbook_options import textbook_options, textbook_run
from rosenblatt.cli.output.places import check_places


@dataclass(frozen=True)
class Appearance:
    """The options for the look of an animation."""

    speed: float
    width: int
    height: int
    theme: Literal["light", "dark"]
    mistakes_only: bool


@click.command()
@source_argument
@reading_options
@textbook_options
@click.option("--mistakes-only", is_flag=True, help="Leave out the steps that change nothing.")
@click.option("--out", metavar="FILE", required=True, help="The file: .gif, .svg, .html, or .mp4 (needs ffmpeg).")
@click.option("--speed", type=click.FloatRange(0.05, 20), default=1.0, show_default=True, help="2 is twice as fast.")
@click.option("--width", type=click.IntRange(100, 4000), default=800, show_default=True, help="In pixels.")
@click.option("--height", type=click.IntRange(100, 4000), default=600, show_default=True, help="In pixels.")
@click.option("--theme", type=click.Choice(["light", "dark"]), default="light", show_default=True, help="Colours.")
def animate(source: str, out: str, **options: object) -> None:
    """Animate a run over two features: the line turns, the update is a vector addition, the mistake is marked.

    \b
    Examples:
      rosenblatt animate @lecture4 --start=-5,0,1 --out lecture4.gif
      rosenblatt animate @and --convention L0 --theme dark --out and.svg
    """
    read_options = read_options_from(options)
    check_places((source,), {"--out": out})
    made = textbook_run(source, read_options, options)

    from rosenblatt import teaching
    from rosenblatt.cli.output.printing import note

    teaching.animate(made.run.steps, made.X, made.y, out, **asdict(chosen(Appearance, options)))
    note(*made.loaded.notes, f"the rule: {made.convention}", f"the positive class (y = +1, ●) is {made.positive!r}")
