"""A model file of every format version that was ever written stays readable."""

import json
from pathlib import Path

import numpy as np
import pytest

import rosenblatt
from rosenblatt import data
from rosenblatt.models.files import model_file

FIXTURES = Path(__file__).parent / "fixtures"


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*.json")), ids=lambda path: path.name)
def test_every_version_ever_written_still_loads(path):
    record = model_file.read(path)
    expected = json.loads((path.parent / f"{path.stem}.expected").read_text())
    X = np.zeros(expected["shape"])
    for i, j, value in expected["entries"]:
        X[i, j] = value
    assert record.classes[record.predicted_codes(X)].tolist() == expected["predictions"]
    if expected["scores"] is not None:
        assert record.scores(X).tolist() == expected["scores"]
    if "probabilities" in expected:
        assert record.probabilities(X).tolist() == expected["probabilities"]
    assert getattr(record.to_model(), "status_", None) == expected["status"]


def test_a_proof_in_an_old_file_still_holds():
    iris = data.load("iris")
    proof = rosenblatt.load(FIXTURES / "v2_certificate.json").certificate_
    assert proof.verify(iris.X[50:], iris.y[50:])
