"""
Separable or not, with the proof in the picture
===============================================

A separator proves that the data is separable. The proof that there is none can also be drawn: a few examples of each
class whose convex hulls have a common point.
"""

import matplotlib.pyplot as plt
import numpy as np

from rosenblatt import data, separability, theory

wine = data.load("wine")
columns = [wine.feature_names.index(name) for name in ("flavanoids", "color_intensity")]
COLOURS, MARKERS = ("#0072B2", "#E69F00"), ("o", "^")


def two_growers(a, b):
    pair = np.isin(wine.y, [a, b])
    return wine.X[pair][:, columns], wine.y[pair]


def scatter(axes, X, y):
    for label, colour, marker in zip(np.unique(y), COLOURS, MARKERS, strict=True):
        axes.scatter(*X[y == label].T, color=colour, marker=marker, s=22, label=str(label), alpha=0.7)
    axes.set(xlabel="flavanoids", ylabel="colour intensity")
    axes.spines[["top", "right"]].set_visible(False)


# %%
# The wines of two growers, by two of their measures. A line separates them. The figure shows the line with the maximum
# margin, and its support. The square of the margin is a fraction, because floating-point numbers are fractions.
X, y = two_growers("class_0", "class_2")
best = theory.max_margin(X, y)
figure, axes = plt.subplots(figsize=(7, 4.8), layout="constrained")
scatter(axes, X, y)
(w1, w2), w0 = best.hyperplane.w, best.hyperplane.w0
across = np.array([X[:, 0].min() - 0.2, X[:, 0].max() + 0.2])
for shift, style in ((0, "-"), (best.gamma, ":"), (-best.gamma, ":")):
    axes.plot(across, (shift - w0 - w1 * across) / w2, color="black", linestyle=style, linewidth=1)
axes.scatter(*X[best.support].T, s=150, facecolors="none", edgecolors="black", label="support")
axes.set(ylim=(X[:, 1].min() - 1, X[:, 1].max() + 1), title=f"separable: margin {best.gamma:.4f}")
axes.legend(frameon=False)
print(separability(X, y).explain())

# %%
# Two other growers. Four wines prove that no line separates them: a wine of the first grower lies within the triangle
# of three wines of the second, so it is a weighted mean of the three.
X, y = two_growers("class_0", "class_1")
result = separability(X, y)
witness, share = result.witness, np.array(result.witness.multipliers, dtype=float)
figure, axes = plt.subplots(figsize=(7, 4.8), layout="constrained")
scatter(axes, X, y)
for label, colour in zip(np.unique(y), COLOURS, strict=True):
    mine = y[witness.indices] == label
    points = X[witness.indices[mine]]
    axes.fill(*points.T, facecolor="none", edgecolor=colour, linewidth=2)
    meeting = share[mine] / share[mine].sum() @ points
axes.scatter(*X[witness.indices].T, s=150, facecolors="none", edgecolors="black", label="witness")
axes.scatter(*meeting, marker="X", s=70, color="black", zorder=5, label="common point")
axes.set(title="inseparable: two hulls that meet")
axes.legend(frameon=False)
print(result.explain())
print("the certificate holds, in integers:", result.verify())

# %%
# How far from separable is the data? The minimum number of errors of any line, with lower and upper bound:
print(theory.min_error(X, y).explain())
