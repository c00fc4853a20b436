"""Two fixed effects of many levels: planted separated rows are found exactly, in bounded memory."""

import numpy as np
import pytest

from rosenblatt import theory
from tests.theory.existence.exhaustive import EXHAUSTIVE

ROWS, LEVELS = (10**7, 10**5) if EXHAUSTIVE else (20_000, 200)


@pytest.mark.slow
@pytest.mark.parametrize("family", ["poisson", "binomial"])
def test_planted_separated_rows_of_a_panel_are_found_exactly(family):
    rng = np.random.default_rng(0)
    effects = rng.integers(0, LEVELS, (ROWS, 2))
    X = rng.integers(0, 5, (ROWS, 2))
    y = rng.integers(0, 2, ROWS)
    planted = np.isin(effects[:, 0], rng.choice(LEVELS, LEVELS // 100, replace=False))  # levels without a success
    only = rng.choice(np.flatnonzero(~planted), 50, replace=False)  # a column that is nonzero at failures alone
    planted[only] = True
    y[planted] = 0
    X[:, 0] = 0
    X[only, 0] = 1
    found = theory.existence(X, y, family=family, fixed_effects=effects)
    assert np.array_equal(found.separated, np.flatnonzero(planted))
    assert found.coefficients == {"x0": "-inf", "x1": "finite"}
