"""Proofs about the training data are part of a model file, come back, and can be checked."""

import importlib
import json
import warnings

import numpy as np
import pytest
import scipy.sparse as sp

import rosenblatt
from rosenblatt import data
from rosenblatt.models import ModelFileError
from rosenblatt.models.files import model_file
from rosenblatt.models.files.certificates import Certificate
from tests.cli.running import as_json, done, run
from tests.models.written import forge, sealed

IRIS = data.load("iris")


def saved(model, path):
    rosenblatt.save(model, path)
    return rosenblatt.load(path)


def fit(model, X, y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(X, y)


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        ["--algorithm", "Perceptron"],
        ["--strict"],
        ["--convention", "L3"],
        ["--algorithm", "Perceptron", "--multi-class", "ovo"],
        ["--algorithm", "Perceptron", "--scale", "--holdout", "0.5"],
        ["--algorithm", "Perceptron", "--set", "warm_start=true"],
        ["--algorithm", "Perceptron", "--stream"],
        ["--algorithm", "BatchPerceptron", "--set", "max_iter=null"],
    ],
    ids=" ".join,
)
def test_a_trained_model_with_proofs_is_saved_and_its_proofs_hold(tmp_path, options):
    (tmp_path / "iris.csv").write_text(done("datasets", "@iris"))
    result = run("train", tmp_path / "iris.csv", *options, "-o", tmp_path / "m.json")
    assert result.exit_code == (3 if "--strict" in options else 0), result.output
    record = model_file.read(tmp_path / "m.json")
    X = IRIS.X if record.features.scale is None else record.features.scale.apply(IRIS.X)
    model = record.to_estimator()
    proofs = [proof for proof in model.certificates_ if proof is not None]
    assert proofs
    for proof in proofs:
        assert proof.kind == "inseparable"
        assert proof.verify(X, IRIS.y)
        wrong, i = IRIS.y.copy(), proof.witness.indices[0]
        positive, negative = proof.claim["positive"], proof.claim["negative"] or "setosa"
        wrong[i] = negative if wrong[i] == positive else positive
        assert not proof.verify(X, wrong)
        assert not proof.verify(X + np.arange(len(X))[:, None], IRIS.y)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Perceptron", "AveragedPerceptron", "PocketPerceptron", "BatchPerceptron"])
@pytest.mark.parametrize("multi_class", ["ova", "ovo", "joint"])
def test_the_proofs_of_every_linear_estimator_come_back(tmp_path, name, multi_class):
    model = fit(getattr(rosenblatt, name)(max_iter=None, multi_class=multi_class, max_updates=10**5)
                if name != "BatchPerceptron" else rosenblatt.BatchPerceptron(max_iter=None, multi_class=multi_class),
                IRIS.X, IRIS.y)  # fmt: skip
    loaded = saved(model, tmp_path / "m.json")
    assert [None if p is None else p.kind for p in loaded.certificates_] == [
        None if p is None else p.kind for p in model.certificates_
    ]
    for proof in loaded.certificates_:
        assert proof is None or proof.verify(IRIS.X, IRIS.y)
    again = saved(loaded, tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "m.json").read_bytes()
    assert again.certificate_ is None


@pytest.mark.parametrize("as_matrix", [np.array, sp.csr_matrix])
def test_the_proof_of_two_classes_is_the_certificate(tmp_path, as_matrix):
    X, y = as_matrix([[0.0, 0], [0, 0.1], [0.1, 0], [0.1, 0.1]]), np.array(["no", "yes", "yes", "no"])
    perceptron, voted = fit(rosenblatt.Perceptron(), X, y), fit(rosenblatt.VotedPerceptron(max_iter=2), X, y)
    voted.certificates_ = perceptron.certificates_  # to find it itself, it would need a long run
    voted.certificate_ = perceptron.certificate_
    for model in (perceptron, voted):
        loaded = saved(model, tmp_path / "m.json")
        assert model.certificate_.verify()
        assert loaded.certificate_.verify(X, y)
        assert loaded.certificate_.witness.multipliers == model.certificate_.witness.multipliers
        np.testing.assert_array_equal(loaded.certificate_.witness.indices, model.certificate_.witness.indices)
        assert loaded.certificate_.weights is None
        assert not loaded.certificate_.separable
        assert not loaded.certificate_.verify(X, ["no", "yes", "no", "yes"])
        assert not loaded.certificate_.verify(X[:3], y[:3])


def test_a_proof_with_a_basis_comes_back_and_may_move_to_other_rows(tmp_path, monkeypatch):
    monkeypatch.setattr(importlib.import_module("rosenblatt.theory.separability.decide"), "LEAST_WIDTH", 2)
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 3)), np.where(rng.random(60) > 0.5, "yes", "no")
    model = fit(rosenblatt.Perceptron(max_iter=1), X, y)
    proof = rosenblatt.separability(X, y)
    assert proof.witness.basis
    model.certificates_ = [Certificate({**proof.to_dict(), "left_out": []})]
    loaded = saved(model, tmp_path / "m.json")
    assert loaded.certificates_[0].witness.basis == proof.witness.basis
    assert loaded.certificates_[0].verify(X, y)
    moved = loaded.certificates_[0].among(np.arange(60) + 5, 70)
    assert moved.verify(np.vstack([X[:5], X, X[:5]]), np.concatenate([y[:5], y, y[:5]]))


def test_the_proof_of_a_kernel_perceptron_is_about_its_gram_matrix(tmp_path):
    X, y = np.array([[0.0, 0], [0, 0.1], [0.1, 0], [0.1, 0.1]]), np.array([0, 1, 1, 0])
    model = fit(rosenblatt.KernelPerceptron(kernel="linear", max_iter=None), X, y)
    loaded = saved(model, tmp_path / "m.json")
    assert loaded.certificate_.verify(X @ X.T, y)
    assert not loaded.certificate_.verify(X @ X.T + np.eye(4), y)


def test_examples_that_took_no_part_in_the_fit_take_none_in_the_proof(tmp_path):
    X, y = np.array([[0.0, 0], [0, 0.1], [0.1, 0], [0.1, 0.1], [5, 5]]), [0, 1, 1, 0, 1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = rosenblatt.Perceptron().fit(X, y, sample_weight=[1, 1, 1, 1, 0])
    loaded = saved(model, tmp_path / "m.json")
    assert loaded.certificate_.to_dict()["left_out"] == [4]
    assert loaded.certificate_.verify(X, y)


def test_inspect_shows_what_is_proved(tmp_path):
    done("train", "@iris", "--algorithm", "Perceptron", "-o", tmp_path / "m.json")
    told = done("inspect", tmp_path / "m.json")
    assert "certificate" in told
    assert "versicolor against all others, not separable: 6 examples that no hyperplane separates" in told
    proofs = as_json("inspect", tmp_path / "m.json")["certificates"]
    assert [None if proof is None else proof["kind"] for proof in proofs] == [None, "inseparable", "inseparable"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (["kind"], "proved", "does not say what it proves"),
        (["separable"], True, "does not say what it proves"),
        (["fit_intercept"], "yes", "does not say what it proves"),
        (["fit_intercept"], False, "about other features"),
        (["positive"], "a rose", "is about other classes"),
        (["negative"], "a rose", "is about other classes"),
        (["n_examples"], -1, "has no shape"),
        (["n_examples"], 1, "an example that is not there"),
        (["n_features"], 5, "about other features"),
        (["weights"], ["1"], "vectors of 3 integers"),
        (["witness", "indices"], [0, 1, 2, 900], "an example that is not there"),
        (["witness", "multipliers"], ["1", "1", "1", "1.5"], "not an integer"),
        (["witness", "multipliers"], ["1", "1", "1", "1e999999999"], "not an integer"),
        (["witness", "multipliers"], ["1"], "vectors of 4 integers"),
        (["witness", "basis"], [0, 1, 900], "an example that is not there"),
        (["witness"], [], "incomplete"),
        (["null"], {}, "vectors of"),
        (["left_out"], ["all"], "an example that is not there"),
        (["left_out"], None, "an example that is not there"),
        (["surprise"], 1, "incomplete"),
    ],
)
def test_a_forged_certificate_is_refused(tmp_path, path, value, message):
    X, y = [[0.0, 0], [0, 0.1], [0.1, 0], [0.1, 0.1]], ["no", "yes", "yes", "no"]
    rosenblatt.save(fit(rosenblatt.Perceptron(), X, y), tmp_path / "m.json")
    forge(tmp_path / "m.json", "fitted", "certificates_", 0, "certificate", *path, value=value)
    with pytest.raises(ModelFileError, match=message):
        rosenblatt.load(tmp_path / "m.json")


@pytest.mark.parametrize(
    "value", [[], [None, None], 3, [{"pairs": []}], {"array": "int64", "shape": [0], "values": []}]
)
def test_certificates_that_are_no_list_of_them_are_refused(tmp_path, value):
    rosenblatt.save(fit(rosenblatt.Perceptron(), [[0.0], [1]], [0, 1]), tmp_path / "m.json")
    document = json.loads((tmp_path / "m.json").read_text())
    document["fitted"]["certificates_"] = value
    (tmp_path / "m.json").write_bytes(sealed(document))
    with pytest.raises(ModelFileError, match="certificates_ must"):
        model_file.read(tmp_path / "m.json")


@pytest.mark.parametrize(
    "change",
    [
        {"multipliers": ["1", "1", "1", "2"]},
        {"multipliers": ["-1", "-1", "-1", "-1"]},
        {"multipliers": ["0", "0", "0", "0"]},
        {"indices": [0, 1, 2, 2]},
        {"indices": [], "multipliers": []},
    ],
)
def test_a_forged_proof_that_looks_whole_does_not_verify(tmp_path, change):
    X, y = [[0.0, 0], [0, 0.1], [0.1, 0], [0.1, 0.1]], [0, 1, 1, 0]
    rosenblatt.save(fit(rosenblatt.Perceptron(), X, y), tmp_path / "m.json")
    document = json.loads((tmp_path / "m.json").read_text())
    document["fitted"]["certificates_"][0]["certificate"]["witness"] |= change
    (tmp_path / "m.json").write_bytes(sealed(document))
    assert not rosenblatt.load(tmp_path / "m.json").certificate_.verify(X, y)
