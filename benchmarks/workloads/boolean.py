"""Boolean functions: counting threshold functions, smallest weights with their proof, networks.

All on one core. No peer does the same work: counting is compared with the naive method, a linear program (HiGHS through
scipy) for each of the 2^(2ⁿ) functions, measured on a sample and extrapolated.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy.optimize import linprog

from benchmarks.agreement import agree
from benchmarks.records import Result
from benchmarks.run import Run, seconds
from rosenblatt.boolean import BooleanFunction, ThresholdUnit, count_threshold_functions
from rosenblatt.boolean.truth_tables import inputs

# OEIS A000609, from n = 0.
COUNTS = (2, 4, 14, 104, 1882, 94572, 15028134)
SAMPLE = 20


def measure(run: Run) -> Iterator[Result]:
    """Counts, smallest weights, networks."""
    rng = np.random.default_rng(0)
    for n in range(3, run.size(6, 4) + 1):
        taken, count = timed(lambda n=n: count_threshold_functions(n))
        sample = rng.integers(0, 2, size=(SAMPLE, 2**n)).astype(bool)
        naive, _ = timed(lambda sample=sample: [one_program(table) for table in sample])
        yield Result(
            "boolean",
            f"counting the threshold functions of {n}",
            "all functions",
            (taken,),
            "a program for each",
            (naive,),
            scale=2.0 ** (2**n) / SAMPLE,
            agreement=agree(count == COUNTS[n], "count as published"),
        )
    for n in (8,) if run.quick else (8, 10, 12, 14, 16):
        f = ThresholdUnit(rng.integers(-50, 51, n).tolist(), 0.5).function()
        taken, unit = timed(f.perceptron)
        check, right = timed(f.minimality.verify)
        yield Result(
            "boolean",
            f"smallest weights of a unit of {n}",
            "synthetic",
            (taken,),
            agreement=agree(right, "size as proved"),
            notes=(f"Σ|w| = {unit.size}, verify {check:.3f} s",),
        )
    for n in (4, 6) if run.quick else (6, 8, 10):
        for name, f in (
            ("random function", BooleanFunction(rng.integers(0, 2, 2**n))),
            ("parity", BooleanFunction(" xor ".join(f"x{i}" for i in range(n)))),
        ):
            taken, network = timed(f.network)
            yield Result("boolean", f"network of a {name} of {n}", "synthetic", (taken,), notes=_units(network))


def _units(network: Any) -> tuple[str, ...]:
    return (f"{network.n_hidden} hidden units",)


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    found: list[Any] = []
    return seconds(lambda: found.append(work())), found[0]


def one_program(table: np.ndarray) -> bool:
    """Decides whether a unit computes this table, by a linear program over all rows."""
    X = inputs(int(table.size).bit_length() - 1)
    A = np.where(table, 1.0, -1.0)[:, None] * np.column_stack([np.ones(len(X)), X])
    return bool(linprog(np.zeros(A.shape[1]), A_ub=-A, b_ub=-np.ones(len(A)), bounds=(None, None)).status == 0)
