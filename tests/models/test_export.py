"""Models outside Python: ONNX run by onnxruntime, C compiled by the machine's compiler, and the schema of files."""

import json
from itertools import product
from operator import attrgetter
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from hypothesis import given, settings

import rosenblatt
from rosenblatt import boolean, data
from rosenblatt.data import DataError, ReadOptions, read
from rosenblatt.models import Plan, json_schema, to_c, to_onnx, train
from rosenblatt.models.files import model_file
from rosenblatt.models.files.registry import TRAINABLE
from tests.boolean.brute import functions
from tests.cli.running import done, error, run
from tests.models.exported import fitted, labels_by_c, run_onnx

FIXTURES = Path(__file__).parent / "fixtures"


@pytest.mark.slow
@pytest.mark.parametrize("dataset", data.names())
def test_onnx_labels_are_those_of_every_estimator_on_every_built_in_set(dataset):
    loaded = data.load(dataset)
    for name in TRAINABLE:
        model = fitted(name, loaded.X, loaded.y)
        found = run_onnx(to_onnx(model), {"X": loaded.X})
        np.testing.assert_array_equal(found, model.predict(loaded.X), err_msg=name)


@pytest.mark.parametrize("name", TRAINABLE)
@pytest.mark.parametrize("labels", [[0, 1], [-1, 1], ["no", "yes"], ["a", "b", "c"]])
def test_onnx_and_c_know_all_rules(tmp_path, name, labels):
    rng = np.random.default_rng(0)
    X = rng.integers(-3, 4, (60, 3)).astype(float)
    y = np.array(labels)[rng.integers(0, len(labels), 60)]
    known = attrgetter(name)(rosenblatt)().get_params()
    ways = [{}]
    ways += [{"tie": tie} for tie in ("positive", "negative")] if "tie" in known else []
    ways += [{"fit_intercept": False}]
    if len(labels) > 2 and "multi_class" in known:
        ways += [{"multi_class": "ovo"}, {"multi_class": "ova"}]
        ways += [{"multi_class": "joint"}] if name not in ("VotedPerceptron",) else []
    for parameters in ways:
        model = fitted(name, X, y, **parameters)
        expected = model.predict(X)
        np.testing.assert_array_equal(run_onnx(to_onnx(model), {"X": X}), expected)
        if parameters in (ways[0], ways[-1]):
            assert labels_by_c(to_c(model), X, tmp_path) == [str(label) for label in expected]


@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf", "sigmoid", "laplacian"])
@pytest.mark.parametrize("vote", ["last", "average"])
def test_every_kernel_goes_out_into_the_world(tmp_path, kernel, vote):
    rng = np.random.default_rng(1)
    X = rng.standard_normal((50, 3))
    y = rng.integers(0, 3, 50)
    model = fitted("KernelPerceptron", X, y, kernel=kernel, vote=vote, coef0=0.5)
    np.testing.assert_array_equal(run_onnx(to_onnx(model), {"X": X}), model.predict(X))
    assert labels_by_c(to_c(model), X, tmp_path) == [str(label) for label in model.predict(X)]


def test_a_model_that_cannot_be_exported_is_refused_with_the_reason():
    X = np.eye(4)
    with pytest.raises(DataError, match="precomputed kernel"):
        to_onnx(fitted("KernelPerceptron", X, [0, 1, 0, 1], kernel="precomputed"))
    with pytest.raises(DataError, match="that votes"):
        to_c(fitted("KernelPerceptron", X, [0, 1, 0, 1], vote="vote"))


@settings(max_examples=25)
@given(functions(least=1, most=3))
def test_circuits_are_exact_in_onnx(function):
    X = np.array(list(product((0.0, 1.0), repeat=function.n_variables)))
    for circuit in [function.network(), *([function.perceptron()] if function.is_threshold else [])]:
        np.testing.assert_array_equal(run_onnx(to_onnx(circuit), {"X": X}), circuit.evaluate(X))


@pytest.mark.parametrize(
    "expression", ["a xor b", "a and (b or not c)", "majority(a, b, c)", "a or not a", "a xor b xor c"]
)
def test_circuits_are_exact_in_c(tmp_path, expression):
    function = boolean.BooleanFunction(expression)
    circuits = [function.network(), *([function.perceptron()] if function.is_threshold else [])]
    for circuit in circuits:
        X = np.array(list(product((0.0, 1.0), repeat=circuit.n_variables)))
        assert labels_by_c(to_c(circuit), X, tmp_path) == [str(v) for v in circuit.evaluate(X).tolist()]


@pytest.fixture
def mixed(tmp_path):
    lines = [
        f"{'red' if k % 3 else 'blue'},{k * k},{'' if k % 7 == 0 else k / 3},{'b' if k % 2 else 'a'}" for k in range(60)
    ]
    (tmp_path / "t.csv").write_text("colour,size,weight,class\n" + "\n".join(lines) + "\n")
    return tmp_path / "t.csv"


def test_categories_fillings_and_scales_are_part_of_the_onnx_graph(mixed):
    loaded = read(str(mixed), ReadOptions(impute=True))
    record = train(loaded, Plan(scale=True)).record
    rows = [line.split(",") for line in mixed.read_text().splitlines()[1:]]
    columns = {
        "colour": np.array([[row[0]] for row in rows], dtype=object),
        "size": np.array([[float(row[1])] for row in rows]),
        "weight": np.array([[float(row[2] or "nan")] for row in rows]),
    }
    np.testing.assert_array_equal(run_onnx(to_onnx(record), columns), record.classes[record.predicted_codes(loaded.X)])


def test_fillings_and_scales_are_part_of_the_c_code(tmp_path, mixed):
    loaded = read(str(mixed), ReadOptions(impute=True, drop=["colour"]))
    record = train(loaded, Plan(scale=True)).record
    rows = [line.split(",") for line in mixed.read_text().splitlines()[1:]]
    flag = 0.5  # is not looked at
    X = [[float(row[1]), float(row[2] or "nan"), flag] for row in rows]
    assert labels_by_c(to_c(record), X, tmp_path) == record.classes[record.predicted_codes(loaded.X)].tolist()


def test_strange_labels_and_names_stay_text_in_c(tmp_path):
    labels = ['quote " and \\', "ünïcödé 1 */ ??/"]
    X = np.array([[0.0], [1.0]])
    model = fitted("Perceptron", X, labels)
    assert labels_by_c(to_c(model), X, tmp_path) == model.predict(X).tolist()
    with pytest.raises(DataError, match="no name for a C function"):
        to_c(model, "3d model")


def test_the_command_exports_all_three(tmp_path):
    model = tmp_path / "m.json"
    done("train", "@iris", "-q", "-o", model)
    done(
        "export",
        model,
        "--onnx",
        tmp_path / "m.onnx",
        "--c",
        tmp_path / "iris-model.h",
        "--json-schema",
        tmp_path / "s.json",
    )
    iris = data.load("iris")
    session = onnxruntime.InferenceSession(str(tmp_path / "m.onnx"), providers=["CPUExecutionProvider"])
    record = model_file.read(model)
    expected = record.classes[record.predicted_codes(iris.X)]
    np.testing.assert_array_equal(session.run(["label"], {"X": iris.X})[0], expected)
    assert "static inline int iris_model_predict(const double *x)" in (tmp_path / "iris-model.h").read_text()
    assert json.loads((tmp_path / "s.json").read_text()) == json_schema()
    assert json.loads(done("export", "--json-schema", "-")) == json_schema()
    assert run("export", model).exit_code == 2
    assert run("export", "--c", "-").exit_code == 2


def test_hashed_columns_are_refused_by_name(tmp_path):
    (tmp_path / "t.csv").write_text("text,label\nhello there,a\ncheap pills,b\n")
    done("train", tmp_path / "t.csv", "--text", "text", "--hash-bits", "6", "-q", "-o", tmp_path / "m.json")
    assert "column 'text' is hashed" in error("export", tmp_path / "m.json", "--onnx", tmp_path / "m.onnx")
    assert not (tmp_path / "m.onnx").exists()


def test_without_onnx_the_extra_is_named(tmp_path, monkeypatch):
    done("train", "@and", "-q", "-o", tmp_path / "m.json")
    monkeypatch.setitem(__import__("sys").modules, "onnx", None)
    assert "rosenblatt[onnx]" in error("export", tmp_path / "m.json", "--onnx", tmp_path / "m.onnx")


def test_every_file_ever_written_follows_the_schema_and_forged_ones_do_not(tmp_path):
    import jsonschema

    schema = json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for path in FIXTURES.glob("*.json"):
        validator.validate(json.loads(path.read_text()))
    document = json.loads((FIXTURES / "v1_table.json").read_text())
    for change in (
        {"version": 5},
        {"estimator": "os.system"},
        {"fitted": {}},
        {"extra": 1},
        {"features": {"kind": "x"}},
    ):
        assert not validator.is_valid(document | change)
    (tmp_path / "t.csv").write_text("text,label\nhello there,a\ncheap pills,b\n")
    done("train", tmp_path / "t.csv", "--text", "text", "--hash-bits", "6", "-q", "-o", tmp_path / "m.json")
    validator.validate(json.loads((tmp_path / "m.json").read_text()))
    assert model_file.read(tmp_path / "m.json").features.is_sparse
    done("train", "@iris", "--interactions", "all", "--max-iter", "3", "-q", "-o", tmp_path / "m.json")
    document = json.loads((tmp_path / "m.json").read_text())
    validator.validate(document)
    assert document["calibration"]
    assert len(document["features"]["interactions"]) == 6
    assert not validator.is_valid(document | {"calibration": {"slope": -1}})
