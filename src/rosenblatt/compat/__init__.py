"""scikit-learn's own `Perceptron`, signature and weights, on this package's core.

The one place where scikit-learn's choices rule. Change an import, keep the weights:

>>> import sklearn.linear_model
>>> from rosenblatt.compat import Perceptron
>>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]
>>> ours, theirs = Perceptron().fit(X, y), sklearn.linear_model.Perceptron().fit(X, y)
>>> ours.coef_.tolist() == theirs.coef_.tolist(), ours.n_iter_ == theirs.n_iter_, ours.status_
(True, True, 'stalled')
"""

from rosenblatt.compat.perceptron import Perceptron

__all__ = ["Perceptron"]
