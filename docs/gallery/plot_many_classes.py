"""
Many classes, three rules
=========================

One against all, one against one, or jointly: the same examples, and three ways to draw regions. Those of one-vs-all and
of the joint rule are convex (L4).
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
# One-vs-all asks each class to say yes or no by itself. The middle one cannot, and its region suffers.
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    ova = Perceptron(multi_class="ova").fit(X, y)
print(dict(zip(ova.classes_.tolist(), ova.statuses_, strict=True)))
figure = plot.regions(ova, X, y, title="one-vs-all: the largest of four scores")

# %%
# Every pair is separable, so one-vs-one has no trouble.
ovo = Perceptron(multi_class="ovo").fit(X, y)
print(ovo.status_)
figure = plot.regions(ovo, X, y, title="one-vs-one: a majority of six lines")

# %%
# The joint rule only asks that the true class score highest, and needs four weight vectors where one-vs-one needs six.
joint = Perceptron(multi_class="joint").fit(X, y)
print(joint.status_, joint.coef_.shape)
figure = plot.regions(joint, X, y, title="jointly: four scores that were learned together")
