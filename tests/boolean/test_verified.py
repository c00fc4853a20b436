"""No unit, refutation, minimality proof or network is given that fails its own check."""

import tempfile
from fractions import Fraction

import numpy as np
import pytest

from rosenblatt import InternalError
from rosenblatt.boolean import BooleanFunction, ThresholdUnit, build, decide
from rosenblatt.boolean.minimality import Closed


@pytest.fixture(autouse=True)
def reports(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_weights_that_compute_another_function_are_not_given(monkeypatch, reports):
    monkeypatch.setattr(decide.Search, "guess", lambda self: [1, 1, 1])
    with pytest.raises(InternalError, match="fault of rosenblatt") as fault:
        _ = BooleanFunction("a and (b or c)").is_threshold
    with np.load(fault.value.report) as stored:
        assert stored["table"].tolist() == BooleanFunction("a and (b or c)").table.tolist()
    assert len(list(reports.iterdir())) == 1


def test_rows_of_another_sum_refute_nothing(monkeypatch):
    monkeypatch.setattr(decide, "regular_form", lambda table: ([1, 2], [0, 2]))
    with pytest.raises(InternalError, match="no unit computes"):
        _ = BooleanFunction("a xor b").refutation


def test_a_proof_of_minimality_that_proves_nothing_is_not_given(monkeypatch):
    monkeypatch.setattr(decide.Search, "run", lambda self, most=None: Closed(1, {}))
    with pytest.raises(InternalError, match="no smaller weights"):
        BooleanFunction("a and (b or c)").perceptron()


def test_a_network_of_another_function_is_not_given(monkeypatch):
    wrong = [((1, 1), Fraction(-1, 2))], ThresholdUnit([1], Fraction(-1, 2)), True
    monkeypatch.setattr(build, "_layers", lambda table: wrong)
    with pytest.raises(InternalError, match="circuit"):
        BooleanFunction("a xor b").network()
