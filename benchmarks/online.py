"""The plain pass against scikit-learn's: two classes, one thread, five epochs, equal work."""

import warnings
from functools import partial
from typing import Any

import numpy as np
from sklearn.linear_model import Perceptron as Peer

from benchmarks.measure import compare, peak_mb
from benchmarks.workloads import noisy_dense, text_like
from rosenblatt import Perceptron

EPOCHS = 5

_MEMORY = """
import warnings; warnings.simplefilter("ignore")
from benchmarks.workloads import {workload}
X, y = {workload}()
from {module} import Perceptron
Perceptron(max_iter=2{more}).fit(X, y)
"""


def main() -> None:
    """Prints one line a workload."""
    warnings.simplefilter("ignore")
    print(f"online perceptron, two classes, {EPOCHS} epochs, one thread: ratio to scikit-learn (best of 5)")
    for name, workload in (("dense 500,000×54", noisy_dense), ("CSR 200,000×47,000, 70 a row", text_like)):
        X, y = workload()
        _check_same_weights(X, y)
        for order in ("cyclic", "shuffle"):
            ours = Perceptron(order=order, max_iter=EPOCHS)
            peer = Peer(max_iter=EPOCHS, tol=None, shuffle=order == "shuffle")
            found = compare(partial(ours.fit, X, y), partial(peer.fit, X, y))
            print(f"  {name:<30} {order:<8} {found.ratio:5.2f}  ({found.ours:.3f} s against {found.peer:.3f} s)")
        memory = [
            peak_mb(_MEMORY.format(workload=workload.__name__, module=module, more=more))
            for module, more in (("rosenblatt", ""), ("sklearn.linear_model", ", tol=None"))
        ]
        print(f"  {name:<30} peak RSS {memory[0]:,.0f} MB against {memory[1]:,.0f} MB (data included)")


def _check_same_weights(X: Any, y: np.ndarray) -> None:
    """Equal work means equal weights, where scikit-learn walks the same path: dense data in file order."""
    if isinstance(X, np.ndarray):
        ours = Perceptron(order="cyclic", max_iter=EPOCHS).fit(X, y)
        peer = Peer(max_iter=EPOCHS, tol=None, shuffle=False).fit(X, y)
        np.testing.assert_allclose(ours.coef_, peer.coef_, rtol=1e-6, atol=1e-9)


if __name__ == "__main__":
    main()
