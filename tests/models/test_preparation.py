"""What `train` does without a flag: columns standardised, the setting chosen by cross-validation, on every source."""

from pathlib import Path

import numpy as np
import pytest

from rosenblatt.data import Features, ReadOptions, Sparse, read, scan
from rosenblatt.distributed import ShardSource, shard_source
from rosenblatt.distributed.cluster.in_process import InProcess
from rosenblatt.models import Plan, evaluate, train
from rosenblatt.models.training.evaluation.assessment import area_under_curve
from rosenblatt.models.training.scaling import BLOCK, Moments, default_scale, moments_of
from tests.cli.running import as_json, done, run


@pytest.fixture
def table(tmp_path):
    """Noisy examples in columns of very different sizes."""
    random = np.random.default_rng(1)
    Z = random.normal(size=(300, 4))
    y = (Z @ [1.0, 2.0, -1.0, 0.5] + random.normal(size=300) > 0).astype(int)
    X = Z * [0.001, 1.0, 100.0, 10_000.0] + [5.0, 0.0, -3.0, 1e6]
    path = tmp_path / "t.csv"
    path.write_text(
        "a,b,c,d,y\n" + "".join(",".join(map(repr, row)) + f",{k}\n" for row, k in zip(X.tolist(), y, strict=True))
    )
    return str(path)


@pytest.fixture
def mixed(tmp_path):
    """The label depends on a number and a date; a text, zeros and gaps stand beside them."""
    random = np.random.default_rng(2)
    words = ["great", "bad", "slow", "love", "refund", "support", "never", "again", "invoice", "order"]
    visits, days = random.integers(0, 4, 400), random.integers(0, 1000, 400)
    label = np.where(visits + days / 200 + random.normal(scale=0.3, size=400) > 4, "yes", "no")
    lines = ["visits,since,age,comment,label"]
    for k in range(400):
        since = np.datetime64("2022-01-01") + int(days[k])
        age = "" if k % 11 == 0 else random.integers(18, 90)
        comment = " ".join(random.choice(words, random.integers(4, 9)))
        lines.append(f"{visits[k]},{since},{age},{comment},{label[k]}")
    path = tmp_path / "mixed.csv"
    path.write_text("\n".join(lines) + "\n")
    return str(path)


@pytest.fixture
def inline(monkeypatch):
    monkeypatch.setattr(shard_source, "Cluster", lambda _client, _timeout: InProcess())


def sources(path, shards=1):
    return [read(path), scan(path), ShardSource([path], ReadOptions(), shards=shards)]


def without_pockets(trained):
    """The settings that were tried, but for pockets: a shard offers its weights to the pocket once an epoch."""
    return [each for each in trained.search.tried if each.algorithm != "PocketPerceptron"]


@pytest.mark.usefixtures("inline")
@pytest.mark.parametrize("plan", [Plan(parameters={"order": "cyclic", "max_iter": 20}), Plan(held_out=None)])
def test_scale_split_choice_and_report_are_the_same_in_memory_on_disk_and_on_one_shard(table, plan):
    found = [train(source, plan) for source in sources(table)]
    if "order" not in plan.parameters:  # a stream is read in its order, and the others are shuffled
        found = [found[0], found[2]]
    first = found[0].record
    assert first.features.scale is not None
    for other in found[1:]:
        for name in ("centre", "width"):
            np.testing.assert_array_equal(
                getattr(first.features.scale, name), getattr(other.record.features.scale, name)
            )
        np.testing.assert_array_equal(first.fitted["coef_"], other.record.fitted["coef_"])
        np.testing.assert_array_equal(found[0].on_training.confusion, other.on_training.confusion)
        assert (found[0].why, found[0].verdict) == (other.why, other.verdict)
        if plan.held_out is None:
            np.testing.assert_array_equal(found[0].held_out.confusion, other.held_out.confusion)
            assert found[0].held_out.n_examples == 60
            assert without_pockets(found[0]) == without_pockets(other)


@pytest.mark.usefixtures("inline")
def test_numbers_and_dates_beside_a_text_are_standardised_alike_in_memory_on_disk_and_on_one_shard(mixed):
    found = [train(source, Plan(parameters={"order": "cyclic", "max_iter": 5})).record for source in sources(mixed)]
    features, scale = found[0].features, found[0].features.scale
    names = np.array(features.names())
    assert list(names[features.numbers()]) == [
        "visits",
        *(f"since {part}" for part in features.columns[1].parts),
        "age",
    ]
    np.testing.assert_array_equal(scale.width[~features.numbers()], 1.0)
    scaled = scale.apply(read(mixed).X).to_scipy().toarray()[:, features.numbers()]
    np.testing.assert_allclose(scaled.mean(axis=0), 0.0, atol=1e-12)
    np.testing.assert_allclose(scaled.std(axis=0), 1.0, rtol=1e-9)
    for other in found[1:]:
        assert other.features.scale == scale
        np.testing.assert_array_equal(found[0].fitted["coef_"], other.fitted["coef_"])


def test_a_text_column_does_not_hide_the_numbers_and_dates(mixed):
    accuracy = as_json("train", mixed)["test"]["accuracy"]
    assert accuracy > 0.9
    assert accuracy > as_json("train", mixed, "--no-scale")["test"]["accuracy"] + 0.05


@pytest.mark.usefixtures("inline")
def test_three_shards_have_the_scale_of_the_whole_up_to_rounding(table):
    plan = Plan(parameters={"max_iter": 3})
    whole = train(read(table), plan).record.features.scale
    parts = train(sources(table, shards=3)[2], plan).record.features.scale
    np.testing.assert_allclose(parts.centre, whole.centre, rtol=1e-12)
    np.testing.assert_allclose(parts.width, whole.width, rtol=1e-12)


def test_the_scale_is_that_of_the_training_part_alone(table):
    trained = train(read(table), Plan(held_out=0.25))
    X = read(table).X
    members = np.setdiff1d(np.arange(len(X)), trained.held)
    np.testing.assert_allclose(trained.record.features.scale.centre, X[members].mean(axis=0), rtol=1e-12)
    np.testing.assert_allclose(trained.record.features.scale.width, X[members].std(axis=0), rtol=1e-9)


def test_moments_of_blocks_are_those_of_all_rows():
    X = np.random.default_rng(0).normal(1e8, 1.0, size=(3 * BLOCK + 7, 3))
    blocks = [X[k : k + BLOCK] for k in range(0, len(X), BLOCK)]
    found = moments_of(blocks, Features("array", 3)).scale()
    np.testing.assert_allclose(found.centre, X.mean(axis=0), rtol=1e-12)
    np.testing.assert_allclose(found.width, X.std(axis=0), rtol=1e-6)


def test_a_constant_column_is_not_blown_up_by_rounding():
    X = np.column_stack([np.full(1000, 0.1), np.arange(1000.0)])
    scaled = Moments.of(X).scale().apply(X)
    assert np.abs(scaled[:, 0]).max() < 1e-12


def test_sparse_columns_are_scaled_only_where_they_differ_by_orders_of_magnitude():
    values, starts = np.array([1.0, 2.0, 3.0]), np.array([0, 1, 2, 3], dtype=np.int32)
    alike = Sparse(values, np.array([0, 1, 0], dtype=np.int32), starts, 2)
    apart = Sparse(values * [1.0, 1e4, 1.0], np.array([0, 1, 0], dtype=np.int32), starts, 2)
    features = Features("svmlight", 2, zero_based=False)
    assert default_scale(Moments.of(alike), features) is None
    scale = default_scale(Moments.of(apart), features)
    assert scale.centre is None
    assert scale.width.tolist() == [3.0, 2e4]


def test_the_default_beats_raw_columns_and_lists_the_settings_tried(table):
    report = as_json("train", table)
    assert report["scaled"]
    accuracies = [entry["accuracy"] for entry in report["tried"]]
    settings = [entry["setting"] for entry in report["tried"]]
    assert len(settings) == len(set(settings)) >= 15
    assert {"10 epochs", "last weights, 50 epochs", "pocket with ratchet, 50 epochs"} <= set(settings)
    assert accuracies == sorted(accuracies, reverse=True)
    assert f"{accuracies[0]:.1%} right in 5-fold cross-validation" in report["chosen"]
    raw = as_json("train", table, "--no-scale", "--no-search")
    assert not raw["scaled"]
    assert raw["tried"] is None
    assert report["test"]["accuracy"] > raw["test"]["accuracy"]
    assert "standardised" in done("train", table)


@pytest.mark.parametrize("given", [["--max-iter", "7"], ["--algorithm", "AveragedPerceptron"], ["--set", "C=0.5"]])
def test_given_parameters_disable_the_search(table, given):
    assert as_json("train", table, *given)["tried"] is None


def test_a_lecture_s_run_and_one_through_the_origin_are_on_raw_numbers(table):
    assert not as_json("train", table, "--convention", "L3", "--max-iter", "5")["scaled"]
    assert not as_json("train", table, "--no-intercept", "--max-iter", "5")["scaled"]
    assert as_json("train", table, "--no-intercept", "--max-iter", "5", "--scale")["scaled"]


def test_evaluating_on_the_training_file_is_noted(table, tmp_path):
    model, other = tmp_path / "m.json", tmp_path / "other.csv"
    done("train", table, "-q", "-o", model)
    other.write_text("\n".join(Path(table).read_text().splitlines()[:200]) + "\n")
    assert "trained on this file" in run("evaluate", model, table).stderr
    assert "trained on this file" not in run("evaluate", model, other).stderr


def test_the_figures_of_evaluate_are_scikit_learn_s(table, tmp_path):
    from sklearn.metrics import balanced_accuracy_score, f1_score, roc_auc_score

    record = train(read(table), Plan(parameters={"max_iter": 5})).record
    loaded = read(table)
    found = evaluate(record, loaded)
    truth, predicted = loaded.labels.codes, record.predicted_codes(loaded.X)
    assert found.balanced_accuracy == pytest.approx(balanced_accuracy_score(truth, predicted))
    assert found.macro_f1 == pytest.approx(f1_score(truth, predicted, average="macro"))
    assert found.auc == pytest.approx(roc_auc_score(truth, record.scores(loaded.X)[:, 0]))
    ties = np.array([1.0, 1.0, 2.0, 2.0, 0.0]), np.array([True, False, True, False, False])
    assert area_under_curve(*ties) == pytest.approx(roc_auc_score(ties[1], ties[0]))
