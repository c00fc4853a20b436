"""Messy files, each through every command, in memory and streamed. `messy/expected.json` says what is expected."""

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from rosenblatt.data import ReadOptions, Sparse, read, scan
from tests.cli.running import as_json, done, error

MESSY = Path(__file__).parent / "messy"
EXPECTED = json.loads((MESSY / "expected.json").read_text())
GOOD = [name for name, expected in EXPECTED.items() if "error" not in expected]
BAD = [name for name in EXPECTED if name not in GOOD]


def test_there_are_at_least_forty():
    assert len(EXPECTED) >= 40
    assert {path.name for path in MESSY.iterdir()} == {*EXPECTED, "expected.json"}


@pytest.mark.parametrize("name", GOOD)
def test_a_messy_file_is_understood_and_goes_through_every_command(tmp_path, name):
    expected, path, model = EXPECTED[name], MESSY / name, tmp_path / "m.json"
    options = expected.get("options", [])
    reports = [as_json("look", path, *options, *road) for road in ([], ["--stream"])]
    assert reports[0]["columns"] == reports[1]["columns"]
    assert reports[0]["notes"] == reports[1]["notes"]
    seen = {column["name"]: column["type"] for column in reports[0]["columns"]}
    assert {column: seen[column] for column in expected["columns"]} == expected["columns"]
    for note in expected.get("notes", []):
        assert any(note in line for line in reports[0]["notes"]), reports[0]["notes"]
    same = _read_both_ways(path, options)
    as_json("train", path, *options, "--stream", "--max-iter", "3")
    assert as_json("train", path, *options, "--max-iter", "3", "-o", model)["columns"] == reports[0]["columns"]
    model_options = options if options[:1] == ["--encoding"] else []
    predictions = as_json("predict", model, path, *model_options)["predictions"]
    assert len(predictions) >= same
    assert as_json("evaluate", model, path, *model_options)["examples"] == same
    assert next(iter(expected["columns"])) in done("inspect", model)
    done("check", path, *options)
    for way in ("--c", "--onnx"):
        if expected.get("export") == "hashed":
            assert "is hashed" in error("export", model, way, tmp_path / "out")
        else:
            done("export", model, way, tmp_path / "out")


def _read_both_ways(path: Path, options: list[str]) -> int:
    """The number of examples, which are the same in memory and streamed."""
    named = dict(zip(options[::2], options[1::2], strict=True))
    read_options = ReadOptions(encoding=named.get("--encoding"), target=named.get("--target"))
    whole, blocks = read(str(path), read_options), list(scan(str(path), read_options).blocks())
    dense = [block.X.to_scipy().toarray() if isinstance(block.X, Sparse) else block.X for block in blocks]
    X = whole.X.to_scipy().toarray() if isinstance(whole.X, Sparse) else whole.X
    np.testing.assert_array_equal(np.concatenate(dense), X)
    assert np.concatenate([block.y for block in blocks]).tolist() == whole.labels.y.tolist()
    return whole.n_examples


@pytest.mark.parametrize("road", [[], ["--stream"]])
@pytest.mark.parametrize("name", BAD)
def test_a_file_that_cannot_be_learned_from_gets_its_sentence(name, road):
    assert EXPECTED[name]["error"] in error("train", MESSY / name, *road)


def test_spaces_around_labels_do_not_make_classes():
    assert read(str(MESSY / "labels_with_spaces.csv")).labels.classes.tolist() == ["bad", "very good"]


@pytest.mark.slow
@pytest.mark.parametrize("road", [[], ["--stream"]])
def test_labels_in_cases_become_one_class_by_the_option_that_the_note_prints(tmp_path, road):
    path, model = MESSY / "labels_in_cases.csv", tmp_path / "m.json"
    command = [sys.executable, "-m", "rosenblatt", "train", str(path), *road]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    suggested = re.search(r"\(one class with (--[a-z-]+);", " ".join(printed.split()))[1]
    again = subprocess.run([*command, suggested, "-o", str(model)], capture_output=True, text=True, check=True)
    assert "differ only in upper and lower case" not in again.stderr
    assert as_json("inspect", model)["classes"] == ["no", "yes"]
    assert as_json("evaluate", model, path)["examples"] == read(str(path)).n_examples  # YES is the class 'yes'
    done("check", path, suggested)
