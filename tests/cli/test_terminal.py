"""Names and classes reach a terminal without control characters; JSON and CSV hold them exactly."""

import csv
import io
import json
import re

import numpy as np
import pytest

from rosenblatt import boolean, save
from rosenblatt.models.files import model_file
from rosenblatt.visible import visible
from tests.cli.running import done, run

# Clears the screen; sets the window's title; an 8-bit control sequence; turns the text around; fakes a line of ours.
HOSTILE = "\x1b[2J\x1b]0;pwned\x07\x9b31m\u202eabc\u2066\u200e\r\n\u2028\u2029\x85\x7f\x08Error: all is lost\t"
STEERING = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


@pytest.fixture
def hostile(tmp_path):
    path = tmp_path / "t.csv"
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow([f"a{HOSTILE}", f"b{HOSTILE}", f"c{HOSTILE}", f"y{HOSTILE}"])
        writer.writerows(
            [k, k * k % 7, f"{HOSTILE}{k % 2}", f"{HOSTILE}p" if k < 15 else f"{HOSTILE}q"] for k in range(30)
        )
    done("train", path, "-q", "-o", tmp_path / "m.json")
    return path


COMMANDS = [
    ("train", "t.csv"),
    ("train", "t.csv", "--stream"),
    ("train", "t.csv", "--test", "t.csv"),
    ("evaluate", "m.json", "t.csv"),
    ("inspect", "m.json"),
    ("check", "t.csv"),
    ("check", "t.csv", "--positive", f"{HOSTILE}p"),
    ("trace", "t.csv"),
    # Errors that quote names.
    ("check", "t.csv", "--positive", HOSTILE),
    ("trace", "t.csv", "--positive", HOSTILE),
    ("train", "t.csv", "--target", HOSTILE),
    ("train", "t.csv", "--drop", HOSTILE),
    ("train", "t.csv", "--pair", HOSTILE, "--plot", "p.png", "--plot-kind", "regions"),
    ("train", "t.csv", "--algorithm", HOSTILE),
    ("train", f"{HOSTILE}.csv"),
    ("train", "t.csv", f"--{HOSTILE}"),
    ("inspect", f"no{HOSTILE}.json"),
    ("predict", "m.json", "gaps.csv"),
    ("predict", "m.json", "other.csv"),
    ("evaluate", "m.json", "labels.csv"),
    ("boolean", HOSTILE),
    (HOSTILE,),
]


@pytest.mark.parametrize("coloured", [False, True], ids=["pipe", "terminal"])
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: visible(" ".join(command))[:40])
def test_no_command_prints_a_control_character_of_a_name(tmp_path, monkeypatch, hostile, command, coloured):
    monkeypatch.chdir(tmp_path)
    if coloured:
        monkeypatch.setenv("FORCE_COLOR", "1")
        monkeypatch.setenv("TERM", "xterm-256color")
    text = hostile.read_text(encoding="utf-8")
    (tmp_path / "gaps.csv").write_text(text.replace("\n29,", "\n,"), encoding="utf-8", newline="")
    (tmp_path / "other.csv").write_text("x\n1\n")
    (tmp_path / "labels.csv").write_text(
        text.replace("Error: all is lost\tq", "Error: z"), encoding="utf-8", newline=""
    )
    result = run(*command)
    shown = re.sub(r"\x1b\[[0-9;]*m", "", result.output) if coloured else result.output
    assert result.output
    assert not STEERING.search(shown), shown
    assert not any(line.startswith("Error: all is lost") for line in shown.splitlines())
    assert "Traceback" not in shown


def test_control_characters_are_escaped(hostile, tmp_path):
    shown = done("inspect", tmp_path / "m.json")
    assert r"a\x1b[2J\x1b]0;pwned\x07\x9b31m\u202eabc" in shown
    assert done("evaluate", tmp_path / "m.json", hostile).count(r"\x1b[2J") >= 4


def test_a_circuit_with_hostile_variables_is_shown_safely(tmp_path):
    save(boolean.ThresholdUnit([1, 1], -1.5, ["a\x1b[2J", "b\nError: lost"]), tmp_path / "m.json")
    shown = done("inspect", tmp_path / "m.json")
    assert "\x1b" not in shown
    assert r"a\x1b[2J + b\nError: lost" in shown


def test_json_and_csv_hold_names_exactly(hostile, tmp_path):
    classes = [f"{HOSTILE}p", f"{HOSTILE}q"]
    for command in (("train", hostile), ("inspect", tmp_path / "m.json")):
        told = done(*command, "--json")
        assert json.loads(told)["classes"] == classes
        assert not STEERING.search(told)
    evaluated = json.loads(done("evaluate", tmp_path / "m.json", hostile, "--json"))
    assert [entry["class"] for entry in evaluated["classes"]] == classes
    told = done("predict", tmp_path / "m.json", hostile, "--json")
    assert set(json.loads(told)["predictions"]) == set(classes)
    assert not STEERING.search(told)
    predicted = run("predict", tmp_path / "m.json", hostile).stdout_bytes.decode()
    rows = list(csv.reader(io.StringIO(predicted, newline="")))
    assert {row[0] for row in rows[1:]} == set(classes)
    assert model_file.read(tmp_path / "m.json").classes.tolist() == classes


@pytest.mark.parametrize("text", ["größe", "価格", "🙂", "من", "a\u200cb", "x_1 $^2 \\ *"])
def test_readable_text_stays_as_it_is(text):
    assert visible(text) == text


def test_every_control_character_is_escaped():
    hidden = np.r_[0:32, 127:160, 0x2028:0x202F, 0x2066:0x206A, [0x61C, 0x200E, 0x200F]]
    for character in map(chr, hidden.tolist()):
        assert visible(f"a{character}b").isascii()
        assert visible(f"a{character}b").isprintable()
    assert visible("\ud800") == r"\ud800"


def test_only_the_heading_of_a_fact_is_bold(tmp_path, monkeypatch):
    done("train", "@and", "-q", "-o", tmp_path / "m.json")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    assert re.match(r"\x1b\[1mmodel +\x1b\[0m\w+, 2 classes: 0, 1\n", done("inspect", tmp_path / "m.json"))
