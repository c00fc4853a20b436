"""Checkpoints, and what bad input and bad read_options get."""

from pathlib import Path
from typing import Any

import dask.array as da
import numpy as np
import pytest
from sklearn.base import clone

from rosenblatt.distributed import DaskAveragedPerceptron, DaskPerceptron, DaskPocketPerceptron
from rosenblatt.distributed.cluster.in_process import InProcess
from rosenblatt.distributed.run.checkpoint import CheckpointError, content_of
from rosenblatt.distributed.shards.blocks import Block
from tests.distributed.inline import cut, fit


class StopHereError(Exception):
    pass


def examples(classes: int = 3) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(0)
    return random.normal(size=(80, 4)), random.integers(0, classes, 80)


def stop_after(epoch: int) -> Any:
    def callback(progress: Any) -> None:
        if progress.epoch == epoch:
            raise StopHereError

    return callback


@pytest.mark.parametrize("kind", [DaskPerceptron, DaskAveragedPerceptron, DaskPocketPerceptron])
@pytest.mark.parametrize(("shards", "order"), [(1, "shuffle"), (4, "cyclic")])
def test_a_run_that_was_stopped_resumes_to_the_same_end(kind: Any, shards: int, order: str, tmp_path: Path) -> None:
    X, y = examples()
    read_options = {"max_iter": 9, "order": order, "checkpoint": tmp_path / "run.npz"}
    whole = fit(kind(max_iter=9, order=order), X, y, shards)
    with pytest.raises(StopHereError):
        fit(kind(callback=stop_after(4), **read_options), X, y, shards)
    seen = []
    resumed = fit(kind(resume=True, callback=lambda p: seen.append(p.epoch), **read_options), X, y, shards)
    assert seen == [5, 6, 7, 8, 9]
    for name, value in vars(whole.to_local()).items():
        found = getattr(resumed.to_local(), name)
        same = np.array_equal(found, value) if name not in ("callback", "history_") else True
        assert same, name
    assert resumed.history_.tobytes() == whole.history_.tobytes()


def test_a_finished_run_resumes_to_itself_and_may_go_on_with_more_epochs(tmp_path: Path) -> None:
    X, y = examples(2)
    place = tmp_path / "run.npz"
    first = fit(DaskPerceptron(max_iter=3, checkpoint=place), X, y, 2)
    again = fit(DaskPerceptron(max_iter=3, checkpoint=place, resume=True), X, y, 2)
    assert again.coef_.tobytes() == first.coef_.tobytes()
    more = fit(DaskPerceptron(max_iter=8, checkpoint=place, resume=True), X, y, 2)
    assert more.coef_.tobytes() == fit(DaskPerceptron(max_iter=8), X, y, 2).coef_.tobytes()
    assert more.n_iter_ == 8


def test_a_checkpoint_of_another_run_is_refused(tmp_path: Path) -> None:
    X, y = examples(2)
    place = tmp_path / "run.npz"
    fit(DaskPerceptron(max_iter=3, checkpoint=place), X, y, 2)
    with pytest.raises(CheckpointError, match=r"eta0=1\.0 and is 2\.0"):
        fit(DaskPerceptron(max_iter=3, eta0=2.0, checkpoint=place, resume=True), X, y, 2)
    with pytest.raises(CheckpointError, match="another run: its shards"):
        fit(DaskPerceptron(max_iter=3, checkpoint=place, resume=True), X, y, 4)


@pytest.mark.parametrize(
    ("damage", "what"),
    [
        (lambda _: b"", "it is empty"),
        (lambda whole: whole[:-40], "its checksum does not match"),
        (lambda whole: whole[:5], "its checksum does not match"),
        (lambda _: b"weight,colour,pet\n4,black,cat\n", "its checksum does not match"),
    ],
)
def test_a_damaged_checkpoint_is_refused_with_cause_and_remedy(tmp_path: Path, damage: Any, what: str) -> None:
    X, y = examples(2)
    place = tmp_path / "run.npz"
    whole = fit(DaskPerceptron(max_iter=3, checkpoint=place), X, y, 2)
    place.write_bytes(damage(place.read_bytes()))
    with pytest.raises(CheckpointError, match=f"{place} is not a complete checkpoint: {what}.*leave out --resume"):
        fit(DaskPerceptron(max_iter=3, checkpoint=place, resume=True), X, y, 2)
    again = fit(DaskPerceptron(max_iter=3, checkpoint=place), X, y, 2)  # as the message says
    assert again.coef_.tobytes() == whole.coef_.tobytes()
    fit(DaskPerceptron(max_iter=3, checkpoint=place, resume=True), X, y, 2)


def test_a_checkpoint_with_any_single_byte_changed_is_refused(tmp_path: Path) -> None:
    X, y = examples(2)
    place = tmp_path / "run.npz"
    fit(DaskAveragedPerceptron(max_iter=3, checkpoint=place), X, y, 2)
    whole = place.read_bytes()
    for k in range(0, len(whole), 3):
        place.write_bytes(whole[:k] + bytes([whole[k] ^ (1 << k % 8)]) + whole[k + 1 :])
        with pytest.raises(CheckpointError, match="checksum"):
            content_of(place)


def test_a_place_where_no_checkpoint_can_be_is_refused_before_any_work(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        DaskPerceptron(checkpoint=tmp_path / "absent" / "run.npz")._check()
    with pytest.raises(IsADirectoryError, match="is a folder"):
        DaskPerceptron(checkpoint=tmp_path)._check()


@pytest.mark.parametrize("kind", [DaskPerceptron, DaskAveragedPerceptron, DaskPocketPerceptron])
@pytest.mark.parametrize("multi_class", ["ova", "ovo", "joint"])
def test_a_shard_whose_examples_all_weigh_nothing_counts_as_an_empty_one(kind: Any, multi_class: str) -> None:
    X, y = examples(3)
    weights = np.ones(len(X))
    weights[20:40] = 0.0
    y[25] = 7  # a class that only an absent example has
    blocks = cut(X, y, 4, weights)
    blocks[1] = Block("shard 1", X[:0], y[:0], weights[:0])
    settings = {"max_iter": 4, "multi_class": multi_class, "mixing": "uniform"}
    empty = kind(**settings)
    empty._fit_blocks(InProcess(), lambda: blocks, None, None)
    found = fit(kind(**settings), X, y, 4, weights)
    assert found.coef_.tobytes() == empty.coef_.tobytes()
    assert found.history_.tobytes() == empty.history_.tobytes()
    assert found.n_examples_ == empty.n_examples_ == 60


@pytest.mark.parametrize("bad", [-1.0, np.nan])
def test_a_weight_that_is_none_is_refused_by_its_shard_even_among_zeros(bad: float) -> None:
    X, y = examples(2)
    weights = np.ones(len(X))
    weights[20:40] = 0.0
    weights[30] = bad
    with pytest.raises(ValueError, match="shard 1: "):
        fit(DaskPerceptron(max_iter=2), X, y, 4, weights)


def test_wishes_that_shards_cannot_grant_are_refused_with_the_reason() -> None:
    X, y = examples(2)
    with pytest.raises(ValueError, match="3 sequences"):
        fit(DaskPerceptron(patience=5), X, y, 3)
    with pytest.raises(ValueError, match="none of 3 shards has"):
        fit(DaskPerceptron(order="misclassified"), X, y, 3)
    for estimator, why in [
        (DaskPerceptron(record=True), "no common order"),
        (DaskPocketPerceptron(ratchet=False), "no meaning over"),
        (DaskPerceptron(resume=True), "checkpoint=PATH"),
        (DaskPerceptron(mixing="best"), "mixing must be one of"),
        (DaskPerceptron(timeout=0), "timeout must be"),
        (DaskPerceptron(tie="maybe"), "tie must be one of"),
    ]:
        with pytest.raises(ValueError, match=why):
            estimator._check()
    with pytest.raises(TypeError, match="no parameter 'shard'"):
        DaskPerceptron(shard=3)


def test_bad_data_is_named_by_its_shard() -> None:
    X, y = examples(2)
    X[61, 2] = np.nan
    with pytest.raises(ValueError, match="shard 3, row 1, column 2"):
        fit(DaskPerceptron(), X, y, 4)
    X, y = examples(2)
    with pytest.raises(ValueError, match="needs at least 2"):
        fit(DaskPerceptron(), X, np.zeros_like(y), 2)
    with pytest.raises(ValueError, match="y is missing"):
        DaskPerceptron().fit(da.from_array(X, chunks=(20, 4)), None)


def test_an_array_is_refused_in_favour_of_the_local_estimator_and_a_missing_client_is_named() -> None:
    X, y = examples(2)
    with pytest.raises(ValueError, match="better fitted by the local estimator"):
        DaskPerceptron().fit(X, y)
    with pytest.raises(ValueError, match="no Dask client"):
        DaskPerceptron().fit(da.from_array(X), da.from_array(y))


def test_a_distributed_estimator_can_be_cloned_and_has_the_parameters_of_its_twin() -> None:
    model = DaskPerceptron(eta0=0.5, mixing="mistakes")
    assert clone(model).get_params() == model.get_params()
    assert set(DaskPerceptron._local().get_params()) < set(model.get_params())


def test_a_failed_fit_leaves_the_estimator_as_it_was() -> None:
    X, y = examples(2)
    model = fit(DaskPerceptron(max_iter=2), X, y, 2)
    before = dict(vars(model))
    with pytest.raises(ValueError, match="no Dask client"):
        model.fit(da.from_array(X), da.from_array(y))
    assert vars(model) == before


@pytest.mark.slow
def test_a_run_with_an_empty_shard_can_ask_for_a_separator() -> None:
    random = np.random.default_rng(0)
    X, y = random.normal(size=(20_000, 50)), random.integers(0, 2, 20_000)  # stalls after 122 epochs
    weights = np.ones(len(X))
    weights[2_500:10_000] = 0.0  # all of shard 1, and some of shard 0
    assert fit(DaskPerceptron(), X, y, 4, weights).status_ == "inseparable"
