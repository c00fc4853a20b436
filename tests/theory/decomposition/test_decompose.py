"""Which rows of Z w ≥ 0 can be positive: against an exact linear program, by every way of the search."""

import importlib
from fractions import Fraction
from itertools import count

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from rosenblatt.theory.budget import Budget
from rosenblatt.theory.decomposition import Decomposition, check_decomposition, decompose
from rosenblatt.theory.decomposition.exact_search import search_exactly
from rosenblatt.theory.decomposition.integer_rows import IntegerRows
from tests.theory.oracle import largest

DECOMPOSE = importlib.import_module("rosenblatt.theory.decomposition.decompose")


@st.composite
def systems(draw, max_rows=9, max_columns=5, largest=3):
    n, d = draw(st.integers(1, max_rows)), draw(st.integers(1, max_columns))
    Z = draw(arrays(np.int64, (n, d), elements=st.integers(-largest, largest)))
    equality = draw(arrays(np.bool_, n, elements=st.sampled_from([False, False, True])))
    return Z, equality


def number_that_can_be_positive(Z, equality):
    """By the maximal-support program in fractions; an equality is two opposite inequalities without a gain."""
    rows = [list(map(int, z)) for z, fixed in zip(Z, equality, strict=True) if not fixed]
    fixed = [list(map(int, z)) for z, fixed in zip(Z, equality, strict=True) if fixed]
    n, d = len(rows), Z.shape[1]
    unit = [[int(i == j) for j in range(n)] for i in range(n)]
    table = [[-a for a in z] + z + t for z, t in zip(rows, unit, strict=True)] + [[0] * (2 * d) + t for t in unit]
    for z in fixed:
        table += [[-a for a in z] + z + [0] * n, z + [-a for a in z] + [0] * n]
    return largest([0] * (2 * d) + [1] * n, table, [0] * n + [1] * n + [0] * (2 * len(fixed)))


@given(systems())
@settings(max_examples=150, deadline=None)
def test_the_set_is_the_largest_one_and_the_proof_holds(system):
    Z, equality = system
    found = decompose(Z, equality=equality)
    assert check_decomposition(Z, found, equality)
    assert found.positive.sum() == number_that_can_be_positive(Z, equality)


@given(systems())
@settings(max_examples=80, deadline=None)
def test_the_search_in_rational_numbers_alone_gives_the_same_set(system):
    Z, equality = system
    found = Decomposition(*search_exactly(IntegerRows.of(Z), equality, Budget()), work=0)
    assert check_decomposition(Z, found, equality)
    assert found.positive.tolist() == decompose(Z, equality=equality).positive.tolist()


@given(systems(max_rows=6, max_columns=3), st.integers(20, 80))
@settings(max_examples=40, deadline=None)
def test_sparse_rows_long_integers_and_fractions_are_exact(system, bits):
    Z, equality = system
    long = Z.astype(object) * (1 << bits) + Z.astype(object) ** 2
    expected = decompose(long, equality=equality)
    assert check_decomposition(long, expected, equality)
    thirds = np.array([[Fraction(a, 3 + i) for a in row] for i, row in enumerate(long)], dtype=object)
    found = decompose(thirds, equality=equality)
    assert check_decomposition(thirds, found, equality)
    assert found.positive.tolist() == expected.positive.tolist()
    sparse = decompose(sp.csr_matrix(Z), equality=equality)
    assert check_decomposition(sp.csr_matrix(Z), sparse, equality)
    assert sparse.positive.tolist() == decompose(Z, equality=equality).positive.tolist()


@pytest.mark.parametrize("size", [2.0**-k for k in (10, 20, 30, 40, 50)])
def test_a_gap_or_an_overlap_that_no_float_sees_is_decided(size):
    for overlap in (False, True):
        step = -size if overlap else size
        Z = np.array([[1.0, 1.0], [-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0 + step], [-1.0, -1.0 + size]])
        found = decompose(Z)
        assert check_decomposition(Z, found)
    Z = np.array([[1.0, 1.0], [-1.0, -1.0 + size]])
    assert check_decomposition(Z, decompose(Z))
    assert decompose(Z).positive.all()
    Z[1, 1] = -1.0
    assert not decompose(Z).positive.any()


def test_rounds_of_one_sign_columns_settle_a_chain_without_a_program():
    d = 60
    Z = np.eye(d, dtype=np.int64) - 3 * np.eye(d, k=1, dtype=np.int64)  # each round frees the column before it
    found = decompose(sp.csr_matrix(Z), budget=1e6)
    assert found.positive.all()
    assert check_decomposition(Z, found)


def test_a_row_on_a_column_of_ones_beside_one_of_long_integers_needs_no_rational_search(monkeypatch):
    """Divided by the 2⁶⁰ of their rows the ones were 10⁻¹⁸, so that the last row seemed free of them."""
    monkeypatch.setattr(DECOMPOSE, "search_exactly", lambda *_: pytest.fail("the guess was wrong"))
    rng = np.random.default_rng(0)
    groups = np.eye(8, dtype=int)[rng.integers(0, 8, 300)].astype(object)
    rows = np.column_stack([groups, rng.integers(-(2**60), 2**60, 300).astype(object)])
    rows *= rng.choice([-1, 1], 300).astype(object)[:, None]
    unit = [[1, 0, 0, 0, 0, 0, 0, 0, 0]]
    found = decompose(np.vstack([rows, np.array(unit, dtype=object)]))
    assert check_decomposition(np.vstack([rows, np.array(unit, dtype=object)]), found)
    assert not found.positive.any()


def test_an_error_of_the_linear_program_reaches_the_caller(monkeypatch):
    def fails(*args, **options):
        raise TimeoutError("no answer")

    monkeypatch.setattr("scipy.optimize.linprog", fails)
    budget, reports = Budget(1e9), count()
    monkeypatch.setattr(budget, "report", lambda: pytest.fail("it waits for ever") if next(reports) > 100 else None)
    with pytest.raises(TimeoutError, match="no answer"):
        decompose([[1, 2], [-1, 1], [2, -1], [-1, -1]], budget=budget)


def test_a_small_budget_gives_no_answer():
    rng = np.random.default_rng(0)
    assert decompose(rng.normal(size=(300, 40)), budget=1e5) is None


def test_equal_rows_are_merged_and_each_gets_its_multiplier():
    Z = np.array([[1, 2]] * 5 + [[-1, -2]] * 3)
    found = decompose(Z)
    assert check_decomposition(Z, found)
    assert min(found.multipliers) >= 1


@pytest.mark.parametrize("rows", [np.zeros((0, 3)), np.zeros((3, 0)), np.zeros((2, 2))])
def test_empty_and_zero_systems(rows):
    found = decompose(rows)
    assert not found.positive.any()
    assert check_decomposition(rows, found)


@pytest.mark.parametrize(
    ("change", "value"),
    [("positive", [True, True, False]), ("direction", [1, 1]), ("multipliers", [0, 1, 2]), ("multipliers", [1, 1, 1])],
)
def test_the_checker_refuses_a_changed_proof(change, value):
    Z = np.array([[1, 0], [0, 1], [0, -1]])
    found = decompose(Z)
    parts = {name: getattr(found, name) for name in ("positive", "direction", "multipliers")}
    parts[change] = np.array(value) if change == "positive" else value
    assert check_decomposition(Z, found)
    assert not check_decomposition(Z, Decomposition(**parts, work=0))


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="NaN"):
        decompose([[np.nan, 1.0]])
    with pytest.raises(ValueError, match="one value for each of the 2 rows"):
        decompose([[1], [2]], equality=[True])
