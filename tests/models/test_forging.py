"""What is not a whole model file, or was changed since, is refused."""

import json
import shutil
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rosenblatt
from rosenblatt import VotedPerceptron, boolean
from rosenblatt.models import ModelFileError
from rosenblatt.models.files import model_file
from rosenblatt.models.files.record import Record
from tests.models.written import fitted, forge, sealed


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
    forge(tmp_path / "m.json", "fitted", *path, value=value)
    with pytest.raises(ModelFileError, match=message):
        rosenblatt.load(tmp_path / "m.json")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"offset": "1e999999999"}, "a whole number or a fraction"),
        ({"offset": "1/0"}, "incomplete"),
        ({"weights": [1]}, "incomplete"),
        ({"weights": None}, "incomplete"),
        ({"kind": "neuron"}, "neither a threshold unit"),
        ({"variables": ["a", 1]}, "without a name"),
        ({"variables": ["a", "c"]}, "not the circuit's variables"),
        ({"tie": "maybe"}, "incomplete"),
    ],
)
def test_a_forged_circuit_is_refused(tmp_path, change, message):
    rosenblatt.save(boolean.ThresholdUnit([1, "1/3"], -1.5, ["a", "b"]), tmp_path / "m.json")
    document = json.loads((tmp_path / "m.json").read_text())
    document["fitted"]["circuit"]["circuit"] |= change
    (tmp_path / "m.json").write_bytes(sealed(document))
    with pytest.raises(ModelFileError, match=message):
        model_file.read(tmp_path / "m.json")


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
    forge(tmp_path / "m.json", "fitted", *path, value=value)
    with pytest.raises(ModelFileError, match=message):
        model_file.read(tmp_path / "m.json")


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
        assert "not complete JSON" in refusal(tmp_path, content[:length])


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (["version"], 5, "version 5; this version of rosenblatt reads 1, 2, 3 and 4. Update rosenblatt"),
        (["format"], "other", "not a model file"),
        (["estimator"], "os.system", "holds a 'os.system'; this version of rosenblatt reads Perceptron"),
        (["estimator"], ["Perceptron"], "this version of rosenblatt reads"),
        (["parameters", "shiny"], 1, "newer version"),
        (["parameters"], [], "'parameters' is missing"),
        (["fitted", "coef_", "shape"], [1, 2], "does not have the shape"),
        (["fitted", "coef_", "array"], "object", "type 'object'"),
        (["fitted", "coef_", "values"], [[1.0, "x", 2.0]], "not of the type float64"),
        (["fitted", "coef_", "values"], [[1.0, 1e308 * 10, 2.0]], "not complete JSON"),
        (["fitted", "coef_"], {"array": "float64", "shape": [1, 2], "values": [[1.0, 2.0]]}, "of shape (1, 3)"),
        (["fitted", "coef_"], {"pickle": "gASVAAAA"}, "in an unknown form"),
        (["fitted", "coef_"], {"array": "float64", "shape": [1, 3], "tensor": "w"}, "not in the file of arrays"),
        (["fitted", "classes_", "values"], [1, 1], "different and sorted"),
        (["fitted", "classes_", "values"], [0, 2**80], "too large for int64"),
        (["features", "n_features"], 4, "of shape"),
        (["features", "kind"], "magic", "must have a kind"),
        (["features", "scale"], {"centre": None, "width": [1, 0, 1]}, "must be > 0"),
        (["arrays"], {"file": "../../etc/passwd", "sha256": ""}, "has an invalid name"),
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


def test_changed_arrays_beside_a_document_of_version_1_are_noticed(tmp_path):
    for path in (Path(__file__).parent / "fixtures").glob("v1_wide*"):
        shutil.copy(path, tmp_path)
    [arrays] = tmp_path.glob("*.safetensors")
    content = bytearray(arrays.read_bytes())
    content[-1] ^= 1
    arrays.write_bytes(bytes(content))
    with pytest.raises(ModelFileError, match="is not the file of arrays"):
        rosenblatt.load(tmp_path / "v1_wide.json")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("AAAA", "does not have the shape"),
        ("A" * 15, "not complete base64"),
        ("ä", "not complete base64"),
        (3, "base64"),
    ],
)
def test_forged_bytes_of_an_array_are_refused(tmp_path, document, text, message):
    document["fitted"]["coef_"] = {"array": "float64", "shape": [1, 3], "base64": text}
    assert message in refusal(tmp_path, sealed(document))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("tie", "maybe"),
        ("tie", None),
        ("tie", ["mistake"]),
        ("fit_intercept", "yes"),
        ("fit_intercept", 1),
        ("eta0", 0),
        ("eta0", 10**400),
        ("max_iter", -3),
        ("multi_class", "all"),
        ("order", {"pairs": []}),
        ("class_weight", {"array": "int64", "shape": [2], "values": [1, 2]}),
        ("random_state", "seed"),
        ("callback", "print"),
    ],
)
def test_a_forged_parameter_is_refused_at_load_with_its_name(tmp_path, document, name, value):
    document["parameters"][name] = value
    message = refusal(tmp_path, sealed(document))
    assert f"the parameter {name} must be " in message
    assert "; the file has " in message


@pytest.mark.parametrize(
    ("estimator", "name", "value"),
    [
        (rosenblatt.KernelPerceptron, "cache_size", "large"),
        (rosenblatt.KernelPerceptron, "cache_size", -1),
        (rosenblatt.KernelPerceptron, "kernel", "sinc"),
        (rosenblatt.KernelPerceptron, "tie", "maybe"),
        (rosenblatt.KernelPerceptron, "vote", "loud"),
        (rosenblatt.VotedPerceptron, "multi_class", "joint"),
        (rosenblatt.VotedPerceptron, "fit_intercept", "no"),
        (rosenblatt.PocketPerceptron, "ratchet", 2),
        (rosenblatt.compat.Perceptron, "fit_intercept", "no"),
        (rosenblatt.compat.Perceptron, "max_iter", 0),
    ],
)
def test_a_forged_parameter_of_any_estimator_is_refused_at_load(tmp_path, estimator, name, value):
    X = fitted()[1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rosenblatt.save(estimator(max_iter=2).fit(X, np.arange(len(X)) % 2), tmp_path / "m.json")
    document = json.loads((tmp_path / "m.json").read_text())
    document["parameters"][name] = value
    message = refusal(tmp_path, sealed(document))
    assert name in message
    assert " must be " in message


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
        record = model_file.read(tmp_path / "bad.json")
    except ModelFileError:
        return
    assert isinstance(record, Record)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200))
def test_any_bytes_are_refused(tmp_path, content):
    refusal(tmp_path, content)


def test_deep_nesting_is_refused(tmp_path):
    assert "not complete JSON" in refusal(tmp_path, b"[" * 100_000)
