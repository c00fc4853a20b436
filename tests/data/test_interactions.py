"""Interactions: products of the features of two columns, the same in memory, streamed, loaded and exported."""

import numpy as np
import pandas as pd
import pytest

from rosenblatt import load
from rosenblatt.data import ReadOptions, read, scan
from rosenblatt.models import read as read_model
from rosenblatt.models import to_c, to_onnx
from tests.cli.running import as_json, done, error
from tests.models.exported import labels_by_c, run_onnx

ROADS = [[], ["--stream"]]


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(2)
    n = 200
    frame = pd.DataFrame({"a": rng.normal(size=n).round(3), "b": rng.normal(size=n).round(3)})
    frame["c"] = rng.choice(["x", "y", "z"], n)
    frame.loc[::9, "b"] = np.nan
    signed = np.where(frame.c == "x", -frame.a, frame.a * frame.b.fillna(1))
    frame["label"] = np.where(signed > 0, "yes", "no")
    frame.to_csv(tmp_path / "t.csv", index=False)
    return tmp_path / "t.csv"


def test_products_follow_the_features_of_all_columns(table):
    frame = pd.read_csv(table)
    found = read(str(table), ReadOptions(interactions=["a:b", "a:c", "a:a"]))
    assert found.features.names() == [
        *("a", "b", "b is missing", "c=x", "c=y", "c=z"),
        *("a × b", "a × c=x", "a × c=y", "a × c=z", "a × a"),
    ]
    b = frame.b.fillna(frame.b.median())
    np.testing.assert_allclose(found.X[:, 6], frame.a * b)
    np.testing.assert_allclose(found.X[:, 8], frame.a * (frame.c == "y"))
    np.testing.assert_allclose(found.X[:, 10], frame.a**2)
    streamed = np.concatenate([X for X, _ in scan(str(table), ReadOptions(interactions=["a:b", "a:c", "a:a"]))])
    np.testing.assert_array_equal(streamed, found.X)


@pytest.mark.parametrize("road", ROADS)
def test_interactions_are_learned_stored_and_exported(tmp_path, table, road):
    model = tmp_path / "m.json"
    plain = as_json("train", table, *road)["test"]["accuracy"]
    better = as_json("train", table, "--interactions", "all", *road, "-o", model)["test"]["accuracy"]
    assert better > plain + 0.15
    frame = pd.read_csv(table).drop(columns="label")
    expected = as_json("predict", model, table)["predictions"]
    assert load(model).predict(frame).tolist() == expected
    assert "interactions" in done("inspect", model)
    record = read_model(model)
    inputs = {name: frame[[name]].to_numpy(float) for name in ("a", "b")} | {"c": frame[["c"]].to_numpy(object)}
    assert run_onnx(to_onnx(record), inputs).tolist() == expected
    levels = [(frame.c == level).astype(float) for level in "xyz"]
    rows = np.column_stack([frame.a, frame.b, np.zeros(len(frame)), *levels])
    assert labels_by_c(to_c(record), rows, tmp_path) == expected


def test_a_set_without_gaps_takes_the_fast_reader(tmp_path, table):
    pd.read_csv(table)[["a", "label"]].assign(d=lambda t: t.a**3).to_csv(tmp_path / "n.csv", index=False)
    found = read(str(tmp_path / "n.csv"), ReadOptions(interactions=["a:d"], target="label"))
    np.testing.assert_allclose(found.X[:, 2], found.X[:, 0] * found.X[:, 1])
    done("train", tmp_path / "n.csv", "--target", "label", "--interactions", "a:d", "-q", "-o", tmp_path / "m.json")
    assert len(as_json("predict", tmp_path / "m.json", tmp_path / "n.csv")["predictions"]) == 200


def test_xor_needs_an_interaction(tmp_path):
    done("train", "@xor", "--interactions", "x1:x2", "--algorithm", "Perceptron", "--strict", "-o", tmp_path / "m.json")
    assert as_json("evaluate", tmp_path / "m.json", "@xor")["accuracy"] == 1.0


@pytest.mark.parametrize("road", ROADS)
def test_columns_that_cannot_interact_are_refused_by_name(tmp_path, table, road):
    assert "'a:d' are not two columns" in error("train", table, "--interactions", "a:d", *road)
    assert "column 'c' is none" in error("train", table, "--interactions", "c:c", *road)
    (tmp_path / "t.svm").write_text("1 1:2 2:3\n-1 1:3\n")
    assert "no named columns" in error("train", tmp_path / "t.svm", "--interactions", "all", *road)
    text = "words,y\n" + "".join(f"some words about the number {k} here,{k % 2}\n" for k in range(60))
    (tmp_path / "text.csv").write_text(text)
    assert "column 'words' is hashed" in error("train", tmp_path / "text.csv", "--interactions", "all", *road)
    rng = np.random.default_rng(0)
    wide = pd.DataFrame(rng.normal(size=(30, 14)), columns=[f"v {k}" for k in range(14)]).assign(y=[0, 1] * 15)
    wide.to_csv(tmp_path / "wide.csv", index=False)
    message = error("train", tmp_path / "wide.csv", "--interactions", "all", *road)
    assert "at most 12 columns, and there are 14. Name pairs (--interactions 'v 0:v 1';" in message
    done("train", tmp_path / "wide.csv", "--interactions", "v 0:v 1", *road)
