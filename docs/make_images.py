"""Makes the pictures of the README: `python docs/make_images.py` (needs matplotlib)."""

import warnings
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from rosenblatt import Perceptron, conventions, data

IMAGES = Path(__file__).parent / "images"
COLOURS = {"L0": "#0072B2", "L2": "#D55E00", "L3": "#009E73", "L4": "#CC79A7"}  # safe for colour-blind readers


def dialects() -> None:
    """Four dialects on two species of iris: where each ends, and its mistakes on the way."""
    iris = data.load("iris")
    chosen = iris.y != "virginica"
    X, y = np.round(10 * iris.X[chosen][:, [1, 2]]), iris.y[chosen]  # tenths of a centimetre: exact integers
    figure, (plane, course) = plt.subplots(1, 2, figsize=(11, 4.2), constrained_layout=True)
    for name, marker, grey in (("setosa", "o", "#999999"), ("versicolor", "s", "#333333")):
        points = X[y == name] / 10
        plane.scatter(*points.T, marker=marker, color=grey, s=22, label=name, zorder=3)
    across = np.array([1.9, 4.6])
    for name, colour in COLOURS.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            fitted = Perceptron(**getattr(conventions, name)).fit(X, y)
        (w1, w2), w0 = fitted.coef_[0], fitted.intercept_[0]
        plane.plot(across, -(w1 * across * 10 + w0) / w2 / 10, color=colour, label=f"{name}: {fitted.status_}")
        course.plot(
            fitted.history_["epoch"],
            np.cumsum(fitted.history_["mistakes"]),
            color=colour,
            drawstyle="steps-post",
            marker=".",
            label=f"{name}: {fitted.n_mistakes_:,} mistakes, {fitted.n_iter_:,} epochs",
        )
    plane.set(xlim=(1.9, 4.6), ylim=(0.6, 5.4), xlabel=f"{iris.feature_names[1]} (cm)", title="Where each run ends")
    plane.set_ylabel(f"{iris.feature_names[2]} (cm)")
    course.set(xlabel="epoch", ylabel="mistakes so far", title="Same data, four lectures, four paths")
    for axes in (plane, course):
        axes.legend(frameon=False, fontsize=8)
        axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(IMAGES / "dialects.png", dpi=130)


if __name__ == "__main__":
    IMAGES.mkdir(exist_ok=True)
    dialects()
