"""Every search gives the verdict of an exact oracle, with a certificate that two checkers accept."""

import importlib
import sys
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt import separability, theory
from rosenblatt.theory.budget import Budget
from rosenblatt.theory.examples.labelled_examples import Examples
from rosenblatt.theory.separability import decide
from rosenblatt.theory.separability.reduction.equal_rows import find_equal_rows
from rosenblatt.theory.separability.reduction.screen import add_rounds, screen
from rosenblatt.theory.separability.search.closure import Closed
from rosenblatt.theory.separability.search.min_norm_search import working_set
from rosenblatt.theory.separability.search.sparse_search import by_decomposition
from rosenblatt.theory.separability.witness import Separator
from tests.theory.cases import integer_sets
from tests.theory.fractions_check import proves
from tests.theory.oracle import exact_kind

ASK = importlib.import_module("rosenblatt.theory.separability.separability_function")


@given(integer_sets(max_examples=12, largest=2), st.booleans(), st.booleans())
@settings(max_examples=120, deadline=None)
def test_the_kind_is_that_of_the_oracle_and_both_checkers_agree(case, fit_intercept, sparse):
    X, y = case
    X = sp.csr_matrix(X.astype(np.float64)) if sparse else X
    found = separability(X, y, fit_intercept=fit_intercept)
    assert found.kind == exact_kind(X.toarray() if sparse else X, y, fit_intercept)
    assert found.verify()
    assert proves(found.to_dict(), X, y)


@given(integer_sets(max_examples=10, largest=2), st.booleans(), st.booleans())
@settings(max_examples=100, deadline=None)
def test_the_screen_puts_its_examples_strictly_right_and_no_other_wrong(case, fit_intercept, sparse):
    X, y = case
    table = sp.csr_matrix(X.astype(np.float64)) if sparse else X
    examples = Examples(table, y.astype(np.int8), fit_intercept)
    rounds, core = screen(examples, examples.members, Budget())
    settled = np.setdiff1d(examples.members, core)
    w = add_rounds(examples, rounds, [0] * examples.width, Budget())
    extended = np.column_stack([np.ones(len(X), dtype=int), X]) if fit_intercept else X
    scores = (extended * y[:, None]).astype(object) @ np.array(w, dtype=object)
    assert np.all(scores[settled] > 0)
    assert np.all(scores[core] == 0)


@given(integer_sets(max_examples=8, largest=3), st.booleans())
@settings(max_examples=80, deadline=None)
def test_the_decomposition_of_the_rows_decides_as_the_search_does(case, fit_intercept):
    X, y = case
    found = by_decomposition(Examples(sp.csr_matrix(X.astype(float)), y.astype(np.int8), fit_intercept), Budget())
    if isinstance(found, Separator):
        kind = "separable"
    else:
        assert isinstance(found, Closed)
        kind = "inseparable" if found.separator is None else "weak"
    assert kind == exact_kind(X, y, fit_intercept)


def wide_sparse(n, d, per_row, seed=0):
    rng = np.random.default_rng(seed)
    rows = np.repeat(np.arange(n), per_row)
    columns = rng.integers(0, d, n * per_row)
    X = sp.csr_matrix((rng.integers(1, 9, n * per_row) * rng.choice([-1.0, 1.0], n * per_row), (rows, columns)), (n, d))
    return X, np.where(np.arange(n) % 2, 1, -1)


def test_a_wide_sparse_set_is_separated_without_making_it_dense():
    X, y = wide_sparse(2000, 3000, 12)
    found = separability(X, y)
    assert found.kind == "separable"
    assert found.verify()


def test_equal_sparse_examples_with_unlike_labels_leave_a_weak_separation_in_a_wide_set():
    X, y = wide_sparse(2000, 3000, 12)
    X, y = sp.vstack([X, X[[7]]]).tocsr(), np.append(y, -y[7])
    found = separability(X, y)
    assert found.kind == "weak"
    assert found.witness.indices.tolist() == [7, 2000]
    assert found.verify()


def test_equal_examples_are_found_and_merged():
    X = np.array([[1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [3.0, 4.0], [-0.0, 0.0], [0.0, -0.0]])
    examples = Examples(X, np.array([1, 1, 1, -1, -1, -1], dtype=np.int8), True)
    for table in (examples, Examples(sp.csr_matrix(X), examples.signs, True)):
        found = find_equal_rows(table, Budget())
        assert found.twins == [(1, 3)]
        assert found.copies == {0: [2], 4: [5]}
        assert found.distinct.tolist() == [0, 1, 3, 4]


@pytest.mark.parametrize("big", [2**60, 2**200, 10**30 + 7])
def test_integers_that_no_float_holds_are_taken_exactly(big):
    apart = np.array([[big], [big + 1], [big + 2], [big + 3]], dtype=object)
    assert separability(apart, [0, 0, 1, 1]).kind == "separable"
    assert separability(apart, [0, 1, 0, 1]).kind == "inseparable"
    touching = np.array([[big], [big + 1], [big + 1], [big + 2]], dtype=object)
    found = separability(touching, [0, 0, 1, 1])
    assert found.kind == "weak"
    assert found.verify()
    assert proves(found.to_dict(), touching, [0, 0, 1, 1])


@given(integer_sets(max_examples=8, max_features=3), st.integers(2, 40))
@settings(max_examples=60, deadline=None)
def test_fractions_are_taken_exactly(case, power):
    X, y = case
    thirds = np.array([[Fraction(int(a), 3**power) for a in row] for row in X], dtype=object)
    found = separability(thirds, y)
    assert found.kind == exact_kind(X, y, True)
    assert found.verify()
    assert proves(found.to_dict(), thirds, y)
    assert isinstance(found.explain(), str)


def test_numbers_that_no_float_holds_are_refused_where_they_would_be_rounded():
    X = np.array([[2**70 + 1], [2**70 + 3]], dtype=object)
    for function in (theory.max_margin, theory.min_error):
        with pytest.raises(ValueError, match="neither float64 nor int64"):
            function(X, [0, 1])
    with pytest.raises(ValueError, match="'x' in row 1, column 0"):
        separability(np.array([[1], ["x"]], dtype=object), [0, 1])


def test_answers_are_the_same_with_two_jobs():
    X = np.array([[0, 0], [1, 0], [0, 1], [5, 5], [6, 5], [5, 6], [3, 3], [3, 3]])
    labels = np.array(["a", "a", "a", "b", "b", "b", "c", "a"])
    one = [(a.positive, a.negative, a.kind) for a in theory.iter_separability(X, labels)]
    two = [(a.positive, a.negative, a.kind) for a in theory.iter_separability(X, labels, jobs=2)]
    assert len(one) == 6
    assert sorted(map(str, one)) == sorted(map(str, two))
    with pytest.raises(ValueError, match="jobs is 0"):
        theory.iter_separability(X, labels, jobs=0)


def test_a_question_left_undecided_is_asked_again_with_more(monkeypatch):
    monkeypatch.setattr(sys.modules["rosenblatt.theory.separability.separability_function"], "_FIRST_BUDGET", 400.0)
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=(30, 2)), rng.normal(size=(30, 2)), rng.normal(size=(30, 2)) + 50])
    labels = np.repeat(["a", "b", "c"], 30)
    kinds = [answer.kind for answer in theory.iter_separability(X, labels)]
    assert "undecided" not in kinds
    assert kinds[-1] == "inseparable"


@pytest.mark.slow
def test_explain_ends_soon_on_many_columns():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 2000))
    found = separability(X, np.arange(120) % 2)
    assert found.kind == "separable"
    assert "margin" in found.explain()


def test_hard_problems_come_last_and_easy_answers_do_not_wait_for_them(monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(240, 6))
    labels = np.repeat(["a", "b", "c"], 80)
    X[labels == "a", 0] += 20  # "a" is easy; "b" and "c" overlap
    work = {(a.positive, a.negative): a.verdict.work for a in theory.iter_separability(X, labels)}
    easiest, hardest = min(work, key=work.get), max(work, key=work.get)
    asked = []
    right = ASK.decide
    monkeypatch.setattr(ASK, "decide", lambda examples, budget: asked.append(budget.limit) or right(examples, budget))
    monkeypatch.setattr(ASK, "_FIRST_BUDGET", (work[easiest] * work[hardest]) ** 0.5)
    answers = theory.iter_separability(X, labels)
    first = next(answers)
    assert work[first.positive, first.negative] < work[hardest]
    assert len(asked) <= len(work)  # the second stage has not begun
    rest = list(answers)
    assert len(rest) == len(work) - 1
    assert work[rest[-1].positive, rest[-1].negative] > ASK._FIRST_BUDGET
    assert len(asked) > len(work)


def test_a_witness_that_is_found_late_in_the_first_slice_is_still_proved(monkeypatch):
    rng = np.random.default_rng(3)
    X, y = rng.integers(-9, 10, (400, 110)), rng.integers(0, 2, 400)
    extended = []

    extend = Budget.extend

    def watched(budget, work):
        extended.append(budget.used)
        extend(budget, work)

    monkeypatch.setattr(Budget, "extend", watched)
    assert separability(X, y).kind == "inseparable"
    monkeypatch.setattr(decide, "_FIRST_SLICE", extended[0] + 1)  # enough to find the witness, not to prove it

    def refuse(*arguments):
        raise AssertionError("the search begins again")

    monkeypatch.setattr(decide, "search_dense", refuse)
    assert separability(X, y).verify()
    assert len(extended) == 2


def test_the_first_working_set_takes_a_third_of_the_memory_of_a_large_table():
    X = np.zeros((30_000, 540), dtype=np.float32)
    chosen = working_set(Examples(X, np.ones(len(X), dtype=np.int8), True))
    assert 1000 < len(chosen) < 10 * X.shape[1]
    assert 3 * len(chosen) * (X.shape[1] + 1) * 8 <= X.nbytes * 1.001
