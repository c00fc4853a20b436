"""Fixed effects on the graph of their levels give the same answer as dummies."""

import numpy as np
import pytest

from rosenblatt import theory


def panel(seed, rows=40, levels=6, columns=3):
    rng = np.random.default_rng(seed)
    effects = rng.integers(0, levels, (rows, 2))
    scale = rng.choice([1, 2, 1000])
    X = rng.integers(-3, 4, (rows, columns)) * scale * (rng.random((rows, columns)) < rng.choice([0.1, 0.4, 1.0]))
    direction = rng.integers(-2, 3, columns)
    y = (X @ direction + rng.normal(size=rows) * rng.choice([0, 1, 5]) > 0).astype(int)
    return X, y, effects


def dummies(codes):
    return (codes[:, None] == np.unique(codes)).astype(int)


@pytest.mark.parametrize("family", ["binomial", "poisson"])
def test_two_effects_with_columns_give_the_answer_of_their_dummies(family):
    kinds = set()
    for seed in range(25):
        X, y, effects = panel(seed)
        found = theory.existence(X, y, family=family, fixed_effects=effects)
        wide = np.column_stack([X, dummies(effects[:, 0]), dummies(effects[:, 1])])
        written_out = theory.existence(wide, y, family=family, fit_intercept=False)
        assert np.array_equal(found.separated, written_out.separated)
        assert list(found.coefficients.values()) == list(written_out.coefficients.values())[: X.shape[1]]
        kinds.add(found.kind)
    assert "quasi-complete" in kinds
    assert len(kinds) > 1


def test_a_direction_gives_levels_their_part():
    y = [0, 0, 1, 0, 1]
    found = theory.existence(None, y, family="poisson", fixed_effects=np.array(list("aabbb")))
    assert found.separated.tolist() == [0, 1]
    assert found.coefficients == {}
    assert found.effect_directions == {"effect0": {"a": -1, "b": 0}}
    assert found.verify()


def test_levels_of_three_effects_are_never_dense():
    rng = np.random.default_rng(0)
    effects = rng.integers(0, 20, (300, 3))
    y = rng.integers(0, 2, 300)
    y[effects[:, 2] == 7] = 0
    found = theory.existence(None, y, family="poisson", fixed_effects=effects)
    assert set(np.flatnonzero(effects[:, 2] == 7)) <= set(found.separated.tolist())
    assert found.verify()


def test_an_effect_that_equals_a_column_makes_it_aliased():
    X = np.array([[1], [1], [2], [2], [2], [1]])
    found = theory.existence(X, [0, 1, 0, 1, 1, 0], family="binomial", fixed_effects=X[:, 0])
    assert found.exists
    assert found.aliased == ["x0"]
    assert found.coefficients == {"x0": "undefined"}
