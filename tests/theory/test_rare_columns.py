"""Rarely used columns: a round of the screen over several of them, and witnesses of examples that do not use them."""

import importlib

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt import separability
from rosenblatt.theory.budget import Budget
from rosenblatt.theory.examples.frame import Frame
from rosenblatt.theory.examples.labelled_examples import Examples
from rosenblatt.theory.separability.reduction import rare_columns
from rosenblatt.theory.separability.reduction.screen import screen
from rosenblatt.theory.separability.search.closure import close
from rosenblatt.theory.separability.search.dense_search import search_dense
from rosenblatt.theory.separability.search.near_witness import prove_near
from rosenblatt.theory.separability.witness import Witness
from tests.theory.cases import integer_sets
from tests.theory.fractions_check import proves
from tests.theory.oracle import exact_kind

DECIDE = importlib.import_module("rosenblatt.theory.separability.decide")


def jointly_weak(common=0.0, n=400):
    """Overlap in three columns; two more have a common value, except on three examples that only both separate."""
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=(n, 3)), np.full((n, 2), common)])
    y = rng.choice([-1, 1], n)
    X[[5, 90, 200], 3:] += [[1, 0], [1, 3], [3, 1]]
    y[[5, 90, 200]] = 1, -1, 1
    return X, y


@pytest.mark.parametrize("common", [0.0, 0.1])
@pytest.mark.parametrize("sparse", [False, True])
def test_columns_that_separate_weakly_only_together_make_a_round(sparse, common):
    X, y = jointly_weak(common)
    examples = Examples(sp.csr_matrix(X) if sparse else X, y.astype(np.int8), True)
    alone, _ = screen(examples, examples.members, Budget())
    rounds, core = screen(examples, examples.members, Budget(), rare=True)
    assert not alone
    if sparse and common:
        assert not rounds  # zero is the only common value of a sparse column
        return
    assert [step.settled.tolist() for step in rounds] == [[5, 90, 200]]
    assert len(core) == len(X) - 3


@pytest.mark.parametrize("common", [0.0, 0.1])
def test_such_a_set_is_weak_and_both_checkers_accept_the_proof(monkeypatch, common):
    monkeypatch.setattr(DECIDE, "LEAST_WIDTH", 2)
    monkeypatch.setattr(DECIDE, "_FIRST_SLICE", 1.0)
    X, y = jointly_weak(common)
    found = separability(X, y)
    assert found.kind == "weak"
    assert found.verify()
    assert proves(found.to_dict(), X, y)


@given(integer_sets(max_examples=12, largest=2), st.booleans(), st.booleans())
@settings(max_examples=100, deadline=None)
def test_the_kind_is_that_of_the_oracle_where_every_column_counts_as_rare(case, fit_intercept, sparse):
    X, y = case
    table = sp.csr_matrix(X.astype(np.float64)) if sparse else X
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DECIDE, "LEAST_WIDTH", 1)
        patch.setattr(DECIDE, "_FIRST_SLICE", 1.0)
        patch.setattr(rare_columns, "_SHARE", 1.0)
        found = separability(table, y, fit_intercept=fit_intercept)
        examples = Examples(table, y.astype(np.int8), fit_intercept)
        several = rare_columns.rare_column_round(examples, examples.members, Budget())
    assert found.kind == exact_kind(X, y, fit_intercept)
    assert found.verify()
    assert proves(found.to_dict(), table, y)
    if several is not None:
        extended = np.column_stack([np.ones(len(X), dtype=int), X]) if fit_intercept else X
        scores = (extended * y[:, None]).astype(object) @ np.array(several[0], dtype=object)
        assert np.all(scores >= 0)
        assert np.flatnonzero(scores > 0).tolist() == several[1].tolist()


def test_a_round_that_the_budget_does_not_allow_is_left_out_and_charged(monkeypatch):
    X, y = jointly_weak()
    examples = Examples(X, y.astype(np.int8), True)
    monkeypatch.setattr(rare_columns, "_PROGRAM", 10.0)
    budget = Budget(1e9)
    assert rare_columns.rare_column_round(examples, examples.members, budget) is None
    assert 0 < budget.used <= 1e9


def test_a_working_set_that_is_separated_in_part_gives_a_witness_of_the_rest():
    X, y = jointly_weak()
    order = np.concatenate([[5, 90, 200], np.arange(6, 16)])  # 13 examples of 6 columns: all are in the working set
    examples = Examples(X[order], y[order].astype(np.int8), True)
    found = search_dense(examples, Budget())
    assert isinstance(found, Witness)
    assert min(found.multipliers) > 2


@pytest.mark.parametrize("overlap", [False, True])
def test_the_search_continues_in_the_columns_that_a_witness_does_not_use(overlap):
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.integers(-9, 10, (62, 4)), np.zeros(62, dtype=int)]).astype(float)
    y = rng.choice([-1, 1], 62)
    X[:2, 4], y[:2] = 1, (1, -1) if overlap else (1, 1)
    inner = search_dense(Examples(X[2:, :4], y[2:].astype(np.int8), True), Budget())
    chosen = np.array(list(inner.multipliers)) + 2
    examples = Examples(X, y.astype(np.int8), True)
    witness = prove_near(examples, chosen, np.array([float(m) for m in inner.multipliers.values()]), Budget())
    assert len(witness.basis) == 5 < examples.width
    end = close(examples, Frame(examples, examples.members, Budget()), witness, False, Budget())
    z = np.column_stack([y, X * y[:, None]]).astype(int).astype(object)
    if overlap:
        assert end.separator is None
        total = sum(m * z[i] for i, m in end.closure.multipliers.items())
        assert {0, 1} <= set(end.closure.multipliers)
        assert min(end.closure.multipliers.values()) > 0
        assert not any(total)
    else:
        scores = z @ np.array(end.separator.weights, dtype=object)
        assert np.all(scores[:2] > 0)
        assert np.all(scores[2:] == 0)
