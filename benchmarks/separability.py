"""Separability with a proof against a plain linear program (HiGHS through scipy), on the same data in the same run.

The program asks for a w with z·w ≥ 1 for all examples: infeasible means not separable. It proves nothing, and it is
given a time limit; where it hits the limit, the ratio is a lower bound. Our time is that of `separability`, the proof
included; `verify` is the separate check in plain integers. Each case runs in a process of its own, so that the peak of
memory is its own; it is counted above what the process held once the libraries were loaded, X included, in units of X.
"""

import multiprocessing
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from benchmarks.agreement import agree
from benchmarks.records import Result
from benchmarks.run import Run, peak_mb_of_this_process, seconds

GAP = 0.01
LIMIT = 20.0  # seconds that the linear program may take


def measure(run: Run) -> Iterator[Result]:
    """Separable, and with one label flipped."""
    for n, d in [(5000, 20)] if run.quick else [(100_000, 50), (20_000, 300), (1_000_000, 50)]:
        for flipped in (False, True):
            mine = alone(ours, n, d, flipped)
            theirs = alone(linear_program, n, d, flipped, LIMIT)
            agree(mine["verified"], "certificate and its check")
            verdicts = {"separable": ("separable",), "inseparable": ("infeasible",)}[mine["kind"]]
            stopped = theirs["kind"] == "time limit"
            yield Result(
                "separability",
                f"{n:,}×{d}, {'one label flipped' if flipped else 'separable'}, with proof",
                "synthetic",
                (mine["seconds"],),
                "linear program (HiGHS)",
                (theirs["seconds"],),
                peer_stopped=stopped,
                agreement="checked by itself" if stopped else agree(theirs["kind"] in verdicts, "verdict"),
                notes=(f"verify {mine['verify_seconds']:.2f} s; peak memory {mine['memory']:.2f} times X",),
            )


def make(n: int, d: int, flipped: bool) -> tuple[np.ndarray, np.ndarray]:
    """Gaussian examples on the two sides of a plane, `GAP` from it or more; the farthest one may be flipped."""
    rng = np.random.default_rng(0)
    X = np.empty((n, d))
    w = rng.normal(size=d)
    w /= np.linalg.norm(w)
    distance = np.empty(n)
    for begin in range(0, n, 1000):  # in parts: the maker must not set the peak of memory
        part = rng.normal(size=(min(1000, n - begin), d))
        distance[begin : begin + len(part)] = part @ w
        X[begin : begin + len(part)] = part + np.outer(GAP * np.sign(part @ w), w)
    y = np.sign(distance).astype(np.int64)
    if flipped:
        y[np.argmax(abs(distance))] *= -1
    return X, y


def ours(n: int, d: int, flipped: bool) -> dict[str, Any]:
    from rosenblatt import separability

    separability([[0.0], [1.0]], [0, 1])  # load everything once
    before = peak_mb_of_this_process()
    X, y = make(n, d, flipped)
    found: list[Any] = []
    taken = seconds(lambda: found.append(separability(X, y)))
    memory = (peak_mb_of_this_process() - before) * 2**20 / X.nbytes
    verify = seconds(lambda: found.append(found[0].verify()))
    return {
        "kind": found[0].kind,
        "seconds": taken,
        "memory": memory,
        "verified": found[1],
        "verify_seconds": verify,
    }


def linear_program(n: int, d: int, flipped: bool, limit: float) -> dict[str, Any]:
    from scipy.optimize import linprog

    X, y = make(n, d, flipped)
    Z = -y[:, None] * np.column_stack([np.ones(n), X])
    del X
    found: list[Any] = []
    options = {"time_limit": limit}
    taken = seconds(
        lambda: found.append(
            linprog(np.zeros(d + 1), A_ub=Z, b_ub=-np.ones(n), bounds=(None, None), method="highs", options=options)
        )
    )
    verdict = {0: "separable", 1: "time limit", 2: "infeasible"}.get(found[0].status, f"status {found[0].status}")
    return {"kind": verdict, "seconds": taken}


def alone(task: Callable[..., dict[str, Any]], *arguments: Any) -> dict[str, Any]:
    """Runs a task in a fresh process."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(task, arguments)
