"""A command never writes over what it reads."""

import os
import subprocess
import sys

import pytest

from tests.cli.running import done, error, run


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text(done("datasets", "@iris"))
    (tmp_path / "test.csv").write_text(done("datasets", "@iris"))
    done("train", "t.csv", "-q", "-o", "m.json")
    (tmp_path / "soft.csv").symlink_to("t.csv")
    os.link("t.csv", "hard.csv")
    (tmp_path / "soft.json").symlink_to("m.json")
    os.link("m.json", "hard.json")
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [
        "train t.csv -o t.csv",
        "train t.csv -o ./t.csv",
        "train t.csv -o soft.csv",
        "train t.csv -o hard.csv",
        "train soft.csv -o t.csv",
        "train t.csv --stream -o t.csv",
        "train t.csv --test test.csv -o test.csv",
        "train t.csv --plot t.csv",
        "train t.csv --workers 1 --checkpoint t.csv",
        "train *.csv --workers 1 -o test.csv",
        "train . --workers 1 -o test.csv",
        "predict m.json t.csv -o t.csv",
        "predict m.json t.csv -o hard.csv",
        "predict m.json t.csv -o m.json",
        "predict m.json t.csv -o soft.json",
        "predict soft.json t.csv -o hard.json",
        "evaluate m.json t.csv --plot t.csv",
        "evaluate m.json t.csv --plot m.json",
        "trace t.csv --positive setosa --plot t.csv",
        "export m.json --c m.json",
        "export m.json --c soft.json",
        "export m.json --onnx hard.json",
        "export m.json --json-schema m.json",
    ],
)
def test_an_output_that_is_an_input_is_refused_and_nothing_is_changed(folder, command):
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    told = error(*command.split())
    assert "which this command reads. Name another file." in told
    assert command.split()[-1] in told
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize(
    "command",
    [
        "train t.csv -o new.json --plot new.json",
        "train t.csv -o new.json --plot ./new.json",
        "train t.csv -o other.json --plot link.json",
        "export m.json --c new.h --json-schema new.h",
        "export m.json --c - --json-schema -",
    ],
)
def test_two_outputs_in_one_place_are_refused(folder, command):
    (folder / "link.json").symlink_to("other.json")
    assert "would replace what" in error(*command.split())
    assert not (folder / "new.json").exists()
    assert not (folder / "new.h").exists()


def test_standard_input_that_is_the_output_file_is_refused(folder):
    before = (folder / "t.csv").read_bytes()
    with open(folder / "t.csv", "rb") as file:
        command = [sys.executable, "-m", "rosenblatt", "train", "-", "-o", "t.csv"]
        told = subprocess.run(command, stdin=file, capture_output=True, text=True, check=False)
    assert told.returncode == 1
    assert told.stderr == (
        "Error: -o t.csv would replace standard input, which this command reads. Name another file.\n"
    )
    assert (folder / "t.csv").read_bytes() == before


def test_array_files_of_a_version_1_model_count_as_inputs(folder):
    (folder / "m-0123456789abcdef.safetensors").write_bytes(b"arrays")
    assert "this command reads" in error("export", "m.json", "--c", "m-0123456789abcdef.safetensors")


def test_models_are_replaced_and_devices_are_written_to(folder):
    done("train", "t.csv", "-q", "-o", "m.json")
    done("predict", "m.json", "t.csv", "-o", "new.csv")
    done("predict", "m.json", "t.csv", "-o", "new.csv")
    done("train", "t.csv", "-q", "-o", "/dev/null")
    assert run("export", "m.json", "--c", "/dev/null", "--json-schema", "/dev/null").exit_code == 0


def test_a_test_file_that_does_not_exist_is_refused_before_the_training_file_is_read(folder):
    (folder / "broken.csv").write_text("a,b\n")
    assert (
        error("train", "broken.csv", "--test", "none.csv", "-o", "new.json")
        == "Error: none.csv: No such file or directory."
    )
    assert not (folder / "new.json").exists()
