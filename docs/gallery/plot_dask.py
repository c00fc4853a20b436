"""
Over shards, on Dask
====================

If one machine is not enough, in every epoch each shard of the data runs one pass of the same core from the same
weights, and the results are averaged (mixed). On separable data the mixed run also finds a separator, and the
weighted count of its mistakes obeys the same bound.
"""

import dask.array as da
import matplotlib.pyplot as plt
import numpy as np

from distributed import Client
from rosenblatt import Perceptron, theory
from rosenblatt.distributed import DaskPerceptron

# %%
# A cluster of threads in this process, so that the example runs anywhere; the address of a real cluster also works.
client = Client(processes=False, n_workers=1, threads_per_worker=2, dashboard_address=None, silence_logs=50)
rng = np.random.default_rng(1)
X = rng.normal(size=(4000, 10))
normal = rng.normal(size=10)
normal /= np.linalg.norm(normal)
y = np.where(X @ normal > 0, 1, -1)
X += 0.3 * np.outer(y, normal)  # so that there is a margin

# %%
# With one shard the run equals that of ``Perceptron``, bit for bit.
alone = Perceptron().fit(X, y)
one = DaskPerceptron().fit(da.from_array(X, chunks=(4000, 10)), da.from_array(y, chunks=4000))
print("one shard gives the local weights:", np.array_equal(one.coef_, alone.coef_))

# %%
# With more shards, the mistakes of each are weighted by its share of the mixture. The weighted count obeys the bound.
figure, axes = plt.subplots(figsize=(7, 4.2), layout="constrained")
for shards, colour, marker in ((1, "#0072B2", "o"), (2, "#009E73", "s"), (4, "#E69F00", "^"), (8, "#D55E00", "v")):
    size = len(X) // shards
    fitted = DaskPerceptron().fit(da.from_array(X, chunks=(size, 10)), da.from_array(y, chunks=size))
    total = np.cumsum(fitted.history_["weighted_mistakes"])
    label = f"{shards} shards: {fitted.status_} after {fitted.n_iter_} epochs"
    axes.plot(fitted.history_["epoch"], total, color=colour, marker=marker, markersize=4, label=label)
axes.set(
    xlabel="epoch", ylabel="mistakes so far, weighted by the mixture", title="The same data in 1, 2, 4 and 8 shards"
)
axes.legend(frameon=False)
axes.spines[["top", "right"]].set_visible(False)
print(f"none may exceed {theory.mistake_bound(X, y):,}")
client.close()
