"""
Kernel spirals
==============

Two spirals wind around each other, and no line separates them. In the feature space of a Gaussian kernel a hyperplane
separates them, and the perceptron finds it without computing the features.
"""

import matplotlib.pyplot as plt
import numpy as np

from rosenblatt import KernelPerceptron, data, plot, separability

spirals = data.load("spirals")
print(separability(spirals.X, spirals.y).kind)

# %%
# The same algorithm in the dual: the weights are a sum over the examples that were mistakes.
kernel = KernelPerceptron(kernel="rbf", gamma=8.0).fit(spirals.X, spirals.y)
print(f"{kernel.status_} after {kernel.n_mistakes_} mistakes; {len(kernel.support_)} support vectors")
figure = plot.regions(kernel, spirals.X, spirals.y, title="A Gaussian kernel, γ = 8")

# %%
# The width of the kernel determines the boundary. With too wide a kernel the run makes many mistakes; with too narrow a
# kernel the boundary encloses single examples.
figure, panels = plt.subplots(1, 3, figsize=(11, 3.9), layout="constrained")
grid = np.stack(np.meshgrid(*[np.linspace(-2.3, 2.3, 160)] * 2), axis=-1).reshape(-1, 2)
for panel, gamma in zip(panels, (2.0, 8.0, 100.0), strict=True):
    fitted = KernelPerceptron(kernel="rbf", gamma=gamma, max_iter=2000).fit(spirals.X, spirals.y)
    scores = fitted.decision_function(grid).reshape(160, 160)
    panel.contourf(
        scores, levels=[-np.inf, 0, np.inf], colors=["#0072B2", "#E69F00"], alpha=0.25, extent=(-2.3, 2.3) * 2
    )
    for label, colour, marker in ((0, "#0072B2", "o"), (1, "#E69F00", "^")):
        panel.scatter(*spirals.X[spirals.y == label].T, color=colour, marker=marker, s=9)
    panel.set(
        title=f"γ = {gamma:g}: {fitted.status_}, {fitted.n_mistakes_} mistakes", xticks=[], yticks=[], aspect="equal"
    )
