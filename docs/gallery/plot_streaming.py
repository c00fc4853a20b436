"""
Streaming a file that need not fit into memory
==============================================

``data.scan`` reads a file block by block, and ``fit_stream`` learns from the blocks. The updates and
the weights are the same as for the whole file in memory.
"""

import tempfile
import warnings
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from rosenblatt import Perceptron, data

# %%
# A table on disk: 50,000 rows with a little noise in their labels.
rng = np.random.default_rng(0)
X = rng.normal(size=(50_000, 10)).round(3)
noisy = X @ rng.normal(size=10) + rng.normal(scale=0.3, size=len(X))
label = np.where(noisy > 0, "yes", "no")
file = Path(tempfile.mkdtemp()) / "big.csv"
header = ",".join([*(f"x{j}" for j in range(10)), "answer"])
rows = (",".join([*map(str, x), y]) for x, y in zip(X.tolist(), label.tolist(), strict=True))
file.write_text("\n".join([header, *rows]) + "\n")
print(f"{file.stat().st_size / 1e6:.1f} MB")

# %%
# Two epochs from the file, in bounded memory, and two epochs from an array.
warnings.simplefilter("ignore")  # a run on noisy data does not converge; the limit on epochs is intended
read_options = data.ReadOptions(target="answer")
streamed = Perceptron(order="cyclic", max_iter=2).fit_stream(data.scan(str(file), read_options))
whole = Perceptron(order="cyclic", max_iter=2).fit(X, label)
print("the same weights, bit for bit:", np.array_equal(streamed.coef_, whole.coef_))

# %%
# Batches can also be learned one by one. Each is predicted before it is learned, which gives an unbiased estimate.
model, seen, errors = Perceptron(order="cyclic"), [], []
for batch, answers in data.scan(str(file), read_options):
    for part in range(0, len(batch), 500):
        some, truth = batch[part : part + 500], answers[part : part + 500]
        if seen:
            errors.append(np.mean(model.predict(some) != truth))
        model.partial_fit(some, truth, classes=["no", "yes"])
        seen.append(model.n_samples_seen_)

figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
axes.plot(seen[1:], 100 * np.array(errors), color="#56B4E9", linewidth=0.8, label="each batch of 500")
axes.plot(seen[1:], 100 * np.cumsum(errors) / np.arange(1, len(seen)), color="#0072B2", linewidth=2, label="so far")
axes.set(xlabel="examples seen", ylabel="errors before learning (%)", ylim=(0, None), title="Predict, then learn")
axes.legend(frameon=False)
axes.spines[["top", "right"]].set_visible(False)
