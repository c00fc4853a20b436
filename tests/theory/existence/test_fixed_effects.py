"""Fixed effects on the graph of their levels give the same answer as dummies."""

import json

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


@pytest.mark.slow
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


def trade():
    """Exporter A sells nothing, and importer Z buys nothing."""
    rows = [("A", "X", 0), ("A", "Y", 0), ("B", "X", 3), ("B", "Y", 1), ("C", "X", 2), ("C", "Y", 5), ("C", "Z", 0)]
    effects = np.array([(exporter, importer) for exporter, importer, _ in rows])
    return [flow for _, _, flow in rows], effects


def test_levels_that_diverge_are_named_with_their_sign():
    flows, effects = trade()
    found = theory.existence(None, flows, family="poisson", fixed_effects=effects)
    assert found.separated.tolist() == [0, 1, 6]
    assert found.diverging_levels == {"effect0": {"A": "-inf"}, "effect1": {"Z": "-inf"}}
    assert found.reference_levels == {"effect0": [], "effect1": ["X"]}
    text = found.explain()
    assert "effects without a finite estimate: 2 of 6: effect0=A (-inf), effect1=Z (-inf)." in text
    assert "relative to effect1=X, held at 0" in text
    document = json.loads(json.dumps(found.to_dict()))
    assert document["diverging_levels"] == {
        "count": 2,
        "first": [["effect0", "A", "-inf"], ["effect1", "Z", "-inf"]],
    }
    assert theory.verify_existence(document, None, flows, fixed_effects=effects.tolist())


def test_each_unconnected_part_has_its_own_reference_level():
    flows, effects = trade()
    other = np.array([(a + "2", b + "2") for a, b in effects.tolist()])
    found = theory.existence(None, flows * 2, family="poisson", fixed_effects=np.vstack([effects, other]))
    assert found.reference_levels == {"effect0": [], "effect1": ["X", "X2"]}
    assert found.diverging_levels == {
        "effect0": {"A": "-inf", "A2": "-inf"},
        "effect1": {"Z": "-inf", "Z2": "-inf"},
    }


def test_three_effects_and_other_families_name_the_levels_too():
    flows, effects = trade()
    constant = np.full((len(flows), 1), "all")
    three = np.hstack([effects, constant])
    found = theory.existence(None, flows, family="poisson", fixed_effects=three)
    assert found.diverging_levels == {"effect0": {"A": "-inf"}, "effect1": {"Z": "-inf"}, "effect2": {}}
    groups = np.array(list("aaabbbcc"))
    outcomes = [0, 1, 2, 0, 1, 0, 2, 1]
    multinomial = theory.existence(None, outcomes, family="multinomial", fixed_effects=groups)
    assert multinomial.diverging_levels["2:effect0"]["b"] == "-inf"
    assert "a" not in multinomial.diverging_levels["2:effect0"]
    low_high = [0, 1, 2, 0, 0, 0, 2, 2]
    ordinal = theory.existence(None, low_high, family="ordinal", fixed_effects=groups)
    assert ordinal.diverging_levels == {"effect0": {"b": "-inf", "c": "+inf"}}
    assert ordinal.reference_levels == {"effect0": ["a"]}


@pytest.mark.slow
def test_a_direction_relative_to_references_is_still_a_direction_of_recession():
    for seed in range(12):
        X, y, effects = panel(seed)
        table = np.column_stack([effects, effects[:, 0] % 2])
        for chosen in (effects, table):
            found = theory.existence(X, y, family="binomial", fixed_effects=chosen)
            document = json.loads(json.dumps(found.to_dict()))
            given = {"fixed_effects": chosen.tolist()}
            assert theory.verify_existence(document, X.tolist(), y.tolist(), **given)
            if document["diverging_levels"]["count"]:
                document["diverging_levels"]["count"] += 1
                assert not theory.verify_existence(document, X.tolist(), y.tolist(), **given)


@pytest.mark.slow
@pytest.mark.parametrize("columns", [0, 1, 3])
def test_limits_of_levels_are_those_of_the_coefficients_of_their_dummies(columns):
    limits = set()
    for seed in range(20):
        X, y, effects = panel(seed, rows=25, columns=columns)
        found = theory.existence(X, y, family="poisson", fixed_effects=effects)
        held = found.reference_levels["effect1"]
        levels = [("effect0", a) for a in np.unique(effects[:, 0]).tolist()]
        levels += [("effect1", b) for b in np.unique(effects[:, 1]).tolist() if b not in held]
        dummies = [effects[:, int(effect[-1])] == level for effect, level in levels]
        written_out = theory.existence(
            np.column_stack([X, *dummies]).astype(int), y, family="poisson", fit_intercept=False
        )
        statuses = list(written_out.coefficients.values())[columns:]
        expected = {place: status for place, status in zip(levels, statuses, strict=True) if status != "finite"}
        listed = {(e, level): limit for e, parts in found.diverging_levels.items() for level, limit in parts.items()}
        assert listed == (expected if not found.exists else {})
        limits.update(listed.values())
    assert limits == {"+inf", "-inf", "undefined"}


def test_a_level_with_directions_of_both_signs_is_undefined():
    """Both A and C sell nothing to Y, which bounds them against B; nothing compares C with A or Z with X."""
    rows = [("A", "X", 2), ("A", "X", 1), ("B", "Y", 3), ("C", "Z", 4), ("A", "Y", 0), ("C", "Y", 0)]
    effects = np.array([(exporter, importer) for exporter, importer, _ in rows])
    flows = [flow for _, _, flow in rows]
    found = theory.existence(None, flows, family="poisson", fixed_effects=effects)
    assert found.separated.tolist() == [4, 5]
    assert found.reference_levels == {"effect0": [], "effect1": ["X"]}
    assert found.diverging_levels == {
        "effect0": {"B": "+inf", "C": "undefined"},
        "effect1": {"Y": "-inf", "Z": "undefined"},
    }
    document = json.loads(json.dumps(found.to_dict()))
    assert theory.verify_existence(document, None, flows, fixed_effects=effects.tolist())
    for k, wrong in enumerate(["-inf", "+inf", "undefined", "-inf"]):
        tampered = json.loads(json.dumps(document))
        tampered["diverging_levels"]["first"][k][2] = wrong
        assert not theory.verify_existence(tampered, None, flows, fixed_effects=effects.tolist())


def test_at_most_a_dozen_diverging_levels_are_listed():
    firms = np.repeat(np.arange(500), 2)
    y = np.zeros(1000, dtype=int)
    y[:20] = 1
    found = theory.existence(None, y, family="poisson", fixed_effects=firms)
    listed = found.to_dict()["diverging_levels"]
    assert listed["count"] == len(found.diverging_levels["effect0"]) == 490
    assert listed["first"] == [["effect0", firm, "-inf"] for firm in range(10, 22)]
    assert "effect0=21 (-inf), … (490 in all)." in found.explain()
    assert "effect0=22" not in found.explain()
