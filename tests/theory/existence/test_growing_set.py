"""Many rows over few columns: the working set gives the decomposition of all rows at once."""

import numpy as np
import pytest

from rosenblatt import theory
from rosenblatt.theory.budget import Budget
from rosenblatt.theory.decomposition import Decomposition, check_decomposition, decompose
from rosenblatt.theory.decomposition.integer_rows import IntegerRows
from rosenblatt.theory.existence.recession.growing_set import decompose_by_growing_set, is_large


def rows(seed):
    """Rows of which some can be positive: by a column of one sign, by a direction, or not at all."""
    rng = np.random.default_rng(seed)
    width = int(rng.integers(1, 4))
    Z = rng.integers(-4, 5, (200, width)) * (rng.random((200, width)) < rng.choice([0.2, 1.0]))
    if seed % 3:
        scores = Z @ rng.integers(-2, 3, width)
        Z[scores < 0] *= -1
    if seed % 3 == 2:
        Z[rng.random(200) < 0.2, -1] = 0
    return Z, rng.random(200) < rng.choice([0.0, 0.05])


def test_the_decomposition_is_that_of_all_rows_at_once():
    mixed = 0
    for seed in range(60):
        Z, equality = rows(seed)
        table = IntegerRows.of(Z)
        assert is_large(table)
        positive, w, multipliers = decompose_by_growing_set(table, equality, Budget())
        assert positive.tolist() == decompose(Z, equality=equality).positive.tolist()
        found = Decomposition(positive, w, [int(m) for m in multipliers], 0)
        assert check_decomposition(Z, found, equality)
        mixed += 0 < positive.sum() < len(positive)
    assert mixed > 5


@pytest.mark.parametrize("family", ["binomial", "poisson", "multinomial", "ordinal"])
def test_planted_separation_among_many_observations_is_found(family):
    rng = np.random.default_rng(0)
    n = 3000
    X = rng.normal(size=(n, 4))
    X[:, 3] = 0
    y = rng.integers(0, 2 if family in ("binomial", "poisson") else 3, n)
    planted = np.sort(rng.choice(np.flatnonzero(y == 0), 7, replace=False))
    X[planted, 3] = 1
    found = theory.existence(X, y, family=family)
    names = [name for name, status in found.coefficients.items() if status == "-inf"]
    assert found.separated.tolist() == planted.tolist()
    assert {name.split(":")[-1] for name in names} == {"x3"}
