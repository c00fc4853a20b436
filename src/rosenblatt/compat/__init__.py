"""scikit-learn's own `Perceptron`, signature and weights, on this package's core.

The one place where scikit-learn's choices rule. Change an import, keep the weights:

>>> from rosenblatt.compat import Perceptron
>>> Perceptron(max_iter=5, tol=None).fit([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]).coef_
array([[1., 2.]])
"""

from rosenblatt.compat.perceptron import Perceptron

__all__ = ["Perceptron"]
