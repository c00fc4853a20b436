"""Writes the table of what statsmodels reports on separated data into existence.md, from fits made now.

python docs/make_statsmodels_table.py
"""

import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import statsmodels.api as sm
from marked_part import write_part

from rosenblatt import theory

PAGE = Path(__file__).with_name("existence.md")
BEGIN, END = "<!-- statsmodels table: begin -->", "<!-- statsmodels table: end -->"


def cases():
    """Models of statsmodels, each on data with overlap and on data without."""
    rng = np.random.default_rng(0)
    n = 200
    x = rng.normal(size=n).round(2)
    group = rng.integers(0, 2, n)
    noisy = (x + rng.logistic(size=n) > 0).astype(int)
    design = sm.add_constant(pd.DataFrame({"x": x, "group": group}))
    yield "overlap", sm.Logit(noisy, design)
    yield "a group without failures", sm.Logit(np.where(group == 1, 1, noisy), design)
    yield "a threshold on x", sm.Logit((x > 0.3).astype(int), design)
    score = rng.integers(0, 11, n)
    mixed = np.where(score == 5, rng.integers(0, 2, n), score > 5).astype(int)
    yield "a threshold, with both outcomes on it", sm.Logit(mixed, sm.add_constant(pd.DataFrame({"score": score})))
    three = np.digitize(x + rng.logistic(size=n), [-1, 1])
    yield "overlap", sm.MNLogit(three, design)
    yield "a group without the third outcome", sm.MNLogit(np.where((group == 1) & (three == 2), 1, three), design)
    yield "one outcome beyond a threshold", sm.MNLogit(np.where(x > 0.8, 2, three % 2), design)
    counts = rng.poisson(np.exp(0.3 * x))
    yield "overlap", sm.Poisson(counts, design)
    yield "a group of zeros", sm.Poisson(counts * (group == 0), design)
    rare = np.zeros(n)
    rare[np.flatnonzero(counts == 0)[:4]] = 1
    yield "a rare dummy at zeros only", sm.Poisson(counts, design.assign(rare=rare))


def reported(model, method):
    """What a user of statsmodels sees: an exception, or warnings, and the largest coefficient."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            results = model.fit(disp=False, method=method, maxiter=1000)
        except np.linalg.LinAlgError as error:
            return f"raises {type(error).__name__}"
    names = sorted({warning.category.__name__ for warning in caught})
    converged = "converged" if results.mle_retvals["converged"] else "not converged"
    largest = np.abs(np.asarray(results.params)).max()
    return f"{', '.join(names) or '**no warning**'}; {converged}; {largest:.1f}"


def table():
    lines = [
        "| model | data | `fit(method='newton')` | `fit(method='bfgs')` | `existence.of(model)` | not finite |",
        "|---|---|---|---|---|---|",
    ]
    for what, model in cases():
        found = theory.existence.of(model)
        infinite = ", ".join(f"{name} {status}" for name, status in found.coefficients.items() if status != "finite")
        verdict = "exist" if found.exists else found.kind
        cells = [type(model).__name__, what, reported(model, "newton"), reported(model, "bfgs"), verdict, infinite]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    write_part(PAGE, BEGIN, table(), END)
