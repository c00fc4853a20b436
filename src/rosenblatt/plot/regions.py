"""Decision regions over two features."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.ndimage import gaussian_filter

from rosenblatt.plot.canvas import COLOURS, LITERAL, MARKERS, legend, new_figure, palette
from rosenblatt.visible import visible

_GRID = 300
_SHOWN_POINTS = 5000


def regions(
    model: Any,
    X: ArrayLike,
    y: ArrayLike,
    *,
    pair: tuple[int, int] = (0, 1),
    feature_names: Sequence[str] | None = None,
    title: str | None = None,
) -> Any:
    """Draws the predictions of a model (or a function from rows to labels) over two features, with the examples.

    Other features are fixed at their median, and the title says so. Misclassified examples are ringed.

    Examples
    --------
    >>> from rosenblatt import Perceptron, data, plot
    >>> iris = data.load("iris")
    >>> petals = Perceptron(multi_class="ovo", max_iter=100).fit(iris.X[:100, 2:], iris.y[:100])
    >>> figure = plot.regions(petals, iris.X[:100, 2:], iris.y[:100], feature_names=iris.feature_names[2:])
    """
    points = np.asarray(X, dtype=float)
    labels = np.asarray(y)
    a, b = pair
    if points.ndim != 2 or points.shape[1] < 2:
        raise ValueError(f"decision regions need two features; X has shape {points.shape}. Plot the mistakes instead.")
    if a == b or not all(0 <= j < points.shape[1] for j in pair):
        raise ValueError(f"pair must be two different columns of X, which has {points.shape[1]}; got {pair}.")
    predict: Callable[[NDArray[Any]], NDArray[Any]] = getattr(model, "predict", model)
    names = [f"x{j}" for j in range(points.shape[1])] if feature_names is None else list(feature_names)
    across, up = (_range(points[:, j]) for j in pair)
    grid = np.tile(np.median(points, axis=0), (_GRID * _GRID, 1))
    first, second = np.meshgrid(across, up)
    grid[:, a], grid[:, b] = first.ravel(), second.ravel()
    predicted = predict(grid)
    classes = np.union1d(labels, predicted)  # the model may predict classes that y does not contain
    if len(classes) > len(COLOURS):
        raise ValueError(f"decision regions show at most {len(COLOURS)} classes; there are {len(classes)}.")
    found = np.searchsorted(classes, predicted).reshape(_GRID, _GRID)
    figure, [ax] = new_figure(7, 5.5)
    ax.pcolormesh(across, up, found, cmap=palette(COLOURS), vmin=0, vmax=len(COLOURS) - 1, alpha=0.22, rasterized=True)
    for c in range(len(classes)):
        # Smooth over about one cell; otherwise the contour of a 0/1 grid is a staircase.
        share = gaussian_filter((found == c).astype(float), 1.0)
        ax.contour(across, up, share, levels=[0.5], colors="#333333", linewidths=1)

    shown = np.arange(len(points))
    if len(shown) > _SHOWN_POINTS:
        shown = np.sort(np.random.default_rng(0).choice(shown, _SHOWN_POINTS, replace=False))
    wrong = predict(points[shown]) != labels[shown]
    marks, legend_names = [], [*classes.tolist()]
    for c, label in enumerate(classes):
        mine = shown[labels[shown] == label]
        marks.append(ax.scatter(points[mine, a], points[mine, b], s=26, c=COLOURS[c], marker=MARKERS[c],
                                edgecolors="white", linewidths=0.5))  # fmt: skip
    if wrong.any():
        marks.append(ax.scatter(points[shown[wrong], a], points[shown[wrong], b], s=90, facecolors="none",
                                edgecolors="black", linewidths=1.2))  # fmt: skip
        legend_names.append("misclassified")
    ax.set_xlabel(visible(names[a]), **LITERAL)
    ax.set_ylabel(visible(names[b]), **LITERAL)
    others = points.shape[1] - 2
    held = f" ({others} other feature{'s' * (others > 1)} at the median)" if others else ""
    ax.set_title((title or "Decision regions") + held, **LITERAL)
    legend(ax, marks, legend_names, loc="center left", bbox_to_anchor=(1.01, 0.5))
    return figure


def _range(values: NDArray[np.float64]) -> NDArray[np.float64]:
    low, high = values.min(), values.max()
    margin = 0.08 * (high - low) or 1.0
    return np.linspace(low - margin, high + margin, _GRID)
