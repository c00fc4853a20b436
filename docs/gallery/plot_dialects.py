"""
Five dialects, one data set
===========================

Lectures agree on the perceptron, and differ on what a score of zero means, on the order, on the start. Each choice
changes the path.
"""

import matplotlib.pyplot as plt
import numpy as np

from rosenblatt import Perceptron, conventions, data

iris = data.load("iris")
chosen = iris.y != "virginica"
X, y = np.round(10 * iris.X[chosen][:, [1, 2]]), iris.y[chosen]  # millimetres: whole numbers, so all arithmetic is exact

colours = {"L0": "#0072B2", "L1_offset": "#56B4E9", "L2": "#D55E00", "L3": "#009E73", "L4": "#CC79A7"}
styles = {"L0": "-", "L1_offset": ":", "L2": "--", "L3": "-.", "L4": (0, (5, 1))}
fits = {name: Perceptron(**getattr(conventions, name)).fit(X, y) for name in colours}

# %%
# All of them end with a line between the two species, but not with the same line, nor after the same mistakes. L0 and
# L1 differ in the errors they report, not in what they do.
figure, (plane, course) = plt.subplots(1, 2, figsize=(11, 4.4), layout="constrained")
for name, marker, grey in (("setosa", "o", "#999999"), ("versicolor", "s", "#444444")):
    plane.scatter(*X[y == name].T, marker=marker, color=grey, s=22, label=name, zorder=3)
across = np.array([18, 46])
for name, fitted in fits.items():
    (w1, w2), w0 = fitted.coef_[0], fitted.intercept_[0]
    plane.plot(across, -(w1 * across + w0) / w2, color=colours[name], linestyle=styles[name], linewidth=2, label=name)
    total = np.concatenate([[0], np.cumsum(fitted.history_["mistakes"])])
    label = f"{name}: {fitted.n_mistakes_} mistakes, {fitted.n_iter_} epochs"
    course.plot(total, color=colours[name], linestyle=styles[name], marker=".", label=label)
plane.set(xlim=(18, 46), ylim=(6, 54), xlabel="sepal width (mm)", ylabel="petal length (mm)", title="Where each ends")
course.set(xlabel="epoch", ylabel="mistakes so far", title="How each gets there")
for axes in (plane, course):
    axes.legend(frameon=False, fontsize=8)
    axes.spines[["top", "right"]].set_visible(False)

# %%
# Each choice says where in its lecture it stands:
print(conventions.L3)
