"""The search for settings on a cluster: one run per setting, and no round trips for a small set."""

from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rosenblatt.distributed
from rosenblatt import data, models
from rosenblatt.distributed import ShardSource, shard_source
from rosenblatt.distributed.cluster.in_process import InProcess
from rosenblatt.distributed.shards.shard import run_pass
from rosenblatt.learning.parameters import Parameters
from rosenblatt.models.training.sources.source import TrainingSet
from rosenblatt.models.training.splits import Fold
from tests.cli.running import as_json

EPOCHS = (2, 5, 9)


class Remote(InProcess):
    """Stands for a cluster, and counts the tasks by their functions."""

    def __init__(self) -> None:
        self.tasks: list[Any] = []

    def submit(self, function: Any, *args: Any) -> Any:
        self.tasks.append(function)
        return super().submit(function, *args)


@pytest.fixture
def remote(monkeypatch: pytest.MonkeyPatch) -> Remote:
    found = Remote()
    monkeypatch.setattr(rosenblatt.distributed, "connect", lambda _address, _workers: nullcontext())
    monkeypatch.setattr(shard_source, "Cluster", lambda _client, _timeout: found)
    return found


@pytest.fixture
def path(tmp_path: Path) -> Path:
    random = np.random.default_rng(1)
    X = random.normal(size=(60, 3)).round(3)
    labels = np.where(X[:, 0] + X[:, 1] + 0.7 * random.normal(size=60) > 0, "yes", "no")
    lines = ["a,b,c,y", *(",".join([*map(str, row), label]) for row, label in zip(X, labels, strict=True))]
    file = tmp_path / "sixty.csv"
    file.write_text("\n".join(lines) + "\n")
    return file


@pytest.mark.usefixtures("remote")
@pytest.mark.parametrize("algorithm", ["Perceptron", "AveragedPerceptron", "PocketPerceptron"])
@pytest.mark.parametrize("shards", [1, 3])
def test_one_run_gives_the_models_of_runs_of_fewer_epochs(path: Path, algorithm: Any, shards: int) -> None:
    given = {"random_state": 0, "ratchet": True} if algorithm == "PocketPerceptron" else {"random_state": 0}
    parameters = Parameters.of(algorithm, {**given, "max_iter": EPOCHS[-1]})
    with ShardSource([str(path)], data.ReadOptions(), shards=shards).open(models.Plan()) as examples:
        part = examples.trial(Fold(0, 5, 0))
        apart = list(TrainingSet.trial_records(part, parameters, EPOCHS))
        at_once = list(part.trial_records(parameters, EPOCHS))
    for mine, theirs in zip(at_once, apart, strict=True):
        assert mine.fitted["coef_"].tobytes() == theirs.fitted["coef_"].tobytes()
        assert mine.fitted["intercept_"].tobytes() == theirs.fitted["intercept_"].tobytes()
    if algorithm != "PocketPerceptron":  # the pocket may be the same after each of these epochs
        assert len({record.fitted["coef_"].tobytes() for record in at_once}) > 1


def test_the_search_on_60_rows_makes_no_round_trip_per_epoch(path: Path, remote: Remote) -> None:
    report = as_json("train", path, "--workers", 2)
    assert len(report["tried"]) >= 15
    assert remote.tasks.count(run_pass) == 2 * report["ending"]["epochs"]


def test_a_search_on_the_workers_chooses_as_one_in_this_process(
    path: Path, remote: Remote, monkeypatch: pytest.MonkeyPatch
) -> None:
    train = partial(as_json, "train", path, "--workers", 2)
    here = train()
    passes = remote.tasks.count(run_pass)
    monkeypatch.setattr(shard_source, "SMALL", 0)
    assert train()["tried"] == here["tried"]
    assert remote.tasks.count(run_pass) > 10 * passes
