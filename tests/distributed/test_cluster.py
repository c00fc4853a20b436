"""Two worker processes, and what clusters do. The long form is `python -m tests.distributed.endure`."""

import json
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dask
import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import dump_svmlight_file

from distributed import Client
from rosenblatt import AveragedPerceptron, Perceptron, data
from rosenblatt.cli import main
from rosenblatt.distributed import (
    ClusterLostError,
    DaskAveragedPerceptron,
    DaskPerceptron,
    DaskPocketPerceptron,
    DataLostError,
)
from rosenblatt.distributed.cluster.engine import Cluster
from tests.distributed.clusters import Killer, local_cluster, pids, processes, slow_examples, start_worker

pytestmark = [
    pytest.mark.slow,
    # What Dask's own threads and sockets leave to the garbage collector is not ours to warn about.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning"),
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    pytest.mark.filterwarnings("default:::distributed"),
    pytest.mark.filterwarnings("default:::dask"),
]

EPOCHS = 6


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with local_cluster(2) as client:
        yield client


@pytest.fixture(scope="module")
def digits() -> tuple[np.ndarray, np.ndarray]:
    dataset = data.load("digits")
    return dataset.X + 0.1, dataset.y


def on_tasks(estimator: Any, client: Client, shards: int, seconds: float = 0.0) -> Any:
    """A fit on blocks that tasks make, each taking some time."""
    cluster = Cluster(client, estimator.timeout)
    estimator._check()
    make = lambda: [cluster.submit(slow_examples, i, seconds) for i in range(shards)]  # noqa: E731
    estimator._fit_blocks(cluster, make, None, None)
    return estimator


def test_one_shard_is_the_local_run_bit_for_bit(client: Client, digits: Any) -> None:
    X, y = digits
    for local, distributed in ((Perceptron, DaskPerceptron), (AveragedPerceptron, DaskAveragedPerceptron)):
        here = local(max_iter=EPOCHS).fit(X, y)
        there = distributed(max_iter=EPOCHS).fit(
            da.from_array(X, chunks=(-1, 10)), da.from_array(y, chunks=-1), client=client
        )
        assert there.coef_.tobytes() == here.coef_.tobytes()
        assert there.to_local().history_.tobytes() == here.history_.tobytes()
        assert there.statuses_ == here.statuses_


def test_the_result_depends_on_the_shards_and_not_on_the_workers(client: Client, digits: Any) -> None:
    X, y = digits
    arrays = da.from_array(X, chunks=(500, -1)), da.from_array(y, chunks=500)
    two = DaskPerceptron(max_iter=EPOCHS).fit(*arrays, client=client)
    with local_cluster(1) as alone:
        one = DaskPerceptron(max_iter=EPOCHS).fit(*arrays, client=alone)
    assert one.coef_.tobytes() == two.coef_.tobytes()
    other = DaskPerceptron(max_iter=EPOCHS).fit(arrays[0].rechunk((900, -1)), arrays[1], client=client)
    assert other.coef_.tobytes() != two.coef_.tobytes()


def test_killed_workers_leave_the_weights_bit_identical(client: Client) -> None:
    calm = on_tasks(DaskAveragedPerceptron(max_iter=40), client, 4)
    killer = Killer(client, 1.0, seed=0)
    killer.start()
    hurt = on_tasks(DaskAveragedPerceptron(max_iter=40, timeout=60, retries=20), client, 4, seconds=0.3)
    assert killer.stop()
    assert hurt.coef_.tobytes() == calm.coef_.tobytes()
    assert hurt.history_.tobytes() == calm.history_.tobytes()


def test_a_dead_scheduler_is_an_error_in_time_and_the_checkpoint_resumes(client: Client, tmp_path: Path) -> None:
    whole = on_tasks(DaskPerceptron(max_iter=12), client, 3)
    read_options = {"max_iter": 12, "checkpoint": tmp_path / "run.npz", "timeout": 120}
    with processes(2, tmp_path) as (place, scheduler, _), dask.config.set({"distributed.comm.timeouts.connect": "5s"}):
        killed = []

        def after(progress: Any) -> None:
            if progress.epoch == 5:
                scheduler.kill()
                killed.append(time.monotonic())

        with Client(scheduler_file=place, set_as_default=False) as lost:
            with pytest.raises(ClusterLostError, match="connection to the scheduler was lost"):
                on_tasks(DaskPerceptron(callback=after, **read_options), lost, 3)
            assert time.monotonic() - killed[0] < 60
    resumed = on_tasks(DaskPerceptron(resume=True, **read_options), client, 3)
    assert resumed.coef_.tobytes() == whole.coef_.tobytes()
    assert resumed.history_.tobytes() == whole.history_.tobytes()
    assert resumed.n_mistakes_ == whole.n_mistakes_


def test_a_fit_begins_without_workers_and_uses_those_that_join_late(client: Client, tmp_path: Path) -> None:
    whole = on_tasks(DaskPerceptron(max_iter=5), client, 4)
    with processes(0, tmp_path) as (place, _, started), Client(scheduler_file=place, set_as_default=False) as empty:
        with pytest.raises(ClusterLostError, match="No worker is connected"):
            on_tasks(DaskPerceptron(max_iter=5, timeout=1.0), empty, 4)
        started.append(start_worker(place))
        empty.wait_for_workers(1)

        def after(progress: Any) -> None:
            if progress.epoch == 2:
                started.append(start_worker(place))
                empty.wait_for_workers(2)

        late = on_tasks(DaskPerceptron(max_iter=5, callback=after), empty, 4)
        assert len(pids(empty)) == 2
        assert late.coef_.tobytes() == whole.coef_.tobytes()


def test_scattered_data_that_is_lost_is_an_error_in_time() -> None:
    with local_cluster(1) as fragile:
        scattered = fragile.scatter(slow_examples(0))
        cluster = Cluster(fragile, 10)
        os.kill(pids(fragile)[0], signal.SIGKILL)
        with pytest.raises((DataLostError, ClusterLostError), match=r"lost permanently|Nothing was finished"):
            DaskPerceptron(max_iter=2)._fit_blocks(cluster, lambda: [scattered], None, None)


def test_predictions_are_lazy_on_arrays_and_frames(client: Client, digits: Any) -> None:
    X, y = digits
    frame = pd.DataFrame(X, columns=[f"p{j}" for j in range(64)])
    parts = dd.from_pandas(frame, npartitions=3), dd.from_pandas(pd.Series(y), npartitions=3)
    model = DaskPocketPerceptron(max_iter=EPOCHS).fit(*parts, client=client)
    assert list(model.feature_names_in_) == list(frame.columns)
    lazy = model.predict(parts[0])
    assert dask.is_dask_collection(lazy)
    assert np.array_equal(client.compute(lazy).result(), model.to_local().predict(frame))
    unnamed = DaskPerceptron(max_iter=2).fit(da.from_array(X, chunks=(600, 20)), da.from_array(y), client=client)
    for method in ("predict", "decision_function"):
        lazy = getattr(unnamed, method)(da.from_array(X, chunks=(700, 30)))
        assert dask.is_dask_collection(lazy)
        assert np.array_equal(client.compute(lazy).result(), getattr(unnamed.to_local(), method)(X))


def test_files_are_shards_with_common_columns_and_classes(client: Client, digits: Any, tmp_path: Path) -> None:
    X, y = digits
    random = np.random.default_rng(0)
    frame = pd.DataFrame(X[:600, :10], columns=[f"p{j}" for j in range(10)])
    frame["city"] = np.where(np.arange(600) < 300, "oslo", random.choice(["rome", "lima"], 600))
    frame["label"] = np.where(y[:600] < 5, "low", "high")
    for i in range(3):
        frame[200 * i : 200 * (i + 1)].to_parquet(tmp_path / f"{i}.parquet")
    paths = [tmp_path / f"{i}.parquet" for i in range(3)]
    tables = DaskPerceptron(max_iter=3).fit(paths, "label", client=client)
    assert list(tables.feature_names_in_)[-3:] == ["city=lima", "city=oslo", "city=rome"]
    assert (tables.n_shards_, tables.classes_.tolist()) == (3, ["high", "low"])
    text = tmp_path / "digits.svm"
    dump_svmlight_file(X, y, str(text), zero_based=False)
    sparse = DaskPerceptron(max_iter=3).fit([text], client=client)
    here = Perceptron(max_iter=3).fit(X, y)
    assert sparse.n_features_in_ == 64
    assert sparse.to_local().score(X, y) == pytest.approx(here.score(X, y), abs=0.05)


def test_the_command_line_reports_the_same_from_a_cluster(
    client: Client, tmp_path: Path, digits: Any, capsys: Any
) -> None:
    X, y = digits
    text = tmp_path / "digits.svm"
    dump_svmlight_file(X, y, str(text), zero_based=False)
    address = client.scheduler_info()["address"]
    told = []
    for more in ([], ["--dask", address, "--shards", "1"]):
        plan = ["--algorithm", "Perceptron", "--max-iter", "4"]
        main(["train", str(text), *plan, "--json", *more], standalone_mode=False)
        told.append(json.loads(capsys.readouterr().out))
        told[-1].pop("separability")  # asked on one machine only
    shards = told[1]["ending"].pop("shards")
    assert told[1]["ending"].pop("weighted_mistakes") == told[0]["ending"]["mistakes"]
    assert shards == 1
    assert told[0] == told[1]
