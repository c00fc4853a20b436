"""Drop-in replacements for classes of `sklearn.linear_model`: the same signatures and weights, on this core.

Only the import changes; the weights stay the same:

>>> import sklearn.linear_model
>>> from rosenblatt.compat import Perceptron
>>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]
>>> ours, theirs = Perceptron().fit(X, y), sklearn.linear_model.Perceptron().fit(X, y)
>>> ours.coef_.tolist() == theirs.coef_.tolist(), ours.n_iter_ == theirs.n_iter_, ours.status_
(True, True, 'stalled')
"""

from rosenblatt.compat.passive_aggressive import PassiveAggressiveClassifier, PassiveAggressiveRegressor
from rosenblatt.compat.perceptron import Perceptron
from rosenblatt.compat.sgd_classifier import SGDClassifier

__all__ = ["PassiveAggressiveClassifier", "PassiveAggressiveRegressor", "Perceptron", "SGDClassifier"]
