"""The fewest errors: known ones, all that brute force can reach, and proofs that cannot be bent."""

import copy
import json
import math
from itertools import combinations

import hypothesis.strategies as st
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from scipy.optimize import linprog

from rosenblatt import data, separability
from rosenblatt.theory import min_error, verify_min_error
from rosenblatt.theory.budget import Budget
from rosenblatt.theory.minimum_error.bound_proof import proves_bound
from rosenblatt.theory.minimum_error.hitting_sets import fractional_cover, greedy_hitting_set, hitting_set
from rosenblatt.theory.minimum_error.local_search import best_step
from tests.storages import STORAGES
from tests.theory.cases import AND, XOR, integer_sets


def can_be_separated(Z):
    """Small integers only, where a float LP can be trusted."""
    found = linprog(np.zeros(Z.shape[1]), A_ub=-Z, b_ub=-np.ones(len(Z)), bounds=(None, None))
    assert found.status in (0, 2)
    return found.status == 0


def fewest_by_brute_force(X, y, fit_intercept):
    Z = y[:, None] * (np.column_stack([np.ones(len(X)), X]) if fit_intercept else X).astype(float)
    n = len(Z)
    for errors in range(n):
        if any(can_be_separated(Z[list(kept)]) for kept in combinations(range(n), n - errors)):
            return errors
    return n


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(integer_sets(max_examples=8, max_features=2), st.booleans())
def test_tiny_sets_have_the_fewest_errors_of_all_subsets(case, fit_intercept):
    X, y = case
    result = min_error(X, y, fit_intercept=fit_intercept)
    assert result.exact
    assert result.upper == fewest_by_brute_force(X, y, fit_intercept)
    assert result.verify()


@settings(max_examples=100, deadline=None)
@given(integer_sets(max_examples=14, max_features=3, largest=2), st.booleans())
def test_the_bounds_are_proved_and_the_float_plane_attains_the_upper_one(case, fit_intercept):
    X, y = case
    result = min_error(X, y, fit_intercept=fit_intercept)
    assert result.exact
    assert result.verify()
    assert (result.upper == 0) == separability(X, y, fit_intercept=fit_intercept).separable
    clear = abs(result.hyperplane.score(X)) > 1e-9
    right = result.hyperplane.side(X) == y
    assert np.array_equal(np.flatnonzero(~(right & clear)), result.errors)
    assert verify_min_error(json.loads(json.dumps(result.to_dict())), X, y)


@settings(max_examples=60, deadline=None)
@given(integer_sets(max_examples=12, max_features=2), st.sampled_from([1.0, 1e4, 1e6, 1e7, 1e8]))
def test_every_budget_gives_an_interval_that_holds_the_answer(case, budget):
    X, y = case
    fewest = min_error(X, y, budget=math.inf).upper
    short = min_error(X, y, budget=budget)
    assert short.lower <= fewest <= short.upper
    assert short.exact == (short.lower == short.upper)
    assert short.verify()


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sets(st.integers(0, 7), min_size=1, max_size=4), max_size=10), st.integers(0, 6))
def test_a_hitting_set_is_found_or_its_absence_proved(sets, most):
    found = hitting_set(sets, most, Budget())
    exists = any(all(set(chosen) & s for s in sets) for chosen in combinations(range(8), most))
    assert isinstance(found, set) == exists
    if exists:
        assert len(found) <= most
        assert all(found & s for s in sets)
    else:
        assert proves_bound(json.loads(json.dumps(found)), sets, most)
        fewest = next(k for k in range(9) if isinstance(hitting_set(sets, k, Budget()), set))
        assert not proves_bound(found, sets, fewest)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sets(st.integers(0, 7), min_size=1, max_size=4), max_size=10))
def test_the_bounds_of_programs_and_of_the_greedy_choice_enclose_the_smallest_hitting_set(sets):
    fewest = next(k for k in range(9) if isinstance(hitting_set(sets, k, Budget()), set))
    greedy = greedy_hitting_set(sets, Budget())
    assert all(greedy & s for s in sets)
    assert not any(all((greedy - {a}) & s for s in sets) for a in greedy)
    _, bound, proof = fractional_cover(sets, Budget())
    assert bound <= fewest <= len(greedy)
    assert not bound or proves_bound(proof, sets, bound - 1)


def test_an_empty_set_cannot_be_hit():
    proof = hitting_set([{1}, set()], 5, Budget())
    assert proves_bound(proof, [{1}, set()], 5)
    assert not proves_bound(proof, [{1}, {2}], 5)


def bent_proofs(proof):
    """A proof by cases with one part missing or changed at a time."""
    cases = proof["cases"]
    yield {**proof, "cases": cases[1:]}
    yield {**proof, "cases": [*cases, cases[0]]}
    yield {**proof, "cases": [[cases[0][0], {"packing": [], "unit": 1}], *cases[1:]]}
    yield {**proof, "cases": [[cases[0][0], {"empty": 0}], *cases[1:]]}
    yield {"packing": [[k, 1] for k in range(7)], "unit": 1}
    yield {"packing": [[k, -1] for k in range(7)], "unit": -1}


def test_a_proof_by_cases_is_accepted_and_a_bent_one_is_not():
    # The seven lines of the Fano plane need three points; the fractional bound is 7/3.
    lines = [{0, 1, 2}, {0, 3, 4}, {0, 5, 6}, {1, 3, 5}, {1, 4, 6}, {2, 3, 6}, {2, 4, 5}]
    sets = [*lines, *({a + 7 for a in line} for line in lines)]  # twice: fractionally 14/3, so 5; in fact 6
    proof = hitting_set(sets, 5, Budget())
    assert "cases" in proof
    assert proves_bound(proof, sets, 5)
    assert not proves_bound(proof, sets, 6)
    for wrong in bent_proofs(proof):
        assert not proves_bound(wrong, sets, 5)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.integers(-4, 4), st.integers(-3, 3)), min_size=1, max_size=12))
def test_a_line_search_finds_the_fewest_errors_of_the_line(pairs):
    scores, slopes = np.array(pairs, dtype=float).T
    errors, alpha = best_step(scores, slopes)
    assert errors == np.count_nonzero(scores + alpha * slopes <= 0)
    others = np.linspace(-10, 10, 4001)
    assert errors <= min(np.count_nonzero(scores + a * slopes <= 0) for a in others)


def test_xor_needs_one_error():
    result = min_error(*XOR)
    assert (result.lower, result.upper, result.exact) == (1, 1, True)
    assert len(result.errors) == 1
    assert result.obstructions[0].indices.tolist() == [0, 1, 2, 3]
    assert "1 error at the least" in result.explain()
    assert "Examples 0, 1, 2, 3 cannot be separated, so one is wrong." in result.explain()


def test_separable_sets_need_none():
    result = min_error(*AND)
    assert (result.lower, result.upper) == (0, 0)
    assert result.obstructions == []
    assert result.verify()
    assert "every example strictly on its own side" in result.explain()


def test_a_tie_is_an_error():
    # Weakly separable: examples 1 and 2 are equal, and any plane with no example on its wrong side goes through them.
    X, y = [[0.0], [1.0], [1.0], [2.0]], [0, 0, 1, 1]
    assert separability(X, y).kind == "weak"
    assert min_error(X, y).upper == 1
    assert min_error([[1.0], [0.0], [-1.0]], [1, 1, 0], fit_intercept=False).errors.tolist() == [1]


@pytest.mark.parametrize(("ones", "zeros"), [(1, 1), (5, 3), (2, 7)])
def test_equal_examples_with_different_labels_cost_the_smaller_number_of_them(ones, zeros):
    X = np.array([[0.1, 0.2]] * (ones + zeros) + [[5.0, 0.0], [-5.0, 0.0]])
    y = [1] * ones + [0] * zeros + [1, 0]
    result = min_error(X, y)
    assert result.exact
    assert result.upper == min(ones, zeros)
    assert result.verify()


def test_where_no_plane_is_of_use_the_smaller_class_is_the_answer_and_a_plane_attains_it():
    result = min_error(np.ones((5, 2)), [0, 1, 1, 0, 1])
    assert (result.lower, result.upper) == (2, 2)
    assert result.hyperplane.side(np.ones((5, 2))).tolist() == [1] * 5


def test_examples_at_the_origin_are_errors_of_every_plane_through_it():
    result = min_error(np.zeros((4, 2)), [0, 1, 1, 0], fit_intercept=False)
    assert (result.lower, result.upper) == (4, 4)
    assert result.verify()


def test_versicolor_against_virginica_needs_one_error():
    iris = data.load("iris")
    chosen = np.isin(iris.y, np.unique(iris.y)[1:])
    result = min_error(iris.X[chosen], iris.y[chosen])
    assert (result.lower, result.upper) == (1, 1)
    assert result.verify()


def test_sepals_alone_leave_many_errors_and_the_fewest_are_still_proved():
    iris = data.load("iris")
    chosen = np.isin(iris.y, np.unique(iris.y)[1:])
    result = min_error(iris.X[chosen, :2], iris.y[chosen])
    assert (result.lower, result.upper) == (25, 25)
    assert result.verify()


def test_nine_against_the_other_digits_needs_one_error():
    digits = data.load("digits")
    result = min_error(digits.X, digits.y == 9)
    assert (result.lower, result.upper) == (1, 1)
    assert result.verify()


@pytest.mark.parametrize("storage", STORAGES)
def test_the_answer_does_not_depend_on_the_storage(storage):
    rng = np.random.default_rng(3)
    X = rng.integers(-4, 5, (20, 2)).astype(float)
    y = X[:, 0] + rng.integers(-2, 3, 20) > 0
    expected = min_error(X, y)
    assert expected.exact
    assert expected.upper > 1
    result = min_error(STORAGES[storage](X), y)
    assert (result.lower, result.upper) == (expected.lower, expected.upper)
    assert result.verify()


def test_a_short_budget_says_so():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 3)), rng.random(60) > 0.5
    result = min_error(X, y, budget=2e7)
    assert not result.exact
    assert result.verify()
    assert "The budget of 20,000,000 touched values ran out" in result.explain()
    assert f"between {result.lower} and {result.upper} errors" in result.explain()
    assert repr(result) == f"<MinError: {result.lower} to {result.upper} of 60>"


def test_equal_questions_get_equal_answers():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(40, 2)), rng.random(40) > 0.5
    assert min_error(X, y, budget=3e8).to_dict() == min_error(X, y, budget=3e8).to_dict()


def bent(certificate):
    """Every way to claim more than is proved."""

    def change(**changes):
        return {**copy.deepcopy(certificate), **changes}

    first, *others = certificate["obstructions"]
    yield "lower raised", change(lower=certificate["lower"] + 1, exact=False)
    yield "upper lowered", change(upper=certificate["upper"] - 1, exact=False)
    yield "an error hidden", change(errors=certificate["errors"][1:])
    yield "exactness denied", change(exact=False)
    yield "a plane reversed", change(weights=[str(-int(a, 0)) for a in certificate["weights"]])
    yield "no obstructions", change(obstructions=[])
    yield "obstructions but one", change(obstructions=others)
    yield "no proof", change(proof={"packing": [], "unit": 1})
    yield (
        "a multiplier changed",
        change(
            obstructions=[
                {**first, "multipliers": [str(int(first["multipliers"][0]) + 1), *first["multipliers"][1:]]},
                *others,
            ]
        ),
    )
    yield (
        "an example left out",
        change(
            obstructions=[{k: values[1:] for k, values in first.items()}, *others],
        ),
    )
    yield "a field lost", {k: v for k, v in certificate.items() if k != "weights"}


def test_a_bent_certificate_is_refused():
    X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [9, 9], [9, 9]]), np.array([0, 1, 1, 0, 0, 1])
    certificate = min_error(X, y).to_dict()
    assert certificate["lower"] == certificate["upper"] == len(certificate["obstructions"]) == 2
    assert verify_min_error(certificate, X, y)
    assert "no single example is in all of them" in min_error(X, y).explain()
    for what, claim in bent(certificate):
        assert not verify_min_error(claim, X, y), what
    assert not verify_min_error(certificate, X, 1 - y)
    assert not verify_min_error(certificate, X[:-1], y[:-1])


def test_data_that_changed_afterwards_are_noticed():
    X, y = np.array(XOR[0], dtype=float), np.array(XOR[1])
    result = min_error(X, y)
    X[3] = 5.0
    assert not result.verify()


def test_six_errors_in_the_plane_are_proved():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    y = X[:, 0] + 0.7 * rng.normal(size=60) > 0
    result = min_error(X, y)
    assert (result.lower, result.upper) == (6, 6)
    assert result.verify()
    rest = np.setdiff1d(np.arange(60), result.errors)
    assert separability(X[rest], y[rest]).separable
    assert "Fewer than 6 are not possible" in result.explain()


def test_the_input_is_left_as_it_was():
    X, y = np.array(XOR[0], dtype=float), np.array(XOR[1])
    before = X.copy(), y.copy()
    min_error(X, y)
    assert np.array_equal(X, before[0])
    assert np.array_equal(y, before[1])


def test_bad_input_gets_a_clear_error():
    X = np.eye(3)
    with pytest.raises(ValueError, match=r"y has 1 class \(1\)"):
        min_error(X, [1, 1, 1])
    with pytest.raises(ValueError, match=r"y has 3 classes \(0, 1, 2\); min_error takes exactly 2"):
        min_error(X, [0, 1, 2])
    with pytest.raises(ValueError, match="must have 3 labels"):
        min_error(X, [0, 1])
    with pytest.raises(ValueError, match="NaN or infinity: row 1, column 1"):
        min_error([[0.0, 0.0], [1.0, np.nan]], [0, 1])
    with pytest.raises(ValueError, match="budget is 0"):
        min_error(X, [0, 1, 1], budget=0)


def test_long_numbers_are_no_obstacle():
    X = np.array([[1e300, 1e-300], [1e300, 2e-300], [1e300, 3e-300], [-1e300, 0.0]])
    result = min_error(X, [0, 1, 0, 1])
    assert result.verify()
    assert min_error(sp.csr_matrix(X), [0, 1, 0, 1]).upper == result.upper == 1
