"""
Threshold logic
===============

Which Boolean functions is a single perceptron able to compute, with which smallest weights, and what if it is not?
"""

import matplotlib.pyplot as plt
import numpy as np

from rosenblatt.boolean import BooleanFunction, count_threshold_functions, threshold_functions

# %%
# Every threshold function has a unit with smallest whole weights, and a proof that none are smaller.
for text in ("a and b", "a and (b or not c)", "majority(a, b, c, d, e)", "atleast(2, a, b, c, d) and a"):
    unit = BooleanFunction(text).perceptron()
    print(f"{text:32} {unit}")

# %%
# And those that are not have a reason: rows on both sides that add up to the same.
xor = BooleanFunction("a xor b")
print(xor.is_threshold)
print(xor.refutation)

# %%
# How rare are threshold functions? Of 2 to the power 2ⁿ functions of n variables, very few are.
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
# How large must weights be? The largest of each function of three variables, in its smallest form.
largest = [max(map(abs, function.perceptron().weights), default=0) for function in threshold_functions(3)]
values, frequency = np.unique([int(value) for value in largest], return_counts=True)
figure, right = plt.subplots(figsize=(7, 3.6), layout="constrained")
right.bar(values, frequency, color="#E69F00")
right.set(
    xlabel="largest whole weight", xticks=values, ylabel="functions of three variables", title="Small weights suffice"
)
right.spines[["top", "right"]].set_visible(False)

# %%
# Any other function has a network. Here is the parity of three bits, with the fewest hidden units that do it.
network = BooleanFunction("a xor b xor c").network()
print(network)
figure = network.draw()
