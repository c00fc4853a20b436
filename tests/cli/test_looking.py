"""Commands that show something: inspect, trace, datasets, completion, check, boolean."""

import json
import re
import sys
import tempfile
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from rosenblatt import data, theory
from rosenblatt.cli import main
from rosenblatt.data import read
from rosenblatt.theory.separability.decide import Verdict
from tests.cli.running import as_json, done, error, run


def test_inspect_shows_weights_by_name_ending_and_data(tmp_path, pets):
    done("train", pets, "--algorithm", "AveragedPerceptron", "-o", tmp_path / "m.json")
    text = done("inspect", tmp_path / "m.json")
    for part in ("Perceptron, 2 classes: cat, dog", "separated", "pets.csv", "xxh64:", "weight", "offset"):
        assert part in text
    shown = as_json("inspect", tmp_path / "m.json", "--top", 1)
    assert len(shown["top_weights"]["dog (positive) against cat"]) == 1
    assert shown["ending"]["status"] == "separated"
    assert shown["features"]["columns"][1] == {
        "name": "colour", "vocabulary": ["black", "brown", "white"], "fill": "black"
    }  # fmt: skip


def test_trace_walks_lecture_4_as_printed():
    told = as_json("trace", "@lecture4", "--start=-5,0,1")
    assert [step["w"] for step in told["steps"][:2]] == [[-5, 0, 1], [-6, -2, -5]]
    assert told["steps"][2]["score"] == -51
    assert (told["status"], told["mistakes"], told["w"]) == ("separated", 7, [-6, 7, -2])
    table = done("trace", "@lecture4", "--start=-5,0,1")
    assert "w = [w0, w x1, w x2]" in table
    assert "[-6, -2, -5]" in table
    assert len(as_json("trace", "@and", "--mistakes-only", "--convention", "L3")["steps"]) == 10


def test_trace_needs_two_classes_or_a_positive_one():
    assert "--positive setosa" in error("trace", "@iris")
    told = as_json("trace", "@iris", "--positive", "setosa", "--steps", 7)
    assert (told["positive"], len(told["steps"]), told["status"]) == ("setosa", 7, "max_steps")
    assert "3 weights are needed" in run("trace", "@and", "--start", "1").stderr


def test_datasets_lists_and_prints(tmp_path):
    assert "@spirals" in done("datasets")
    assert {"@iris", "@digits", "@and", "@xor", "@spirals", "@lecture4"} <= {d["name"] for d in as_json("datasets")}
    (tmp_path / "iris.csv").write_text(done("datasets", "@iris"))
    assert read(str(tmp_path / "iris.csv")).X.tolist() == read("@iris").X.tolist()
    assert run("datasets", "@nope").exit_code == 2


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_are_printed(shell):
    assert "_ROSENBLATT_COMPLETE" in done("completion", shell)


def test_names_of_built_in_sets_complete():
    from click.shell_completion import ShellComplete

    complete = ShellComplete(main, {}, "rosenblatt", "_ROSENBLATT_COMPLETE")
    assert [item.value for item in complete.get_completions(["train"], "@i")] == ["@iris"]


def test_check_explains_and_verifies():
    result = run("check", "@xor")
    assert result.exit_code == 0
    assert "inseparable" in result.stdout
    assert "it holds" in result.stdout
    assert run("check", "@xor", "--strict").exit_code == 3
    assert run("check", "@and", "--strict").exit_code == 0


def test_check_prints_its_certificate_as_json():
    found = json.loads(run("check", "@iris", "--positive", "setosa", "--json").stdout)
    assert (found["kind"], found["verified"]) == ("separable", True)
    assert all(isinstance(int(weight), int) for weight in found["weights"])
    iris = data.load("iris")
    assert theory.verify(found, iris.X, iris.y)  # against the labels of the file
    assert (found["positive"], found["negative"]) == ("setosa", None)


def test_check_of_one_class_names_that_class_first():
    assert run("check", "@iris", "--positive", "setosa").stdout.startswith("'setosa' against the rest: separable.")


def test_an_undecided_check_says_how_the_command_goes_on():
    assert "in a command --budget inf, is no limit" in run("check", "@iris", "--budget", "1").stdout


def test_check_lists_the_classes_of_the_file():
    result = run("check", "@iris", "--positive", "rose")
    assert result.exit_code == 1
    assert "it has setosa, versicolor, virginica" in result.stderr


def test_boolean_finds_the_unit_or_the_refutation(tmp_path):
    assert "(-2, -1]" in run("boolean", "a and b").stdout
    drawing = tmp_path / "xor.svg"
    result = run("boolean", "a xor b", "--network", str(drawing))
    assert "2 hidden units" in result.stdout
    assert "1 hidden unit\n" in run("boolean", "a and b").stdout
    assert drawing.read_text().startswith("<svg")
    assert json.loads(run("boolean", "majority(a, b, c)", "--json").stdout)["is_threshold"]


def test_a_broken_expression_points_at_the_character():
    result = run("boolean", "a and ) b")
    assert result.exit_code == 1
    assert "character 7" in result.stderr


def test_an_answer_that_fails_its_own_check_is_one_line_and_a_file(monkeypatch, tmp_path):
    wrong = Verdict("separable", True, weights=[0, 1, 1])
    module = sys.modules["rosenblatt.theory.separability.separability_function"]
    monkeypatch.setattr(module, "decide", lambda examples, budget: wrong)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for more in ([], ["--json"]):
        line = error("check", "@xor", *more)
        assert "fault of rosenblatt, not of your data" in line
    reports = list(tmp_path.iterdir())
    assert len(reports) == 2
    assert any(str(report) in line for report in reports)


def test_an_undecided_question_is_not_said_to_have_a_certificate(tmp_path):
    result = run("check", "@iris", "--budget", "1")
    assert result.exit_code == 0
    assert "hold" not in result.stdout
    assert "undecided, so without a certificate: 6 of 6" in result.stdout
    assert as_json("check", "@iris", "--budget", "1")["verified"] is False
    assert as_json("check", "@iris")["verified"] is True


@pytest.mark.parametrize("road", [[], ["--stream"]])
def test_a_target_of_one_class_is_shown_with_a_note(tmp_path: Path, road: list[str]) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b,y\n1,2,yes\n3,4,yes\n5,6,yes\n")
    report = as_json("look", path, *road)
    assert [column["type"] for column in report["columns"]] == ["number", "number", "target"]
    assert any("column 'y' has 1 class ('yes'); training needs at least 2 (--target" in n for n in report["notes"])


def test_lists_are_left_out_of_json_and_parquet_alike(tmp_path: Path) -> None:
    rows = [{"tags": ["a", "b"][: k % 3], "size": k % 4, "kind": "xy"[k % 2]} for k in range(20)]
    (tmp_path / "t.jsonl").write_text("\n".join(map(json.dumps, rows)))
    parquet.write_table(pa.Table.from_pylist(rows), tmp_path / "t.parquet")
    columns = [as_json("look", tmp_path / name)["columns"] for name in ("t.jsonl", "t.parquet")]
    assert columns[0] == columns[1]
    assert columns[0][0]["type"] == "list"


def test_categories_in_cases_offer_an_option_that_removes_the_note(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(
        "size,colour,kind\n" + "".join(f"{k},{['Red', 'red'][k % 2]},{'xy'[k % 3 > 0]}\n" for k in range(9))
    )
    (note,) = [note for note in as_json("look", path)["notes"] if "upper and lower case" in note]
    option = re.search(r"--categorical \w+", note)
    assert option is not None
    assert not any("upper and lower" in note for note in as_json("look", path, *option[0].split())["notes"])
