"""
Reading a model file
====================

A model is a JSON document that a person can read, compare and keep under version control. Nothing is ever unpickled.
"""

import json
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.preprocessing import StandardScaler

from rosenblatt import Perceptron, data, load, save

wine = data.load("wine")
X, y = StandardScaler().fit_transform(wine.X), np.where(wine.y == "class_0", "first grower", "another")
model = Perceptron().fit(X, y)
print(model.status_, "after", model.n_mistakes_, "mistakes")

# %%
# What is in the file:
folder = Path(tempfile.mkdtemp())
save(model, folder / "wine.json")
document = json.loads((folder / "wine.json").read_text())
for key, value in document.items():
    print(f"{key:12} {str(value)[:90]}")

# %%
# Numbers are written as the shortest decimal that reads back as the same double, so weights are restored bit for bit.
again = load(folder / "wine.json")
print("the same weights:", np.array_equal(again.coef_, model.coef_))

# %%
# A file that was changed, truncated or is inconsistent is refused with the reason.
text = (folder / "wine.json").read_text()
(folder / "changed.json").write_text(text.replace('"separated"', '"stalled"', 1))
try:
    load(folder / "changed.json")
except ValueError as error:
    print(error)

# %%
# The ten largest weights.
weights = np.array(model.coef_[0])
order = np.argsort(abs(weights))[-10:]
figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
axes.barh(
    [wine.feature_names[j] for j in order], weights[order], color=np.where(weights[order] > 0, "#0072B2", "#D55E00")
)
axes.axvline(0, color="black", linewidth=1)
axes.set(xlabel=f"weight (positive: {model.classes_[1]})", title="The ten largest weights")
axes.spines[["top", "right"]].set_visible(False)
