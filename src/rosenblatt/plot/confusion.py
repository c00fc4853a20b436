"""Confusion matrices."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rosenblatt.plot.canvas import LITERAL, new_figure
from rosenblatt.visible import visible

_NUMBERED = 20


def confusion(matrix: ArrayLike, classes: ArrayLike, *, title: str | None = None) -> Any:
    """Draws a confusion matrix: rows are true classes, columns predicted classes, the shade is the share of the row.

    Examples
    --------
    >>> from rosenblatt import plot
    >>> figure = plot.confusion([[8, 2], [1, 9]], ["ham", "spam"])
    >>> figure.axes[0].get_title()
    '3 of 20 misclassified'
    """
    counts, names = np.asarray(matrix), [visible(str(c)) for c in np.asarray(classes).tolist()]
    if counts.shape != (len(names), len(names)):
        raise ValueError(f"a confusion matrix of {len(names)} classes has {len(names)} rows; got {counts.shape}.")
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    size = min(12.0, 2.8 + 0.5 * len(names))
    figure, [ax] = new_figure(size + 0.8, size)
    image = ax.imshow(shares, cmap="cividis", vmin=0, vmax=1)
    ax.spines[:].set_visible(False)
    ax.set_xticks(range(len(names)), names, rotation=45 if max(map(len, names)) > 3 else 0, **LITERAL)
    ax.set_yticks(range(len(names)), names, **LITERAL)
    ax.set(xlabel="predicted", ylabel="true")
    if len(names) <= _NUMBERED:
        for i in range(len(names)):
            for j in range(len(names)):
                if counts[i, j]:
                    shade = "black" if shares[i, j] > 0.55 else "white"
                    ax.text(j, i, f"{counts[i, j]:,}", ha="center", va="center", color=shade, fontsize=9)
    figure.colorbar(image, ax=ax, label="share of the true class", shrink=0.8)
    errors = int(counts.sum() - np.trace(counts))
    ax.set_title(title or f"{errors:,} of {int(counts.sum()):,} misclassified", **LITERAL)
    return figure
