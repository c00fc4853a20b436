"""Model files: what is saved is loaded, bit for bit; what is not a whole model file is refused."""

import hashlib
import json
import shutil
import tempfile
import warnings
from itertools import product
from operator import attrgetter
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import rosenblatt
from rosenblatt import Perceptron, VotedPerceptron, boolean
from rosenblatt.data import Features, Wishes, read
from rosenblatt.models import ModelFileError, Plan, files, train, values
from rosenblatt.models.layout import dumps
from rosenblatt.models.record import Record
from rosenblatt.models.registry import TRAINABLE
from tests.boolean.brute import functions

FIXTURES = Path(__file__).parent / "fixtures"


def fitted(n_features=3, classes=(0, 1), **parameters):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, n_features))
    y = np.array(classes)[np.argmax(X @ rng.standard_normal((n_features, len(classes))), axis=1)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return Perceptron(max_iter=200, **parameters).fit(X, y), X


def assert_same(one, other):
    assert type(one) is type(other)
    assert one.get_params() == other.get_params()
    for name, value in vars(one).items():
        # A proof and a trace speak of data that is not in the file.
        if name.endswith("_") and not name.startswith(("certificate", "trace")):
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
def test_what_was_saved_is_loaded(tmp_path, classes, multi_class):
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
        record = files.read(tmp_path / "m.json")
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


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("settled_", "pairs", 1, 1, 0, "pairs", 0, 1, "values", 0), 10**6, "not among support_vectors_"),
        (("settled_", "pairs", 0, 1, "pairs", 0, 1), "wide", "must be numbers"),
        (("settled_", "pairs", 1, 1), 3, "not of its type"),
        (("dual_coef_", "shape", 1), 3, "does not have the shape"),
    ],
)
def test_a_forged_kernel_perceptron_is_refused(tmp_path, path, value, message):
    X = fitted()[1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = rosenblatt.KernelPerceptron(max_iter=4, vote="vote").fit(X, np.arange(len(X)) % 2)
    rosenblatt.save(model, tmp_path / "m.json")
    document = json.loads((tmp_path / "m.json").read_text())
    place = document["fitted"]
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    (tmp_path / "m.json").write_bytes(files._sealed(document))
    with pytest.raises(ModelFileError, match=message):
        rosenblatt.load(tmp_path / "m.json")


@given(functions(most=3))
def test_units_and_networks_come_back_exactly(function):
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "m.json"
        circuits = [function.network(), *([function.perceptron()] if function.is_threshold else [])]
        for circuit in circuits:
            rosenblatt.save(circuit, place)
            assert rosenblatt.load(place) == circuit
            record = files.read(place)
            X = np.array(list(product((0.0, 1.0), repeat=circuit.n_variables)))
            assert record.predicted_codes(X).tolist() == circuit.evaluate(X).tolist()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"offset": "1e999999999"}, "a whole number or a fraction"),
        ({"offset": "1/0"}, "not whole"),
        ({"weights": [1]}, "not whole"),
        ({"weights": None}, "not whole"),
        ({"kind": "neuron"}, "neither a threshold unit"),
        ({"variables": ["a", 1]}, "without a name"),
        ({"variables": ["a", "c"]}, "not the circuit's variables"),
        ({"tie": "maybe"}, "not whole"),
    ],
)
def test_a_forged_circuit_is_refused(tmp_path, change, message):
    rosenblatt.save(boolean.ThresholdUnit([1, "1/3"], -1.5, ["a", "b"]), tmp_path / "m.json")
    document = json.loads((tmp_path / "m.json").read_text())
    document["fitted"]["circuit"]["circuit"] |= change
    (tmp_path / "m.json").write_bytes(files._sealed(document))
    with pytest.raises(ModelFileError, match=message):
        files.read(tmp_path / "m.json")


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("updates_", 0, "values", 0), 10**6, "not among support_vectors_"),
        (("updates_", 0, "values", 0), -1, "not among support_vectors_"),
        (("survival_", 0, "values", 0), -1.0, "survival_ must be"),
        (("support_vectors_", "shape", 0), 3, "does not have the shape"),
        (("starts_", "shape", 1), 3, "does not have the shape"),
        (("updates_",), [], "lists of 1"),
        (("support_",), 3, "not of its type"),
    ],
)
def test_a_forged_vote_is_refused(tmp_path, path, value, message):
    X = fitted()[1]
    rosenblatt.save(VotedPerceptron(max_iter=2).fit(X, np.arange(len(X)) % 2), tmp_path / "m.json")
    document = json.loads((tmp_path / "m.json").read_text())
    part = document["fitted"]
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    (tmp_path / "m.json").write_bytes(files._sealed(document))
    with pytest.raises(ModelFileError, match=message):
        files.read(tmp_path / "m.json")


@given(hnp.arrays(np.float64, hnp.array_shapes(max_dims=2), elements=st.floats(allow_nan=False, allow_infinity=False)))
def test_weights_come_back_bit_for_bit(array):
    text = dumps(values.to_json(array, "w", None))
    back = values.from_json(json.loads(text), "w", {})
    assert back.tobytes() == array.tobytes()
    assert back.shape == array.shape


def test_names_of_a_data_frame_are_kept(tmp_path):
    frame = pd.DataFrame({"long": [0.0, 0, 1, 1], "wide": [0.0, 3, 0, 3]})
    rosenblatt.save(Perceptron().fit(frame, [0, 1, 0, 1]), tmp_path / "m.json")
    loaded = rosenblatt.load(tmp_path / "m.json")
    assert loaded.feature_names_in_.tolist() == ["long", "wide"]
    assert loaded.predict(frame).tolist() == [0, 1, 0, 1]


def test_large_arrays_stand_beside_the_document_and_old_ones_go(tmp_path):
    place = tmp_path / "model.json"
    model, _ = fitted(n_features=20_000)
    rosenblatt.save(model, place)
    [first] = tmp_path.glob("*.safetensors")
    assert_same(model, rosenblatt.load(place))
    rosenblatt.save(model, place)
    assert [path.name for path in tmp_path.glob("*.safetensors")] == [first.name]
    shutil.copy(place, tmp_path / "copy.json")
    model.coef_ = model.coef_ + 1
    rosenblatt.save(model, place)
    rosenblatt.load(tmp_path / "copy.json")  # what another document names stays
    assert_same(model, rosenblatt.load(place))
    (tmp_path / "copy.json").unlink()
    rosenblatt.save(fitted()[0], place)
    assert [path.name for path in tmp_path.glob("*.safetensors")] == [first.name]


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


def sealed(document: dict) -> bytes:
    """A document with the checksum that its content has: what a forger would write."""
    content = {key: value for key, value in document.items() if key != "checksum"}
    digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    return json.dumps(content | {"checksum": f"sha256:{digest}"}).encode()


@pytest.fixture
def document(tmp_path):
    rosenblatt.save(fitted()[0], tmp_path / "m.json")
    return json.loads((tmp_path / "m.json").read_text())


def refusal(tmp_path, content: bytes) -> str:
    (tmp_path / "bad.json").write_bytes(content)
    with pytest.raises(ModelFileError) as refused:
        rosenblatt.load(tmp_path / "bad.json")
    assert "bad.json" in str(refused.value)
    return str(refused.value)


def test_a_file_that_is_cut_off_anywhere_is_refused(tmp_path):
    rosenblatt.save(fitted()[0], tmp_path / "m.json")
    content = (tmp_path / "m.json").read_bytes().rstrip()
    for length in range(0, len(content), 97):
        assert "not whole JSON" in refusal(tmp_path, content[:length])


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (["version"], 2, "version 2; this rosenblatt reads version 1. Update rosenblatt"),
        (["format"], "other", "not a model file"),
        (["estimator"], "os.system", "holds a 'os.system'; this rosenblatt knows Perceptron"),
        (["estimator"], ["Perceptron"], "this rosenblatt knows"),
        (["parameters", "shiny"], 1, "newer version"),
        (["parameters"], [], "'parameters' is missing"),
        (["fitted", "coef_", "shape"], [1, 2], "does not have the shape"),
        (["fitted", "coef_", "array"], "object", "type 'object'"),
        (["fitted", "coef_", "values"], [[1.0, "x", 2.0]], "not of the type float64"),
        (["fitted", "coef_", "values"], [[1.0, 1e308 * 10, 2.0]], "not whole JSON"),
        (["fitted", "coef_"], {"array": "float64", "shape": [1, 2], "values": [[1.0, 2.0]]}, "of shape (1, 3)"),
        (["fitted", "coef_"], {"pickle": "gASVAAAA"}, "in a way that no version has known"),
        (["fitted", "coef_"], {"array": "float64", "shape": [1, 3], "tensor": "w"}, "not in the file of arrays"),
        (["fitted", "classes_", "values"], [1, 1], "different and sorted"),
        (["fitted", "classes_", "values"], [0, 2**80], "too large for int64"),
        (["features", "n_features"], 4, "of shape"),
        (["features", "kind"], "magic", "must have a kind"),
        (["features", "scale"], {"centre": None, "width": [1, 0, 1]}, "must be > 0"),
        (["arrays"], {"file": "../../etc/passwd", "sha256": ""}, "not named as it should be"),
        (["arrays"], {"file": "gone.safetensors", "sha256": ""}, "Keep both files together"),
    ],
)
def test_a_forged_file_is_refused(tmp_path, document, path, value, message):
    part = document
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    assert message in refusal(tmp_path, sealed(document))


def test_a_changed_weight_is_noticed(tmp_path, document):
    document["fitted"]["coef_"]["values"][0][0] += 1
    assert "checksum does not match" in refusal(tmp_path, json.dumps(document).encode())


def test_changed_arrays_beside_the_document_are_noticed(tmp_path):
    rosenblatt.save(fitted(n_features=20_000)[0], tmp_path / "m.json")
    [arrays] = tmp_path.glob("*.safetensors")
    content = bytearray(arrays.read_bytes())
    content[-1] ^= 1
    arrays.write_bytes(bytes(content))
    with pytest.raises(ModelFileError, match="is not the file of arrays"):
        rosenblatt.load(tmp_path / "m.json")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(
                st.sampled_from(
                    ["array", "shape", "values", "tensor", "table", "pairs", "kind", "n_features", "columns"]
                ),
                inner,
                max_size=4,
            )
        ),
        max_leaves=12,
    ),
    st.sampled_from(["parameters", "features", "fitted", "training", "arrays", "estimator"]),
    st.sampled_from([None, "coef_", "classes_", "history_", "columns", "scale", "tie"]),
)
def test_any_part_replaced_by_anything_is_loaded_or_refused(tmp_path, document, value, part, key):
    if key is None or not isinstance(document.get(part), dict):
        document[part] = value
    else:
        document[part][key] = value
    (tmp_path / "bad.json").write_bytes(sealed(document))
    try:
        record = files.read(tmp_path / "bad.json")
    except ModelFileError:
        return
    assert isinstance(record, Record)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200))
def test_any_bytes_are_refused(tmp_path, content):
    refusal(tmp_path, content)


def test_deep_nesting_is_refused(tmp_path):
    assert "not whole JSON" in refusal(tmp_path, b"[" * 100_000)


def test_what_cannot_be_kept_is_refused_before_anything_is_written(tmp_path):
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
    loaded = read(str(tmp_path / "t.csv"), Wishes(impute=True))
    trained = train(loaded, Plan(scale=True))
    files.write(trained.record, tmp_path / "m.json")
    pipeline = rosenblatt.load(tmp_path / "m.json")
    columns = {"colour": ["red", "blue"], "age": [2.0, None]}
    for frame in (pd.DataFrame(columns), pl.DataFrame(columns)):
        assert pipeline.predict(frame).tolist() == ["p", "q"]
    with pytest.raises(ValueError, match="no column 'age'"):
        pipeline.predict(pd.DataFrame({"colour": ["red"]}))
    rosenblatt.save(pipeline, tmp_path / "again.json")
    again = files.read(tmp_path / "again.json")
    assert again.features.to_json() == trained.record.features.to_json()
    np.testing.assert_array_equal(again.fitted["coef_"], trained.record.fitted["coef_"])


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*.json")), ids=lambda path: path.name)
def test_every_version_ever_written_still_loads(path):
    record = files.read(path)
    expected = json.loads((path.parent / f"{path.stem}.expected").read_text())
    X = np.zeros(expected["shape"])
    for i, j, value in expected["entries"]:
        X[i, j] = value
    assert record.classes[record.predicted_codes(X)].tolist() == expected["predictions"]
    if expected["scores"] is not None:
        assert record.scores(X).tolist() == expected["scores"]
    assert getattr(record.to_model(), "status_", None) == expected["status"]


def test_features_survive_json():
    for loaded in (read("@iris"), read("@xor")):
        assert Features.from_json(json.loads(json.dumps(loaded.features.to_json()))) == loaded.features
