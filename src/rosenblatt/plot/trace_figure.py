"""A run as small multiples: one panel per mistake."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rosenblatt.plot.canvas import GREY, LITERAL, new_figure
from rosenblatt.plot.themes import LIGHT, MARKERS
from rosenblatt.visible import visible

_COLUMNS = 4
_FAR = 4  # a line farther away than this many times the size of the set does not enlarge the panels


def trace(
    steps: Sequence[Any],
    X: ArrayLike,
    y: ArrayLike,
    *,
    most: int = 12,
    feature_names: Sequence[str] | None = None,
    title: str | None = None,
) -> Any:
    """The updates of a run in two dimensions: the boundary before (dashed) and after (solid), the example ringed.

    `steps` are those that `textbook.online` yields, or an estimator's `trace_`. If there are more than `most` updates,
    the first and the last of them are shown. The later of the two labels in y is the positive class. It is drawn as a
    blue circle and the negative class as an orange triangle, as in the lab and in L4's example.

    Examples
    --------
    >>> from rosenblatt import conventions, plot, textbook
    >>> X, y = [[5, 7], [2, 6]], [1, -1]
    >>> figure = plot.trace(list(textbook.online(X, y, **conventions.L4, start=[-5, 0, 1])), X, y)
    >>> len(figure.axes)
    8
    """
    points, labels = np.asarray(X, dtype=float), np.asarray(y)
    if points.ndim != 2 or points.shape[1] != 2:
        raise ValueError(f"a trace is drawn for two features; X has shape {points.shape}.")
    if len(np.unique(labels)) != 2:
        raise ValueError(f"a trace is drawn for two classes; y has {len(np.unique(labels))}. Choose one run of many.")
    updates = [step for step in steps if step.mistake]
    if not updates:
        raise ValueError("the run made no mistake: there is no update to draw.")
    numbered = list(enumerate(updates, 1))
    if len(numbered) > most:
        numbered = numbered[: most - most // 2] + numbered[-(most // 2) :]
    columns = min(_COLUMNS, len(numbered))
    rows = -(-len(numbered) // columns)
    figure, axes = new_figure(2.7 * columns, 2.7 * rows + 0.5, rows, columns)
    limits = limits_of(points, [w for _, step in numbered for w in (step.w_before, step.w_after)])
    names = list(feature_names) if feature_names is not None else ["x1", "x2"]
    for ax in axes[len(numbered) :]:
        ax.set_visible(False)
    for panel, (ax, (number, step)) in enumerate(zip(axes, numbered, strict=False)):
        for c, label in enumerate(np.unique(labels)):
            mine = points[labels == label]
            ax.scatter(mine[:, 0], mine[:, 1], s=24, c=LIGHT.classes[c], marker=MARKERS[c], zorder=3)
        ax.scatter(
            points[step.i, 0], points[step.i, 1], s=130, facecolors="none", edgecolors="black", linewidths=1.3, zorder=4
        )
        _boundary(ax, step.w_before, limits, color=GREY, linestyle="--", linewidth=1.1)
        _boundary(ax, step.w_after, limits, color="black", linewidth=1.5)
        ax.set_xlim(limits[0])
        ax.set_ylim(limits[1])
        weights = ", ".join(f"{value:g}" for value in step.w_after)
        ax.set_title(f"mistake {number}, epoch {step.epoch + 1}\nw = [{weights}]", fontsize=8)
        ax.tick_params(labelsize=7)
        if panel % columns == 0:
            ax.set_ylabel(visible(names[1]), **LITERAL)
        if panel + columns >= len(numbered):
            ax.set_xlabel(visible(names[0]), **LITERAL)
    shown = "" if len(numbered) == len(updates) else f" ({len(numbered)} of {len(updates)})"
    figure.suptitle((title or "Every mistake moves the boundary") + shown, fontsize=11, **LITERAL)
    return figure


def limits_of(points: NDArray[np.float64], planes: Sequence[NDArray[np.float64]]) -> list[tuple[float, float]]:
    """The ranges of the axes: all examples, and each line's point nearest to their middle unless it is far away."""
    middle, size = points.mean(axis=0), max(float(np.ptp(points, axis=0).max()), 1.0)
    shown = [points]
    for w in planes:
        offset, normal = (0.0, w) if len(w) == 2 else (w[0], w[1:])
        if np.any(normal):
            nearest = middle - (normal @ middle + offset) / (normal @ normal) * normal
            if np.linalg.norm(nearest - middle) <= _FAR * size:
                shown.append(nearest[None])
    low, high = np.vstack(shown).min(axis=0), np.vstack(shown).max(axis=0)
    margin = np.where(high > low, 0.25 * (high - low), 1.0)
    return list(zip((low - margin).tolist(), (high + margin).tolist(), strict=True))


def _boundary(ax: Any, w: NDArray[np.float64], limits: Sequence[tuple[float, float]], **style: Any) -> None:
    """The line w₀ + w₁x₁ + w₂x₂ = 0 (without an offset, w = [w₁, w₂]), where it crosses the panel."""
    offset, a, b = (0.0, *w) if len(w) == 2 else tuple(w)
    (left, right), (bottom, top) = limits
    if b:
        ax.plot([left, right], [-(offset + a * left) / b, -(offset + a * right) / b], **style)
    elif a:
        ax.plot([-offset / a] * 2, [bottom, top], **style)
