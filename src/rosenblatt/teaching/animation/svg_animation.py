"""An animated SVG that needs nothing but a browser: every frame is a group, and CSS shows one after the other."""

from collections.abc import Sequence
from html import escape

import numpy as np

from rosenblatt.plot.themes import Theme
from rosenblatt.teaching.animation.frames import TITLE, Array, Frame, Scene, arrows, line, positive_side


class _Canvas:
    """Maps points of the plane to pixels."""

    def __init__(self, limits: Sequence[tuple[float, float]], width: int, height: int) -> None:
        (self.left, self.right), (self.bottom, self.top) = limits
        self.width, self.height = width, height

    def at(self, point: Sequence[float] | Array) -> tuple[float, float]:
        x = (float(point[0]) - self.left) / (self.right - self.left) * self.width
        y = (self.top - float(point[1])) / (self.top - self.bottom) * (self.height - TITLE) + TITLE
        return round(x, 2), round(y, 2)


def svg(scene: Scene, theme: Theme, width: int, height: int) -> str:
    """The whole file."""
    canvas = _Canvas(scene.limits, width, height)
    total = sum(frame.seconds for frame in scene.frames)
    styles, groups = [], []
    begin = 0.0
    for k, frame in enumerate(scene.frames):
        end = begin + frame.seconds
        a, b = 100 * begin / total, 100 * end / total
        styles.append(
            f"@keyframes f{k}{{0%{{visibility:hidden}}{a:.4f}%{{visibility:visible}}{b:.4f}%{{visibility:hidden}}}}"
            f"#f{k}{{visibility:hidden;animation:f{k} {total:.3f}s step-end infinite}}"
        )
        groups.append(f'<g id="f{k}">{_frame(frame, scene, canvas, theme)}</g>')
        begin = end
    points = "".join(_marker(canvas.at(x), int(y), theme) for x, y in zip(scene.X, scene.y, strict=True))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="system-ui, sans-serif">\n<title>A perceptron learns</title>\n<style>{"".join(styles)}</style>\n'
        f'<rect width="{width}" height="{height}" fill="{theme.paper}"/>\n{_axes(canvas, theme)}\n'
        + "\n".join(groups)
        + f"\n{points}\n</svg>\n"
    )


def _axes(canvas: _Canvas, theme: Theme) -> str:
    axes = []
    if canvas.left < 0 < canvas.right:
        axes.append(_segment(canvas.at((0, canvas.bottom)), canvas.at((0, canvas.top)), theme.axis, 1))
    if canvas.bottom < 0 < canvas.top:
        axes.append(_segment(canvas.at((canvas.left, 0)), canvas.at((canvas.right, 0)), theme.axis, 1))
    return "".join(axes)


def _frame(frame: Frame, scene: Scene, canvas: _Canvas, theme: Theme) -> str:
    parts = []
    side = positive_side(frame.w, scene.limits)
    if len(side) > 2:
        corners = " ".join(f"{x},{y}" for x, y in map(canvas.at, side))
        parts.append(f'<polygon points="{corners}" fill="{theme.positive}" opacity="{theme.region}"/>')
    before = line(frame.w_before, scene.limits)
    if before is not None and frame.share > 0:
        parts.append(_segment(canvas.at(before[0]), canvas.at(before[1]), theme.ghost, 1.5, "7 5"))
    now = line(frame.w, scene.limits)
    if now is not None:
        parts.append(_segment(canvas.at(now[0]), canvas.at(now[1]), theme.ink, 2.5))
    parts += _vectors(frame, scene, canvas, theme)
    if not frame.is_end:
        x, y = canvas.at(frame.step.x[-2:])
        colour = theme.change if frame.step.mistake else theme.ink
        parts.append(f'<circle cx="{x}" cy="{y}" r="14" fill="none" stroke="{colour}" stroke-width="2.5"/>')
    colour = theme.change if frame.step.mistake and not frame.is_end and frame.share < 1 else theme.ink
    parts.append(f'<text x="12" y="23" font-size="17" fill="{colour}">{escape(frame.title)}</text>')
    return "".join(parts)


def _vectors(frame: Frame, scene: Scene, canvas: _Canvas, theme: Theme) -> list[str]:
    before, now = arrows(frame, scene)
    origin = scene.origin
    parts = []
    if frame.share > 0:
        colour = theme.classes[int(frame.step.y > 0)]
        parts.append(_arrow(canvas.at(origin), canvas.at(before), theme.ghost, 2))
        parts.append(_arrow(canvas.at(before), canvas.at(now), colour, 3))
    parts.append(_arrow(canvas.at(origin), canvas.at(now), theme.ink, 3))
    return parts


def _segment(a: tuple[float, float], b: tuple[float, float], colour: str, width: float, dash: str = "") -> str:
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<line x1="{a[0]}" y1="{a[1]}" x2="{b[0]}" y2="{b[1]}" stroke="{colour}" stroke-width="{width}"{dashed}/>'


def _arrow(a: tuple[float, float], b: tuple[float, float], colour: str, width: float) -> str:
    change = np.array(b) - np.array(a)
    length = float(np.linalg.norm(change))
    if length < 2:
        return ""
    along = change / length
    across = np.array([-along[1], along[0]])
    base = np.array(b) - min(11.0, length) * along
    corners = [b, tuple(base + 5 * across), tuple(base - 5 * across)]
    points = " ".join(f"{x:.2f},{y:.2f}" for x, y in corners)
    shaft = (round(float(base[0]), 2), round(float(base[1]), 2))
    return _segment(a, shaft, colour, width) + f'<polygon points="{points}" fill="{colour}"/>'


def _marker(at: tuple[float, float], y: int, theme: Theme) -> str:
    """● for +1 and ▲ for −1."""
    x, up = at
    if y > 0:
        return f'<circle cx="{x}" cy="{up}" r="7" fill="{theme.positive}" stroke="{theme.paper}" stroke-width="1.4"/>'
    corners = " ".join(
        f"{x + 8.75 * np.cos(turn):.2f},{up + 8.75 * np.sin(turn):.2f}" for turn in np.radians([-90, 30, 150])
    )
    return f'<polygon points="{corners}" fill="{theme.negative}" stroke="{theme.paper}" stroke-width="1.4"/>'
