"""Dense data of many columns: witnesses with short multipliers, proved without exact ones."""

import copy
import importlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt import separability
from rosenblatt.theory import verify
from rosenblatt.theory.budget import Budget
from rosenblatt.theory.examples.labelled_examples import Examples
from rosenblatt.theory.separability.search import dense_search, near_witness
from rosenblatt.theory.separability.search.near_witness import prove_near, vertex
from rosenblatt.theory.separability.witness import Separator
from tests.theory.fractions_check import proves
from tests.theory.oracle import exact_kind

DECIDE = importlib.import_module("rosenblatt.theory.separability.decide")


@pytest.fixture
def narrow(monkeypatch):
    """Lets tables of a few columns be searched by logistic regression, as wide ones are."""
    monkeypatch.setattr(DECIDE, "LEAST_WIDTH", 2)
    monkeypatch.setattr(DECIDE, "_FIRST_SLICE", 1.0)


def noise(n, d, seed=0, integers=False):
    rng = np.random.default_rng(seed)
    X = rng.integers(-9, 10, (n, d)) if integers else rng.normal(size=(n, d))
    return X, rng.choice([-1, 1], n)


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("integers", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_random_labels_get_a_witness_of_width_plus_one_examples(narrow, seed, integers, fit_intercept):
    X, y = noise(60, 5, seed, integers)
    found = separability(X, y, fit_intercept=fit_intercept)
    assert found.kind == "inseparable"
    assert found.witness.basis
    assert len(found.witness) == 5 + fit_intercept + 1
    assert max(m.bit_length() for m in found.witness.multipliers) < 200
    assert found.verify()
    assert proves(found.to_dict(), X, y)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 10**6),
    st.integers(6, 40),
    st.integers(1, 4),
    st.booleans(),
    st.sampled_from([1, 2, 9]),
    st.sampled_from([1.0, 4e9]),
)
def test_the_kind_is_that_of_the_oracle(seed, n, d, fit_intercept, largest, slice_):
    rng = np.random.default_rng(seed)
    X = rng.integers(-largest, largest + 1, (n, d))
    y = np.where(X @ rng.integers(-3, 4, d) + rng.normal(size=n) * rng.choice([0, 1, 9]) > 0, 1, -1)
    y[:2] = [1, -1]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DECIDE, "LEAST_WIDTH", 1)
        patch.setattr(DECIDE, "_FIRST_SLICE", slice_)
        found = separability(X, y, fit_intercept=fit_intercept)
    assert found.kind == exact_kind(X, y, fit_intercept)
    assert found.verify()
    assert proves(found.to_dict(), X, y)


def test_constant_columns_and_settled_examples_are_part_of_the_proof(narrow):
    X, y = noise(80, 4)
    X = np.column_stack([X, np.full(80, 0.1), np.zeros(80)])
    found = separability(X, y)
    assert found.kind == "inseparable"
    assert len(found.verdict.null) == 2
    assert found.verify()
    assert proves(found.to_dict(), X, y)
    X[:, 5] = np.where(np.arange(80) == 7, y, 0)  # a column that puts one example strictly right
    found = separability(X, y)
    assert found.kind == "weak"
    assert found.witness.basis
    assert found.verify()
    assert proves(found.to_dict(), X, y)


def bent(certificate):
    """Claims with the proof changed in one place; the multipliers themselves may move a little."""
    witness = certificate["witness"]
    long = [str(10 * int(m, 0)) for m in witness["multipliers"][:1]] + witness["multipliers"][1:]
    for changes in (
        {"multipliers": long},
        {"multipliers": ["0", *witness["multipliers"][1:]]},
        {"multipliers": ["-1", *witness["multipliers"][1:]]},
        {"basis": witness["basis"][1:]},
        {"basis": [witness["basis"][0], *witness["basis"][:-1]]},
        {"basis": [next(i for i in range(60) if i not in witness["indices"]), *witness["basis"][1:]]},
        {"indices": witness["indices"][:-1], "multipliers": witness["multipliers"][:-1]},
    ):
        yield {**copy.deepcopy(certificate), "witness": {**witness, **changes}}
    yield {**certificate, "witness": {k: v for k, v in witness.items() if k != "basis"}}


def test_a_bent_proof_is_refused(narrow):
    X, y = noise(60, 5)
    certificate = separability(X, y).to_dict()
    assert verify(certificate, X, y)
    for claim in bent(certificate):
        assert not verify(claim, X, y)
    assert not verify(certificate, X + 10.0 * y[:, None] * np.eye(1, 5), y)  # these are separable
    other = y.copy()
    other[certificate["witness"]["indices"][0]] *= -1
    assert not verify(certificate, X, other)


def test_a_remainder_that_the_basis_cannot_cancel_proves_nothing():
    X = np.array([[1.0], [2.0], [3.0]])
    claim = {"kind": "inseparable", "separable": False, "fit_intercept": True, "positive": 1, "negative": -1}
    claim |= {"n_examples": 3, "n_features": 1, "weights": None, "closure": None, "null": []}
    witness = {"indices": [0, 1, 2], "multipliers": ["1000", "2000", "1000"], "basis": [0, 1]}
    assert verify({**claim, "witness": witness}, X, np.array([1, -1, 1]))
    assert not verify({**claim, "witness": witness}, X, np.array([1, 1, -1]))
    near = {**witness, "multipliers": ["1000", "2001", "1000"]}
    assert verify({**claim, "witness": near}, X, np.array([1, -1, 1]))
    far = {**witness, "multipliers": ["1000", "3900", "1000"]}
    assert not verify({**claim, "witness": far}, X, np.array([1, -1, 1]))


def test_two_hundred_columns_are_searched_by_logistic_regression():
    X, y = noise(1500, 200)
    found = separability(X, y)
    assert found.kind == "inseparable"
    assert len(found.witness.basis) == 201
    w = np.random.default_rng(1).normal(size=200)
    assert separability(X, X @ w > 0).kind == "separable"


def test_points_are_reduced_to_as_many_as_the_theorem_promises():
    rng = np.random.default_rng(0)
    points = rng.normal(size=(300, 20))
    multipliers = rng.random(300) + 0.1
    points[-1] = -(multipliers[:-1] @ points[:-1]) / multipliers[-1]
    chosen, reduced = vertex(points, multipliers, Budget())
    assert len(chosen) == len(set(chosen.tolist())) == 21
    assert np.all(reduced > 0)
    np.testing.assert_allclose(reduced @ points[chosen], 0, atol=1e-9)


def test_a_basis_that_rounding_makes_singular_gives_no_points(monkeypatch):
    monkeypatch.setattr(near_witness, "_RANK", -1.0)  # takes dependent points as independent
    points = np.repeat([[1.0], [-1.0], [2.0], [-2.0]], 2, axis=1)
    assert vertex(points, np.ones(4), Budget()) is None


def test_points_in_a_subspace_are_reduced_to_their_rank_plus_one():
    rng = np.random.default_rng(0)
    points = rng.normal(size=(50, 3)) @ rng.normal(size=(3, 6))
    multipliers = rng.random(50) + 0.1
    points[-1] = -(multipliers[:-1] @ points[:-1]) / multipliers[-1]
    chosen, reduced = vertex(points, multipliers, Budget())
    assert len(chosen) == 4
    np.testing.assert_allclose(reduced @ points[chosen], 0, atol=1e-9)


def test_dependent_rows_are_left_to_the_exact_search():
    X = np.array([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0], [5.0, 10.0]])
    examples = Examples(X, np.array([1, -1, 1, -1], dtype=np.int8), True)
    assert prove_near(examples, np.arange(4), np.ones(4), Budget()) is None
    assert separability(X, [1, -1, 1, -1]).separable is False


def test_a_separable_set_is_separated_from_a_growing_working_set():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 30))
    y = np.where(X @ rng.normal(size=30) > 0, 1, -1).astype(np.int8)
    found = dense_search.search_dense(Examples(X, y, True), Budget())
    assert isinstance(found, Separator)
