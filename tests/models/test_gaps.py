"""A gap is filled where a model was trained with --impute, and refused elsewhere: by every way to predict."""

import csv
import io
import json
import subprocess

import numpy as np
import pytest

from rosenblatt import Perceptron, boolean, load
from rosenblatt.data import DataError
from rosenblatt.data.features import Column, Features
from rosenblatt.models import Record, to_c, to_onnx
from rosenblatt.models.files import model_file
from tests.cli.running import done, error
from tests.models.exported import BUILDS, GAP, labels_by_c, run_onnx, with_gaps
from tests.programs import program

NUMBERS = ("a", "b", "c")
ESTIMATORS = ("Perceptron", "AveragedPerceptron", "VotedPerceptron", "KernelPerceptron")
SETTINGS = {"KernelPerceptron": ["--set", "vote=last"]}


def table(X, extra=None, labels=None):
    """A CSV of rows with gaps: NaN is written as nothing."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow([*NUMBERS, *(["colour"] if extra else []), *(["class"] if labels is not None else [])])
    for k, row in enumerate(X):
        cells = ["" if np.isnan(v) else repr(float(v)) for v in row]
        writer.writerow([*cells, *([extra[k]] if extra else []), *([labels[k]] if labels is not None else [])])
    return buffer.getvalue()


def predictions(model, path):
    return [row[0] for row in list(csv.reader(io.StringIO(done("predict", model, path))))[1:]]


@pytest.fixture
def examples():
    rng = np.random.default_rng(3)
    X = rng.integers(-5, 6, (80, 3)).astype(float)
    y = np.array(["no", "yes", "perhaps"])[np.digitize(X @ [1, -2, 1] + 3, [0, 6])]
    return X, y


def trained(folder, text, *options):
    (folder / "train.csv").write_text(text)
    done("train", folder / "train.csv", "-q", "-o", folder / "m.json", *options)
    return folder / "m.json"


def test_an_imputed_model_fills_gaps_of_columns_that_were_complete_in_training(tmp_path, examples):
    X, y = examples
    model = trained(tmp_path, table(X, labels=y), "--impute")
    gaps = with_gaps(X, np.random.default_rng(0))
    (tmp_path / "gaps.csv").write_text(table(gaps))
    (tmp_path / "filled.csv").write_text(table(np.where(np.isfinite(gaps), gaps, np.median(X, axis=0))))
    assert predictions(model, tmp_path / "gaps.csv") == predictions(model, tmp_path / "filled.csv")


@pytest.mark.parametrize("options", [[], ["--hash-bits", "4"]])
def test_an_imputed_model_fills_gaps_of_categories_that_were_complete_in_training(tmp_path, examples, options):
    X, y = examples
    many = bool(options)  # more than become categories: they are hashed
    colours = [f"colour {k % 1100}" if many else ("red", "red", "blue")[k % 3] for k in range(1200 if many else 80)]
    X, y = (np.resize(values, (len(colours), *values.shape[1:])) for values in (X, y))
    model = trained(tmp_path, table(X, colours, y), "--impute", "--max-iter", "3", *options)
    (tmp_path / "gaps.csv").write_text(table(X[:20], [""] * 20))
    (tmp_path / "filled.csv").write_text(table(X[:20], ["colour 0" if many else "red"] * 20))
    assert predictions(model, tmp_path / "gaps.csv") == predictions(model, tmp_path / "filled.csv")


def test_a_loaded_model_fills_the_gaps_of_a_data_frame(tmp_path, examples):
    pandas = pytest.importorskip("pandas")
    X, y = examples
    model = load(trained(tmp_path, table(X, labels=y), "--impute"))
    gaps = with_gaps(X, np.random.default_rng(0))
    filled = np.where(np.isfinite(gaps), gaps, np.median(X, axis=0))
    found, expected = (model.predict(pandas.DataFrame(rows, columns=NUMBERS)) for rows in (gaps, filled))
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_c_and_onnx_fill_gaps_as_predict_does(tmp_path, examples, name):
    X, y = examples
    options = ["--impute", "--scale", "--algorithm", name, "--max-iter", "5", *SETTINGS.get(name, [])]
    model = trained(tmp_path, table(X, labels=y), *options)
    gaps = with_gaps(X, np.random.default_rng(1))
    (tmp_path / "gaps.csv").write_text(table(gaps))
    expected = predictions(model, tmp_path / "gaps.csv")
    done("export", model, "--c", tmp_path / "model.h", "--onnx", tmp_path / "m.onnx")
    record = model_file.read(model)
    assert run_onnx(to_onnx(record), {"X": gaps}).tolist() == expected
    assert np.isfinite(run_onnx(to_onnx(record), {"X": gaps}, "scores")).all()
    for build in BUILDS if name == "Perceptron" else BUILDS[:1]:
        assert labels_by_c((tmp_path / "model.h").read_text(), gaps, tmp_path, build) == expected


def test_c_and_onnx_fill_a_missing_category_as_predict_does(tmp_path, examples):
    X, y = examples
    colours = ["red" if k % 3 else "blue" for k in range(len(X))]
    model = trained(tmp_path, table(X, colours, y), "--impute")
    gaps, missing = with_gaps(X, np.random.default_rng(2)), ["" if k % 4 == 0 else c for k, c in enumerate(colours)]
    (tmp_path / "gaps.csv").write_text(table(gaps, missing))
    expected = predictions(model, tmp_path / "gaps.csv")
    record = model_file.read(model)
    columns = {name: gaps[:, j : j + 1] for j, name in enumerate(NUMBERS)}
    assert (
        run_onnx(to_onnx(record), columns | {"colour": np.array(missing, dtype=object)[:, None]}).tolist() == expected
    )
    one_hot = [[float(c == "blue"), float(c == "red")] if c else [np.nan, np.nan] for c in missing]
    assert labels_by_c(to_c(record), np.hstack([gaps, one_hot]), tmp_path) == expected


@pytest.mark.parametrize("name", ESTIMATORS)
@pytest.mark.parametrize("gap", [np.nan, np.inf, -np.inf])
def test_without_filling_a_gap_is_refused_and_never_given_a_class(tmp_path, examples, name, gap):
    X, y = examples
    options = ["--algorithm", name, "--max-iter", "5", *SETTINGS.get(name, [])]
    model = trained(tmp_path, table(X, labels=y), "--no-impute", *options)
    rows = X.copy()
    rows[3, 1] = gap
    (tmp_path / "gaps.csv").write_text(table(rows))
    assert "line 5, column 'b'" in error("predict", model, tmp_path / "gaps.csv")
    record = model_file.read(model)
    expected = record.classes[record.predicted_codes(X)].tolist()
    expected[3] = ""
    assert run_onnx(to_onnx(record), {"X": rows}).tolist() == expected
    scores = run_onnx(to_onnx(record), {"X": rows}, "scores")
    assert np.isnan(scores[3]).all()
    assert np.isfinite(np.delete(scores, 3, axis=0)).all()
    expected[3] = GAP
    assert labels_by_c(to_c(record), rows, tmp_path) == expected


def test_without_filling_a_missing_category_is_refused_and_never_given_a_class(tmp_path, examples):
    X, y = examples
    colours = ["red" if k % 3 else "blue" for k in range(len(X))]
    model = trained(tmp_path, table(X, colours, y), "--no-impute")
    record = model_file.read(model)
    missing = ["" if k == 2 else colour for k, colour in enumerate(colours)]
    columns = {name: X[:, j : j + 1] for j, name in enumerate(NUMBERS)}
    found = run_onnx(to_onnx(record), columns | {"colour": np.array(missing, dtype=object)[:, None]})
    assert (found == "").tolist() == [k == 2 for k in range(len(X))]
    one_hot = [[float(c == "blue"), float(c == "red")] if c else [np.nan, np.nan] for c in missing]
    found = labels_by_c(to_c(record), np.hstack([X, one_hot]), tmp_path)
    assert [label == GAP for label in found] == [k == 2 for k in range(len(X))]


def test_a_gap_has_the_smallest_whole_number_as_its_label_in_onnx():
    model = Perceptron().fit([[0.0], [1.0]], [-1, 1])
    assert run_onnx(to_onnx(model), {"X": np.array([[0.0], [np.nan], [1.0]])}).tolist() == [-1, -(2**63), 1]


@pytest.mark.parametrize("label", ["", -(2**63)])
def test_a_class_that_onnx_could_not_tell_from_a_gap_is_refused(label):
    other = "a" if label == "" else 1
    with pytest.raises(DataError, match="stands for an example with a gap"):
        to_onnx(Perceptron().fit([[0.0], [1.0]], [label, other]))


@pytest.mark.parametrize("expression", ["a and b", "a xor b"])
def test_a_circuit_refuses_inputs_other_than_0_and_1(tmp_path, expression):
    network = boolean.BooleanFunction(expression).network()
    X = np.array([[0, 1], [np.nan, 1], [1, np.inf], [1, 1], [1, 2]])
    expected = [network(0, 1), -(2**63), -(2**63), network(1, 1), -(2**63)]
    assert run_onnx(to_onnx(network), {"X": X}).tolist() == expected
    assert labels_by_c(to_c(network), X, tmp_path) == [GAP if v < 0 else str(v) for v in expected]


def test_a_file_that_fills_some_columns_only_still_loads_and_refuses_gaps_in_the_others(tmp_path, examples):
    X, y = examples
    model = trained(tmp_path, table(X, labels=y), "--impute")
    document = json.loads(model.read_text())
    for column in document["features"]["columns"]:
        if column["name"] != "b":
            del column["fill"]
    model.write_bytes(b"".join(model_file._sealed(document)))
    rows = X[:3].copy()
    rows[0, 1] = rows[1, 2] = np.nan
    (tmp_path / "gaps.csv").write_text(table(rows))
    assert "line 3, column 'c'" in error("predict", model, tmp_path / "gaps.csv")
    record = model_file.read(model)
    by_c, by_onnx = labels_by_c(to_c(record), rows, tmp_path), run_onnx(to_onnx(record), {"X": rows}).tolist()
    assert (by_c[1], by_onnx[1]) == (GAP, "")
    assert by_c[::2] == by_onnx[::2]
    assert GAP not in by_c[::2]


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_c_that_could_not_see_gaps_does_not_compile(tmp_path, compiler):
    (tmp_path / "model.h").write_text(to_c(Perceptron().fit([[0.0], [1.0]], [0, 1])))
    (tmp_path / "main.c").write_text('#include "model.h"\nint main(void) { return 0; }\n')
    command = [program(compiler), "-ffast-math", "-fsyntax-only", "main.c"]
    refused = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert refused.returncode != 0
    assert "without -ffast-math" in refused.stderr


@pytest.mark.parametrize("way", ["--c", "--onnx"])
@pytest.mark.parametrize("options", [["--text", "words"], []])
def test_a_model_with_hashed_columns_is_not_exported(tmp_path, way, options):
    words = "".join(f"word {k},{k % 5},{'ab'[k % 2]}\n" for k in range(1100))
    model = trained(tmp_path, "words,n,class\n" + words, "--hash-bits", "6", "--max-iter", "2", "--no-pool",
                    *(options or ["--category", "words"]))  # fmt: skip
    told = error("export", model, way, tmp_path / "out")
    assert "column 'words' is hashed" in told
    assert "rosenblatt predict" in told
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("source", ["@iris", "table"])
def test_a_set_that_was_read_another_way_is_imputed_too(tmp_path, examples, source):
    if source == "table":
        (tmp_path / "quoted.csv").write_text('"a","b","class"\n1,2,p\n3,4,q\n5,6,q\n')
        source = tmp_path / "quoted.csv"
    done("train", source, "-q", "--impute", "-o", tmp_path / "m.json")
    assert all(column.fill is not None for column in model_file.read(tmp_path / "m.json").features.columns)


def test_categories_that_differ_in_one_character_are_different():
    column = Column("c", ("u", "v", "v\0", "w\n"))
    fitted = {"coef_": np.eye(4), "intercept_": np.zeros(4), "classes_": np.arange(4)}
    record = Record("Perceptron", Perceptron(multi_class="ova").get_params(), fitted, Features.of_table([column], None))
    words = np.array([column.vocabulary], dtype=object).T
    assert run_onnx(to_onnx(record), {"c": words}).tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("name", ["n0", "c0", "X", "label", "scores"])
def test_no_column_name_is_confused_with_a_part_of_the_onnx_graph(tmp_path, name):
    text = f"{name},colour,kind\n" + "".join(f"{k},{'uv'[k % 2]},{'pq'[k > 4]}\n" for k in range(10))
    model = trained(tmp_path, text, "--target", "kind")
    if name in ("label", "scores"):
        assert f"a column named '{name}'" in error("export", model, "--onnx", tmp_path / "m.onnx")
        return
    columns = {name: np.arange(10.0)[:, None], "colour": np.array(["u", "v"] * 5, dtype=object)[:, None]}
    (tmp_path / "new.csv").write_text(text)
    assert run_onnx(to_onnx(model_file.read(model)), columns).tolist() == predictions(model, tmp_path / "new.csv")
