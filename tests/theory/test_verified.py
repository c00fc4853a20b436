"""Whatever a search claims, no answer is given that fails its own check: the error names a file to report."""

import json
import sys
import tempfile
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp

from rosenblatt import InternalError, Perceptron, data, separability
from rosenblatt.theory import ask_for_fit, cycles, max_margin, min_error, mistake_bound
from rosenblatt.theory.separability.decide import Verdict
from rosenblatt.theory.separability.witness import Witness
from tests.theory.cases import AND, XOR

SEPARABILITY, MARGIN, MIN_ERROR, CYCLES = (
    sys.modules[f"rosenblatt.theory.{name}"]
    for name in (
        "separability.separability_function",
        "margin.widest_margin",
        "minimum_error.min_error",
        "convergence.cycles",
    )
)

#: What a broken search might say of XOR, whose witness has all four examples.
LIES = {
    "separable": Verdict("separable", True, weights=[0, 1, 1]),
    "weak": Verdict("weak", False, weights=[0, 1, 0], witness=Witness({0: 1, 1: 1, 2: 1, 3: 1})),
    "a witness that is none": Verdict("inseparable", False, witness=Witness({0: 1, 1: 1})),
    "undecided, with a witness that is none": Verdict("undecided", False, witness=Witness({0: 2, 1: 1, 2: 1, 3: 1})),
}


@pytest.fixture(autouse=True)
def reports(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def lie(monkeypatch, verdict):
    monkeypatch.setattr(SEPARABILITY, "decide", lambda examples, budget: verdict)


@pytest.mark.parametrize("verdict", LIES.values(), ids=LIES)
def test_a_wrong_verdict_never_leaves_separability(monkeypatch, reports, verdict):
    lie(monkeypatch, verdict)
    for ask in (lambda: separability(*XOR), lambda: ask_for_fit(np.array(XOR[0]), [-1, 1, 1, -1], fit_intercept=True)):
        with pytest.raises(InternalError, match="fault of rosenblatt, not of your data"):
            ask()
    assert len(list(reports.iterdir())) == 2


def test_nothing_but_undecided_goes_without_a_certificate(monkeypatch):
    lie(monkeypatch, Verdict("undecided", None))
    assert separability(*XOR, budget=1).kind == "undecided"


def test_one_wrong_verdict_of_many_classes_is_enough(monkeypatch):
    right = SEPARABILITY.decide
    monkeypatch.setattr(
        SEPARABILITY, "decide", lambda examples, budget: replace(right(examples, budget), weights=[1, 1])
    )
    with pytest.raises(InternalError):
        separability([[0], [1], [2]], ["a", "b", "c"])


@pytest.mark.parametrize("form", [np.array, sp.csr_matrix, lambda X: np.array(X, dtype=np.float32)])
def test_the_report_holds_all_that_is_needed_to_see_the_fault_again(monkeypatch, form):
    lie(monkeypatch, LIES["weak"])
    X, y = form(XOR[0]), np.array(["no", "yes", "yes", "no"], dtype=object)
    with pytest.raises(InternalError) as fault:
        separability(X, y, fit_intercept=True, budget=7)
    assert str(fault.value.report) in str(fault.value)
    with np.load(fault.value.report, allow_pickle=False) as stored:
        about = json.loads(str(stored["report"]))
        if sp.issparse(X):
            parts = (stored["X_data"], stored["X_indices"], stored["X_indptr"])
            assert (sp.csr_matrix(parts, shape=stored["X_shape"]) != X).nnz == 0
        else:
            assert np.array_equal(stored["X"], X)
            assert stored["X"].dtype == X.dtype
        assert stored["y"].tolist() == y.tolist()
    assert about["parameters"] == {"budget": 7}
    assert (about["answer"]["kind"], about["answer"]["fit_intercept"]) == ("weak", True)
    assert about["rosenblatt"]


def test_a_report_that_cannot_be_written_does_not_hide_the_fault(monkeypatch, tmp_path):
    lie(monkeypatch, LIES["weak"])
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    with pytest.raises(InternalError, match="no file could be written") as fault:
        separability(*XOR)
    assert fault.value.report is None


def test_a_margin_that_is_not_the_widest_is_not_given(monkeypatch):
    X, y = [[0.0, 0.0], [0.0, 3.0], [5.0, 1.0], [4.0, 2.0], [7.0, 0.0]], [0, 0, 1, 1, 1]
    right = MARGIN.nearest_point
    monkeypatch.setattr(
        MARGIN, "nearest_point", lambda start, m, closer, budget: right(start[:1], [1], lambda x: None, budget)
    )
    for ask in (max_margin, lambda X, y: max_margin(X, y, augmented=True), mistake_bound):
        with pytest.raises(InternalError, match="widest margin"):
            ask(X, y)
    result = separability(X, y)
    with pytest.raises(InternalError):
        _ = result.margin


def test_no_margin_is_denied_by_a_wrong_verdict(monkeypatch):
    lie(monkeypatch, LIES["a witness that is none"])
    with pytest.raises(InternalError):
        max_margin(*AND)


def test_a_changed_margin_is_not_verified():
    X, y = np.array([[0.0, 0.0], [0.0, 3.0], [5.0, 1.0], [4.0, 2.0]]), np.array([0, 0, 1, 1])
    for augmented in (False, True):
        best = max_margin(X, y, augmented=augmented)
        assert best.verify()
        gamma = best.gamma_squared
        for more in (Fraction(1, 10**9), Fraction(-1, 10**9)):
            forged = gamma + more
            assert not replace(best, gamma_squared=forged, lower_squared=forged, upper_squared=forged).verify()
        assert not replace(best, upper_squared=gamma + 1).verify()  # no longer exact, but it says so
        assert replace(best, gamma_squared=None, upper_squared=gamma + 1).verify()
        assert not replace(best, score=best.score + 1).verify()
        assert not replace(best, weights=[-a for a in best.weights]).verify()
        assert not replace(best, multipliers=[m / 2 if k else m for k, m in enumerate(best.multipliers)]).verify()
        X[0] += 100
        assert not best.verify()
        X[0] -= 100


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("lower", 2),
        ("errors", np.array([], dtype=np.int64)),
        ("weights", [1, 0, 1]),
        ("proof", {"packing": [], "unit": 1}),
    ],
)
def test_wrong_bounds_on_errors_are_not_given(monkeypatch, name, value):
    class Broken(MIN_ERROR.Fewest):
        def run(self):
            super().run()
            setattr(self, name, value)

    monkeypatch.setattr(MIN_ERROR, "Fewest", Broken)
    with pytest.raises(InternalError, match="fewest errors"):
        min_error(*XOR)


def test_wrong_counts_of_a_cycle_in_integers_are_a_fault(monkeypatch):
    monkeypatch.setattr(CYCLES, "primitive", lambda counts: [2, *counts[1:]])
    with pytest.raises(InternalError, match="cycle"):
        cycles(*XOR)


def test_a_fit_does_not_attach_a_certificate_that_fails(monkeypatch):
    iris = data.load("iris")
    lie(monkeypatch, Verdict("inseparable", False, witness=Witness({0: 1, 1: 1})))
    with pytest.raises(InternalError):
        Perceptron().fit(iris.X[50:], iris.y[50:])
