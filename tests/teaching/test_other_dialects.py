"""Grading in other dialects and styles: thirty more faults are named, and thirty more right loops are right."""

import json

import pytest

from rosenblatt import conventions, textbook
from rosenblatt.teaching import grade
from rosenblatt.teaching.grading.faults.faulty_loops import CauseName
from tests.teaching.loops import right_numbers, right_styles, wrong_control, wrong_updates
from tests.teaching.loops.dialects import L0

BUGS = wrong_updates.BUGS + wrong_control.BUGS
RIGHT = right_numbers.RIGHT + right_styles.RIGHT
X = [[2, 1], [0, -2], [-1, -3], [-3, -3], [-2, 2], [1, 3], [0, 1]]
Y = [1, 1, -1, -1, 1, 1, 1]
ORIGIN = [1, -1, -1, -1, -1, 1, 1]  # separable through the origin
MIXED = [-1, 1, -1, -1, 1, 1, 1]  # not separable


def labels_for(dialect):
    if dialect.get("algorithm") == "pocket":
        return MIXED
    return Y if dialect.get("fit_intercept", True) else ORIGIN


def test_there_are_thirty_faults_and_thirty_right_loops():
    assert len(BUGS) == len(RIGHT) == 30
    assert {cause for cause, _, _ in BUGS} | {"other"} == set(CauseName.__args__)


@pytest.mark.slow
@pytest.mark.parametrize(("cause", "dialect", "bug"), BUGS, ids=lambda value: getattr(value, "__name__", ""))
def test_a_fault_is_named(cause, dialect, bug):
    result = grade(bug, X, labels_for(dialect), dialect=dialect)
    assert result.cause == cause, result.message


@pytest.mark.parametrize(("dialect", "loop"), RIGHT, ids=lambda value: getattr(value, "__name__", ""))
def test_a_right_loop_is_right(dialect, loop):
    result = grade(loop, X, labels_for(dialect), dialect=dialect)
    assert result.correct, result.message


def path_of(y, dialect, **more):
    return [step.w_after for step in textbook.online(X, y, **{**dialect, **more}) if step.mistake]


@pytest.mark.parametrize("limit", [{}, {"max_iter": 3}, {"max_updates": 5}, {"max_steps": 9}])
def test_on_data_that_never_separates_whole_epochs_are_right_unless_a_limit_is_given(limit):
    steps = textbook.run(textbook.online(X, MIXED, **L0, max_iter=4)).steps
    assert steps[-1].epoch == 3
    made = [step for step in steps if step.mistake]
    ends = {sum(step.epoch <= epoch for step in made) for epoch in range(4)}
    if "max_iter" in limit:
        ends = {sum(step.epoch < 3 for step in made)}
    elif "max_updates" in limit:
        ends = {5}
    elif "max_steps" in limit:
        ends = {sum(step.k < 9 for step in made)}
    for length in range(1, len(made) + 1):
        path = [step.w_after for step in made[:length]]
        result = grade(path, X, MIXED, dialect={**L0, **limit})
        assert result.correct is (length in ends), (length, result.message)
        if not result.correct:
            assert result.cause in ("too few epochs", "stop condition")


def test_any_mapping_of_convention_keys_is_a_dialect():
    own = conventions.define("CS101", tie="positive", eta0=0.5)
    path = path_of(Y, own)
    for dialect in (own, dict(own), {"tie": "positive", "eta0": 0.5}, json.loads(json.dumps(dict(own)))):
        assert grade(path, X, Y, dialect=dialect).correct
    big = {"init": "random", "init_scale": 8.0, "random_state": 3}
    assert grade(path_of(Y, {}, **big), X, Y, dialect=big).correct
    assert not grade(path_of(Y, {}, **big), X, Y, dialect={**big, "init_scale": 0.5}).correct
