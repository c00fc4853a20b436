"""`rosenblatt train --workers N`: the same model and report as on one machine. The tasks run in this process."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rosenblatt.distributed
from tests.cli.running import as_json, done, error, run
from tests.distributed.inline import without_cluster


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    without_cluster(monkeypatch)


def table(path: Path, X: Any, y: Any) -> Path:
    names = [f"x{j}" for j in range(X.shape[1])]
    np.savetxt(path, np.column_stack([X, y]), delimiter=",", header=",".join([*names, "y"]), comments="", fmt="%.8g")
    return path


def unscaled(path: Path) -> Path:
    """333 noisy examples in columns from 0.01 to 100,000."""
    random = np.random.default_rng(0)
    Z = random.normal(size=(333, 8))
    return table(path, Z * 10.0 ** np.arange(-2, 6), Z.sum(axis=1) + 3 * random.normal(size=333) > 0)


def separable(path: Path) -> Path:
    """A narrow margin: the averaged weights of a run that separates these examples make errors."""
    random = np.random.default_rng(3)
    X = random.normal(size=(60, 2))
    score = X @ [1.0, -2.0]
    return table(path, X[np.abs(score) > 0.02], (score > 0)[np.abs(score) > 0.02])


def told(path: Path, *more: object) -> Any:
    """The report without what only one of the two ways can say."""
    report = as_json("train", path, *more)
    for name in ("shards", "weighted_mistakes"):
        report["ending"].pop(name, None)
    return report


def test_training_on_333_unscaled_rows_ends_as_on_one_machine(tmp_path: Path) -> None:
    path = unscaled(tmp_path / "t.csv")
    plain = ["--no-scale", "--no-search"]  # two shards are mixed, and so may prefer another setting
    here, there = as_json("train", path, *plain), as_json("train", path, *plain, "--workers", 2)
    for name in ("algorithm", "chosen", "parameters"):
        assert there[name] == here[name]
    assert there["ending"]["status"] == here["ending"]["status"] == "max_iter"
    assert there["ending"]["epochs"] == here["ending"]["epochs"]


@pytest.mark.parametrize("make", [unscaled, separable])
@pytest.mark.parametrize(
    "more",
    [("--no-search",), ("--no-search", "--no-scale", "--holdout", 0), ("--max-iter", 7), ("--set", "C=0.5")],
)
def test_one_worker_reports_the_same_as_one_machine(tmp_path: Path, make: Any, more: tuple[object, ...]) -> None:
    path = make(tmp_path / "t.csv")
    assert told(path, *more, "--workers", 1) == told(path, *more)


def test_the_last_weights_are_kept_where_only_they_separate(tmp_path: Path) -> None:
    path = separable(tmp_path / "t.csv")
    report = as_json("train", path, "--holdout", 0, "--no-scale", "--no-search", "--workers", 1)
    assert (report["algorithm"], report["ending"]["status"]) == ("Perceptron", "separated")
    assert report["training"]["errors"] == 0
    assert report["ending"]["mistakes"] <= report["ending"]["mistake_bound"]


@pytest.mark.slow
def test_a_perceptron_without_a_limit_of_epochs_ends_on_333_unscaled_rows(tmp_path: Path) -> None:
    path = unscaled(tmp_path / "t.csv")
    ends = [
        as_json("train", path, "--algorithm", "Perceptron", *more)["ending"]["status"]
        for more in ([], ["--workers", 2])
    ]
    assert ends == ["inseparable", "inseparable"]


def test_progress_is_printed_in_lines_if_stderr_is_not_a_terminal(tmp_path: Path) -> None:
    path = unscaled(tmp_path / "t.csv")
    said = run("train", path, "--workers", 2, "--max-iter", 3).stderr.splitlines()
    assert said[0] == "starting 2 worker processes …"
    assert said[1].startswith(f"reading {path}")
    assert said[2] == "training AveragedPerceptron on 2 shards, at most 3 epochs …"
    assert "epoch 1: " in said[3]
    assert " mistakes, " in said[3]
    for more in (["--json"], ["--quiet"]):
        result = run("train", path, "--workers", 2, "--max-iter", 3, *more)
        assert "epoch" not in result.stderr
        assert "worker" not in result.stderr


def test_a_model_of_the_last_weights_can_be_used(tmp_path: Path) -> None:
    path, model = separable(tmp_path / "t.csv"), tmp_path / "m.json"
    done("train", path, "--holdout", 0, "--quiet", "--no-scale", "--no-search", "--workers", 1, "-o", model)
    assert json.loads(done("evaluate", model, path, "--json"))["accuracy"] == 1.0


def test_an_empty_or_damaged_checkpoint_is_refused_in_one_line_and_kept(tmp_path: Path) -> None:
    path, place = separable(tmp_path / "t.csv"), tmp_path / "run.npz"
    command = ["train", path, "--json", "--workers", 2, "--max-iter", 2, "--checkpoint", place]
    done(*command)
    whole = place.read_bytes()
    for content in (b"", whole[:99] + b"x" + whole[100:]):
        place.write_bytes(content)
        said = error(*command, "--resume")
        assert said.startswith(f"Error: {place} is not a complete checkpoint")
        assert said.endswith("To start again, remove it or leave out --resume (resume=False).")
        assert place.read_bytes() == content
    done(*command)
    done(*command, "--resume")


def test_unreadable_or_unwritable_files_are_refused_before_the_workers_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rosenblatt.distributed, "connect", lambda *_: pytest.fail("the workers were started"))
    path = separable(tmp_path / "t.csv")
    assert "absent.csv: No such file" in error("train", tmp_path / "absent.csv", "--workers", 2)
    assert "matches none" in error("train", tmp_path / "*.parquet", "--workers", 2)
    assert "there is no folder" in error("train", path, "--workers", 2, "--checkpoint", tmp_path / "absent" / "run.npz")
