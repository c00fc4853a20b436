"""
First steps
===========

Fit a perceptron, read how the fit ended, and plot the result.
"""

import warnings

from rosenblatt import Perceptron, data, plot

# %%
# The built-in datasets have names. Two measures of iris petals are enough for a picture.
iris = data.load("iris")
X, names = iris.X[:, 2:], iris.feature_names[2:]
setosa = iris.y == "setosa"

# %%
# Every fit says how it ended. ``separated`` means a whole pass over the data without a mistake, so ``predict`` is right
# on every training example.
perceptron = Perceptron().fit(X, setosa)
print(perceptron.report(names))

# %%
figure = plot.regions(perceptron, X, setosa, feature_names=names, title="Setosa or not")

# %%
# The petal measures do not separate the other two species. The fit proves this instead of stopping without a message;
# its warning says what to try.
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    hard = Perceptron().fit(X[50:], iris.y[50:])
print(hard.status_)
print(caught[0].message)

# %%
# The proof is two flowers with the same petals, one of each species.
print(hard.certificate_.explain())

# %%
figure = plot.regions(hard, X[50:], iris.y[50:], feature_names=names, title="Where the last weights happened to be")

# %%
# In a notebook an estimator shows its parameters and its result:
hard
