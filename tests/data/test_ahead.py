"""A file that a command names is parsed ahead: the same examples, taken once, and never instead of what was asked."""

import subprocess
import sys

import numpy as np
import pytest

from rosenblatt.data import DataError, Wishes
from rosenblatt.data.ahead import look_ahead, taken
from rosenblatt.data.reading import begin

TEXT = "+1 1:0.5 3:2\n-1 2:1.25\n+1 1:1 2:-1\n-1 3:-2\n"


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "some.svm"
    path.write_text(TEXT)
    return str(path)


def test_what_was_begun_is_what_would_have_been_read(file):
    plain = begin(file)()
    look_ahead(["train", file, "--quiet"])
    ahead = begin(file)()
    assert (ahead.X.to_scipy() != plain.X.to_scipy()).nnz == 0
    assert np.array_equal(ahead.needs_labels().codes, plain.needs_labels().codes)
    assert ahead.fingerprint == plain.fingerprint
    assert taken(file) is None


def test_a_file_is_taken_once_and_then_read_anew(file, tmp_path):
    look_ahead(["train", file])
    assert begin(file)().n_examples == 4
    (tmp_path / "some.svm").write_text(TEXT + TEXT)
    assert begin(file)().n_examples == 8


def test_other_wishes_read_it_in_their_way(file):
    look_ahead(["train", file])
    assert begin(file, Wishes(zero_based=True))().features.n_features == 4


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["train"],
        ["predict", "{}"],
        ["train", "{}.gz"],
        ["train", "{}.csv"],
        ["train", "{}.missing.svm"],
        ["train", "{}", "--stream"],
        ["train", "{}", "--zero-based"],
        ["train", "{}", "--format=csv"],
        ["train", "{}", "--dask", "tcp://scheduler:8786"],
        ["train", "{}", "--workers", "2"],
        ["train", "--quiet", "{}"],
    ],
)
def test_nothing_is_begun_where_something_else_was_asked(file, words):
    words = [word.format(file) for word in words]
    look_ahead(words)
    assert all(taken(word) is None for word in words)


def test_an_error_waits_for_who_asks(tmp_path):
    path = tmp_path / "broken.svm"
    path.write_text("+1 1:0.5\n+1 1:zero\n")
    look_ahead(["train", str(path)])
    waiting = begin(str(path))
    with pytest.raises(DataError, match="line 2"):
        waiting()


def test_the_command_line_says_the_same_with_a_file_parsed_ahead(file):
    model = f"{file}.json"
    commands = (["train", file, "--eta0", "1"], ["train", "--eta0", "1", file])  # the second is not parsed ahead
    rosenblatt = [sys.executable, "-m", "rosenblatt"]
    said = []
    for words in commands:
        done = subprocess.run([*rosenblatt, *words, "-o", model, "--json"], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        with open(model) as saved:
            said.append((done.stdout, saved.read()))
    assert said[0] == said[1]
