"""A noisy set, default parameters: how long until the fit gives up, and what its weights are worth."""

import time
import warnings

import numpy as np
from sklearn.linear_model import Perceptron as Peer

from benchmarks.workloads import noisy_dense
from rosenblatt import Perceptron

SEEDS = 10


def main() -> None:
    """Prints times, epochs and held-out accuracies over ten seeds."""
    warnings.simplefilter("ignore")
    X, y = noisy_dense(600_000)
    train, test = slice(500_000), slice(500_000, None)
    rows = []
    for seed in range(SEEDS):
        row: list[float] = []
        for estimator in (Perceptron(random_state=seed), Peer(random_state=seed)):
            begin = time.perf_counter()
            estimator.fit(X[train], y[train])
            row += [time.perf_counter() - begin, estimator.n_iter_, estimator.score(X[test], y[test])]
            if isinstance(estimator, Perceptron) and estimator.status_ != "stalled":
                raise AssertionError(f"ended {estimator.status_}")
        rows.append(row)
    mean = np.mean(rows, axis=0)
    print("noisy 500,000×54, default parameters, mean of ten seeds: rosenblatt (ends 'stalled') | scikit-learn")
    print(f"  seconds  {mean[0]:.2f} | {mean[3]:.2f}   ratio {mean[3] / mean[0]:.2f}")
    print(f"  epochs   {mean[1]:.1f} | {mean[4]:.1f}")
    print(f"  accuracy {mean[2]:.4f} | {mean[5]:.4f}")


if __name__ == "__main__":
    main()
