"""The choice of settings by cross-validation on the training part."""

import warnings

import numpy as np
import pytest

import rosenblatt
from rosenblatt.data import read
from rosenblatt.models import Plan, train
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
