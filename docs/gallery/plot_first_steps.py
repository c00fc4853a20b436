"""
First steps
===========

Fit a perceptron, read how the fit ended, and see what it has learned.
"""

# %%
# The built-in sets come by name. Two columns and two species of iris are enough for a picture.
from rosenblatt import Perceptron, data, plot

iris = data.load("iris")
setosa = iris.y == "setosa"
X, y = iris.X[:, 2:], iris.y == "setosa"

# %%
# Every fit says how it ended. `separated` means a whole pass over the data without a mistake, so that `predict` is
# right on every training example.
perceptron = Perceptron().fit(X, y)
print(perceptron.report(iris.feature_names[2:]))

# %%
figure = plot.regions(perceptron, X, y, feature_names=iris.feature_names[2:], title="Setosa or not")

# %%
# Petals cannot tell the other two species apart. The fit finds that out, with a proof, instead of stopping somewhere
# without a word. The warning says what to try.
import warnings

versicolor = iris.y[50:] == "versicolor"
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    hard = Perceptron().fit(iris.X[50:, 2:], versicolor)
print(hard.status_)
print(caught[0].message)
print(hard.certificate_)

# %%
# What an estimator looks like in a notebook:
hard
