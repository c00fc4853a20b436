"""The frames of an animation: for every step its example, and for an update the line as it turns."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.conventions.step import Step
from rosenblatt.plot.trace_figure import limits_of

Array = NDArray[np.float64]
_TURNING = 6  # frames per update
_MOST_STEPS = 400
#: Height of the title, in pixels.
TITLE = 34


@dataclass(frozen=True)
class Frame:
    """One frame: the weights to draw, the weights before, the example presented, and the duration."""

    w: Array
    w_before: Array
    step: Step
    share: float  # the completed share of the update: 0, …, 1
    title: str
    seconds: float
    is_end: bool = False


@dataclass(frozen=True)
class Scene:
    """All frames, the examples, the visible part of the plane, and the position and scale of drawn vectors."""

    frames: list[Frame]
    X: Array
    y: NDArray[np.int64]
    limits: list[tuple[float, float]]
    origin: Array
    scale: float


def scene_of(
    steps: Sequence[Step], X: Any, y: Any, *, shape: float, mistakes_only: bool = False, speed: float = 1.0
) -> Scene:
    """The frames of a run over two features with the labels +1 and −1; `shape` is the picture's width / height."""
    points, labels = np.asarray(X, dtype=float), np.asarray(y)
    if points.ndim != 2 or points.shape[1] != 2:
        raise ValueError(f"an animation shows two features; X has shape {points.shape}. Choose two columns.")
    if not set(labels.tolist()) <= {-1, 1}:
        raise ValueError("an animation takes the labels +1 and −1: np.where(y == positive, 1, -1).")
    if not 0.05 <= speed <= 20:
        raise ValueError(f"speed must be a number from 0.05 to 20; got {speed!r}.")
    shown = [step for step in steps if step.mistake or not mistakes_only]
    if not shown:
        raise ValueError("the run has no step to show.")
    if len(shown) > _MOST_STEPS:
        raise ValueError(f"the run has {len(shown):,} steps, and an animation at most {_MOST_STEPS}. Limit the steps.")
    weights = [w for step in shown for w in (step.w_before, step.w_after)]
    limits = _of_shape(limits_of(points, weights), shape)
    (left, right), (bottom, top) = limits
    longest = max(float(np.linalg.norm(w[-2:])) for w in weights)
    scale = min(1.0, 0.35 * min(right - left, top - bottom) / max(longest, 1e-300))
    has_zero = left < 0 < right and bottom < 0 < top
    origin = np.zeros(2) if has_zero else np.array([(left + right) / 2, (bottom + top) / 2])
    return Scene(list(_frames(shown, speed)), points, labels.astype(np.int64), limits, origin, scale)


def _of_shape(limits: Sequence[tuple[float, float]], shape: float) -> list[tuple[float, float]]:
    """The limits extended to the aspect ratio `shape`, so that right angles are drawn as right angles."""
    sizes = [high - low for low, high in limits]
    unit = max(sizes[0] / shape, sizes[1])
    wanted = (unit * shape, unit)
    return [
        (low - (want - size) / 2, high + (want - size) / 2)
        for (low, high), size, want in zip(limits, sizes, wanted, strict=True)
    ]


def _frames(steps: Sequence[Step], speed: float) -> Iterator[Frame]:
    for step in steps:
        name = f"step {step.k + 1}, example {step.i + 1}"
        w, after = step.w_before, step.w_after
        if not step.mistake:
            yield Frame(w, w, step, 0.0, f"{name}: right, score {step.score:g}", 0.6 / speed)
            continue
        mistake = f"{name}: mistake, score {step.score:g}"
        yield Frame(w, w, step, 0.0, mistake, 1.0 / speed)
        for k in range(1, _TURNING):
            share = k / _TURNING
            yield Frame(w + share * (after - w), w, step, share, mistake, 0.08 / speed)
        weights = ", ".join(f"{value:g}" for value in after)
        yield Frame(after, w, step, 1.0, f"{name}: now w = [{weights}]", 1.0 / speed)
    last = steps[-1]
    weights = ", ".join(f"{value:g}" for value in last.w_after)
    yield Frame(last.w_after, last.w_after, last, 0.0, f"the end: w = [{weights}]", 2.0 / speed, is_end=True)


def line(w: Array, limits: Sequence[tuple[float, float]]) -> tuple[Array, Array] | None:
    """Where the line w₀ + w₁x₁ + w₂x₂ = 0 enters and leaves the picture; None if it does not cross it."""
    offset, normal = (0.0, w) if len(w) == 2 else (float(w[0]), w[1:])
    (left, right), (bottom, top) = limits
    a, b = float(normal[0]), float(normal[1])
    found: list[tuple[float, float]] = []
    if b:
        found += [(x, -(offset + a * x) / b) for x in (left, right)]
    if a:
        found += [(-(offset + b * y) / a, y) for y in (bottom, top)]
    slack = 1e-9 * max(right - left, top - bottom)
    inside = [p for p in found if left - slack <= p[0] <= right + slack and bottom - slack <= p[1] <= top + slack]
    inside = sorted(set(inside))
    return None if len(inside) < 2 else (np.array(inside[0]), np.array(inside[-1]))


def positive_side(w: Array, limits: Sequence[tuple[float, float]]) -> Array:
    """The corners of the part of the picture where the score is positive."""
    (left, right), (bottom, top) = limits
    corners = [(left, bottom), (right, bottom), (right, top), (left, top)]
    full = np.array([0.0, *w]) if len(w) == 2 else w
    scores = [full[0] + full[1] * x + full[2] * y for x, y in corners]
    polygon: list[tuple[float, float]] = []
    for k in range(4):
        (x, y), s = corners[k], scores[k]
        (x2, y2), s2 = corners[(k + 1) % 4], scores[(k + 1) % 4]
        if s > 0:
            polygon.append((x, y))
        if s * s2 < 0:
            t = s / (s - s2)
            polygon.append((x + t * (x2 - x), y + t * (y2 - y)))
    return np.array(polygon)


def arrows(frame: Frame, scene: Scene) -> tuple[Array, Array]:
    """The vector addition: the tips of w before the update, and of w in this frame."""
    return scene.origin + scene.scale * frame.step.w_before[-2:], scene.origin + scene.scale * frame.w[-2:]
