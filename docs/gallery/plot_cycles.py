"""
Oscillation, detected
=====================

"If the data is not linearly separable, there will be oscillation (which could be detected automatically)", says L3.
This package detects it: the weights of a run in file order return to an earlier state, and then the run repeats.
"""

import matplotlib.pyplot as plt
import numpy as np

from rosenblatt import textbook, theory

# %%
# Six points in a plane that no line separates. They have integer coordinates, so that nothing is rounded.
X = np.array([[2, 1], [3, -2], [-1, 2], [3, 1], [-1, 3], [1, 0]])
y = np.array([1, 1, 1, -1, -1, -1])
cycle = theory.cycles(X, y)
print(f"from epoch {cycle.pre_period} on, every {cycle.period} epochs; mistakes of each example: {cycle.mistakes}")

# %%
# The path of (w₁, w₂): the updates before the cycle, and the cycle.
steps = list(textbook.online(X, y, max_iter=cycle.pre_period + 2 * cycle.period))
path = np.array([steps[0].w_before, *(step.w_after for step in steps if step.mistake)])
way_in = sum(step.mistake for step in steps if step.epoch < cycle.pre_period)
figure, (plane, curves) = plt.subplots(1, 2, figsize=(11, 4.4), layout="constrained")
plane.plot(*path[: way_in + 1, 1:].T, color="#999999", linestyle="--", marker=".", label="the way in")
plane.plot(*path[way_in:, 1:].T, color="#D55E00", marker="o", linewidth=2, label="the cycle")
plane.scatter(0, 0, marker="*", s=140, color="black", zorder=4, label="start")
plane.set(xlabel="w₁", ylabel="w₂", title="The weights go round")
looks = (("w₀", "#0072B2", "-"), ("w₁", "#E69F00", "--"), ("w₂", "#009E73", "-."))
for j, (name, colour, style) in enumerate(looks):
    curves.plot([step.w_after[j] for step in steps], color=colour, linestyle=style, label=name)
curves.axvline(cycle.pre_period * len(X), color="#666666", linewidth=1)
curves.set(xlabel="examples presented", title="Each weight, as time goes by")
for axes in (plane, curves):
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)

# %%
# The updates of one period sum to zero. So the mistakes of a cycle prove that no line separates the points, and the
# proof can be checked in integers.
print("the cycle proves inseparability:", cycle.proof.verify())
