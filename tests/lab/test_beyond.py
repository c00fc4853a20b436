"""The grid of a page carries the engine's own scores, at any moment of a run."""

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from rosenblatt import KernelPerceptron, data
from tests.lab.test_running import asked, unpacked

GRID = {"frame": [-1, 2, -1, 2], "size": [6, 5]}


def known(name):
    found = data.load(name)
    return {"x": found.X.tolist(), "y": found.y.tolist()}


def test_a_kernels_scores_at_a_moment_are_those_of_a_run_that_stops_there():
    body = known("xor") | GRID | {"way": "kernel", "kernel": "poly", "gamma": 1, "degree": 2, "coef0": 1}
    event, answer = asked("beyond", **body, moment=7)
    assert event == "answer"
    across = -1 + 3 * (np.arange(6) + 0.5) / 6
    up = -1 + 3 * (np.arange(5) + 0.5) / 5
    centres = np.column_stack([np.tile(across, 5), np.repeat(up, 6)])
    model = KernelPerceptron(kernel="poly", gamma=1, degree=2, coef0=1, order="cyclic", max_updates=7)
    with pytest.warns(ConvergenceWarning):
        model.fit(body["x"], body["y"])
    assert unpacked(answer["grid"]["scores"]) == pytest.approx(model.decision_function(centres))
    assert answer["errors"] == int((np.array(body["y"]) != model.predict(body["x"])).sum())


def test_the_gram_matrix_is_ordered_by_class():
    body = known("xor") | GRID | {"way": "kernel", "kernel": "linear"}
    _, answer = asked("beyond", **body)
    order = unpacked(answer["gram"]["order"])
    assert np.array(body["y"])[order].tolist() == [0, 0, 1, 1]
    X = np.array(body["x"])[order]
    assert unpacked(answer["gram"]["values"]).reshape(4, 4).tolist() == (X @ X.T).tolist()
    assert answer["ending"]["status"] == "cycled"


def test_the_network_computes_the_truth_table_that_the_points_make():
    _, answer = asked("beyond", **known("xor"), way="network", frame=[-0.5, 1.5, -0.5, 1.5], size=[2, 2])
    assert unpacked(answer["grid"]["codes"]).tolist() == [0, 1, 1, 0]
    assert answer["errors"] == 0


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        ({"way": "magic"}, "way must be"),
        ({"way": "kernel", "kernel": "callable"}, "kernel must be"),
        ({"way": "kernel", "gamma": -1}, "gamma must be"),
        ({"way": "features", "features": "cubes"}, "features must be"),
        ({"way": "network", "x": [[0, 0], [0, 2]], "y": [0, 1]}, "truth table"),
        ({"way": "kernel", "size": [500, 500]}, "cells"),
        ({"way": "kernel", "frame": [0, 0, 1, 1]}, "from left to right"),
    ],
)
def test_a_bad_question_is_refused_with_its_cause(change, cause):
    event, answer = asked("beyond", **(known("xor") | GRID | change))
    assert event == "refused"
    assert cause in answer["message"]
