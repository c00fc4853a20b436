"""A scanned file gives the examples of the file that is read whole, in batches, and refuses what that refuses."""

import bz2
import gzip
import io
import sys

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarrow import feather, parquet

from rosenblatt import AveragedPerceptron, data
from rosenblatt.data import DataError, ReadOptions, Sparse, read, scan
from rosenblatt.data.formats import arrow, csv, svmlight
from rosenblatt.data.formats.delimited import csv_table, line_filters
from rosenblatt.data.sources import byte_source
from rosenblatt.models import Plan, train

DEFAULT = ReadOptions()


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    """So that a few rows make several blocks."""
    monkeypatch.setattr(byte_source, "_BLOCK", 64)
    monkeypatch.setattr(csv, "_SCAN_BLOCK", 64)
    monkeypatch.setattr(arrow, "_ROWS", 7)
    monkeypatch.setattr(csv, "SAMPLE", 256)
    monkeypatch.setattr(csv_table, "SAMPLE", 256)
    monkeypatch.setattr(line_filters, "_BLOCK", 64)


def whole(scanned):
    blocks = list(scanned.blocks())
    assert len(blocks) > 1
    X = [block.X.to_scipy().toarray() if isinstance(block.X, Sparse) else block.X for block in blocks]
    return np.concatenate(X), None if blocks[0].y is None else np.concatenate([block.y for block in blocks])


def assert_as_read(path, read_options=DEFAULT, like=None):
    loaded = read(str(path), read_options, like=like)
    scanned = scan(str(path), read_options, like=like)
    X, y = whole(scanned)
    np.testing.assert_array_equal(X, loaded.X.to_scipy().toarray() if isinstance(loaded.X, Sparse) else loaded.X)
    if loaded.labels is not None:
        np.testing.assert_array_equal(y, loaded.labels.y)
    assert scanned.features == loaded.features
    assert scanned.fingerprint == loaded.fingerprint
    assert scanned.notes == loaded.notes


TABLE = "colour,size,y\n" + "".join(
    f"{'red' if k % 3 else 'blue'},{k / 7},{'ham' if k % 2 else 'spam'}\n" for k in range(40)
)
SVM = "# one\n\n" + "".join(f"{'+1' if k % 2 else -1} {k + 1}:{k / 3} 70:1 # x\n" for k in range(40))


@pytest.mark.parametrize("pack", [lambda b: b, gzip.compress, bz2.compress])
@pytest.mark.parametrize(("name", "text"), [("t.csv", TABLE), ("t.tsv", TABLE.replace(",", "\t")), ("t.svm", SVM)])
def test_texts_are_scanned_as_they_are_read_packed_or_not(tmp_path, name, text, pack):
    (tmp_path / name).write_bytes(pack(text.encode()))
    assert_as_read(tmp_path / name)


def test_tables_and_arrays_are_scanned_as_they_are_read(tmp_path):
    lines = [line.split(",") for line in TABLE.splitlines()[1:]]
    table = pa.table(
        {"colour": [c for c, _, _ in lines], "size": [float(s) for _, s, _ in lines], "y": [y for *_, y in lines]}
    )
    parquet.write_table(table, tmp_path / "t.parquet")
    feather.write_feather(table, tmp_path / "t.feather", chunksize=7)
    with pa.ipc.new_stream(tmp_path / "t.arrow", table.schema) as writer:
        writer.write_table(table, max_chunksize=7)
    for name in ("t.parquet", "t.feather", "t.arrow"):
        assert_as_read(tmp_path / name)
    np.save(tmp_path / "t.npy", np.column_stack([np.arange(80).reshape(40, 2), np.arange(40) % 3]))
    loaded = read(str(tmp_path / "t.npy"))
    [(X, y)] = list(scan(str(tmp_path / "t.npy")))
    np.testing.assert_array_equal(X, loaded.X)
    np.testing.assert_array_equal(y, loaded.labels.y)


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.dictionaries(st.integers(0, 9), st.integers(-99, 99), max_size=4), min_size=8, max_size=30), st.data()
)
def test_svmlight_of_any_base_is_scanned_as_it_is_read(tmp_path, rows, drawn):
    wish = drawn.draw(st.sampled_from([None, True, False]))
    least = 1 if wish is False else 0
    lines = [f"{k % 2} " + " ".join(f"{j + least}:{v}" for j, v in sorted(row.items())) for k, row in enumerate(rows)]
    path = tmp_path / "t.svm"
    path.write_text("\n".join([*lines, "1 3:4", "0 8:1"]))
    assert_as_read(path, ReadOptions(zero_based=wish))
    model = train(read(str(path), ReadOptions(zero_based=wish)), Plan()).record
    assert_as_read(path, like=model.features)


@pytest.mark.parametrize("zero_at", [None, 0, 20, 39])
def test_a_streamed_svmlight_file_is_read_once_wherever_its_first_zero_is(tmp_path, monkeypatch, zero_at):
    lines = [f"{k % 2} {1 + k % 3}:{k} {5 + k}:1.5" for k in range(40)]
    if zero_at is not None:
        lines[zero_at] = lines[zero_at].replace(" ", " 0:2 ", 1)
    (tmp_path / "t.svm").write_text("\n".join(lines))
    monkeypatch.setattr(byte_source, "_BLOCK", 50)
    opened = []
    whole_open = byte_source.ByteSource.open
    monkeypatch.setattr(byte_source.ByteSource, "open", lambda source: opened.append(source) or whole_open(source))
    scanned = scan(str(tmp_path / "t.svm"), ReadOptions(form="svmlight"))
    opened.clear()  # the head says what format it is
    streamed = train(scanned, Plan("Perceptron", {"max_iter": 3})).record
    assert len(opened) == 1
    loaded = read(str(tmp_path / "t.svm"))
    expected = train(loaded, Plan("Perceptron", {"max_iter": 3, "order": "cyclic"})).record
    np.testing.assert_array_equal(streamed.fitted["coef_"], expected.fitted["coef_"])
    assert (streamed.features, scanned.notes) == (expected.features, loaded.notes)
    assert streamed.training["fingerprint"] == loaded.fingerprint


def test_a_model_s_columns_are_found_in_a_file_without_labels(tmp_path):
    (tmp_path / "t.csv").write_text(TABLE)
    model = train(read(str(tmp_path / "t.csv")), Plan()).record
    (tmp_path / "new.csv").write_text("".join(line.rpartition(",")[0] + "\n" for line in TABLE.splitlines()))
    X, y = whole(scan(str(tmp_path / "new.csv"), like=model.features))
    assert y is None
    np.testing.assert_array_equal(X, read(str(tmp_path / "new.csv"), like=model.features).X)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("t.csv", TABLE + "red,1\n", "line 42: 2 columns where the header has 3"),
        ("t.csv", TABLE + "red,,ham\n", "line 42, column 'size': the value is missing"),
        ("t.csv", TABLE + ",1,ham\n", "line 42, column 'colour': the value is missing"),
        ("t.csv", TABLE + '"re\nd",1,ham\nred,q,ham\n', "line 44, column 'size': 'q' is not a number"),
        ("t.csv", "a,y\n" + "1,0\n" * 30 + "1,0.5\n", "line 32: the target 0.5 is not a whole number"),
        ("t.svm", SVM + "1 3:x\n", "line 43: the value of '3:x'"),
        ("t.svm", SVM + "0.5 3:1\n", "line 43: the target 0.5"),
        ("t.svm", "1\n0\n" * 30, "no features"),
        ("t.csv", "", "is empty"),
        ("t.npz", "PK", ".npz files are read whole"),
        ("t.parquet", "PAR1 and nothing", "Is the file complete"),
        ("t.npy", "\x93NUMPY", "cannot be read as npy"),
    ],
)
def test_an_invalid_line_is_refused_with_its_number(tmp_path, name, text, message):
    (tmp_path / name).write_bytes(text.encode("latin-1"))
    with pytest.raises(DataError, match=message):
        list(scan(str(tmp_path / name), ReadOptions(impute=False)))


def test_a_packed_file_that_ends_early_is_refused(tmp_path):
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(TABLE.encode())[:-20])
    with pytest.raises(DataError, match="ends early"):
        list(scan(str(tmp_path / "t.csv.gz")))


def test_standard_input_can_be_scanned_more_than_once(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TABLE.encode())))
    scanned = scan("-")
    first, again = whole(scanned), whole(scanned)
    np.testing.assert_array_equal(first[0], again[0])
    assert scanned.name == "standard input"


@pytest.mark.parametrize("algorithm", ["Perceptron", "AveragedPerceptron", None])
@pytest.mark.parametrize(("name", "text"), [("t.csv", TABLE), ("t.svm", SVM)])
def test_a_model_of_a_stream_is_the_model_of_the_file_in_memory(tmp_path, name, text, algorithm):
    (tmp_path / name).write_text(text)
    parameters = {"max_iter": 5, "tie": "positive"}
    streamed = train(scan(str(tmp_path / name)), Plan(algorithm=algorithm, parameters=parameters))
    loaded = read(str(tmp_path / name))
    in_memory = train(loaded, Plan(algorithm=algorithm, parameters={**parameters, "order": "cyclic"}))
    assert streamed.record.estimator == in_memory.record.estimator
    for attribute in ("coef_", "intercept_", "classes_"):
        np.testing.assert_array_equal(streamed.record.fitted[attribute], in_memory.record.fitted[attribute])
    assert streamed.record.features == in_memory.record.features
    assert streamed.record.training["fingerprint"] == in_memory.record.training["fingerprint"]
    np.testing.assert_array_equal(streamed.on_training.confusion, in_memory.on_training.confusion)


def test_fit_stream_learns_from_a_scan(tmp_path):
    (tmp_path / "t.svm").write_text(SVM)
    one = AveragedPerceptron(order="cyclic").fit_stream(scan(str(tmp_path / "t.svm")))
    loaded = data.read(str(tmp_path / "t.svm"))
    other = AveragedPerceptron(order="cyclic").fit(loaded.X.to_scipy(), loaded.labels.y)
    np.testing.assert_array_equal(one.coef_, other.coef_)


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        (Plan(parameters={"order": "shuffle"}), "would read at random places"),
        (Plan(algorithm="VotedPerceptron"), "keeps every example that was a mistake"),
        (Plan(algorithm="KernelPerceptron"), "without --stream"),
        (Plan(parameters={"record": True}), "record"),
    ],
)
def test_plans_that_a_stream_cannot_run_are_refused_with_the_reason(plan, message):
    with pytest.raises(DataError, match=message):
        train(scan("@and"), plan)


def test_too_little_room_is_said_before_it_is_used_up(tmp_path, monkeypatch):
    (tmp_path / "t.svm").write_text(SVM * 20)
    monkeypatch.setattr("shutil.disk_usage", lambda folder: type("Usage", (), {"free": 3000}))
    with pytest.raises(DataError, match="need about"):
        train(scan(str(tmp_path / "t.svm")), Plan())


def test_the_blocks_of_svmlight_are_whole_lines():
    assert svmlight._lines_before(b"\n# c\n1 1:1\n\n2 1:1\n", 1) == 4
