"""Probabilities: calibrated by `train`, stored in the model file, given by `predict`, `evaluate`, `load`, exports."""

import csv
import io
import json
import subprocess

import numpy as np
import pytest
from sklearn.metrics import log_loss

from rosenblatt import data, load, models, save
from tests.cli.running import PETS, as_json, done, error
from tests.models.exported import BUILDS, compiled, run_onnx
from tests.models.written import sealed

KINDS = [
    ("AveragedPerceptron", "2", "ova"),
    ("AveragedPerceptron", "3", "ova"),
    ("Perceptron", "3", "ovo"),
    ("PocketPerceptron", "3", "joint"),
    ("VotedPerceptron", "3", "ovo"),
    ("KernelPerceptron", "3", "ova"),
    ("compat.Perceptron", "2", ""),
]

_MAIN = """#include <stdio.h>
#include "model.h"
int main(void) {
    double x[MODEL_FEATURES], p[MODEL_CLASSES];
    for (;;) {
        int j;
        for (j = 0; j < MODEL_FEATURES; ++j)
            if (scanf("%lf", &x[j]) != 1) return 0;
        model_probabilities(x, p);
        for (j = 0; j < MODEL_CLASSES; ++j) printf("%.17g ", p[j]);
    }
}
"""


@pytest.fixture
def pets(tmp_path):
    path = tmp_path / "pets.csv"
    path.write_text(PETS)
    return path


def noisy(n_classes, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((150, 3))
    scores = X @ rng.standard_normal((3, n_classes)) + rng.standard_normal((150, n_classes))
    return X, np.array(["a", "b", "c"])[np.argmax(scores, axis=1)]


def by_c(header, X, folder):
    (folder / "model.h").write_text(header)
    (folder / "main.c").write_text(_MAIN)
    compiled(folder, BUILDS[0], "main.c", "-o", "main", "-lm")
    rows = "\n".join(" ".join(repr(float(v)) for v in row) for row in X)
    out = subprocess.run([folder / "main"], input=rows.encode(), capture_output=True, check=True).stdout
    return np.array(out.split(), dtype=float).reshape(len(X), -1)


@pytest.mark.parametrize(("algorithm", "n_classes", "multi_class"), KINDS)
def test_every_way_gives_the_same_probabilities(tmp_path, algorithm, n_classes, multi_class):
    X, y = noisy(int(n_classes))
    np.savez(tmp_path / "t.npz", X=X, y=y)
    how = ["--multi-class", multi_class] if multi_class else []
    model = tmp_path / "m.json"
    done("train", tmp_path / "t.npz", "--algorithm", algorithm, "--max-iter", 5, *how, "-q", "-o", model)
    found = as_json("predict", model, tmp_path / "t.npz", "--proba")
    assert found["probabilities_of"] == sorted(set(y))
    expected = np.array(found["probabilities"])
    np.testing.assert_allclose(expected.sum(axis=1), 1)
    # They tell more than the shares of the classes.
    shares = np.bincount(np.unique(y, return_inverse=True)[1]) / len(y)
    assert log_loss(y, expected) < -(shares * np.log(shares)).sum()
    record = models.read(model)
    np.testing.assert_allclose(run_onnx(models.to_onnx(record), {"X": X}, "probabilities"), expected, atol=1e-9)
    np.testing.assert_allclose(by_c(models.to_c(record), X, tmp_path), expected, atol=1e-9)
    if algorithm != "compat.Perceptron":  # which has scikit-learn's methods only
        loaded = load(model)
        np.testing.assert_allclose(loaded.predict_proba(X), expected, rtol=1e-12)
        save(loaded, tmp_path / "again.json")
        assert models.read(tmp_path / "again.json").calibration == record.calibration


def test_the_columns_are_named_by_the_classes(tmp_path, pets):
    done("train", pets, "-q", "-o", tmp_path / "m.json")
    text = done("predict", tmp_path / "m.json", pets, "--proba", "--scores")
    rows = list(csv.reader(io.StringIO(text)))
    assert rows[0] == ["prediction", "probability of cat", "probability of dog", "score of dog"]
    assert all(float(row[1]) + float(row[2]) == pytest.approx(1) for row in rows[1:])


def test_probabilities_are_those_of_held_out_examples(tmp_path):
    """Random labels, as many features as examples: training scores separate, held-out scores know nothing."""
    rng = np.random.default_rng(1)
    X, y = rng.standard_normal((80, 80)), np.arange(80) % 2
    trained = models.train(
        data.dataset.Dataset("t", X, data.labels.Labels(np.array([0, 1]), y.astype(np.int32)),
                             data.Features("array", 80), "", str), models.Plan("Perceptron"),
    )  # fmt: skip
    assert trained.on_training.n_errors == 0
    assert np.abs(trained.record.probabilities(X) - 0.5).max() < 0.45


def test_a_stream_gives_the_same_probabilities(tmp_path, pets):
    for way in ([], ["--stream"]):
        done("train", pets, "--order", "cyclic", *way, "-q", "-o", tmp_path / f"m{len(way)}.json")
    first, second = (models.read(tmp_path / f"m{k}.json").calibration for k in (0, 1))
    assert first == second
    assert first is not None


def test_costly_models_are_calibrated_on_the_examples_held_out(monkeypatch):
    from rosenblatt.models.training.evaluation import calibrating

    monkeypatch.setattr(calibrating, "_WORK", 0)
    read = data.read("@breast_cancer")
    found = models.train(read, models.Plan(held_out=0.2, search=False)).record.calibration
    assert (found.held_out, found.n_examples) == ("the examples held out", 114)
    assert models.train(read, models.Plan(search=False)).record.calibration is None
    assert models.train(read, models.Plan(search=False, proba=True)).record.calibration.n_examples == 569
    assert models.train(read, models.Plan(proba=False, held_out=0.2)).record.calibration is None


def test_evaluate_has_log_loss_and_a_table_of_thresholds(tmp_path):
    X, y = noisy(2)
    np.savez(tmp_path / "t.npz", X=X, y=y)
    done("train", tmp_path / "t.npz", "-q", "-o", tmp_path / "m.json")
    found = as_json("evaluate", tmp_path / "m.json", tmp_path / "t.npz")
    p = models.read(tmp_path / "m.json").probabilities(X)
    assert found["log_loss"] == pytest.approx(log_loss(y, p))
    assert found["thresholds"]["of"] == "probability"
    rarer = "b" if np.mean(y == "b") < 0.5 else "a"
    assert found["thresholds"]["class"] == rarer
    for row in found["thresholds"]["rows"]:
        said = p[:, int(rarer == "b")] >= row["threshold"]
        assert row["predicted"] == said.sum()
        assert row["accuracy"] == pytest.approx(np.mean(said == (y == rarer)))
        assert row["recall"] == pytest.approx(said[y == rarer].mean())
        assert row["precision"] == (pytest.approx(np.mean(y[said] == rarer)) if said.any() else None)
    assert f"{rarer}, if its probability is at least" in done("evaluate", tmp_path / "m.json", tmp_path / "t.npz")
    done("train", tmp_path / "t.npz", "--no-proba", "-q", "-o", tmp_path / "m.json")
    assert f"{rarer}, if its score is at least" in done("evaluate", tmp_path / "m.json", tmp_path / "t.npz")


def test_fitting_a_loaded_model_removes_its_probabilities(tmp_path):
    X, y = noisy(2)
    np.savez(tmp_path / "t.npz", X=X, y=y)
    done("train", tmp_path / "t.npz", "--no-scale", "-q", "-o", tmp_path / "m.json")
    for change in ("fit", "partial_fit"):
        model = load(tmp_path / "m.json")
        assert hasattr(model, "predict_proba")
        getattr(model, change)(X, y)
        assert not hasattr(model, "predict_proba")
        save(model, tmp_path / "again.json")
        assert models.read(tmp_path / "again.json").calibration is None


def test_a_model_without_probabilities_says_how_to_get_them(tmp_path, pets, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done("train", "pets.csv", "--no-proba", "-q", "-o", "m.json")
    message = error("predict", "m.json", "pets.csv", "--proba")
    assert message.endswith("Calibrate them: rosenblatt train pets.csv --target=pet --proba -o m.json")
    done(*message.partition("Calibrate them: rosenblatt ")[2].split())
    assert "probability of dog" in done("predict", "m.json", "pets.csv", "--proba")
    done("train", "-", "--no-proba", "-q", "-o", "m.json", stdin=PETS)
    assert "Train it again with --proba" in error("predict", "m.json", "pets.csv", "--proba")


def test_too_few_examples_have_no_probabilities(tmp_path):
    (tmp_path / "t.csv").write_text("a,b,y\n1,2,x\n2,1,x\n3,1,z\n4,5,z\n")
    assert "the smallest class has 2" in error("train", tmp_path / "t.csv", "--proba")
    assert as_json("train", tmp_path / "t.csv")["calibrated_on"] is None


@pytest.mark.parametrize(
    "change",
    [
        {"slope": -1.0},
        {"slope": "1"},
        {"slope": True},
        {"offsets": [0.0]},
        {"offsets": [0.0, "1"]},
        {"offsets": [0.0, 0.0, 0.0]},
        {"n_examples": 1.5},
        {"more": 1},
    ],
)
def test_a_forged_calibration_is_refused(tmp_path, pets, change):
    done("train", pets, "-q", "-o", tmp_path / "m.json")
    document = json.loads((tmp_path / "m.json").read_text())
    document["calibration"] |= change
    (tmp_path / "m.json").write_bytes(sealed(document))
    assert "calibration" in error("predict", tmp_path / "m.json", pets)


def test_the_area_under_the_curve_of_joint_scores_compares_the_classes():
    read = data.read("@iris")
    record = models.train(read, models.Plan(parameters={"multi_class": "joint"})).record
    assert models.evaluate(record, read).auc > 0.98
