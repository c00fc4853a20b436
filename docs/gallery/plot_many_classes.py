"""
Many classes, three rules
=========================

One-vs-all, one-vs-one and the joint rule give different regions for the same examples. The regions of one-vs-all and of
the joint rule are convex (L4).
"""

import warnings

import numpy as np

from rosenblatt import Perceptron, plot

# %%
# Four clouds, one of which lies between the others: no line separates it from the rest.
rng = np.random.default_rng(2)
centres = np.array([[0, 0], [4, 0.5], [-2.2, 3.4], [-2, -3.6]])
X = np.vstack([centre + rng.normal(scale=0.55, size=(40, 2)) for centre in centres])
y = np.repeat(["middle", "east", "north-west", "south-west"], 40)

# %%
# One-vs-all separates each class from the rest. The middle class is not separable from it, so its region is wrong.
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    ova = Perceptron(multi_class="ova").fit(X, y)
print(dict(zip(ova.classes_.tolist(), ova.statuses_, strict=True)))
figure = plot.regions(ova, X, y, title="one-vs-all: the largest of four scores")

# %%
# Every pair is separable, so one-vs-one separates the classes.
ovo = Perceptron(multi_class="ovo").fit(X, y)
print(ovo.status_)
figure = plot.regions(ovo, X, y, title="one-vs-one: a majority of six lines")

# %%
# The joint rule only requires that the true class has the highest score. It needs four weight vectors; one-vs-one needs
# six.
joint = Perceptron(multi_class="joint").fit(X, y)
print(joint.status_, joint.coef_.shape)
figure = plot.regions(joint, X, y, title="jointly: four scores that were learned together")
