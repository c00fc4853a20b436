"""The verdicts: known ones, near ones, and properties that hold for every set."""

import json
from fractions import Fraction
from itertools import pairwise

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings
from scipy.optimize import linprog

from rosenblatt import data, separability
from rosenblatt.theory import ask_for_fit, verify
from tests.storages import STORAGES
from tests.theory.cases import AND, OR, XOR, gap_set, integer_sets

offsets = st.booleans()


def kind_by_linear_programs(X, y, fit_intercept):
    """Small integers only, where a float LP can be trusted: max Σ min(z·w, 1) with z·w ≥ 0."""
    Z = y[:, None] * (np.column_stack([np.ones(len(X)), X]) if fit_intercept else X).astype(float)
    n, width = Z.shape
    cost = np.concatenate([np.zeros(width), -np.ones(n)])
    upper = np.block([[-Z, np.eye(n)]])
    found = linprog(cost, A_ub=upper, b_ub=np.zeros(n), bounds=[(-1e4, 1e4)] * width + [(0, 1)] * n)
    off = int(np.round(-found.fun))
    return "separable" if off == n else "weak" if off else "inseparable"


@settings(max_examples=300)
@given(integer_sets(), offsets)
def test_every_certificate_verifies_and_the_kind_is_the_linear_programs(case, fit_intercept):
    X, y = case
    result = separability(X, y, fit_intercept=fit_intercept)
    assert result.kind == kind_by_linear_programs(X, y, fit_intercept)
    assert result.separable == (result.kind == "separable")
    assert result.verify()
    if result.witness is not None:
        assert len(result.witness) <= X.shape[1] + 1 + fit_intercept
    assert verify(json.loads(json.dumps(result.to_dict())), X, y)


@given(integer_sets(max_examples=25, max_features=6, largest=1))
def test_binary_columns_with_many_ties_are_decided(case):
    X, y = case
    result = separability(X, y)
    assert result.kind == kind_by_linear_programs(X, y, True)
    assert result.verify()


@given(integer_sets(), offsets)
def test_another_example_never_makes_a_set_separable(case, fit_intercept):
    X, y = case
    sizes = [n for n in range(2, len(y) + 1) if len(set(y[:n])) > 1]
    kinds = [separability(X[:n], y[:n], fit_intercept=fit_intercept).kind for n in sizes]
    # Weak and inseparable may follow each other: an example off the plane can come where all lay on it.
    for before, after in pairwise(kinds):
        assert before == "separable" or after != "separable"


@given(integer_sets(), offsets, st.randoms(use_true_random=False), st.sampled_from([0.25, 3, 1024]))
def test_order_and_scale_of_the_examples_change_nothing(case, fit_intercept, random, scale):
    X, y = case
    order = list(range(len(y)))
    random.shuffle(order)
    kind = separability(X, y, fit_intercept=fit_intercept).kind
    assert separability(X[order], y[order], fit_intercept=fit_intercept).kind == kind
    assert separability(X * scale, y, fit_intercept=fit_intercept).kind == kind
    if fit_intercept:
        assert separability(X + 1000, y).kind == kind


@pytest.mark.parametrize("storage", STORAGES)
@settings(max_examples=20)
@given(integer_sets(), offsets)
def test_every_storage_gets_the_same_verdict(storage, case, fit_intercept):
    X, y = case
    result = separability(STORAGES[storage](X.astype(float)), y, fit_intercept=fit_intercept)
    assert result.verify()
    assert result.kind == separability(X, y, fit_intercept=fit_intercept).kind


@given(
    st.lists(st.tuples(st.floats(-1e300, 1e300), st.floats(-1e-300, 1e300), st.booleans()), min_size=2, max_size=8),
    offsets,
)
def test_any_floats_are_decided_and_the_certificate_verifies(rows, fit_intercept):
    X = np.array([row[:2] for row in rows])
    y = np.array([row[2] for row in rows])
    y[0], y[1] = False, True
    assert separability(X, y, fit_intercept=fit_intercept).verify()


def test_the_lectures_functions():
    assert separability(*AND).kind == separability(*OR).kind == "separable"
    result = separability(*XOR)
    assert (result.kind, result.separable) == ("inseparable", False)
    assert result.witness.indices.tolist() == [0, 1, 2, 3]
    assert result.witness.multipliers == [1, 1, 1, 1]
    assert result.hyperplane is result.margin is result.mistake_bound is None


def test_through_the_origin_is_less_than_with_an_offset():
    X, y = [[1.0], [2.0]], [0, 1]
    assert separability(X, y).kind == "separable"
    assert separability(X, y, fit_intercept=False).kind == "inseparable"


def test_a_weak_separation_has_a_plane_and_a_witness():
    X, y = np.array([[0, 1], [0, -1], [1, 0]]), np.array([1, 1, -1])
    result = separability(X, y, fit_intercept=False)
    assert (result.kind, result.separable) == ("weak", False)
    assert result.witness.indices.tolist() == [0, 1]
    assert (y * result.hyperplane.score(X)).tolist() == [0, 0, pytest.approx(abs(result.hyperplane.w[0]))]


@pytest.mark.parametrize("name", ["iris", "wine", "breast_cancer"])
def test_real_sets_have_their_known_verdicts(name):
    dataset = data.load(name)
    result = separability(dataset.X, dataset.y)
    assert result.verify()
    if name == "breast_cancer":
        assert result.separable
        return
    kinds = {label: answer.separable for label, answer in result.rest.items()}
    expected = {"setosa"} if name == "iris" else {"class_0", "class_1", "class_2"}
    assert {label for label, separable in kinds.items() if separable} == expected
    assert len(result.pairs) == 3
    assert result["versicolor", "virginica"].kind == "inseparable" if name == "iris" else True


@pytest.mark.slow
def test_digits_up_to_seven_are_separable_and_eight_and_nine_are_not():
    dataset = data.load("digits")
    result = separability(dataset.X, dataset.y)
    separable = {label for label, answer in result.rest.items() if answer.separable}
    assert separable == set(range(8))
    assert all(answer.separable for answer in result.pairs.values())
    assert result.verify()


@pytest.mark.parametrize("dimensions", [2, 3, 10])
@pytest.mark.parametrize("exponent", range(4, 16))
def test_gaps_and_overlaps_of_any_size_are_told_apart(dimensions, exponent):
    for seed in range(3):
        X, y = gap_set(10.0**-exponent, overlap=False, d=dimensions, seed=seed)
        result = separability(X, y)
        assert result.kind == "separable"
        assert result.verify()
        X, y = gap_set(10.0**-exponent, overlap=True, d=dimensions, seed=seed)
        result = separability(X, y)
        assert result.separable is False
        assert result.verify()


def test_an_integer_beyond_53_bits_counts_to_the_last_digit():
    X = np.array([[2**60], [2**60 + 1], [2**60 + 2]])
    result = separability(X, [0, 1, 1])
    assert result.kind == "separable"
    assert result.verify()
    assert separability(X, [0, 1, 0]).kind == "inseparable"


def test_a_working_set_is_enough_for_many_examples():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60_000, 40))
    w = rng.normal(size=40)
    y = X @ w > 0.3
    result = separability(X, y)
    assert result.kind == "separable"
    y[777] = not y[777]
    flipped = separability(X, y)
    assert flipped.kind == "inseparable"
    assert 777 in flipped.witness.indices
    assert result.verify() is False  # its labels were those before the flip, and it reads them again
    assert flipped.verify()


def test_a_budget_that_runs_out_leaves_the_question_open():
    X = np.random.default_rng(0).normal(size=(500, 20))
    y = X[:, 0] > 0
    y[3] = not y[3]
    result = separability(X, y, budget=1000)
    assert (result.kind, result.separable, result.verify()) == ("undecided", None, False)
    assert "1,000" in result.explain()
    kinds = {separability(X, y, budget=10.0**k).kind for k in range(2, 9)}
    assert kinds == {"undecided", "inseparable"}


def test_the_same_budget_gives_the_same_answer():
    X = np.random.default_rng(0).normal(size=(300, 10))
    y = X[:, 0] > 0
    assert separability(X, y).verdict.work == separability(X, y).verdict.work > 0


def test_explanations_name_what_matters():
    assert "γ² = 1/8 exactly" in separability(*AND).explain()
    assert "at most 51 mistakes" in separability(*AND).explain()
    assert "0, 1, 2, 3" in separability(*XOR).explain()
    assert "quasi-complete" in separability([[0, 1], [0, -1], [1, 0]], [1, 1, -1], fit_intercept=False).explain()
    table = separability([[0], [1], [2]], ["a", "b", "c"])
    assert "'b' against the rest: inseparable" in table.explain()
    assert "'a' against 'b': separable" in repr(table)
    json.dumps(table.to_dict())


def test_a_fit_can_ask_about_some_of_its_examples():
    X = np.array([[0.0], [1.0], [2.0], [0.5]])
    signs = np.array([-1, 1, 1, 1])
    assert ask_for_fit(X, signs, fit_intercept=True).kind == "separable"
    signs = np.array([-1, 1, -1, 1])
    asked = ask_for_fit(X, signs, fit_intercept=True, chosen=np.array([0, 1, 3], dtype=np.uint32))
    assert asked.kind == "separable"
    assert asked.verify()
    assert ask_for_fit(X, signs, fit_intercept=True).kind == "inseparable"
    assert ask_for_fit(X, signs, fit_intercept=True, budget=1).kind == "undecided"


def test_margins_of_the_lectures_functions_are_exact():
    result = separability(*AND)
    assert result.max_margin.gamma_squared == Fraction(1, 8)
    assert result.max_margin_augmented.gamma_squared == Fraction(1, 17)
    assert separability(*OR).max_margin_augmented.gamma_squared == Fraction(1, 9)
    assert result.margin == pytest.approx(8**-0.5, rel=1e-15)
    assert result.radius == pytest.approx(3**0.5, rel=1e-15)
    assert result.mistake_bound == 51


def test_answers_print_in_a_line_however_long_their_numbers():
    X = np.random.default_rng(0).normal(size=(40, 3))
    y = np.repeat(["ham", "spam"], 20)
    result = separability(X, y)
    assert repr(result) == "<Separability: 'spam' against 'ham': inseparable; explain() says why>"
    assert max(result.witness.multipliers) > 10**12
    assert len(repr(result.witness)) < 200
