"""A unit, refutation, minimality proof or network that fails its check raises `InternalError`."""

import tempfile
from fractions import Fraction

import numpy as np
import pytest

from rosenblatt import InternalError
from rosenblatt.boolean import BooleanFunction, ThresholdUnit
from rosenblatt.boolean.proofs.minimality import Closed
from rosenblatt.boolean.synthesis import two_layer
from rosenblatt.boolean.threshold import recognition


@pytest.fixture(autouse=True)
def reports(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_weights_that_compute_another_function_raise_an_internal_error(monkeypatch, reports):
    monkeypatch.setattr(recognition.Search, "guess", lambda self: [1, 1, 1])
    with pytest.raises(InternalError, match="fault of rosenblatt") as fault:
        _ = BooleanFunction("a and (b or c)").is_threshold
    with np.load(fault.value.report) as stored:
        assert stored["table"].tolist() == BooleanFunction("a and (b or c)").table.tolist()
    assert len(list(reports.iterdir())) == 1


def test_a_witness_with_unequal_sums_raises_an_internal_error(monkeypatch):
    monkeypatch.setattr(recognition, "regular_form", lambda table: ([1, 2], [0, 2]))
    with pytest.raises(InternalError, match="no unit computes"):
        _ = BooleanFunction("a xor b").refutation


def test_an_empty_proof_of_minimality_raises_an_internal_error(monkeypatch):
    monkeypatch.setattr(recognition.Search, "run", lambda self, most=None: Closed(1, {}))
    with pytest.raises(InternalError, match="no smaller weights"):
        BooleanFunction("a and (b or c)").perceptron()


def test_a_network_that_computes_another_function_raises_an_internal_error(monkeypatch):
    wrong = [((1, 1), Fraction(-1, 2))], ThresholdUnit([1], Fraction(-1, 2)), True
    monkeypatch.setattr(two_layer, "_layers", lambda table: wrong)
    with pytest.raises(InternalError, match="circuit"):
        BooleanFunction("a xor b").network()
