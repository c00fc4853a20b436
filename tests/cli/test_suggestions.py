"""What a message suggests works as it is printed: each suggestion is taken from the message and run."""

import re
import shlex
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import rosenblatt
from rosenblatt import data
from rosenblatt.cli import main
from rosenblatt.data import Wishes
from tests.cli.running import done, run

#: "(--drop 'home town'; in Python …)" and "(--workers 2)", and the hints of a report, which begin with an option.
_OPTIONS = re.compile(
    r"\((--[a-z-]+(?:[ =](?:'[^']*'|[^\s();,]+))?)[;)]|(?<=try {6})(--[a-z-]+ ?\w*)|; (--[a-z-]+ \w+),"
)
_COMMAND = re.compile(r"\((?:proof|all examples, held out or not): (rosenblatt .*)\)$", re.MULTILINE)


@pytest.fixture
def files(tmp_path, monkeypatch):
    """A folder with tables that each have something wrong, for the commands of which are below."""
    monkeypatch.chdir(tmp_path)
    rows = [(k, "red" if k % 3 else "blue", "cat" if k % 2 else "dog") for k in range(60)]
    table = "home town,a;b,y\n" + "".join(f"{k},{c},{y}\n" for k, c, y in rows)
    Path("good.csv").write_text(table)
    Path("semicolons.csv").write_text(table.replace(";", "").replace(",", ";"))
    Path("headless.csv").write_text("".join(f"{k},{k % 7},{k % 2}\n" for k in range(60)))
    Path("late-word.csv").write_text("home town,y\n" + "1,cat\n2,dog\n" * 100_000 + "many,cat\n")
    Path("names.csv").write_text("the name,size,y\n" + "".join(f"n{k},{k},{k % 2}\n" for k in range(1500)))
    Path("gaps.csv").write_text(table.replace("3,blue,", ",blue,").replace("5,red,", "5,,"))
    Path("empty column.csv").write_text("size,the gap,y\n" + "".join(f"{k},,{k % 2}\n" for k in range(60)))
    Path("fraction.csv").write_text("kind,size\n" + "".join(f"{'ab'[k % 2]},{k / 7}\n" for k in range(60)))
    Path("t.json").write_text("[" + ",".join(f'{{"a": {k}, "y": "{y}"}}' for k, _, y in rows) + "]")
    Path("part1.csv").write_text(table)
    Path("unseen.csv").write_text(table.replace("red", "green"))
    pd.DataFrame({"a": range(60), "a list": [[1, 2]] * 60, "y": [0, 1] * 30}).to_parquet("t.parquet")
    done("train", "good.csv", "-o", "model.json")
    return tmp_path


def suggested(*command: str) -> list[list[str]]:
    """The options that the message of a failing command suggests, as the words of a shell."""
    result = run(*command)
    assert result.exit_code == 1, result.output
    assert "Traceback" not in result.output
    return [shlex.split(next(filter(None, groups))) for groups in _OPTIONS.findall(result.stderr)]


@pytest.mark.parametrize("more", [[], ["--stream"]])
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("semicolons.csv", 1),
        ("headless.csv", 1),
        ("late-word.csv", 1),
        ("names.csv", 3),
        ("t.json", 1),
        ("t.parquet", 1),
    ],
)
def test_every_option_that_train_suggests_makes_it_work(files, name, expected, more):
    found = suggested("train", name, *more)
    assert len(found) == expected
    for words in found:
        done("train", name, *more, *words, "--max-iter", "2", "-q", "-o", "m.json")


def test_what_a_stream_cannot_do_about_gaps_is_not_suggested_to_it(files):
    assert [words[0] for words in suggested("train", "gaps.csv")] == ["--drop", "--impute"]
    done("train", "gaps.csv", "--impute")
    assert [words[0] for words in suggested("train", "gaps.csv", "--stream")] == ["--drop"]
    for more in ([], ["--stream"]):
        for words in suggested("train", "empty column.csv", *more):
            done("train", "empty column.csv", *more, *(["--drop", "the gap"] if words == ["--impute"] else words))


def test_a_target_that_is_no_class_names_the_option_that_chooses_another(files):
    assert suggested("train", "fraction.csv") == [["--target", "COLUMN"]]
    done("train", "fraction.csv", "--target", "kind")


@pytest.mark.parametrize("command", [["predict"], ["evaluate"]])
def test_commands_with_a_model_suggest_only_options_that_they_have(files, command):
    for name in ("gaps.csv", "unseen.csv"):
        for words in suggested(*command, "model.json", name):
            done(*command, "model.json", name, *words)
    assert suggested(*command, "model.json", "gaps.csv") == []
    assert suggested(*command, "model.json", "unseen.csv") == [["--unseen", "zero"]]
    Path("word.csv").write_text("home town,a;b,y\n" + "1,red,cat\n" * 3 + "many,red,dog\n")
    assert suggested(*command, "model.json", "word.csv") == []


def test_train_has_the_option_that_its_test_suggests(files):
    assert suggested("train", "good.csv", "--test", "unseen.csv") == [["--unseen", "zero"]]
    done("train", "good.csv", "--test", "unseen.csv", "--unseen", "zero")


@pytest.mark.slow
def test_a_pattern_trains_with_the_option_that_the_message_suggests(files):
    assert suggested("train", "part*.csv") == [["--workers", "2"]]
    done("train", "part*.csv", "--workers", "2", "--max-iter", "2")


@pytest.mark.parametrize(
    "words",
    [
        ["@iris"],
        ["@xor"],
        ["good.csv", "--target", "y", "--drop", "home town"],
        ["semicolons.csv", "--delimiter", ";"],
        ["semicolons.csv", "--delimiter", ";", "--holdout", "0"],
        ["headless.csv", "--no-header", "--target", "column2", "--no-intercept"],
        ["gaps.csv", "--impute", "--categorical", "home town"],
        ["good.csv", "--text", "a;b", "--hash-bits", "6", "--ngrams", "1"],
        ["t.json", "--sql", "select a, y from data where a > 3 and y <> ''"],
        ["good.csv", "--format", "csv", "--scale"],
        ["@iris", "--multi-class", "ovo"],
    ],
)
def test_the_command_that_has_the_proof_runs_as_it_is_printed(files, words):
    printed = _COMMAND.findall(done("train", *words))
    assert len(printed) == 1
    answer = done(*shlex.split(printed[0])[1:])
    assert "certificate checked in exact arithmetic" in answer
    assert ("--no-offset" in printed[0]) == ("--no-intercept" in words)


def test_no_proof_is_promised_of_other_numbers(files):
    assert "check" not in done("train", "headless.csv", "--no-header", "--no-intercept", "--scale")
    assert "rosenblatt check" not in done("train", "-", stdin=Path("good.csv").read_text())


def test_the_hints_of_a_report_run_as_they_are_printed(files):
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=100), 1e5 * rng.normal(size=100)])
    noisy = np.where(rng.random(100) < 0.2, 1, X[:, 0] > 0).astype(int)
    np.savez("noisy.npz", X=X, y=noisy)
    np.savez("narrow.npz", X=np.arange(40.0)[:, None] + 1000, y=(np.arange(40) > 20).astype(int))
    for name in ("noisy.npz", "narrow.npz"):
        for command in ([], ["--algorithm", "Perceptron"], ["--max-iter", "3"]):
            report = done("train", name, *command, "--holdout", "0")
            hints = [line for line in report.splitlines() if line.startswith("try")]
            for groups in _OPTIONS.findall("".join(hints)):
                words = next(filter(None, groups)).split()
                assert words != ["--algorithm", "Perceptron"] or command != ["--algorithm", "Perceptron"]
                done("train", name, *command, *words, *(["--max-iter", "20"] if "--max-iter" not in words else []))


def test_a_perceptron_that_stalled_is_not_told_to_be_a_perceptron():
    from types import SimpleNamespace

    from rosenblatt.cli.training_report import _hint

    record = SimpleNamespace(
        fitted={"status_": "stalled", "n_iter_": 70},
        features=SimpleNamespace(scale=None),
        estimator="Perceptron",
        parameters={"max_iter": None},
    )
    loaded = SimpleNamespace(scales_differ=lambda: False)
    for separable, expected in ((1, "--max-iter 700, "), (0, "--algorithm AveragedPerceptron, ")):
        verdict = SimpleNamespace(separable=separable, inseparable=1 - separable, problems=1)
        hint = _hint(loaded, SimpleNamespace(record=record, verdict=verdict))
        assert hint.startswith(expected)
        assert "--algorithm Perceptron" not in hint


def test_python_is_told_what_python_can_do(files):
    """A pipeline has no command line."""
    model = rosenblatt.load("model.json")
    frame = pd.DataFrame({"home town": [1.0], "a;b": ["green"]})
    with pytest.raises(data.DataError) as refused:
        model.predict(frame)
    assert "--" not in str(refused.value)
    call = re.search(r"model\.set_params\(.*?\)", str(refused.value))
    assert call is not None
    exec(call[0], {"model": model})
    assert len(model.predict(frame)) == 1
    with pytest.raises(data.DataError) as refused:
        data.read("names.csv")
    for wishes in re.findall(r"in Python (Wishes\([^)]*\))", str(refused.value)):
        assert data.read("names.csv", eval(wishes, {"Wishes": Wishes})).n_examples == 1500


def test_every_option_that_the_source_mentions_is_one_of_a_command():
    parameters = [parameter for command in main.commands.values() for parameter in command.params]
    known = {option for parameter in parameters for option in (*parameter.opts, *parameter.secondary_opts)}
    folder = Path(rosenblatt.__file__).parent
    for path in [path for part in ("data", "models", "distributed", "cli") for path in (folder / part).glob("*.py")]:
        mentioned = set(re.findall(r"(?<![\w-])--[a-z][a-z0-9-]+", path.read_text()))
        assert mentioned <= known | {"--help", "--version"}, path
