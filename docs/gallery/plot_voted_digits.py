"""
Voted digits
============

In the voted perceptron of Freund and Schapire every weight vector of a run votes, weighted by its survival. On
handwritten digits the vote is better than the last weights, and so is the average, which has no additional cost.
"""

import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.metrics import confusion_matrix
from sklearn.model_selection import train_test_split

from rosenblatt import AveragedPerceptron, Perceptron, VotedPerceptron, data, plot

warnings.simplefilter("ignore")  # the limits on epochs are intended

digits = data.load("digits")
parts = train_test_split(digits.X, digits.y, test_size=0.4, random_state=0, stratify=digits.y)
X_train, X_test, y_train, y_test = parts
epochs = [1, 2, 3, 5, 10]
kinds = {"last": (Perceptron, "#999999", "s"), "average": (AveragedPerceptron, "#009E73", "o")}
kinds["vote"] = (VotedPerceptron, "#D55E00", "^")

# %%
# One-vs-one: 45 small problems and a majority vote.
figure, axes = plt.subplots(figsize=(7, 4.2), layout="constrained")
for name, (kind, colour, marker) in kinds.items():
    errors = [
        100 - 100 * kind(max_iter=k, multi_class="ovo").fit(X_train, y_train).score(X_test, y_test) for k in epochs
    ]
    axes.plot(epochs, errors, color=colour, marker=marker, label=name)
axes.set(xlabel="epochs", ylabel="errors on held-out digits (%)", ylim=(0, None), title="What to make of a run")
axes.legend(frameon=False)
axes.spines[["top", "right"]].set_visible(False)

# %%
# The confusion matrix shows which digits are confused:
averaged = AveragedPerceptron(max_iter=10, multi_class="ovo").fit(X_train, y_train)
predicted = averaged.predict(X_test)
figure = plot.confusion(confusion_matrix(y_test, predicted), averaged.classes_)

# %%
# Ten misclassified digits. Some are hard to read.
wrong = np.flatnonzero(predicted != y_test)[:10]
figure, panels = plt.subplots(2, 5, figsize=(7, 3.2), layout="constrained")
for panel in panels.flat:
    panel.axis("off")
for panel, i in zip(panels.flat, wrong, strict=False):
    panel.imshow(X_test[i].reshape(8, 8), cmap="gray_r")
    panel.set_title(f"{y_test[i]}, taken for {predicted[i]}", fontsize=8)
