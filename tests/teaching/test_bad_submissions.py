"""A submission that hangs, raises, prints without end or returns nonsense gets a sentence, and the grader goes on."""

import contextlib
import itertools
import re
import sys
import time

import numpy as np
import pytest

from rosenblatt.teaching import ProcessLimits, grade, grade_file
from rosenblatt.teaching.grading.submissions import separate_process

X, Y = [[0, 0], [0, 1], [1, 0], [1, 1]], [-1, -1, -1, 1]


def never_ends(X, y):
    while True:
        pass


def never_ends_and_will_not_be_stopped(X, y):
    while True:
        with contextlib.suppress(BaseException):
            time.sleep(0.01)


def prints_without_end(X, y):
    while True:
        print("w" * 1000)


def imports_what_is_not_there(X, y):
    import tensorflow_of_yesterday

    return tensorflow_of_yesterday.fit(X, y)


def divides_by_zero(X, y):
    return [1 / 0]


def recursion(X, y):
    return recursion(X, y)


def exits(X, y):
    sys.exit(3)


@pytest.mark.parametrize(
    ("fit", "said"),
    [
        (never_ends, "did not end within 0.5 seconds"),
        (never_ends_and_will_not_be_stopped, "did not end within 0.5 seconds"),
        (prints_without_end, "prints more than 1,000,000 characters"),
        (imports_what_is_not_there, "imports 'tensorflow_of_yesterday', which is not installed here"),
        (divides_by_zero, "stopped with ZeroDivisionError in line"),
        (recursion, "calls itself without an end"),
        (exits, "ends the whole program"),
        (lambda X, y: None, "returned nothing (None)"),
        (lambda X, y: "w", "returned a text"),
        (lambda X, y: 3, "returned a number"),
        (lambda X, y: {"w": 1}, "returned a dict"),
        (lambda X, y: [1, 2, 3], "one list of numbers where a list of weight vectors is needed"),
        (lambda X, y: [[1, 2]], "Entry 1 of your list has 2 numbers and should have 3"),
        (lambda X, y: [[1, 2, "x"]], "Entry 1 of your list is an object of type list"),
        (lambda X, y: [[-1, 0, 0], [0, float("nan"), 1]], "Entry 2 of your list has a value that is not a finite"),
        (lambda X, y: ([0, 0, k] for k in itertools.count()), "more than 20,000 weight vectors"),
        (lambda X: [], "stopped with TypeError"),
    ],
)
def test_a_bad_function_gets_a_sentence(fit, said, capfd):
    result = grade(fit, X, Y, dialect={}, seconds=0.5 if fit.__name__.startswith("never") else 20.0)
    assert (result.correct, result.cause) == (False, "other")
    assert said in result.message
    assert result.message.count("\n") == 0
    assert capfd.readouterr().out == ""


def test_a_function_that_changes_its_inputs_is_told_so_and_ours_stay():
    def fit(X, y):
        X += 5
        y[:] = 1
        return [[1, 1, 1]]

    mine = np.array(X, dtype=float), np.array(Y)
    result = grade(fit, *mine, dialect={})
    assert not result.correct
    assert result.message.endswith("Your function changes its input X and y: work on a copy.")
    assert mine[0].tolist() == X
    assert mine[1].tolist() == Y


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((X, Y, {"ties": "positive"}), "dialect has 'ties'; it takes fit_intercept"),
        ((X, Y, {"tie": "maybe"}), "dialect: tie must be one of"),
        ((X, Y, {"start": [1]}), "start needs 3 numbers"),
        ((X, Y, {"algorithm": "svm"}), "algorithm must be"),
        ((X, [1, 2, 3, 4], {}), "y must have the labels"),
        ((X, Y[:3], {}), "one row and one label an example"),
        (([[0, float("nan")]], [1], {}), "not a finite number"),
    ],
)
def test_a_lecturers_wrong_input_is_an_error(arguments, said):
    examples, labels, dialect = arguments
    with pytest.raises(ValueError, match=said):
        grade([], examples, labels, dialect=dialect)


def test_labels_zero_and_one_are_the_lecturers_choice():
    def fit(X, y):
        w, path = np.zeros(3), []
        for _ in range(20):
            for x, label in zip(X, y, strict=True):
                z = np.array([1, *x])
                predicted = 1 if z @ w > 0 else 0
                if predicted != label:
                    w = w + (label - predicted) * z
                    path.append(w)
        return path

    assert grade(fit, X, [0, 0, 0, 1], dialect={"tie": "negative"}).correct


RIGHT = """
import numpy as np

def fit(X, y):
    Z, w, path = np.column_stack([np.ones(len(X)), X]), np.zeros(X.shape[1] + 1), []
    while True:
        errors = 0
        for x, label in zip(Z, y):
            if label * (w @ x) <= 0:
                w = w + label * x
                path.append(w)
                errors += 1
        if not errors:
            return path
"""


def from_file(tmp_path, text, **options):
    file = tmp_path / "submission.py"
    file.write_text(text)
    return grade_file(file, X, Y, dialect={}, limits=ProcessLimits(seconds=2.0), **options)


@pytest.mark.slow
def test_a_file_is_graded_in_a_process_of_its_own(tmp_path):
    assert from_file(tmp_path, RIGHT).correct
    result = from_file(tmp_path, RIGHT.replace("<= 0", "< 0"))
    assert result.cause == "tie"
    assert from_file(tmp_path, RIGHT.replace("while True", "for _ in range(1)") + "    return path\n").cause == (
        "too few epochs"
    )
    shared = from_file(tmp_path, RIGHT.replace("w = w + label * x", "w += label * x"))
    assert shared.cause == "shared reference"
    assert from_file(tmp_path, RIGHT.replace("def fit", "def train"), function="train").correct


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="only time and output are limited there")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("while True: pass", "did not end within 2 seconds"),
        ("import time\ndef fit(X, y):\n    while True: time.sleep(1)", "did not end within 2 seconds"),
        ("def fit(X, y):\n    while True: print('w' * 10000)", "prints more than 1,000,000 bytes"),
        ("def fit(X, y):\n    return [bytearray(10 ** 10)]", "needs more memory"),
        ("def fit(X, y):\n    open('big', 'w').write('x' * 10 ** 8)", "writes a file"),
        ("import nothing_of_this_name", "imports 'nothing_of_this_name'"),
        ("def fit(X, y) return", "is no Python: .* in line 1"),
        ("w = 3", r"has no function fit\(X, y\)"),
        ("def fit(X, y):\n    return X[9]", r"stopped with IndexError in line 2 \(return X\[9\]\)"),
        ("import os\ndef fit(X, y):\n    os._exit(7)", "ended with code 7"),
        ("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)", "ended with code -9"),
        ("def fit(X, y):\n    return 5", "returned a value of type int"),
        ("def fit(X, y):\n    return ['w']", "Entry 1 of your list"),
        ("def fit(X, y):\n    X[:] = 9\n    return [[1, 1, 1]]", "changes its input X"),
        ("import os\ndef fit(X, y):\n    os.fork()\n    while True: pass", "did not end within 2 seconds"),
    ],
)
def test_a_bad_file_gets_a_sentence(tmp_path, text, said):
    began = time.monotonic()
    result = from_file(tmp_path, text)
    assert not result.correct
    assert re.search(said, result.message), result.message
    assert time.monotonic() - began < 30


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="only time and output are limited there")
def test_a_loop_that_reaches_the_limit_of_processor_time_gets_the_same_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(separate_process, "_STARTUP", 300.0)
    assert "did not end within 2 seconds" in from_file(tmp_path, "while True: pass").message
