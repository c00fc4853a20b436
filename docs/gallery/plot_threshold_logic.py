"""
Threshold logic
===============

Which Boolean functions can a single perceptron compute, what are the smallest weights, and what computes the others?
"""

import matplotlib.pyplot as plt
import numpy as np

from rosenblatt.boolean import BooleanFunction, count_threshold_functions, threshold_functions

# %%
# Every threshold function has a unit with smallest integer weights, and a proof that no smaller ones exist.
for text in ("a and b", "a and (b or not c)", "majority(a, b, c, d, e)", "atleast(2, a, b, c, d) and a"):
    unit = BooleanFunction(text).perceptron()
    print(f"{text:32} {unit}")

# %%
# For any other function there is a proof that no unit computes it: true and false rows with equal sums.
xor = BooleanFunction("a xor b")
print(xor.is_threshold)
print(xor.refutation)

# %%
# How rare are threshold functions? Of the 2 to the power 2ⁿ functions of n variables, very few are threshold functions.
n = np.arange(1, 6)
counts = np.array([count_threshold_functions(int(k)) for k in n])
figure, left = plt.subplots(figsize=(7, 4.2), layout="constrained")
left.semilogy(n, 2.0 ** (2**n), color="#999999", marker="s", label="all functions")
left.semilogy(n, counts, color="#0072B2", marker="o", label="threshold functions")
for k, count in zip(n, counts, strict=True):
    left.annotate(f"{count:,}", (k, count), textcoords="offset points", xytext=(0, -14), ha="center", fontsize=8)
left.set(xlabel="variables", xticks=n, title="What one perceptron can represent", ylim=(1, None))
left.legend(frameon=False)
left.spines[["top", "right"]].set_visible(False)

# %%
# How large must weights be? The largest weight in the smallest unit of each threshold function of three variables.
largest = [max(map(abs, function.perceptron().weights), default=0) for function in threshold_functions(3)]
values, frequency = np.unique([int(value) for value in largest], return_counts=True)
figure, right = plt.subplots(figsize=(7, 3.6), layout="constrained")
right.bar(values, frequency, color="#E69F00")
right.set(
    xlabel="largest whole weight", xticks=values, ylabel="functions of three variables", title="Small weights suffice"
)
right.spines[["top", "right"]].set_visible(False)

# %%
# A network computes any other function. Here is the parity of three bits, with the fewest possible hidden units.
network = BooleanFunction("a xor b xor c").network()
print(network)
figure = network.draw()
