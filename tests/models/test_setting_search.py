"""The choice of settings by cross-validation on the training part."""

import warnings

import numpy as np
import pytest

import rosenblatt
from rosenblatt.data import read
from rosenblatt.models import Plan, train
from rosenblatt.models.training.selection.trial_cost import cost_of_fit
from rosenblatt.models.training.sources.local_sources import MemorySource
from rosenblatt.models.training.splits import Fold
from tests.cli.running import as_json


def clouds(path, sizes, seed=0):
    """Overlapping clouds of points, one per class, in a CSV file."""
    random = np.random.default_rng(seed)
    lines = ["a,b,kind"]
    for k, size in enumerate(sizes):
        centre = 1.5 * np.array([np.cos(2 * k), np.sin(2 * k)])
        lines += [f"{a!r},{b!r},k{k}" for a, b in (centre + random.normal(size=(size, 2))).tolist()]
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def test_the_accuracy_of_a_setting_is_that_of_its_fits_on_the_folds(tmp_path):
    path = clouds(tmp_path / "t.csv", [60, 60, 60])
    trained = train(read(path), Plan())
    found, scale = trained.search, trained.record.features.scale
    assert found.part == "5-fold cross-validation"
    dataset = read(path)
    X, codes = scale.apply(dataset.X), dataset.labels.codes
    for tried in (found.tried[0], found.tried[len(found.tried) // 2], found.tried[-1]):
        right = 0
        for k in range(5):
            training, held = Fold(k, 5, 0).parts(codes, 3)
            multi_class = tried.parameters.get("multi_class", "joint")
            model = getattr(rosenblatt, tried.algorithm)(**{**tried.parameters, "multi_class": multi_class})
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # fifty epochs do not converge
                model.fit(X[training], codes[training])
            right += int((model.predict(X[held]) == codes[held]).sum())
        assert tried.accuracy == right / len(codes)


def test_the_best_setting_is_the_one_that_is_fitted(tmp_path):
    trained = train(read(clouds(tmp_path / "t.csv", [60, 60, 60])), Plan())
    best = trained.search.best
    assert best.accuracy == max(each.accuracy for each in trained.search.tried)
    assert trained.record.estimator == best.algorithm
    for name, value in best.parameters.items():
        assert trained.record.parameters[name] == value
    assert trained.why.startswith(f"{best.setting}: {best.accuracy:.1%} right in 5-fold cross-validation")


@pytest.mark.parametrize(("sizes", "words"), [([60, 60], 0), ([60, 60, 60], 2)])
def test_more_than_two_classes_are_also_learned_one_against_the_others(tmp_path, sizes, words):
    tried = [each["setting"] for each in as_json("train", clouds(tmp_path / "t.csv", sizes))["tried"]]
    ways = ("one class against all others", "one class against one")
    assert sum(any(way in setting for setting in tried) for way in ways) == words
    fixed = as_json("train", clouds(tmp_path / "t.csv", sizes), "--multi-class", "ova")
    assert not any(way in each["setting"] for each in fixed["tried"] for way in ways)


def test_class_weights_are_tried_for_classes_of_different_sizes(tmp_path):
    unequal, equal = clouds(tmp_path / "u.csv", [90, 30]), clouds(tmp_path / "e.csv", [60, 60])
    found = {path: [each["setting"] for each in as_json("train", path)["tried"]] for path in (unequal, equal)}
    assert any("classes weighted equally" in setting for setting in found[unequal])
    assert not any("classes weighted equally" in setting for setting in found[equal])
    given = as_json("train", unequal, "--class-weight", "balanced")
    assert not any("weighted" in each["setting"] for each in given["tried"])


def words(path, rows, classes, seed=0):
    """Sparse rows of 60 words out of 2^14, of which each class prefers some, in an svmlight file."""
    random = np.random.default_rng(seed)
    with path.open("w") as file:
        for label in random.integers(0, classes, rows).tolist():
            common, own = random.integers(1, 2**14, 50), label * 100 + random.integers(1, 100, 10)
            file.write(f"{label} " + " ".join(f"{j}:1" for j in np.unique([*common, *own])) + "\n")
    return str(path)


def test_large_sparse_data_of_many_classes_gets_few_candidates_on_one_fold(tmp_path):
    few = train(read(words(tmp_path / "large.svm", 20_000, 20)), Plan(held_out=0.2, proba=False))
    assert few.search.part == "a fifth of the training part"
    assert len({each.candidate.rule for each in few.search.tried}) == 5
    assert few.search.plain.setting == "10 epochs"
    assert few.held_out.accuracy >= few.search.plain.accuracy - 0.02
    many = train(read(words(tmp_path / "small.svm", 1000, 3)), Plan(held_out=0.2, proba=False))
    assert len({each.candidate.rule for each in many.search.tried}) >= 10


def test_the_estimate_counts_pairs_weights_and_sparse_values(tmp_path):
    def opened(path):
        return MemorySource(read(path)).open(Plan())

    with opened(clouds(tmp_path / "t.csv", [60] * 8)) as dense:
        one, ten = cost_of_fit(dense, 1), cost_of_fit(dense, 10)
        values = dense.n_values + 32 * dense.n_training
        assert ten - one == 9 * 8 * values
        assert cost_of_fit(dense, 10, "ovo") > 2 * cost_of_fit(dense, 10, "ova")
    with opened(words(tmp_path / "t.svm", 100, 4)) as sparse:
        assert cost_of_fit(sparse, 0) >= 4 * sparse.features.n_features
        assert cost_of_fit(sparse, 2) - cost_of_fit(sparse, 1) > 4 * 2 * sparse.n_values
