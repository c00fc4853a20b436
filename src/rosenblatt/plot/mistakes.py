"""Mistakes per epoch, and their total compared with a bound."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.plot.canvas import COLOURS, GREY, LITERAL, new_figure


def mistakes(history: NDArray[Any], *, bound: float | None = None, title: str | None = None) -> Any:
    """Draws the mistakes of each epoch, and their running total with a bound such as (R/γ)².

    `history` is an estimator's `history_`. If it was thinned, the total counts each kept epoch for itself and the
    omitted epochs before it, so it is an estimate.

    Examples
    --------
    >>> from rosenblatt import Perceptron, data, plot, theory
    >>> iris = data.load("iris")
    >>> setosa = iris.y == "setosa"
    >>> perceptron = Perceptron().fit(iris.X, setosa)
    >>> figure = plot.mistakes(perceptron.history_, bound=theory.mistake_bound(iris.X, setosa))
    """
    epochs, counts = history["epoch"].astype(float), history["mistakes"].astype(float)
    if not len(epochs):
        raise ValueError("the history is empty: there is no epoch to show.")
    figure, [above, below] = new_figure(7, 6, rows=2)
    few = len(epochs) <= 60
    above.plot(epochs, counts, color=COLOURS[0], marker="o" if few else None, markersize=4, linewidth=1.4)
    above.set(ylabel="mistakes in the epoch", ylim=(0, None))
    above.set_title(title or "Mistakes per epoch", **LITERAL)
    total = np.cumsum(counts * np.diff(epochs, prepend=epochs[0] - 1))
    below.plot(epochs, total, color=COLOURS[0], linewidth=1.8, label="mistakes so far")
    below.set(xlabel="epoch", ylabel="mistakes so far", ylim=(0, None))
    if bound is not None:
        below.axhline(bound, color=COLOURS[5], linestyle="--", linewidth=1.4, label=f"bound (R/γ)² = {bound:,.4g}")
        if bound > 20 * total[-1]:
            below.set_yscale("log")
            below.set_ylim(max(total[0], 1) / 2, bound * 3)
        below.legend(loc="best", frameon=False)
    else:
        below.text(0.99, 0.04, "no bound: not known to be separable", transform=below.transAxes, ha="right", color=GREY)
    return figure
