"""True and false have one name in every format: as features and as labels, read and streamed."""

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import feather, parquet

import rosenblatt
from rosenblatt.data import ReadOptions, read, scan
from tests.cli.running import as_json, done

FLAGS = [k % 3 == 0 for k in range(60)]
SIZES = [float(k % 7) for k in range(60)]
LABELS = [flag or size > 4 for flag, size in zip(FLAGS, SIZES, strict=True)]

FILES = ["python.csv", "r.csv", "sql.csv", "t.parquet", "t.feather"]


@pytest.fixture
def files(tmp_path):
    """The same rows as Python, R and SQL write them, and as Arrow has them."""
    for name, spelled in (
        ("python.csv", str),
        ("r.csv", lambda flag: str(flag).upper()),
        ("sql.csv", lambda flag: str(flag).lower()),
    ):
        rows = zip(FLAGS, SIZES, LABELS, strict=True)
        text = "".join(f"{spelled(flag)},{size},{spelled(label)}\n" for flag, size, label in rows)
        (tmp_path / name).write_text("flag,size,y\n" + text)
    table = pa.table({"flag": FLAGS, "size": SIZES, "y": LABELS})
    parquet.write_table(table, tmp_path / "t.parquet")
    feather.write_feather(table, tmp_path / "t.feather")
    return tmp_path


@pytest.mark.parametrize("name", FILES)
def test_every_format_gives_the_same_names(files, name):
    path = str(files / name)
    for found in (read(path), scan(path), *([] if name == "t.feather" else [read(path, ReadOptions(sql="from data"))])):
        assert found.features.names() == ["flag=False", "flag=True", "size"]
    np.testing.assert_array_equal(read(path).labels.y, [str(label) for label in LABELS])
    np.testing.assert_array_equal(np.concatenate([y for _, y in scan(path)]), [str(label) for label in LABELS])


@pytest.mark.parametrize("road", [[], ["--stream"]])
def test_a_model_of_one_format_predicts_and_is_evaluated_on_all_others(files, road):
    for trained_on in FILES:
        done("train", files / trained_on, "--holdout", 0, "-q", "-o", files / "m.json", *road)
        answers = {done("predict", files / "m.json", files / name) for name in FILES}
        assert len(answers) == 1
        accuracies = {as_json("evaluate", files / "m.json", files / name)["accuracy"] for name in FILES}
        assert len(accuracies) == 1
        tested = as_json("train", files / trained_on, "--test", files / FILES[-1], *road)
        assert tested["classes"] == ["False", "True"]


def test_a_plain_table_of_numbers_has_the_same_labels(tmp_path):
    (tmp_path / "t.csv").write_text("a,y\n1,true\n2,false\n")
    assert read(str(tmp_path / "t.csv")).labels.classes.tolist() == ["False", "True"]


def test_two_spellings_in_one_column_are_one_word(tmp_path):
    (tmp_path / "t.csv").write_text('a,b,y\n1,true,"x"\n2,True,y\n3,maybe,x\n4,TRUE,y\n')
    for found in (read(str(tmp_path / "t.csv")), scan(str(tmp_path / "t.csv"))):
        assert found.features.names() == ["a", "b=True", "b=maybe"]


def test_arrays_of_booleans_have_the_same_labels(files):
    X = np.column_stack([FLAGS, SIZES]).astype(float)
    np.savez(files / "t.npz", X=X, y=np.array(LABELS))
    assert read(str(files / "t.npz")).labels.classes.tolist() == ["False", "True"]
    model = rosenblatt.Perceptron(max_iter=5).fit(X, np.array(LABELS))
    rosenblatt.save(model, files / "m.json")
    assert as_json("evaluate", files / "m.json", files / "t.npz")["examples"] == 60


def test_a_model_with_another_spelling_still_recognises_the_word(files):
    """Models of earlier versions spell Booleans as their file did."""
    features = read(str(files / "python.csv")).features
    old = type(features).from_json(
        features.to_json() | {"columns": [{"name": "flag", "vocabulary": ["false", "true"]}, {"name": "size"}]}
    )
    for name in FILES:
        np.testing.assert_array_equal(read(str(files / name), like=old).X, read(str(files / name)).X)


def test_data_frames_of_booleans_are_understood_by_a_loaded_model(files):
    pandas = pytest.importorskip("pandas")
    done("train", files / "r.csv", "--holdout", 0, "-q", "-o", files / "m.json")
    frame = pandas.DataFrame({"flag": FLAGS, "size": SIZES})
    predicted = rosenblatt.load(files / "m.json").predict(frame).tolist()
    assert predicted == done("predict", files / "m.json", files / "t.parquet").split()[1:]
