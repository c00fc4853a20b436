"""A run as a table: what a blackboard has, in five formats."""

import csv
import io
import re
from fractions import Fraction

import numpy as np
import pytest

from rosenblatt import Perceptron, conventions, textbook
from rosenblatt.trace import step_table
from tests.cli.running import done, error, run

AND = [[0, 0], [0, 1], [1, 0], [1, 1]], [-1, -1, -1, 1]


def vectors(text):
    return [float(Fraction(part)) for part in re.findall(r"-?\d+(?:/\d+)?", text)]


def read_csv(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_every_number_of_a_table_is_the_textbooks():
    steps = list(textbook.online(*AND, **conventions.L3))
    rows = read_csv(step_table(steps, "csv"))
    assert len(rows) == len(steps)
    for row, step in zip(rows, steps, strict=True):
        assert [int(row["step"]), int(row["example"]), int(row["y"])] == [step.k + 1, step.i + 1, step.y]
        assert vectors(row["x"]) == step.x.tolist()
        assert float(row["score"]) == step.score
        assert row["mistake?"] == ("yes" if step.mistake else "no")
        assert vectors(row["w before"]) == step.w_before.tolist()
        assert vectors(row["w after"]) == step.w_after.tolist()
        assert row["update"] == "none" or vectors(row["update"]) == (step.w_after - step.w_before).tolist()


def test_random_starts_and_halves_are_written_as_exact_fractions():
    steps = list(textbook.online(*AND, **conventions.L4, random_state=3))
    for row, step in zip(read_csv(step_table(steps, "csv")), steps, strict=True):
        assert vectors(row["w after"]) == step.w_after.tolist()
        assert float(Fraction(row["score"])) == step.score


def test_a_table_with_rounded_sums_has_decimals_only():
    steps = textbook.online([[0.1, 0.3], [1.5, -2], [0.25, 0.7]], [1, -1, -1], **conventions.L0, max_steps=4)
    table = step_table(steps, columns=["x", "score", "update", "after"])
    assert "/" not in table
    assert "| [1, 0.1, 0.3]  | -1.785 | [1, 0.1, 0.3]     | [-1, -1.65, 1.6] |" in table


def test_the_pocket_has_the_counters_of_the_lecture_and_the_comparison_after_the_loop():
    noisy = [[0, 0], [0, 1], [1, 0], [1, 1], [1, 1]], [-1, -1, -1, 1, -1]
    ended = textbook.run(textbook.pocket(*noisy, **conventions.L0, max_steps=23))
    rows = read_csv(step_table(ended.steps, "csv", pocket=True))
    assert rows[-1]["step"] == "end"
    assert vectors(rows[-1]["w in the pocket"]) == ended.ended.w_pocket.tolist()
    assert int(rows[-1]["run in the pocket"]) == ended.ended.run_pocket


def test_notation_and_labels():
    steps = list(textbook.online(*AND, **conventions.L0, max_steps=4))
    apart = read_csv(step_table(steps, "csv", notation="wb", labels="binary"))
    assert [row["y"] for row in apart] == ["0", "0", "0", "1"]
    assert apart[3]["x"] == "[1, 1]"
    assert (apart[3]["w after"], apart[3]["b after"]) == ("[1, 1]", "0")
    assert "θ after" in step_table(steps, "markdown", notation="theta")
    assert r"$\theta$ after" in step_table(steps, "latex", notation="theta")


def test_blank_columns_are_empty_and_the_others_are_not():
    steps = list(textbook.online(*AND, **conventions.L0, max_steps=4))
    rows = read_csv(step_table(steps, "csv", blanks=["score", "after"]))
    assert {row["score"] for row in rows} == {row["w after"] for row in rows} == {""}
    assert rows[0]["x"] == "[1, 0, 0]"
    assert step_table(steps, "latex", blanks=["score"]).count(r"\underline") == 4
    assert step_table(steps, "markdown", blanks=["score"]).count("____") == 4


def test_a_recorded_run_through_the_origin_and_of_many_classes_has_a_table():
    origin = Perceptron(**conventions.L1, record=True).fit([[1, 0], [-1, 0]], [1, -1]).trace_
    assert "[1, 0]" in origin.to_table(notation="wb")
    joint = Perceptron(multi_class="joint", order="cyclic", record=True).fit([[-1.0], [0.0], [1.0]], [0, 1, 2]).trace_
    assert np.allclose(vectors(read_csv(joint.to_table("csv"))[-1]["w after"]), joint[-1].w_after.ravel())


@pytest.mark.parametrize("to", ["markdown", "latex", "html", "typst"])
def test_every_format_has_a_row_for_every_step(to):
    steps = list(textbook.online(*AND, **conventions.L0))
    text = step_table(steps, to)
    rows = {"markdown": r"^\| \d", "latex": r"^  \$\d+\$ &", "html": "<tr><td>", "typst": r"^  \[\d+\], "}[to]
    assert len(re.findall(rows, text, flags=re.MULTILINE)) == len(steps)


def test_a_wrong_column_is_named():
    with pytest.raises(ValueError, match=r"a column must be one of step, epoch, .*; got 'weights'"):
        step_table([], columns=["weights"])
    with pytest.raises(ValueError, match="the blank column 'epoch' is not in the table"):
        step_table([], blanks=["epoch"])


def test_the_command_writes_the_same_table():
    steps = list(textbook.online(*AND, **conventions.L0))
    assert done("trace", "@and", "--convention", "L0", "--to", "latex") == step_table(steps, "latex") + "\n"
    told = run("trace", "@and", "--convention", "L0", "--to", "csv", "--columns", "score", "--pocket")
    assert told.stdout.splitlines()[0] == "score"
    assert "the rule: zero counts as +1, start at 0, in turn (L0)" in told.stderr
    assert "--to markdown" in run("trace", "@and", "--columns", "x").stderr
    assert "one of step" in error("trace", "@and", "--to", "csv", "--columns", "q")
