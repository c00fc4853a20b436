"""
The bound in action
===================

No perceptron makes more than R²/γ² mistakes, in any order and under any tie rule. How close does it come?
"""

import matplotlib.pyplot as plt
import numpy as np

from rosenblatt import Perceptron, textbook, theory

# %%
# Two clouds, moved apart step by step. The margin γ is exact; it belongs to the space that the run uses.
rng = np.random.default_rng(3)
cloud = rng.uniform(-1, 1, (60, 2))
y = np.where(cloud @ [0.6, 0.8] > 0, 1, -1)
gaps = np.geomspace(0.01, 2, 12)
bounds, worst, typical = [], [], []
for gap in gaps:
    X = cloud + np.outer(y, [0.6, 0.8]) * gap
    bounds.append(theory.mistake_bound(X, y))
    mistakes = [Perceptron(random_state=seed).fit(X, y).n_mistakes_ for seed in range(20)]
    worst.append(max(mistakes))
    typical.append(np.median(mistakes))

figure, axes = plt.subplots(figsize=(7, 4.4), layout="constrained")
axes.loglog(gaps, bounds, color="#D55E00", linestyle="--", marker="v", label="bound ⌊R²/γ²⌋")
axes.loglog(gaps, worst, color="#0072B2", marker="^", label="worst of 20 orders")
axes.loglog(gaps, typical, color="#56B4E9", marker="o", label="median of 20 orders")
axes.set(xlabel="how far the clouds were moved apart", ylabel="mistakes", title="Larger margin, fewer mistakes (L3)")
axes.legend(frameon=False)
axes.spines[["top", "right"]].set_visible(False)

# %%
# The proof has two inequalities (walls). Every mistake increases wᵀû, where û is a separator, by at least γ: the lower
# line. It increases ‖w‖² by at most R², so wᵀû ≤ ‖w‖ stays below the upper curve. The run must have ended where the two
# meet. The figure shows the longest of twenty runs between its walls.
X = cloud + np.outer(y, [0.6, 0.8]) * gaps[7]
best = theory.max_margin(X, y, augmented=True)
separator = [best.hyperplane.w0, *best.hyperplane.w]
runs = [textbook.run(textbook.online(X, y, order="shuffle", random_state=seed)) for seed in range(20)]
run = max(runs, key=lambda run: run.n_mistakes)
walls = list(theory.proof_walls(run.steps, separator, gamma=best.gamma, radius=theory.radius(X)))
print("both inequalities hold after each of", len(walls) - 1, "mistakes:", all(wall.holds for wall in walls))

count = np.arange(theory.mistake_bound(X, y) + 2)
figure, axes = plt.subplots(figsize=(7, 4.4), layout="constrained")
axes.plot(count, np.sqrt(count) * theory.radius(X), color="#D55E00", linestyle="--", label="√M·R: w cannot be longer")
axes.plot(count, count * best.gamma, color="#009E73", linestyle="-.", label="M·γ: w cannot have turned less")
met = [wall.mistakes for wall in walls]
axes.plot(met, [wall.squared_norm**0.5 for wall in walls], color="#0072B2", marker="^", markersize=4, label="‖w‖")
axes.plot(met, [wall.projection for wall in walls], color="#56B4E9", marker="o", markersize=4, label="wᵀû")
axes.set(xlabel="mistakes M", title="One run between its walls", xlim=(0, len(count)), ylim=(0, None))
axes.legend(frameon=False)
axes.spines[["top", "right"]].set_visible(False)
