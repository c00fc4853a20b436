"""The widest margin: exact where it is known, and nowhere wider."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from sklearn.svm import SVC

from rosenblatt import data, separability
from rosenblatt.theory import max_margin
from rosenblatt.theory.margin.widest_margin import root
from tests.storages import STORAGES
from tests.theory.cases import AND, OR, gap_set, integer_sets


def exact(X):
    return [[Fraction(a) for a in row] for row in np.asarray(X).tolist()]


def assert_optimal(best, X, y, augmented):
    """Primal and dual in rationals: the support's combination is a point of the hull, and no example scores less."""
    rows = exact(X)
    share = dict(zip(best.support.tolist(), best.multipliers, strict=True))
    assert all(m > 0 for m in share.values())
    z = [[s * a for a in ([Fraction(1), *row] if augmented else row)] for row, s in zip(rows, y, strict=True)]
    point = [sum((m * z[i][j] for i, m in share.items()), Fraction(0)) for j in range(len(z[0]))]
    norm = sum(a * a for a in point)
    scores = [sum(a * b for a, b in zip(point, row, strict=True)) for row in z]
    if augmented:
        assert sum(share.values()) == 1
        assert best.gamma_squared == norm
        assert min(scores) == norm
    else:
        for sign in (1, -1):
            assert sum(m for i, m in share.items() if y[i] == sign) == 1
        assert best.gamma_squared == norm / 4
        assert (
            min(s for s, sign in zip(scores, y, strict=True) if sign > 0)
            + min(s for s, sign in zip(scores, y, strict=True) if sign < 0)
            == norm
        )


@settings(max_examples=200)
@given(integer_sets())
def test_primal_and_dual_meet_in_rationals(case):
    X, y = case
    if not separability(X, y).separable:
        return
    assert_optimal(max_margin(X, y), X, y, augmented=False)
    assert_optimal(max_margin(X, y, augmented=True), X, y, augmented=True)


@given(integer_sets())
def test_the_plane_of_the_widest_margin_keeps_that_distance(case):
    X, y = case
    if not separability(X, y).separable:
        return
    best = max_margin(X, y)
    np.testing.assert_allclose((y * best.hyperplane.signed_distance(X)).min(), best.gamma, rtol=1e-9)


def test_margins_of_the_lectures_sets():
    assert max_margin(*AND).gamma_squared == Fraction(1, 8)
    assert max_margin(*AND, augmented=True).gamma_squared == Fraction(1, 17)
    assert max_margin(*OR, augmented=True).gamma_squared == Fraction(1, 9)


def test_setosa_in_millimetres():
    iris = data.load("iris")
    best = max_margin(np.rint(iris.X * 10).astype(int), iris.y == "setosa")
    assert best.gamma_squared == Fraction(10427, 156)
    assert best.lower_squared == best.upper_squared == best.gamma_squared


@pytest.mark.parametrize("storage", STORAGES)
def test_every_storage_has_the_same_margin(storage):
    X, y = np.array(AND[0], dtype=float), AND[1]
    assert max_margin(STORAGES[storage](X), y).gamma_squared == Fraction(1, 8)
    assert max_margin(STORAGES[storage](X), y, augmented=True).gamma_squared == Fraction(1, 17)


def test_it_agrees_with_a_support_vector_machine_where_that_is_accurate():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    y = X[:, 0] > 0
    X[:, 0] += np.where(y, 0.5, -0.5)
    machine = SVC(kernel="linear", C=1e6, tol=1e-8, max_iter=1_000_000).fit(X, y)
    best = max_margin(X, y)
    assert best.gamma == pytest.approx(1 / np.linalg.norm(machine.coef_), rel=1e-4)
    assert best.gamma_squared is not None


@pytest.mark.parametrize("exponent", [5, 9, 14])
def test_a_tiny_gap_has_an_exact_margin(exponent):
    X, y = gap_set(10.0**-exponent, overlap=False)
    step = Fraction(2) ** round(np.log2(10.0**-exponent))
    # Examples lie `step` above and below x₂ = x₁/4, so that far from it times the cosine of its slope.
    assert max_margin(X, y).gamma_squared == step**2 / (1 + Fraction(1, 16))


def test_a_spent_budget_leaves_an_interval():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 8))
    y = X[:, 0] > 0
    X[:, 0] += np.where(y, 0.1, -0.1)
    exact = max_margin(X, y)
    spent = separability(X, y).verdict.work
    rough = max_margin(X, y, budget=spent + 10)
    assert rough.gamma_squared is None
    assert 0 < rough.lower_squared <= exact.gamma_squared <= rough.upper_squared
    rough = max_margin(X, y, augmented=True, budget=spent + 10)
    assert rough.lower_squared <= max_margin(X, y, augmented=True).gamma_squared <= rough.upper_squared


def test_a_budget_that_ends_before_a_separator_is_found_is_named_with_the_way_on():
    with pytest.raises(
        ValueError, match=r"of 10 touched values ran out before .* found\. Give a larger .* no limit\.$"
    ):
        max_margin([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1], budget=10)


def test_roots_are_correct_to_the_last_digits():
    for square in (Fraction(2), Fraction(1, 3), Fraction(10) ** -600, Fraction(10) ** 500 + 1, Fraction(0)):
        assert abs(Fraction(root(square)) ** 2 - square) <= square / 10**15


def test_bounds_that_meet_are_exact_even_where_the_budget_ran_out():
    X, y = [[0.0], [1.0], [4.0]], [0, 0, 1]
    spent = separability(X, y).verdict.work
    best = max_margin(X, y, budget=spent + 1)
    assert best.gamma_squared == best.lower_squared == best.upper_squared == Fraction(9, 4)
    assert best.verify()
