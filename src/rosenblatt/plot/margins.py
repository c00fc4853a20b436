"""Histograms of scores: the distance of the examples from the boundary."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rosenblatt.plot.canvas import COLOURS, GREY, HATCHES, LITERAL, legend, new_figure


def margins(scores: ArrayLike, y: ArrayLike, *, title: str | None = None) -> Any:
    """Draws the distribution of the scores of two classes; examples on the wrong side of 0 are errors.

    `scores` are w·x + w₀ (divide by ‖w‖ for distances). The later class of y is the positive one.

    Examples
    --------
    >>> from rosenblatt import Perceptron, data, plot
    >>> iris = data.load("iris")
    >>> setosa = iris.y == "setosa"
    >>> perceptron = Perceptron().fit(iris.X, setosa)
    >>> figure = plot.margins(perceptron.decision_function(iris.X), setosa)
    """
    values, labels = np.asarray(scores, dtype=float), np.asarray(y)
    classes = np.unique(labels)
    if values.ndim != 1 or len(classes) != 2:
        raise ValueError(f"margins are shown for two classes; y has {len(classes)}. Plot the confusion instead.")
    figure, [ax] = new_figure(7, 4.2)
    edges = np.histogram_bin_edges(values, bins=min(60, max(10, int(np.sqrt(len(values))))))
    bars, names = [], []
    for c, label in enumerate(classes):
        mine = values[labels == label]
        wrong = int(((mine > 0) != (c == 1)).sum())
        bars.append(
            ax.hist(mine, bins=edges.tolist(), color=COLOURS[c], alpha=0.55, hatch=HATCHES[c], edgecolor="white")[2]
        )
        names.append(f"{label} ({wrong:,} of {len(mine):,} on the wrong side)")
    ax.axvline(0, color="black", linewidth=1.2)
    ax.annotate("boundary", (0, 1), xycoords=("data", "axes fraction"), xytext=(3, -12), textcoords="offset points",
                color=GREY)  # fmt: skip
    ax.set(xlabel="score", ylabel="examples")
    ax.set_title(title or "Distance from the boundary", **LITERAL)
    legend(ax, bars, names, loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=2)
    return figure
