"""Certificates: both checkers refuse whatever is not a proof."""

import json
from copy import deepcopy
from dataclasses import replace

import numpy as np
import pytest

from rosenblatt import theory

#: Quasi-complete separation by x0, with x1 finite; and with directions of both signs at the intercept.
X = [[0, 1], [0, 2], [1, 1], [0, 2], [0, 1], [2, 3]]
y = [0, 0, 1, 1, 1, 1]


def certificate(X=X, y=y, **options):
    found = theory.existence(X, y, family=options.pop("family", "binomial"), **options)
    return found, json.loads(json.dumps(found.to_dict()))


def test_a_certificate_passes_through_json():
    found, document = certificate()
    assert document["coefficients"] == {"intercept": "finite", "x0": "+inf", "x1": "finite"}
    assert found.verify()
    assert theory.verify_existence(document, X, y)


@pytest.mark.parametrize(
    "change",
    [
        lambda c: c["direction"].update(x0="-1"),
        lambda c: c["direction"].update(x0="0"),
        lambda c: c["direction"].update(x1="1"),
        lambda c: c["separated"].pop(),
        lambda c: c["separated"].append(0),
        lambda c: c["partly_separated"].append(0),
        lambda c: c["multipliers"].pop(),
        lambda c: c["multipliers"][0].__setitem__(3, "-1"),
        lambda c: c["multipliers"][0].__setitem__(3, "7"),
        lambda c: c["multipliers"][0].__setitem__(0, 99),
        lambda c: c["coefficients"].update(x1="+inf"),
        lambda c: c["coefficients"].update(x0="finite"),
        lambda c: c["coefficients"].update(x0="-inf"),
        lambda c: c["coefficients"].update(x0="undefined"),
        lambda c: c["aliased"].append("x1"),
        lambda c: c["aliased"].append("x7"),
        lambda c: c.update(exists=True),
        lambda c: c.update(kind="complete"),
        lambda c: c.update(kind="overlap"),
        lambda c: c.update(n_observations=7),
        lambda c: c.update(direction=1),
        lambda c: c.update(coefficients="x0"),
        lambda c: c.update(classes=None),
        lambda c: c.update(family="poisson"),
        lambda c: c.update(fit_intercept=False),
        lambda c: c.pop("multipliers"),
    ],
)
def test_the_second_checker_refuses_a_changed_certificate(change):
    _, document = certificate()
    changed = deepcopy(document)
    change(changed)
    assert not theory.verify_existence(changed, X, y)


def test_the_second_checker_refuses_a_family_that_it_does_not_know():
    _, document = certificate([[1], [2]], [0, 3], family="poisson")
    assert theory.verify_existence(document, [[1], [2]], [0, 3])
    assert not theory.verify_existence(document | {"family": "gamma"}, [[1], [2]], [0, 3])


def test_the_second_checker_refuses_other_data():
    _, document = certificate()
    assert not theory.verify_existence(document, X, [0, 1, 1, 1, 1, 1])
    assert not theory.verify_existence(document, X[:-1], y[:-1])
    assert not theory.verify_existence(document, [[a] for a, _ in X], y)


@pytest.mark.parametrize(
    "effects", [None, [[0, 1], [0, 0], [1, 1], [0, 1], [1, 0], [1, 1]]], ids=["columns", "effects"]
)
def test_a_changed_answer_does_not_verify(effects):
    found, _ = certificate(fixed_effects=effects)
    solution, coefficients = found.solution, found.found
    flipped = solution.positive.copy()
    flipped[int(np.argmax(flipped))] = False
    assert not replace(found, solution=replace(solution, positive=flipped)).verify()
    assert not replace(found, solution=replace(solution, positive=np.zeros_like(flipped))).verify()
    assert not replace(found, solution=replace(solution, multipliers=solution.multipliers - 1)).verify()
    assert not replace(found, solution=replace(solution, multipliers=2 * np.ones_like(flipped, dtype=int))).verify()
    worse = replace(solution.direction, w=[-a for a in solution.direction.w])
    assert not replace(found, solution=replace(solution, direction=worse)).verify()
    for other in ("finite", "+inf", "-inf", "undefined"):
        statuses = [other] * len(coefficients.statuses)
        if statuses != coefficients.statuses:
            assert not replace(found, found=replace(coefficients, statuses=statuses)).verify()
    assert not replace(found, found=replace(coefficients, null=[])).verify()
    assert not replace(found, found=replace(coefficients, null=[*coefficients.null, *coefficients.null])).verify()


def test_signs_need_their_own_proof():
    """In complete separation by two columns, the sign of x0 is proved by multipliers and that of x1 by a direction."""
    table, outcome = [[1, 0], [1, 1], [1, -1], [-1, 0], [-1, 1], [-1, -1]], [1, 1, 1, 0, 0, 0]
    found, document = certificate(table, outcome, fit_intercept=False)
    assert document["coefficients"] == {"x0": "+inf", "x1": "undefined"}
    assert list(document["keeps_sign"]) == ["x0"]
    assert theory.verify_existence(document, table, outcome)
    assert not replace(found, found=replace(found.found, farkas={})).verify()
    without = {**document, "keeps_sign": {}}
    assert not theory.verify_existence(without, table, outcome)
    wrong = deepcopy(document)
    wrong["keeps_sign"]["x0"][0][3] = "-1"
    assert not theory.verify_existence(wrong, table, outcome)


def test_multipliers_are_positive_on_every_observation_that_is_not_separated():
    found, document = certificate()
    unseparated = set(range(len(y))) - set(found.separated.tolist())
    assert {i for i, *_ in document["multipliers"]} == unseparated
    assert all(int(m) > 0 for *_, m in document["multipliers"])


def test_a_basis_of_dependent_directions_does_not_verify():
    found, _ = certificate([[1, 2, 3, 4, 5], [2, 1, 0, 1, 2], [3, 3, 3, 5, 7]], [0, 1, 1])
    first, second, *rest = found.found.aliased
    added = replace(second, w=[a + b for a, b in zip(first.w, second.w, strict=True)])
    assert replace(found, found=replace(found.found, aliased=[first, added, *rest])).verify()
    assert rest, "no direction is left that the sum can replace"
    assert not replace(found, found=replace(found.found, aliased=[first, second, added, *rest[1:]])).verify()


def test_a_wide_design_is_undecided_within_its_budget():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((20, 400)), rng.integers(0, 2, 20)
    assert theory.existence(X, y, family="binomial", budget=5e7).exists is None
    assert theory.existence(X, y, family="binomial").exists is False
