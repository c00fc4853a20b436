"""Separability with a proof against a plain linear program (HiGHS through scipy), on the same data in the same run.

    python -m benchmarks.separability [--quick] [--time-limit SECONDS]

The program asks for a w with z·w ≥ 1 for all examples: infeasible means not separable. It proves nothing, and it is
given a time limit; where it hits the limit, the ratio is a lower bound. Our time is that of `separability`, the proof
included; `verify` is the separate check in plain integers. Each case runs in a process of its own, so that the peak of
memory is its own; it is counted above what the process held once the libraries were loaded, X included, in units of X.
"""

import argparse
import multiprocessing
import resource
import time

import numpy as np

GAP = 0.01


def make(n, d, flipped):
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


def peak():
    """Bytes at the peak."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def ours(n, d, flipped, check):
    from rosenblatt import separability

    separability([[0.0], [1.0]], [0, 1])  # load everything once
    before = peak()
    X, y = make(n, d, flipped)
    begin = time.perf_counter()
    result = separability(X, y)
    seconds = time.perf_counter() - begin
    memory = (peak() - before) / X.nbytes
    begin = time.perf_counter()
    verified = result.verify() if check else None
    return {
        "kind": result.kind,
        "seconds": seconds,
        "memory": memory,
        "verified": verified,
        "verify_seconds": time.perf_counter() - begin,
    }


def linear_program(n, d, flipped, limit):
    from scipy.optimize import linprog

    X, y = make(n, d, flipped)
    Z = -y[:, None] * np.column_stack([np.ones(n), X])
    del X
    begin = time.perf_counter()
    found = linprog(
        np.zeros(d + 1), A_ub=Z, b_ub=-np.ones(n), bounds=(None, None), method="highs", options={"time_limit": limit}
    )
    verdict = {0: "separable", 1: "time limit", 2: "infeasible"}.get(found.status, f"status {found.status}")
    return {"kind": verdict, "seconds": time.perf_counter() - begin}


def alone(task, *arguments):
    """Runs a task in a fresh process."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(task, arguments)


CASES = [(100_000, 50), (20_000, 300), (1_000_000, 50)]


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="only 20,000 × 50, without the large cases")
    parser.add_argument("--time-limit", type=float, default=60.0, help="seconds that the linear program may take")
    chosen = parser.parse_args(arguments)
    cases = [(20_000, 50)] if chosen.quick else CASES
    print("| examples | flipped label | ours | s | peak memory / X | verify, s | HiGHS LP | s | LP / ours |")
    print("|---|---|---|---:|---:|---:|---|---:|---:|")
    for n, d in cases:
        for flipped in (False, True):
            mine = alone(ours, n, d, flipped, True)
            theirs = alone(linear_program, n, d, flipped, chosen.time_limit)
            assert mine["verified"], "a certificate did not verify"
            more = "≥ " if theirs["kind"] == "time limit" else ""
            print(
                f"| {n:,} × {d} | {'one' if flipped else 'none'} | {mine['kind']} | {mine['seconds']:.2f} | "
                f"{mine['memory']:.2f} | {mine['verify_seconds']:.2f} | {theirs['kind']} | {theirs['seconds']:.1f} | "
                f"{more}{theirs['seconds'] / mine['seconds']:.0f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
