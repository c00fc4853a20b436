"""Grading names the first wrong step of a student's loop and its cause, and calls no right loop wrong."""

import numpy as np
import pytest

from rosenblatt import conventions, textbook
from rosenblatt.teaching import grade
from rosenblatt.trace import step_table
from tests.teaching.loops import right_loops, student_bugs
from tests.teaching.loops.student_bugs import POCKET, RULE

SETS = {
    "and": ([[0, 0], [0, 1], [1, 0], [1, 1]], [-1, -1, -1, 1]),
    "six": ([[3, 3], [-2, -2], [-2, -1], [3, 3], [3, 1], [0, -2]], [1, 1, 1, 1, -1, -1]),
    "three": ([[1, 2, 0], [-1, 0, 2], [2, -1, 1], [0, 1, -2], [1, 1, 1]], [1, -1, 1, -1, 1]),
}
CASES = [(cause, bug) for cause, bugs in student_bugs.FAULTS.items() for bug in bugs]
#: Faults that do not show on a set: the path is the right one.
UNSEEN = [(student_bugs.begins_anew_after_an_update, "and"), (student_bugs.stays_until_right, "and")]


def right_updates(X, y, **dialect):
    return [step.w_after for step in textbook.online(X, y, **dialect) if step.mistake]


def test_there_are_thirty_faults_and_thirty_right_loops():
    assert len(CASES) == len(right_loops.RIGHT) == 30


@pytest.mark.slow
@pytest.mark.parametrize("name", ["and", "six"])
@pytest.mark.parametrize(("cause", "bug"), CASES, ids=lambda value: getattr(value, "__name__", value))
def test_a_fault_is_named(cause, bug, name):
    X, y = SETS[name]
    result = grade(bug, X, y, dialect=RULE)
    if (bug, name) in UNSEEN:
        assert result.correct
        return
    assert result.cause == cause, result.message
    right = right_updates(X, y, **RULE)
    assert 1 <= result.step <= len(right) + 1


@pytest.mark.parametrize(("cause", "bug"), CASES[:27:3], ids=lambda value: getattr(value, "__name__", value))
def test_a_fault_is_named_from_the_list_alone(cause, bug):
    X, y = (np.array(part) for part in SETS["six"])
    result = grade(bug(X, y), X, y, dialect=RULE)
    assert result.cause == cause, result.message


@pytest.mark.parametrize("loop", right_loops.RIGHT, ids=lambda loop: loop.__name__)
@pytest.mark.parametrize("name", SETS)
def test_a_right_loop_is_right(loop, name):
    result = grade(loop, *SETS[name], dialect=RULE)
    assert result.correct, result.message
    assert (result.step, result.cause) == (None, None)


def test_the_first_wrong_step_and_its_numbers_are_told():
    X, y = [[5, 7], [2, 6]], [1, -1]
    right = [w.tolist() for w in right_updates(X, y, **{**conventions.L4, "init": "zeros"}, start=[-5, 0, 1])]
    dialect = {**conventions.L4, "start": [-5, 0, 1]}
    assert grade(right, X, y, dialect=dialect).correct
    wrong = [right[0], [right[1][0], right[1][1] + 1, right[1][2]], *right[2:]]
    result = grade(wrong, X, y, dialect=dialect)
    assert (result.correct, result.step, result.cause) == (False, 2, "other")
    assert "Example 1 is x = [1, 5, 7] with y = +1; under w = [-6, -2, -5] its score is -51" in result.message
    assert "w becomes [-5, 3, 2]; you have [-5, 4, 2]. Check the sum for w1." in result.message


@pytest.mark.parametrize("name", ["L0", "L1", "L1_offset", "L3"])
def test_every_dialects_textbook_run_is_right_and_another_dialects_tie_is_named(name):
    dialect = conventions.find(name)
    X, y = ([[1, 2], [-1, 0], [2, -1], [0, -2], [1, 1]], [1, -1, 1, -1, 1]) if name == "L1" else SETS["and"]
    path = right_updates(X, y, **dialect)
    assert grade(path, X, y, dialect=dialect).correct
    other = "negative" if dialect["tie"] == "positive" else "positive"
    wrong = right_updates(X, y, **{**dialect, "tie": other})
    assert grade(wrong, X, y, dialect=dialect).cause == "tie"


def test_where_the_order_is_random_any_order_of_mistakes_is_right():
    X, y = SETS["six"]
    for seed in (1, 2):
        path = right_updates(X, y, **conventions.L2, random_state=seed)
        assert grade(path, X, y, dialect=conventions.L2).correct
    shuffled = right_updates(X, y, order="shuffle", random_state=7)
    assert grade(shuffled, X, y, dialect={"order": "shuffle"}).correct
    result = grade(path[:-1], X, y, dialect=conventions.L2)
    assert (result.cause, result.step) == ("too few epochs", len(path))
    assert grade([-w for w in path], X, y, dialect=conventions.L2).cause == "sign"
    assert grade([3 * w for w in path], X, y, dialect=conventions.L2).cause == "step size"
    assert grade([[1, 0, 0], *path], X, y, dialect=conventions.L2).cause == "other"


def test_a_random_start_may_be_the_students_own_if_it_is_listed_first():
    X, y = SETS["and"]
    start = [0.3, -0.2, 0.1]
    path = [start, *right_updates(X, y, **conventions.L4, start=start)]
    assert grade(path, X, y, dialect=conventions.L4).correct
    assert not grade([start, *path[2:]], X, y, dialect=conventions.L4).correct


@pytest.mark.parametrize("tie", ["positive", "mistake", "never"])
@pytest.mark.parametrize("first", [0, 1])
def test_a_loop_that_starts_elsewhere_is_told_so_also_if_its_tie_is_wrong(first, tie):
    X, y, start = [[0, 0], [-3, -2], [1, 2], [-1, 3]], [-1, 1, -1, 1], [-1, 1, 1]

    def fit(X, y):
        w, path = np.full(3, float(first)), []
        for _ in range(100):
            before = len(path)
            for x, label in zip(np.c_[np.ones(len(X)), X], y, strict=True):
                score = label * (w @ x)
                if score < 0 or (score == 0 and (tie == "mistake" or (tie == "positive" and label < 0))):
                    w = w + label * x
                    path.append(w)
            if len(path) == before:
                return path
        return path

    result = grade(fit, X, y, dialect={"tie": "positive", "start": start})
    assert (result.correct, result.step, result.cause) == (False, 1, "other")
    assert f"starts at w = {[first] * 3}: start at [-1, 1, 1]." in result.message
    assert ("in your loop it is never a mistake" in result.message) == (tie == "never")


def test_without_separation_any_whole_epoch_is_right_unless_max_iter_is_given():
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [-1, 1, 1, -1]
    path = []
    for x, label, _ in [(x, label, e) for e in range(9) for x, label in zip(X, y, strict=True)]:
        w = path[-1] if path else [0, 0, 0]
        z = [1, *x]
        if label * sum(a * b for a, b in zip(w, z, strict=True)) <= 0:
            path.append([a + label * b for a, b in zip(w, z, strict=True)])
    lengths = [3, 4, 6, 8, 16, 18, 20, 24, 36]
    assert [k for k in lengths if grade(path[:k], X, y, dialect={}).correct] == [4, 8, 16, 20, 24, 36]
    assert [k for k in lengths if grade(path[:k], X, y, dialect={"max_iter": 5}).correct] == [20]
    assert grade(path[:16], X, y, dialect={"max_iter": 5}).cause == "too few epochs"
    assert grade(path[:24], X, y, dialect={"max_iter": 5}).cause == "stop condition"


def test_the_pocket_is_graded_and_its_comparison_named():
    X, y = [[0, 0], [1, 2], [-2, -2], [2, 2], [-1, -1]], [1, -1, -1, 1, -1]
    right = grade(lambda X, y: student_bugs.pocket_loop(X, y, lambda run, best: run > best), X, y, dialect=POCKET)
    assert right.correct, right.message
    wrong = grade(student_bugs.pocket_with_at_least, X, y, dialect=POCKET)
    assert (wrong.correct, wrong.cause) == (False, "pocket comparison")


def test_a_filled_table_is_graded_cell_by_cell():
    X, y = SETS["and"]
    steps = textbook.run(textbook.online(X, y, **conventions.L0)).steps
    for options in ({}, {"notation": "wb"}, {"mistakes_only": True}, {"to": "csv"}):
        table = step_table(steps, **options)
        result = grade(table, X, y, dialect=conventions.L0)
        assert result.correct, (options, result.message)
    wrong = step_table(steps).replace(
        "| 4    | 4       | [1, 1, 1] | +1 | -1 ", "| 4    | 4       | [1, 1, 1] | +1 | 7  "
    )
    result = grade(wrong, X, y, dialect=conventions.L0)
    assert (result.step, result.cause) == (4, "other")
    assert result.message.startswith("Row 4, score: Example 4")
    other = step_table(textbook.run(textbook.online(X, y, **{**conventions.L0, "tie": "negative"})).steps)
    assert grade(other, X, y, dialect=conventions.L0).cause == "tie"
    short = step_table(steps[:4])
    assert grade(short, X, y, dialect=conventions.L0).cause == "too few epochs"
    assert "none of the columns" in grade("| a | b |\n|---|---|\n| 1 | 2 |", X, y, dialect={}).message
    assert "write yes or no" in grade("mistake?\nperhaps", X, y, dialect={}).message
