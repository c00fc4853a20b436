"""Writes the table of gaps and overlaps into separability.md, from verdicts found now.

python docs/make_gap_table.py
"""

import warnings
from pathlib import Path

import numpy as np
from marked_part import write_part
from scipy.optimize import linprog
from sklearn.svm import SVC

from rosenblatt import separability

PAGE = Path(__file__).with_name("separability.md")
BEGIN, END = "<!-- gap table: begin -->", "<!-- gap table: end -->"
EXPONENTS = range(4, 16)


def examples(exponent, overlap, n=100):
    """Two classes on the two sides of x₂ = x₁/4, a power of two near 10^-exponent above and below it.

    Every coordinate is a multiple of 2⁻⁵⁰: nothing is rounded, the gap is what it says. For an overlap, one example of
    each class at the centre lies as far on the wrong side.
    """
    rng = np.random.default_rng(exponent)
    y = np.where(np.arange(n) % 2, 1, -1)
    x1 = rng.integers(-512, 513, n) / 512
    x1[-2:] = 0
    side = np.where(overlap & (np.arange(n) >= n - 2), -y, y)
    return np.column_stack([x1, x1 / 4 + side * 2.0 ** round(np.log2(10.0**-exponent))]), y


def by_certificate(X, y):
    result = separability(X, y)
    assert result.verify()
    return bool(result.separable)


def by_linear_program(X, y):
    Z = y[:, None] * np.column_stack([np.ones(len(X)), X])
    return linprog(np.zeros(3), A_ub=-Z, b_ub=-np.ones(len(X)), bounds=(None, None), method="highs").status == 0


def by_widest_program(X, y):
    Z = y[:, None] * np.column_stack([np.ones(len(X)), X])
    A = np.column_stack([-Z, np.ones(len(X))])  # the largest t with z·w ≥ t and |w| ≤ 1
    found = linprog([0, 0, 0, -1], A_ub=A, b_ub=np.zeros(len(X)), bounds=[(-1, 1)] * 3 + [(0, 1)], method="highs")
    return bool(found.x[-1] > 0)


def by_support_vectors(X, y):
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore"
        )  # it says when its iterations run out; the verdict below is what it is left with
        machine = SVC(kernel="linear", C=1e10, max_iter=200_000).fit(X, y)
    return machine.score(X, y) == 1.0


def table():
    asked = [
        ("rosenblatt", by_certificate),
        ("HiGHS, z·w ≥ 1", by_linear_program),
        ("HiGHS, largest t", by_widest_program),
        ("SVC", by_support_vectors),
    ]
    head = [f"{name}: {what}" for what in ("gap", "overlap") for name, _ in asked]
    lines = ["| size | " + " | ".join(head) + " |", "|---|" + "---|" * len(head)]
    for exponent in EXPONENTS:
        cells = []
        for overlap in (False, True):
            X, y = examples(exponent, overlap)
            for _, ask in asked:
                answer = ask(X, y)
                cells.append(("yes" if answer else "no") + (" ✗" if answer == overlap else ""))
        lines.append(f"| 10^−{exponent} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    write_part(PAGE, BEGIN, table(), END)
