"""
Noise: the last weights, the pocket, the average
================================================

On noisy data a perceptron never converges, and its last weights depend on its last mistake. Which weights are better?
"""

import warnings

import matplotlib.pyplot as plt
import numpy as np

from rosenblatt import AveragedPerceptron, Perceptron, PocketPerceptron, theory

# %%
# Two overlapping clouds.
rng = np.random.default_rng(0)
y = np.repeat([0, 1], 60)
X = rng.normal(size=(120, 2)) + np.where(y[:, None] == 1, [1.4, 0.8], [-1.4, -0.8])

warnings.simplefilter("ignore")  # this example shows that the first of the three does not converge
models = {
    "last weights": Perceptron(max_iter=50),
    "pocket with ratchet": PocketPerceptron(ratchet=True, max_iter=50),
    "average": AveragedPerceptron(max_iter=50),
}
fewest = theory.min_error(X, y)
print(f"the fewest training errors of any line: {fewest.upper} (proved: {fewest.exact})")

# %%
# The pocket keeps the weights with the fewest training errors so far; the average is the mean of all weights.
figure, axes = plt.subplots(1, 2, figsize=(11, 4.6), layout="constrained")
plane, curves = axes
for label, colour, marker in ((0, "#0072B2", "o"), (1, "#E69F00", "^")):
    plane.scatter(*X[y == label].T, color=colour, marker=marker, s=20, alpha=0.6)
across = np.array([-4, 4])
for (name, model), colour, style in zip(
    models.items(), ("#999999", "#D55E00", "#009E73"), ("--", "-", "-."), strict=True
):
    model.fit(X, y)
    errors = (model.predict(X) != y).sum()
    (w1, w2), w0 = model.coef_[0], model.intercept_[0]
    plane.plot(
        across, -(w0 + w1 * across) / w2, color=colour, linestyle=style, linewidth=2, label=f"{name}: {errors} errors"
    )
    by_epochs = [
        (type(model)(**{**model.get_params(), "max_iter": k}).fit(X, y).predict(X) != y).sum() for k in range(1, 51)
    ]
    curves.plot(range(1, 51), by_epochs, color=colour, linestyle=style, label=name)
curves.axhline(fewest.upper, color="black", linewidth=1, linestyle=":", label="fewest possible")
plane.set(xlim=(-4, 4), ylim=(-3.5, 3.5), title="After 50 epochs")
curves.set(xlabel="epochs", ylabel="training errors", ylim=(0, None), title="Training errors, had one stopped there")
for ax in axes:
    ax.legend(frameon=False, fontsize=9)
    ax.spines[["top", "right"]].set_visible(False)
