"""
Stopping short, silently or not
===============================

scikit-learn's Perceptron stops when its training loss has not improved by ``tol`` for five epochs, and does not report
whether it has separated the data. This package's perceptron stops when it has.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.linear_model import Perceptron as SklearnPerceptron

from rosenblatt import Perceptron
from rosenblatt.compat import Perceptron as CompatPerceptron

# %%
# A hundred random datasets of 100 examples, all separable, with random margins.
sets = []
for seed in range(100):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(100, 5))
    sets.append((X, np.where(X @ rng.normal(size=5) > 0, 1, -1)))

theirs = np.array([(SklearnPerceptron().fit(X, y).predict(X) != y).sum() for X, y in sets])
ours = np.array([(Perceptron().fit(X, y).predict(X) != y).sum() for X, y in sets])
print(f"unseparated without a warning: scikit-learn {(theirs > 0).sum()} of 100, rosenblatt {(ours > 0).sum()} of 100")

figure, axes = plt.subplots(figsize=(7, 3.6), layout="constrained")
edges = np.arange(-0.5, theirs.max() + 1.5)
axes.hist([theirs, ours], edges, color=["#E69F00", "#0072B2"], label=["scikit-learn", "rosenblatt"])
axes.set(xlabel="training errors left on separable data", ylabel="data sets", title="One hundred separable sets")
axes.legend(frameon=False)
axes.spines[["top", "right"]].set_visible(False)

# %%
# If you need scikit-learn's exact weights, use the drop-in replacement, which also says how the fit ended:
X, y = sets[int(np.argmax(theirs))]
same = CompatPerceptron().fit(X, y)
print("the same weights:", np.array_equal(same.coef_, SklearnPerceptron().fit(X, y).coef_))
print("ended:", same.status_)
