"""A terminal that shows stdout and stderr keeps the output alone: each progress line is erased or overwritten."""

import os
import pty
import re
import subprocess
import sys

import numpy as np
import pytest

#: Progress lines appear at once and at every update, as they do in a call of minutes.
BEGIN = "from rosenblatt import meter; meter._WAIT = meter._REFRESH = 0.0\n"


def written(code, folder):
    """What a program writes to a terminal, which is its stdout and its stderr."""
    master, slave = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "110"}
    with subprocess.Popen(
        [sys.executable, "-c", BEGIN + code], stdin=slave, stdout=slave, stderr=slave, cwd=folder, env=environment
    ) as child:
        os.close(slave)
        text = bytearray()
        try:
            while part := os.read(master, 1 << 16):
                text += part
        except OSError:  # Linux: the terminal is closed
            pass
    os.close(master)
    assert child.returncode == 0, text.decode()
    return text.decode()


def kept(text):
    """The lines that stay, without the segments that were erased before the line ended, and without colours."""
    lines = [re.split(r"\r+(?=.)|\x1b\[2?K", line.rstrip("\r"))[-1] for line in text.split("\n")]
    return [re.sub(r"\x1b\[[\d;?]*\w", "", line) for line in lines]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_check_of_three_classes_leaves_no_progress_lines(tmp_path, jobs):
    rng = np.random.default_rng(0)
    table = np.column_stack([rng.normal(size=(300, 6)), rng.integers(0, 3, 300)])
    np.savetxt(tmp_path / "t.csv", table, delimiter=",", header="a,b,c,d,e,f,y", comments="")
    text = written(
        f"from rosenblatt.cli import main; main(['check', 't.csv', '--jobs', '{jobs}'], 'x', None, False)", tmp_path
    )
    assert re.search(r"separability: \d of 6 answers, 0:0", text)
    assert jobs > 1 or re.search(r"separability, 0 of 6 answers: [\d.]+ of 1 billion touched values", text)
    lines = kept(text)
    assert not [line for line in lines if "touched values" in line or "of 6 answers" in line]
    assert sum("not linearly separable" in line or "inseparable" in line for line in lines) >= 6


def test_a_prediction_within_the_bar_of_a_verbose_fit_leaves_no_lines(tmp_path):
    text = written(
        """
from rosenblatt import Perceptron
from rosenblatt.meter import Meter

def predict(progress):
    with Meter("predict", 3, "examples") as shown:
        for k in range(3):
            shown.update(k)

Perceptron(max_iter=5, verbose=1, callback=predict).fit([[0.0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1])
""",
        tmp_path,
    )
    assert "mistakes" in text
    assert "predict" not in text


def test_a_prediction_while_a_file_is_read_leaves_no_lines(tmp_path):
    text = written(
        """
from types import SimpleNamespace
from rosenblatt.cli.output.reading_line import ReadingLine
from rosenblatt.meter import Meter

with ReadingLine(False) as line:
    for read in (10, 100):
        line.show(SimpleNamespace(folder="f", of=100, expected=100, written=read, examples=read, read=read))
        with Meter("predict") as shown:
            shown.update(read)
""",
        tmp_path,
    )
    assert "reading" in text
    assert "predict: 10," not in text
    assert "predict: 100," in text  # the bar has ended
    assert not [line for line in kept(text) if "predict" in line]
