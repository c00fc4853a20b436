"""Draws images of the README and of the pages: `python docs/make_images.py` (needs matplotlib)."""

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from rosenblatt import Hyperplane, Perceptron, conventions, data, zero_one_loss
from rosenblatt.plot.themes import LIGHT, MARKERS

IMAGES = Path(__file__).parent / "images"
#: Colours that are safe for colour-blind readers, and styles that tell the same.
LOOKS = {"L0": ("#0072B2", "-", 4), "L2": ("#D55E00", "--", 2), "L3": ("#009E73", "-.", 2), "L4": ("#CC79A7", ":", 2)}


def dialects() -> None:
    """Four dialects on the wines of two growers: final boundaries, and mistakes over time."""
    wine = data.load("wine")
    columns = [wine.feature_names.index(name) for name in ("flavanoids", "color_intensity")]
    chosen = wine.y != "class_1"
    X, y = np.round(100 * wine.X[chosen][:, columns]), wine.y[chosen]  # hundredths: exact integers
    figure, (plane, course) = plt.subplots(1, 2, figsize=(11, 4.2), constrained_layout=True)
    for name, marker, grey in (("class_0", "o", "#999999"), ("class_2", "s", "#444444")):
        plane.scatter(*X[y == name].T / 100, marker=marker, color=grey, s=22, label=name, zorder=3)
    across = np.array([0.2, 4.2])
    for name, (colour, style, width) in LOOKS.items():
        fitted = Perceptron(**getattr(conventions, name)).fit(X, y)
        look = {"color": colour, "linestyle": style, "linewidth": width}
        (w1, w2), w0 = fitted.coef_[0], fitted.intercept_[0]
        plane.plot(across, -(w1 * across * 100 + w0) / w2 / 100, label=f"{name}: {fitted.status_}", **look)
        total = np.concatenate([[0], np.cumsum(fitted.history_["mistakes"])])
        label = f"{name}: {fitted.n_mistakes_:,} mistakes, {fitted.n_iter_:,} epochs"
        course.plot(total, marker="o", markersize=4, label=label, **look)
    plane.set(
        xlim=(0.2, 4.2), ylim=(3, 14), xlabel="flavanoids", ylabel="colour intensity", title="Where each run ends"
    )
    course.set(xlabel="epoch", ylabel="mistakes so far", title="Same wines, four lectures")
    for axes in (plane, course):
        axes.legend(frameon=False, fontsize=9)
        axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(IMAGES / "dialects.png", dpi=130)


def losses() -> None:
    """L4's zero-one loss of two lines over the same eight points: 4 and 0, the wrong points in circles."""
    X = np.array([[1, 4], [3, 5], [2, 3], [4, 5], [3, 1], [4, 2], [5, 4], [6, 3]])
    y = np.array([1, 1, 1, 1, -1, -1, -1, -1])
    figure, axes = plt.subplots(1, 2, figsize=(8, 3.8), constrained_layout=True)
    for ax, (w, w0) in zip(axes, [([1, 1], -7), ([-1, 1], 0)], strict=True):
        line = Hyperplane(w, w0)
        wrong = (line.score(X) > 0) != (y > 0)
        loss = int(zero_one_loss(y, np.where(line.score(X) > 0, 1, -1)))
        across = np.array([0.0, 7.0])
        height = -(w[0] * across + w0) / w[1]
        ax.fill_between(across, height, 7, color=LIGHT.positive, alpha=LIGHT.region, linewidth=0)
        ax.plot(across, height, color=LIGHT.ink)
        for label, marker, colour in zip((-1, 1), MARKERS, LIGHT.classes, strict=True):
            ax.scatter(*X[y == label].T, marker=marker, color=colour, s=60, zorder=3)
        ax.scatter(*X[wrong].T, s=260, facecolors="none", edgecolors=LIGHT.change, linewidths=1.8, zorder=4)
        equation = f"x1 + x2 − {-w0}" if w[0] > 0 else "−x1 + x2"
        ax.set(
            xlim=(0, 7), ylim=(0, 7), xlabel="x1", ylabel="x2", title=f"g(x) = {equation}: loss {loss}", aspect="equal"
        )
    figure.savefig(IMAGES / "zero-one-loss.png", dpi=110)


if __name__ == "__main__":
    IMAGES.mkdir(exist_ok=True)
    dialects()
    losses()
