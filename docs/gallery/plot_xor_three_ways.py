"""
XOR, three ways
===============

No perceptron computes XOR. Three other models do: an additional feature, a network of perceptrons, a kernel.
"""

import warnings

import numpy as np

from rosenblatt import KernelPerceptron, Perceptron, data, plot, separability
from rosenblatt.boolean import BooleanFunction

xor = data.load("xor")

# %%
# First the proof that no line separates XOR: the two diagonals intersect.
print(separability(xor.X, xor.y).explain())
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    ended = Perceptron(order="cyclic").fit(xor.X, xor.y)
print(f"the perceptron ends {ended.status_!r}, with period {ended.cycle_}")


# %%
# **Another feature.** With the product x₁x₂ as a third coordinate the four points can be separated; in the
# original plane the boundary is a pair of curves.
def with_product(X):
    return np.column_stack([X, X[:, 0] * X[:, 1]])


lifted = Perceptron().fit(with_product(xor.X), xor.y)
print(lifted.status_, lifted.coef_, lifted.intercept_)
figure = plot.regions(lambda X: lifted.predict(with_product(X)), xor.X, xor.y, title="a product as a third feature")

# %%
# **A network.** It has two hidden units and an output unit, the minimum for XOR.
network = BooleanFunction("x1 xor x2").network()
print(network)
axes = network.draw()

# %%
# **A kernel.** A polynomial of degree 2 has the product among its implicit features.
kernel = KernelPerceptron(kernel="poly", degree=2, gamma=1, coef0=1).fit(xor.X, xor.y)
print(kernel.status_, "with", len(kernel.support_), "support vectors")
figure = plot.regions(kernel, xor.X, xor.y, title="a polynomial kernel of degree 2")
