"""Boolean functions: counting threshold functions, smallest weights with their proof, networks.

    python -m benchmarks.boolean [--quick]

All on one core. No peer does the same work: the counts are set beside the naive way, a linear program (HiGHS through
scipy) for each of the 2^(2ⁿ) functions, measured on a sample and multiplied up.
"""

import argparse
import time

import numpy as np
from scipy.optimize import linprog

from rosenblatt.boolean import BooleanFunction, ThresholdUnit, count_threshold_functions
from rosenblatt.boolean.tables import inputs


def timed(work):
    begin = time.perf_counter()
    result = work()
    return time.perf_counter() - begin, result


def one_program(table):
    """Whether a unit computes this table, by a linear program on all rows."""
    X = inputs(int(table.size).bit_length() - 1)
    A = np.where(table, 1.0, -1.0)[:, None] * np.column_stack([np.ones(len(X)), X])
    return linprog(np.zeros(A.shape[1]), A_ub=-A, b_ub=-np.ones(len(A)), bounds=(None, None)).status == 0


def counting(most):
    rng = np.random.default_rng(0)
    print(f"{'n':>2} {'threshold functions':>20} {'seconds':>9} {'a program for each function':>29}")
    for n in range(most + 1):
        seconds, count = timed(lambda n=n: count_threshold_functions(n))
        sample = rng.integers(0, 2, size=(20, 2**n)).astype(bool)
        each = timed(lambda sample=sample: [one_program(table) for table in sample])[0] / len(sample)
        naive = np.log10(each) + 2**n * np.log10(2)
        shown = f"{10**naive:,.1f} s" if naive < 5 else f"10^{naive:.0f} s"
        print(f"{n:>2} {count:>20,} {seconds:>9.2f} {shown:>29}")


def smallest(sizes):
    rng = np.random.default_rng(0)
    print(f"\n{'n':>2} {'Σ|w|':>6} {'perceptron()':>13} {'verify()':>9}")
    for n in sizes:
        f = ThresholdUnit(rng.integers(-50, 51, n).tolist(), 0.5).function()
        seconds, unit = timed(f.perceptron)
        check, right = timed(f.minimality.verify)
        assert right
        print(f"{n:>2} {unit.size:>6} {seconds:>11.3f} s {check:>7.3f} s")


def networks(sizes):
    rng = np.random.default_rng(0)
    print(f"\n{'function':>20} {'hidden units':>13} {'network()':>10}")
    for n in sizes:
        for name, f in (
            (f"random of {n}", BooleanFunction(rng.integers(0, 2, 2**n))),
            (f"parity of {n}", BooleanFunction(" xor ".join(f"x{i}" for i in range(n)))),
        ):
            seconds, network = timed(f.network)
            print(f"{name:>20} {network.n_hidden:>13} {seconds:>8.2f} s")


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small cases only")
    quick = parser.parse_args(arguments).quick
    counting(5 if quick else 6)
    smallest((8,) if quick else (8, 10, 12, 14, 16))
    networks((4, 6) if quick else (4, 6, 8, 10))


if __name__ == "__main__":
    main()
