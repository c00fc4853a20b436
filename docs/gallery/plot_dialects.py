"""
Dialects on one data set
========================

Lectures agree on the perceptron's update, but differ on the meaning of a score of zero, the order and the initial
weights. Each choice changes the sequence of updates.
"""

import matplotlib.pyplot as plt
import numpy as np

from rosenblatt import Perceptron, conventions, data

# %%
# The wines of two growers by two measures, in hundredths: integers, so that all arithmetic is exact.
wine = data.load("wine")
columns = [wine.feature_names.index(name) for name in ("flavanoids", "color_intensity")]
chosen = wine.y != "class_1"
X, y = np.round(100 * wine.X[chosen][:, columns]), wine.y[chosen]

# %%
# All dialects end with a line between the two growers, but the lines and the numbers of mistakes differ. L4's random
# initial weights are small compared with these numbers, so its run is similar to L0's. (L1 with an offset makes the
# same updates as L0; it differs in the errors that it reports.)
looks = {"L0": ("#0072B2", "-", 4), "L2": ("#D55E00", "--", 2), "L3": ("#009E73", "-.", 2), "L4": ("#CC79A7", ":", 2)}
figure, (plane, curves) = plt.subplots(1, 2, figsize=(11, 4.4), layout="constrained")
for name, marker, grey in (("class_0", "o", "#999999"), ("class_2", "s", "#444444")):
    plane.scatter(*X[y == name].T, marker=marker, color=grey, s=22, label=name, zorder=3)
across = np.array([X[:, 0].min() - 20, X[:, 0].max() + 20])
for name, (colour, style, width) in looks.items():
    fitted = Perceptron(**getattr(conventions, name)).fit(X, y)
    (w1, w2), w0 = fitted.coef_[0], fitted.intercept_[0]
    plane.plot(across, -(w1 * across + w0) / w2, color=colour, linestyle=style, linewidth=width, label=name)
    total = np.concatenate([[0], np.cumsum(fitted.history_["mistakes"])])
    label = f"{name}: {fitted.n_mistakes_} mistakes, {fitted.n_iter_} epochs"
    curves.plot(total, color=colour, linestyle=style, linewidth=width, marker="o", markersize=4, label=label)
plane.set(xlim=across, ylim=(300, 1400), xlabel="flavanoids (1/100)", ylabel="colour intensity (1/100)")
plane.set_title("Where each ends")
curves.set(xlabel="epoch", ylabel="mistakes so far", title="How each gets there")
for axes in (plane, curves):
    axes.legend(frameon=False, fontsize=9, loc="best")
    axes.spines[["top", "right"]].set_visible(False)

# %%
# A convention cites the place in the lecture for each choice:
print(conventions.L3)
