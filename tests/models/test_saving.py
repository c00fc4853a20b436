"""Model files: what is saved is loaded, bit for bit."""

import json
import shutil
import subprocess
import sys
import tempfile
import warnings
from itertools import product
from operator import attrgetter
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import rosenblatt
from rosenblatt import Perceptron
from rosenblatt.data import Features, ReadOptions, read
from rosenblatt.data.features import Scale
from rosenblatt.models import Plan, train
from rosenblatt.models.files import model_file, values
from rosenblatt.models.files.layout import dumps, parts
from rosenblatt.models.files.registry import TRAINABLE
from tests.boolean.brute import functions
from tests.models.written import fitted


def assert_same(one, other):
    assert type(one) is type(other)
    assert one.get_params() == other.get_params()
    for name, value in vars(one).items():
        # A proof and a trace speak of data that is not in the file.
        if name.endswith("_") and not name.startswith(("accelerators", "certificate", "trace")):
            pairs = (
                zip(getattr(other, name), value, strict=True)
                if isinstance(value, list)
                else [(getattr(other, name), value)]
            )
            for here, there in pairs:
                np.testing.assert_array_equal(here, there, err_msg=name)
            assert type(getattr(other, name)) is type(value), name


@pytest.mark.parametrize("classes", [(0, 1), (-1, 1), ("ham", "spam"), (False, True), (0, 1, 2, 3), (0.0, 1.0)])
@pytest.mark.parametrize("multi_class", ["ova", "ovo"])
def test_a_loaded_model_equals_the_saved_one(tmp_path, classes, multi_class):
    model, X = fitted(classes=classes, multi_class=multi_class, class_weight={classes[0]: 2.0})
    rosenblatt.save(model, tmp_path / "model.json")
    loaded = rosenblatt.load(tmp_path / "model.json")
    assert_same(model, loaded)
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    np.testing.assert_array_equal(loaded.decision_function(X), model.decision_function(X))


@pytest.mark.parametrize("name", TRAINABLE)
@pytest.mark.parametrize("classes", [(0, 1), ("a", "b", "c")])
def test_every_estimator_comes_back_whole(tmp_path, name, classes):
    X = fitted()[1]
    y = np.array(classes)[np.arange(len(X)) % len(classes)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = attrgetter(name)(rosenblatt)(max_iter=7).fit(X, y)
        rosenblatt.save(model, tmp_path / "m.json")
        loaded = rosenblatt.load(tmp_path / "m.json")
        assert_same(model, loaded)
        np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
        record = model_file.read(tmp_path / "m.json")
        np.testing.assert_array_equal(record.classes[record.predicted_codes(X)], model.predict(X))
        np.testing.assert_array_equal(loaded.decision_function(X), model.decision_function(X))
        if hasattr(model, "partial_fit"):
            assert_same(model.partial_fit(X, y), loaded.partial_fit(X, y))


@pytest.mark.parametrize("name", ["VotedPerceptron", "compat.Perceptron"])
def test_sparse_and_single_precision_examples_come_back(tmp_path, name):
    X = fitted()[1]
    y = np.arange(len(X)) % 2
    for kind in (sp.csr_matrix(X), X.astype(np.float32), sp.csr_matrix(X.astype(np.float32))):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = attrgetter(name)(rosenblatt)(max_iter=7).fit(kind, y)
        rosenblatt.save(model, tmp_path / "m.json")
        loaded = rosenblatt.load(tmp_path / "m.json")
        np.testing.assert_array_equal(loaded.decision_function(kind), model.decision_function(kind))
        assert loaded.coef_.dtype == model.coef_.dtype


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize(
    "parameters",
    [
        {"kernel": "poly", "degree": 2, "coef0": 1.0},
        {"kernel": "rbf", "vote": "vote", "multi_class": "joint"},
        {"kernel": "laplacian", "gamma": 0.3, "vote": "vote", "multi_class": "ovo"},
        {"kernel": "rbf", "vote": "average"},
        {"kernel": "linear", "budget": 5},
    ],
)
def test_kernel_perceptrons_come_back_with_their_kernel_and_voters(tmp_path, parameters, classes):
    X = fitted()[1]
    y = np.arange(len(X)) % classes
    for kind in (X, np.round(2 * X), sp.csr_matrix(X)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = rosenblatt.KernelPerceptron(max_iter=4, **parameters).fit(kind, y)
        rosenblatt.save(model, tmp_path / "m.json")
        loaded = rosenblatt.load(tmp_path / "m.json")
        np.testing.assert_array_equal(loaded.decision_function(kind), model.decision_function(kind))
        np.testing.assert_array_equal(loaded.predict(kind), model.predict(kind))
        assert loaded.kernel_ == model.kernel_


@pytest.mark.slow
@given(functions(most=3))
def test_units_and_networks_come_back_exactly(function):
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "m.json"
        circuits = [function.network(), *([function.perceptron()] if function.is_threshold else [])]
        for circuit in circuits:
            rosenblatt.save(circuit, place)
            assert rosenblatt.load(place) == circuit
            record = model_file.read(place)
            X = np.array(list(product((0.0, 1.0), repeat=circuit.n_variables)))
            assert record.predicted_codes(X).tolist() == circuit.evaluate(X).tolist()


@given(hnp.arrays(np.float64, hnp.array_shapes(max_dims=2), elements=st.floats(allow_nan=False, allow_infinity=False)))
def test_weights_come_back_bit_for_bit(array):
    text = dumps(values.to_json(array, "w"))
    back = values.from_json(json.loads(text), "w", {})
    assert back.tobytes() == array.tobytes()
    assert back.shape == array.shape


@given(
    st.sampled_from(["float64", "float32", "int64", "int32", "uint32", "bool"]).flatmap(
        lambda kind: hnp.arrays(
            kind,
            hnp.array_shapes(min_side=0, max_dims=3, max_side=4),
            elements={"allow_nan": False, "allow_infinity": False} if kind.startswith("float") else None,
        )
    )
)
def test_large_arrays_come_back_bit_for_bit(array):
    with patch.object(values, "LARGE", 0):
        stored = values.to_json(array.T, "w")
    assert ("base64" in stored) == (array.size > 0)
    back = values.from_json(json.loads(b"".join(parts(stored, dumps))), "w", {})
    assert back.dtype == array.dtype
    np.testing.assert_array_equal(back, array.T)
    assert back.flags.writeable


def test_names_of_a_data_frame_are_kept(tmp_path):
    frame = pd.DataFrame({"long": [0.0, 0, 1, 1], "wide": [0.0, 3, 0, 3]})
    rosenblatt.save(Perceptron().fit(frame, [0, 1, 0, 1]), tmp_path / "m.json")
    loaded = rosenblatt.load(tmp_path / "m.json")
    assert loaded.feature_names_in_.tolist() == ["long", "wide"]
    assert loaded.predict(frame).tolist() == [0, 1, 0, 1]


def test_a_model_with_large_arrays_is_one_file_that_can_be_copied_and_renamed(tmp_path):
    place = tmp_path / "model.json"
    first, _ = fitted(n_features=20_000)
    rosenblatt.save(first, place)
    for copy in ("model.json.bak", "backup.rb"):
        shutil.copy(place, tmp_path / copy)
    second, _ = fitted(n_features=20_000, order="cyclic")
    rosenblatt.save(second, place)
    rosenblatt.save(fitted()[0], place)
    for copy in ("model.json.bak", "backup.rb"):
        assert_same(first, rosenblatt.load(tmp_path / copy))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["backup.rb", "model.json", "model.json.bak"]


def test_saving_over_a_pair_of_files_of_version_1_leaves_the_arrays_for_its_copies(tmp_path):
    for path in (Path(__file__).parent / "fixtures").glob("v1_wide*"):
        shutil.copy(path, tmp_path)
    shutil.copy(tmp_path / "v1_wide.json", tmp_path / "backup.rb")
    before = model_file.read(tmp_path / "backup.rb")
    rosenblatt.save(fitted(n_features=20_000)[0], tmp_path / "v1_wide.json")
    after = model_file.read(tmp_path / "backup.rb")
    np.testing.assert_array_equal(after.fitted["coef_"], before.fitted["coef_"])


def test_the_document_can_be_read_by_a_person_and_diffed(tmp_path):
    model, _ = fitted(n_features=30)
    rosenblatt.save(model, tmp_path / "a.json")
    model.coef_ = model.coef_.copy()
    model.coef_[0, 17] += 1
    rosenblatt.save(model, tmp_path / "b.json")
    lines = [path.read_text().splitlines() for path in (tmp_path / "a.json", tmp_path / "b.json")]
    differing = [a for a, b in zip(*lines, strict=True) if a != b]
    assert len(differing) == 2  # eight weights, and the checksum
    assert max(map(len, lines[0])) < 250


def test_values_that_cannot_be_stored_are_refused_before_writing(tmp_path):
    model, _ = fitted(random_state=np.random.RandomState(0))
    with pytest.raises(ValueError, match=r"random_state is a RandomState.*an integer"):
        rosenblatt.save(model, tmp_path / "m.json")
    with pytest.raises(TypeError, match="save takes a fitted Perceptron"):
        rosenblatt.save(object(), tmp_path / "m.json")
    assert list(tmp_path.iterdir()) == []


def test_a_callback_is_not_part_of_a_model(tmp_path):
    rosenblatt.save(fitted(callback=print)[0], tmp_path / "m.json")
    assert rosenblatt.load(tmp_path / "m.json").callback is None


def test_a_model_of_categories_and_scales_takes_data_frames(tmp_path):
    (tmp_path / "t.csv").write_text("age,colour,y\n1,red,p\n9,blue,q\n2,red,p\n8,red,q\n,blue,q\n")
    loaded = read(str(tmp_path / "t.csv"), ReadOptions(impute=True))
    trained = train(loaded, Plan(scale=True))
    model_file.write(trained.record, tmp_path / "m.json")
    pipeline = rosenblatt.load(tmp_path / "m.json")
    columns = {"colour": ["red", "blue"], "age": [2.0, None]}
    for frame in (pd.DataFrame(columns), pl.DataFrame(columns)):
        assert pipeline.predict(frame).tolist() == ["p", "q"]
    with pytest.raises(ValueError, match="no column 'age'"):
        pipeline.predict(pd.DataFrame({"colour": ["red"]}))
    rosenblatt.save(pipeline, tmp_path / "again.json")
    again = model_file.read(tmp_path / "again.json")
    assert again.features.to_json() == trained.record.features.to_json()
    np.testing.assert_array_equal(again.fitted["coef_"], trained.record.fitted["coef_"])


def test_features_survive_json():
    for loaded in (read("@iris"), read("@xor")):
        assert Features.from_json(json.loads(json.dumps(loaded.features.to_json()))) == loaded.features


@pytest.mark.slow
def test_two_processes_that_save_to_one_path_leave_a_whole_model_for_every_reader(tmp_path):
    place = tmp_path / "m.json"
    code = (
        "import sys, rosenblatt\n"
        "model = rosenblatt.load(sys.argv[1])\n"
        "for _ in range(60): rosenblatt.save(model, sys.argv[2])"
    )
    known = []
    for name, order in (("a", "shuffle"), ("b", "cyclic")):
        rosenblatt.save(fitted(n_features=20_000, order=order)[0], tmp_path / name)
        known.append(rosenblatt.load(tmp_path / name).coef_.tobytes())
    shutil.copy(tmp_path / "a", place)
    savers = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path / name), str(place)]) for name in "ab"]
    loads = 0
    while any(saver.poll() is None for saver in savers):
        assert rosenblatt.load(place).coef_.tobytes() in known
        loads += 1
    assert [saver.returncode for saver in savers] == [0, 0]
    assert loads > 0
    assert known[0] != known[1]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b", "m.json"]


def test_the_scale_of_many_features_is_stored_as_bytes_and_read_back_exactly():
    n_features = 20_000
    rng = np.random.default_rng(0)
    scale = Scale(rng.standard_normal(n_features), rng.random(n_features) + 0.1)
    features = Features("array", n_features, scale=scale)
    stored = json.loads(json.dumps(features.to_json(values.to_json), default=bytes.decode))
    assert "base64" in stored["scale"]["width"]
    assert Features.from_json(stored, lambda value, name: values.from_json(value, name, {})).scale == scale
