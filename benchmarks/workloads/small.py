"""The sonar data: 208 echoes of 60 bands, a margin of 0.001, hundreds of thousands of epochs to separation."""

from collections.abc import Iterator

import numpy as np
from sklearn.linear_model import Perceptron as Peer

from benchmarks.agreement import agree, with_scikit_learn
from benchmarks.data import sonar
from benchmarks.records import Needs, Result
from benchmarks.run import Run, accelerators, fits
from rosenblatt import Perceptron


def measure(run: Run) -> Iterator[Result]:
    """Fits to separation. scikit-learn runs the same number of epochs, since it does not detect separation."""
    data = sonar(run)
    for order in ("cyclic", "shuffle"):
        most = 1000 if run.quick else None
        ours, plain = (Perceptron(order=order, max_iter=most) for _ in range(2))
        epochs = ours.fit(data.X, data.y).n_iter_
        peer = Peer(max_iter=epochs, tol=None, shuffle=order == "shuffle")
        ways = fits({"ours": ours, "none": plain, "peer": peer}, data.X, data.y)
        times = run.contest(ways)
        end = "to separation in" if ours.status_ == "separated" else "the first"
        same = agree(np.array_equal(ours.coef_, plain.coef_), "weights, bit for bit")
        # The data fits into the cache: a plain run needs multiply-adds for every score and every mistake.
        needs = Needs(multiply_adds=float(data.X.shape[1] * (epochs * len(data.y) + ours.n_mistakes_)))
        for key, name, goal, agreement in (
            ("peer", "scikit-learn", 15, with_scikit_learn(ours, peer, data.X, data.y, order)),
            ("none", "our plain loop", None, same),
        ):
            yield Result(
                "small",
                f"small and hard 208×60, {end} {epochs:,} epochs, {order}",
                data.name,
                times["ours"],
                name,
                times[key],
                goal=goal,
                agreement=agreement,
                needs=needs,
                accelerators=accelerators(ours),
                notes=(f"{ours.n_mistakes_:,} mistakes",),
            )
