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
    body = known("xor") | GRID | {"method": "kernel", "kernel": "poly", "gamma": 1, "degree": 2, "coef0": 1}
    event, answer = asked("nonlinear", **body, moment=7)
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
    body = known("xor") | GRID | {"method": "kernel", "kernel": "linear"}
    _, answer = asked("nonlinear", **body)
    order = unpacked(answer["gram"]["order"])
    assert np.array(body["y"])[order].tolist() == [0, 0, 1, 1]
    X = np.array(body["x"])[order]
    assert unpacked(answer["gram"]["values"]).reshape(4, 4).tolist() == (X @ X.T).tolist()
    assert answer["ending"]["status"] == "cycled"


def test_the_network_computes_the_truth_table_that_the_points_make():
    _, answer = asked("nonlinear", **known("xor"), method="network", frame=[-0.5, 1.5, -0.5, 1.5], size=[2, 2])
    assert unpacked(answer["grid"]["codes"]).tolist() == [0, 1, 1, 0]
    assert answer["errors"] == 0


def test_points_that_are_no_truth_table_get_a_network_by_tiling():
    _, answer = asked("nonlinear", **known("circles"), method="network", frame=[-2, 2, -2, 2], size=[20, 20])
    assert answer["errors"] == 0
    assert len(answer["layers"][-1]) == 1
    assert answer["lines"] == answer["layers"][0]


def test_a_kernel_learns_all_columns_and_is_evaluated_on_the_plane_that_is_shown():
    X, y = [[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]], [0, 1, 1, 0]  # the third column is the class
    plane = {"origin": [0.5, 0, 0], "across": [0, 1, 0], "up": [0, 0, 1]}
    body = {"x": X, "y": y, "frame": [-1, 2, -1, 2], "size": [2, 3], "plane": plane}
    _, answer = asked("nonlinear", **body, method="kernel", kernel="linear")
    model = KernelPerceptron(kernel="linear", order="cyclic").fit(X, y)
    cells = [[0.5, u, v] for v in (-0.5, 0.5, 1.5) for u in (-0.25, 1.25)]
    assert unpacked(answer["grid"]["scores"]) == pytest.approx(model.decision_function(cells))


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        ({"method": "magic"}, "method must be"),
        ({"method": "kernel", "kernel": "callable"}, "kernel must be"),
        ({"method": "kernel", "gamma": -1}, "gamma must be"),
        ({"method": "features", "features": "cubes"}, "features must be"),
        ({"method": "network", "x": [[0, 0], [0, 2], [1, 1]], "y": [0, 1, 2]}, "two classes; here are 3"),
        ({"method": "kernel", "x": [[0, 0, 1], [0, 2, 3]], "y": [0, 1]}, "plane must have origin, across and up"),
        ({"method": "features", "chosen": [0, 2]}, "columns must be two numbers from 0 to 1"),
        ({"method": "kernel", "size": [500, 500]}, "cells"),
        ({"method": "kernel", "frame": [0, 0, 1, 1]}, "from left to right"),
    ],
)
def test_a_bad_question_is_refused_with_its_cause(change, cause):
    event, answer = asked("nonlinear", **(known("xor") | GRID | change))
    assert event == "refused"
    assert cause in answer["message"]
