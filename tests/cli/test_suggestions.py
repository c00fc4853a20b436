"""What a message suggests works as it is printed: each suggestion is taken from the message and run."""

import re
import shlex
from pathlib import Path

import click
import numpy as np
import pandas as pd
import pytest

import rosenblatt
from rosenblatt import data
from rosenblatt.cli import main
from rosenblatt.data import ReadOptions
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
    rows = [(k * k % 97, "red" if k % 3 else "blue", "cat" if k % 2 else "dog") for k in range(60)]
    table = "home town,a;b,y\n" + "".join(f"{k},{c},{y}\n" for k, c, y in rows)
    Path("good.csv").write_text(table)
    Path("semicolons.csv").write_text(table.replace(";", "").replace(",", ";"))
    Path("headless.csv").write_text("".join(f"{k},{k % 7},{k % 2}\n" for k in range(60)))
    Path("all left out.csv").write_text("the name,y\n" + "".join(f"n{k},{k % 2}\n" for k in range(60)))
    late = "".join(f"{k % 1000 / 7},{'no' if k % 3 else 'yes'},{k % 2}\n" for k in range(120_000))
    Path("late latin1.csv").write_text(f"a,word,y\n{late}2,größer,1\n", encoding="cp1252")
    Path("names.csv").write_text("the name,size,y\n" + "".join(f"n{k},{k * k},{k % 2}\n" for k in range(1500)))
    Path("gaps.csv").write_text(re.sub(r"(?m)^9,red,", ",red,", table).replace("36,blue,", "36,,"))
    Path("empty column.csv").write_text("size,the gap,y\n" + "".join(f"{k * k},,{k % 2}\n" for k in range(60)))
    Path("fraction.csv").write_text("kind,size\n" + "".join(f"{'ab'[k % 2]},{k / 7}\n" for k in range(60)))
    Path("t.json").write_text("[" + ",".join(f'{{"a": {k}, "y": "{y}"}}' for k, _, y in rows) + "]")
    Path("part1.csv").write_text(table)
    Path("unseen.csv").write_text(table.replace("red", "green"))
    pd.DataFrame({"a": [k * k for k in range(60)], "raw bytes": [b"\xff", b"\xfe"] * 30, "y": [0, 1] * 30}).to_parquet(
        "t.parquet"
    )
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
        ("all left out.csv", 1),
        ("late latin1.csv", 1),
        ("t.parquet", 1),
    ],
)
def test_every_option_that_train_suggests_makes_it_work(files, name, expected, more):
    found = suggested("train", name, *more)
    assert len(found) == expected
    for words in found:
        done("train", name, *more, *words, "--max-iter", "2", "-q", "-o", "m.json")


@pytest.mark.parametrize("more", [[], ["--stream"]])
def test_gaps_are_refused_only_on_request_and_the_remedy_works(files, more):
    done("train", "gaps.csv", *more)
    done("train", "empty column.csv", *more)
    assert [words[0] for words in suggested("train", "gaps.csv", "--no-impute", *more)] == ["--drop"]


@pytest.mark.parametrize("name", ["good.csv", "names.csv"])
def test_commands_that_notes_suggest_run(files, name):
    result = run("train", name)
    for groups in _OPTIONS.findall(result.stderr):
        done("train", name, *shlex.split(next(filter(None, groups))), "--max-iter", "2")


def test_a_target_that_is_no_class_names_the_option_that_chooses_another(files):
    assert suggested("train", "fraction.csv") == [["--target", "COLUMN"]]
    done("train", "fraction.csv", "--target", "kind")


@pytest.mark.parametrize("command", [["predict"], ["evaluate"]])
def test_commands_with_a_model_suggest_only_options_that_they_have(files, command):
    assert suggested(*command, "model.json", "unseen.csv", "--unseen", "error") == [["--unseen", "zero"]]
    Path("word.csv").write_text("home town,a;b,y\n" + "1,red,cat\n" * 3 + "many,red,dog\n")
    for name in ("gaps.csv", "unseen.csv", "word.csv"):
        done(*command, "model.json", name)


def test_train_has_the_option_that_its_test_suggests(files):
    assert suggested("train", "good.csv", "--test", "unseen.csv", "--unseen", "error") == [["--unseen", "zero"]]
    done("train", "good.csv", "--test", "unseen.csv", "--unseen", "zero")


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


def test_a_stalled_perceptron_is_not_advised_to_use_the_perceptron():
    from types import SimpleNamespace

    from rosenblatt.cli.output.training_report import _hint

    record = SimpleNamespace(
        fitted={"status_": "stalled", "n_iter_": 70},
        features=SimpleNamespace(scale=None),
        estimator="Perceptron",
        parameters={"max_iter": None},
    )
    for separable, expected in ((1, "--max-iter 700, "), (0, "--algorithm AveragedPerceptron, ")):
        verdict = SimpleNamespace(separable=separable, inseparable=1 - separable, problems=1)
        hint = _hint(SimpleNamespace(record=record, verdict=verdict, scales_differ=False))
        assert hint.startswith(expected)
        assert "--algorithm Perceptron" not in hint


def test_errors_in_python_suggest_python_options(files):
    """A pipeline has no command line."""
    model = rosenblatt.load("model.json").set_params(features__unseen="error")
    frame = pd.DataFrame({"home town": [1.0], "a;b": ["green"]})
    with pytest.raises(data.DataError) as refused:
        model.predict(frame)
    assert "--" not in str(refused.value)
    call = re.search(r"model\.set_params\(.*?\)", str(refused.value))
    assert call is not None
    exec(call[0], {"model": model})
    with pytest.warns(UserWarning, match="'green', and ignored"):
        assert len(model.predict(frame)) == 1
    with pytest.raises(data.DataError) as refused:
        data.read("all left out.csv")
    for read_options in re.findall(r"in Python (ReadOptions\([^)]*\))", str(refused.value)):
        assert data.read("all left out.csv", eval(read_options, {"ReadOptions": ReadOptions})).n_examples == 60


def test_every_option_that_the_source_mentions_is_one_of_a_command():
    context = click.Context(main)
    found = [main.get_command(context, name) for name in main.list_commands(context)]
    commands = [sub for command in found for sub in (command, *getattr(command, "commands", {}).values())]
    parameters = [parameter for command in commands for parameter in command.params]
    known = {option for parameter in parameters for option in (*parameter.opts, *parameter.secondary_opts)}
    folder = Path(rosenblatt.__file__).parent
    for path in [path for part in ("data", "models", "distributed", "cli") for path in (folder / part).rglob("*.py")]:
        mentioned = set(re.findall(r"(?<![\w-])--[a-z][a-z0-9-]+", path.read_text()))
        assert mentioned <= known | {"--help", "--version"}, path
