"""The proofs of a page are the theory's, for each problem that a run can have."""

import numpy as np
import pytest

from rosenblatt import data, separability
from tests.lab.test_running import asked

XOR = {"x": [[0, 0], [0, 1], [1, 0], [1, 1]], "y": [0, 1, 1, 0], "positive": 1, "negative": 0}


def test_a_witness_names_the_points_of_the_page():
    event, answer = asked("proof", **XOR)
    assert event == "answer"
    assert answer["kind"] == "inseparable"
    assert answer["witness"] == {"indices": [0, 1, 2, 3], "multipliers": ["1"] * 4}
    assert answer["margin"] is None


def test_a_pair_among_more_classes_keeps_the_numbers_of_its_points():
    iris = data.load("iris")
    codes = np.unique(iris.y, return_inverse=True)[1]
    X = iris.X[:, 2:]
    event, answer = asked("proof", x=X.tolist(), y=codes.tolist(), positive=2, negative=1)
    assert event == "answer"
    assert answer["kind"] == "inseparable"
    rows, weights = answer["witness"]["indices"], [int(a) for a in answer["witness"]["multipliers"]]
    assert set(codes[rows]) == {1, 2}
    signs = np.where(codes[rows] == 2, 1, -1)
    tenths = np.round(X[rows] * 10)
    assert np.allclose((weights * signs) @ np.column_stack([np.ones(len(rows)), tenths]) / sum(weights), 0, atol=1e-9)


def test_one_against_the_rest_has_the_tables_margin():
    iris = data.load("iris")
    codes = np.unique(iris.y, return_inverse=True)[1]
    X = iris.X[:, 2:]
    event, answer = asked("proof", x=X.tolist(), y=codes.tolist(), positive=0, negative=None)
    expected = separability(X, codes == 0)
    assert event == "answer"
    assert answer["margin"]["gamma"] == expected.margin_augmented
    assert answer["margin"]["bound"] == expected.mistake_bound


@pytest.mark.parametrize(
    ("change", "cause"),
    [({"positive": 7}, "positive and negative"), ({"start": [0, 0]}, "3 finite numbers"), ({"eta0": 0}, "eta0")],
)
def test_a_bad_question_is_refused_with_its_cause(change, cause):
    event, answer = asked("proof", **(XOR | change))
    assert event == "refused"
    assert cause in answer["message"]
