"""Frames as raster images: a GIF by Pillow, which matplotlib depends on, or an MP4 by ffmpeg."""

import io
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from rosenblatt.plot.canvas import LITERAL
from rosenblatt.plot.themes import MARKERS, Theme
from rosenblatt.teaching.animation.frames import TITLE, Frame, Scene, arrows, line, positive_side

_DPI = 100
_RATE = 25  # frames per second of an MP4


def pictures(scene: Scene, theme: Theme, width: int, height: int) -> list[Any]:
    """Every frame as a Pillow image."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
        from PIL import Image
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "animations as .gif and .mp4 need matplotlib: pip install 'rosenblatt[plot]'. A .svg needs nothing.",
            name="matplotlib",
        ) from error
    figure = Figure(figsize=(width / _DPI, height / _DPI), dpi=_DPI, facecolor=theme.paper)
    canvas: Any = FigureCanvasAgg(figure)
    found = []
    for frame in scene.frames:
        figure.clear()
        _draw(figure.add_axes((0, 0, 1, 1 - TITLE / height)), frame, scene, theme)
        colour = theme.change if frame.step.mistake and not frame.is_end and frame.share < 1 else theme.ink
        figure.text(12 / width, 1 - 23 / height, frame.title, color=colour, fontsize=12, **LITERAL)
        canvas.draw()
        found.append(Image.frombuffer("RGBA", canvas.get_width_height(), canvas.buffer_rgba()).convert("RGB"))
    return found


def gif(scene: Scene, theme: Theme, width: int, height: int) -> bytes:
    """An animated GIF that repeats."""
    images = pictures(scene, theme, width, height)
    file = io.BytesIO()
    durations = [round(1000 * frame.seconds) for frame in scene.frames]
    images[0].save(
        file, format="GIF", save_all=True, append_images=images[1:], duration=durations, loop=0, disposal=1
    )  # fmt: skip
    return file.getvalue()


def mp4(scene: Scene, theme: Theme, width: int, height: int) -> bytes:
    """An MP4 (H.264, 25 frames per second)."""
    program = shutil.which("ffmpeg")
    if program is None:
        raise ValueError("an .mp4 needs the program ffmpeg, which is not here. Install it, or write a .gif or an .svg.")
    images = pictures(scene, theme, width - width % 2, height - height % 2)
    with tempfile.TemporaryDirectory() as folder:
        number = 0
        for frame, image in zip(scene.frames, images, strict=True):
            for _ in range(max(1, round(frame.seconds * _RATE))):
                image.save(Path(folder) / f"{number:06d}.png", compress_level=1)
                number += 1
        out = Path(folder) / "run.mp4"
        command = [program, "-y", "-loglevel", "error", "-framerate", str(_RATE), "-i", f"{folder}/%06d.png"]
        command += ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-movflags", "+faststart", str(out)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode or not out.exists():
            reason = " ".join(done.stderr.split())[-300:] or "no reason was given"
            raise ValueError(f"ffmpeg could not write the .mp4: {reason}. Write a .gif or an .svg instead.")
        return out.read_bytes()


def _draw(ax: Any, frame: Frame, scene: Scene, theme: Theme) -> None:
    ax.set_axis_off()
    ax.set_xlim(scene.limits[0])
    ax.set_ylim(scene.limits[1])
    ax.axhline(0, color=theme.axis, linewidth=1, zorder=0)
    ax.axvline(0, color=theme.axis, linewidth=1, zorder=0)
    side = positive_side(frame.w, scene.limits)
    if len(side) > 2:
        ax.fill(side[:, 0], side[:, 1], color=theme.positive, alpha=theme.region, linewidth=0, zorder=0)
    before = line(frame.w_before, scene.limits)
    if before is not None and frame.share > 0:
        ax.plot(*zip(*before, strict=True), color=theme.ghost, linewidth=1.2, linestyle="--", zorder=1)
    now = line(frame.w, scene.limits)
    if now is not None:
        ax.plot(*zip(*now, strict=True), color=theme.ink, linewidth=2, zorder=1)
    for c, label in enumerate((-1, 1)):
        mine = scene.X[scene.y == label]
        style = {"c": theme.classes[c], "marker": MARKERS[c], "edgecolors": theme.paper, "linewidths": 1.2}
        ax.scatter(mine[:, 0], mine[:, 1], s=130, zorder=4, **style)
    old, new = arrows(frame, scene)
    origin = scene.origin
    if frame.share > 0:
        _arrow(ax, origin, old, theme.ghost, 1.5)
        _arrow(ax, old, new, theme.classes[int(frame.step.y > 0)], 2.2)
    _arrow(ax, origin, new, theme.ink, 2.2)
    if not frame.is_end:
        x, y = frame.step.x[-2:]
        colour = theme.change if frame.step.mistake else theme.ink
        ax.scatter([x], [y], s=520, facecolors="none", edgecolors=colour, linewidths=2, zorder=5)


def _arrow(ax: Any, a: Any, b: Any, colour: str, width: float) -> None:
    if abs(b - a).max() > 1e-9:
        style = {"arrowstyle": "-|>", "color": colour, "linewidth": width, "shrinkA": 0, "shrinkB": 0}
        ax.annotate("", xy=tuple(b), xytext=tuple(a), arrowprops={**style, "mutation_scale": 16}, zorder=3)
