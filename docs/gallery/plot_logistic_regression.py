"""
Logistic regression meets separation
====================================

On separated data the maximum likelihood estimate of a logistic regression does not exist: the slope diverges, and
its final value depends on the software. Check separability first.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.linear_model import LogisticRegression

from rosenblatt import separability

# %%
# Three small studies of the same kind. In the first the outcomes overlap. In the second only one dose has both
# outcomes, and all other doses are separated. In the third all doses are separated.
dose = np.array([1, 2, 3, 4, 4, 5, 6, 7.0])
studies = {
    "overlap": np.array([0, 0, 1, 0, 1, 0, 1, 1]),
    "quasi-complete separation": np.array([0, 0, 0, 0, 1, 1, 1, 1]),
    "complete separation": np.array([0, 0, 0, 1, 1, 1, 1, 1]),
}
penalties = 10.0 ** np.arange(-1, 9)
figure, axes = plt.subplots(figsize=(7, 4.4), layout="constrained")
for (name, died), colour, marker in zip(studies.items(), ("#009E73", "#E69F00", "#D55E00"), "osv", strict=True):
    kind = separability(dose[:, None], died).kind
    slopes = [
        LogisticRegression(C=C, solver="newton-cholesky", max_iter=1000, tol=1e-10).fit(dose[:, None], died).coef_[0, 0]
        for C in penalties
    ]
    axes.loglog(penalties, slopes, color=colour, marker=marker, label=f"{name} ({kind})")
axes.set(xlabel="C: the weaker the penalty …", ylabel="… the estimated slope", title="An estimate that is not there")
axes.legend(frameon=False)
axes.spines[["top", "right"]].set_visible(False)

# %%
# The slope converges only if the outcomes overlap. ``separability`` distinguishes the three cases before any
# fit, in exact arithmetic.
for name, died in studies.items():
    print(f"--- {name}")
    print(separability(dose[:, None], died).explain())
