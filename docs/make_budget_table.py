"""Makes the table of counted work and processor time in separability.md: one set per search.

    python docs/make_budget_table.py

Each search runs to its end, or to a budget of 10⁹ units, which is meant to be about a second. Run it with
OMP_NUM_THREADS=1: the processor time of idle BLAS threads would count otherwise.
"""

import importlib
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import scipy.sparse as sp

from rosenblatt import separability, theory
from rosenblatt.theory.budget import Budget

BUDGET = 1e9
Task = Callable[[], Any]


def noise(n: int, d: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    return rng.normal(size=(n, d)), rng.choice([-1, 1], n)


def separable(n: int, d: int) -> tuple[Any, Any]:
    X, _ = noise(n, d)
    w = np.random.default_rng(1).normal(size=d)
    return X, np.where(X @ w > 0, 1, -1)


def tiny_gap(n: int, d: int) -> tuple[Any, Any]:
    X, _ = noise(n, d)
    y = np.arange(n) % 2
    X[:, -1] = X[:, 0] + np.where(y, 1, -1) * 2.0**-45
    return X, y


def mean_of_others(n: int, d: int) -> tuple[Any, Any]:
    X = np.random.default_rng(0).integers(-8, 9, (n, d)).astype(float)
    return np.vstack([X, X.mean(axis=0)]), [0] * n + [1]


def equal_pairs(n: int, d: int) -> tuple[Any, Any]:
    X, _ = noise(n, d)
    return np.vstack([X, X]), np.arange(2 * n) // n


def sparse(n: int, d: int, equal: bool) -> tuple[Any, Any]:
    columns = np.random.default_rng(0).integers(0, d, 20 * n)
    X = sp.csr_matrix((np.ones(20 * n), columns, np.arange(n + 1) * 20), shape=(n, d))
    X.sum_duplicates()
    y = np.arange(n) % 2
    return (sp.vstack([X, X[:1]]).tocsr(), np.append(y, 1 - y[0])) if equal else (X, y)


def long_integers(n: int, d: int) -> tuple[Any, Any]:
    X = np.random.default_rng(0).integers(0, 99, (n, d)).astype(object) + 2**70
    return X, np.arange(n) % 2


SEARCHES: dict[str, tuple[Any, Any]] = {
    "separability: point of least norm, 100,000×20 noise": noise(100_000, 20),
    "separability: point of least norm, 20,000×50 separable": separable(20_000, 50),
    "separability: logistic regression, 3,000×300 noise": noise(3000, 300),
    "separability: 3,000×300 separable": separable(3000, 300),
    "separability: rational numbers, gap 2⁻⁴⁵, 2,000×30": tiny_gap(2000, 30),
    "separability: closure, 400×90": mean_of_others(400, 90),
    "separability: equal pairs, 20×2,000": equal_pairs(10, 2000),
    "separability: sparse 10,000×20,000": sparse(10_000, 20_000, False),
    "separability: sparse 10,000×20,000 with equal rows": sparse(10_000, 20_000, True),
    "separability: integers beyond 2⁵³, 2,000×10": long_integers(2000, 10),
}
MODELS = {
    "existence: binomial, 20,000×20 noise": ("binomial", *noise(20_000, 20)),
    "existence: multinomial, 5,000×10": ("multinomial", noise(5000, 10)[0], np.arange(5000) % 4),
    "existence: ordinal, 10,000×10": ("ordinal", noise(10_000, 10)[0], np.arange(10_000) % 3),
    "existence: Poisson, 20,000×20": ("poisson", noise(20_000, 20)[0], np.arange(20_000) % 3),
}
ERRORS = {
    "min_error: sweeps, 1,000×2 noise": noise(1000, 2),
    "min_error: witnesses, 400×10 noise": noise(400, 10),
    "min_error: witnesses, 1,000×20 noise": noise(1000, 20),
    "min_error: witnesses, 200×120 noise": noise(200, 120),
}


def rows() -> Iterator[tuple[str, float, float]]:
    separability(*long_integers(10, 2))  # imports
    separability(*noise(10, 2))
    for name, (X, y) in SEARCHES.items():
        yield name, *measured(lambda X=X, y=y: separability(X, y, budget=BUDGET).verdict.work)
    for name, (family, X, y) in MODELS.items():
        yield name, *measured(lambda f=family, X=X, y=y: counted_existence(f, X, y))
    for name, (X, y) in ERRORS.items():
        yield name, *measured(lambda X=X, y=y: counted_errors(X, y))


def counted_errors(X: Any, y: Any) -> float:
    return counted("rosenblatt.theory.minimum_error.min_error", lambda: theory.min_error(X, y, budget=BUDGET))


def counted_existence(family: str, X: Any, y: Any) -> float:
    module = "rosenblatt.theory.existence.decide_existence"
    return counted(module, lambda: theory.existence(X, y, family=family, budget=BUDGET))


def counted(name: str, task: Task) -> float:
    """The work charged to the first budget that a module makes."""
    module: Any = importlib.import_module(name)
    budgets: list[Budget] = []
    original = module.Budget
    module.Budget = lambda limit=None: budgets.append(original(limit)) or budgets[-1]
    try:
        task()
    finally:
        module.Budget = original
    return budgets[0].used


def measured(task: Task) -> tuple[float, float]:
    began = time.process_time()
    work = task()
    return work, time.process_time() - began


if __name__ == "__main__":
    print("| search | work, 10⁹ units | processor seconds | seconds for 10⁹ units |\n|---|---|---|---|", flush=True)
    for name, work, taken in rows():
        print(f"| {name} | {work / 1e9:.3f} | {taken:.2f} | {taken / work * 1e9:.2f} |", flush=True)
