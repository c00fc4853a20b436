"""Writes a run as an animation."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from numpy.typing import ArrayLike

from rosenblatt.conventions.step import Step
from rosenblatt.plot.themes import THEMES
from rosenblatt.teaching.animation.frames import TITLE, scene_of
from rosenblatt.teaching.animation.raster import gif, mp4
from rosenblatt.teaching.animation.svg_animation import svg
from rosenblatt.whole_file import check_place, write_whole

SUFFIXES = (".gif", ".svg", ".html", ".mp4")


def animate(
    steps: Sequence[Step],
    X: ArrayLike,
    y: ArrayLike,
    out: str | Path,
    *,
    speed: float = 1.0,
    width: int = 800,
    height: int = 600,
    theme: Literal["light", "dark"] = "light",
    mistakes_only: bool = False,
) -> None:
    """Writes a run over two features as an animation: the line turns, and the update is drawn as a vector addition.

    Parameters
    ----------
    steps : sequence of Step
        From `textbook.online`, or an estimator's `trace_`.
    X, y : arrays
        The examples of two features, and their labels +1 and −1.
    out : str or Path
        The output file. Its suffix gives the format: .svg and .html need no other package, .gif needs matplotlib, .mp4
        also ffmpeg.
    speed : float, default=1.0
        2 is twice as fast.
    width, height : int, default=800, 600
        In pixels.
    theme : {"light", "dark"}, default="light"
        The colours of the lab's page.
    mistakes_only : bool, default=False
        Leave out the steps that change nothing.

    Examples
    --------
    >>> from pathlib import Path
    >>> from rosenblatt import conventions, textbook
    >>> from rosenblatt.teaching import animate
    >>> X, y = [[5, 7], [2, 6]], [1, -1]
    >>> steps = list(textbook.online(X, y, **conventions.L4, start=[-5, 0, 1]))
    >>> animate(steps, X, y, "run.svg")
    >>> Path("run.svg").read_text()[:4]
    '<svg'
    >>> Path("run.svg").unlink()
    """
    suffix = Path(out).suffix.lower()
    if suffix not in SUFFIXES:
        raise ValueError(f"an animation is written as {', '.join(SUFFIXES)}; got {str(out)!r}. Change the suffix.")
    if theme not in THEMES:
        raise ValueError(f"theme must be 'light' or 'dark'; got {theme!r}.")
    if not (isinstance(width, int) and isinstance(height, int) and 100 <= width <= 4000 and 100 <= height <= 4000):
        raise ValueError(f"width and height must be from 100 to 4000 pixels; got {width!r} and {height!r}.")
    check_place(out)
    scene = scene_of(steps, X, y, shape=width / (height - TITLE), mistakes_only=mistakes_only, speed=speed)
    colours = THEMES[theme]
    if suffix == ".gif":
        write_whole(out, gif(scene, colours, width, height))
    elif suffix == ".mp4":
        write_whole(out, mp4(scene, colours, width, height))
    else:
        picture = svg(scene, colours, width, height)
        page = (
            '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>A perceptron learns</title>'
            f"<style>body{{margin:0;background:{colours.paper};display:grid;place-items:center}}</style>"
            f"</head><body>\n{picture}</body></html>\n"
        )
        write_whole(out, (page if suffix == ".html" else picture).encode())
