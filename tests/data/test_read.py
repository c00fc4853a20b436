"""Files of every format become the same examples, and bad ones are refused with their place."""

import bz2
import gzip
import io
import lzma
import sys

import numpy as np
import pyarrow as pa
import pytest
import scipy.sparse as sp
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from pyarrow import feather, parquet

from rosenblatt import data
from rosenblatt.data import DataError, ReadOptions, Sparse, read
from rosenblatt.data.formats.json_objects import rows_of_object

CSV = "age,colour,species\n1,red,cat\n2.5,blue,dog\n3,red,cat\n"


@pytest.fixture
def csv(tmp_path):
    def write(text: str | bytes, name: str = "table.csv") -> str:
        path = tmp_path / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return str(path)

    return write


def refusal(source: str, **read_options) -> str:
    with pytest.raises(DataError) as refused:
        read(source, ReadOptions(**read_options))
    return str(refused.value)


def read_or_refused(path: str) -> data.Dataset | str:
    try:
        return read(path)
    except DataError as error:
        return str(error)


def test_numbers_stay_and_categories_become_one_feature_a_word(csv):
    loaded = read(csv(CSV))
    assert loaded.features.names() == ["age", "colour=blue", "colour=red"]
    np.testing.assert_array_equal(loaded.X, [[1, 0, 1], [2.5, 1, 0], [3, 0, 1]])
    assert loaded.labels.y.tolist() == ["cat", "dog", "cat"]
    assert "'species', the last column" in loaded.notes[0]


@pytest.mark.parametrize("form", ["csv", "tsv", "parquet", "arrow", "stream", "csv.gz", "csv.bz2", "csv.xz"])
def test_every_table_format_gives_the_same_examples(tmp_path, csv, form):
    table = pa.table({"age": [1, 2.5, 3], "colour": ["red", "blue", "red"], "species": ["cat", "dog", "cat"]})
    path = str(tmp_path / f"other.{form}")
    if form == "parquet":
        parquet.write_table(table, path)
    elif form == "arrow":
        feather.write_feather(table, path)
    elif form == "stream":
        path = str(tmp_path / "other.arrows")
        with pa.ipc.new_stream(path, table.schema) as stream:
            stream.write_table(table)
    else:
        text = CSV.replace(",", "\t") if form == "tsv" else CSV
        pack = {"csv.gz": gzip.compress, "csv.bz2": bz2.compress, "csv.xz": lzma.compress}.get(form, bytes)
        (tmp_path / f"other.{form}").write_bytes(pack(text.encode()))
    expected, found = read(csv(CSV)), read(path, ReadOptions(form="arrow" if form == "stream" else None))
    np.testing.assert_array_equal(found.X, expected.X)
    assert found.labels.y.tolist() == expected.labels.y.tolist()
    assert found.features == expected.features


def test_svmlight_is_known_by_its_content_and_says_where_indices_begin(csv):
    loaded = read(csv("+1 1:2 3:4\n-1 2:1\n", "a9a"))
    assert isinstance(loaded.X, Sparse)
    assert loaded.X.to_scipy().toarray().tolist() == [[2, 0, 4], [0, 1, 0]]
    assert loaded.features.names() == ["x1", "x2", "x3"]
    assert "begin at 1" in loaded.notes[0]
    assert read(csv("1 0:2\n-1 1:1\n", "b.svm")).features.names() == ["x0", "x1"]
    assert read(csv("3\n5\n1 1:1\n", "c")).labels.y.tolist() == [3, 5, 1]


def test_a_svmlight_file_packed_by_gzip_is_unpacked(tmp_path):
    (tmp_path / "a.svm.gz").write_bytes(gzip.compress(b"1 1:2\n") + gzip.compress(b"-1 1:3\n"))
    assert read(str(tmp_path / "a.svm.gz")).X.values.tolist() == [2, 3]


def test_arrays_are_read_without_unpickling(tmp_path):
    X, y = np.arange(6.0).reshape(3, 2), np.array([0, 1, 1])
    np.save(tmp_path / "a.npy", np.column_stack([X, y]))
    np.savez(tmp_path / "b.npz", X=X, y=y)
    np.savez(tmp_path / "c.npz", X=X, y=np.array(["u", "v", "v"]))
    sp.save_npz(tmp_path / "d.npz", sp.csr_matrix(X))
    for name in ("a.npy", "b.npz"):
        loaded = read(str(tmp_path / name))
        np.testing.assert_array_equal(loaded.X, X)
        assert loaded.labels.y.tolist() == [0, 1, 1]
    assert read(str(tmp_path / "c.npz")).labels.y.tolist() == ["u", "v", "v"]
    sparse = read(str(tmp_path / "d.npz"))
    assert sparse.labels is None
    np.testing.assert_array_equal(sparse.X.to_scipy().toarray(), X)
    np.save(tmp_path / "e.npy", np.array([[{}]]), allow_pickle=True)
    assert "free of objects" in refusal(str(tmp_path / "e.npy"))


def test_standard_input_is_a_source(monkeypatch):
    class Stdin:
        buffer = io.BytesIO(CSV.encode())

    monkeypatch.setattr(sys, "stdin", Stdin)
    loaded = read("-")
    assert (loaded.name, loaded.n_examples) == ("standard input", 3)


@pytest.mark.parametrize(
    ("text", "read_options", "message"),
    [
        ("a,y\n1,p\n,q\n", {"impute": False}, "line 3, column 'a': the value is missing"),
        ("a,y\n1,p\n\n\nNA,q\n", {"impute": False}, "line 5, column 'a': the value is missing"),
        ('a,b,y\n1,"x\nz",p\n,w,q\n', {"impute": False}, "line 4, column 'a': the value is missing"),
        ("a,y\n1,p\ninf,q\n", {"impute": False}, "line 3, column 'a': inf is not a finite number"),
        ("a,y\n1,\n2,\n", {}, "column 'y': every label is missing"),
        ("a,y\n1,p\n2,q,r\n", {}, "line 3: 3 columns where the header has 2"),
        ("a,y\n", {}, "has a header but no rows"),
        ("a,y\n1,p\n2,q\n", {"target": "z"}, "has no column 'z'. It has: a, y."),
        ("a,y\n1,p\n2,q\n", {"drop": ["b"]}, "has no column 'b'"),
        ("y\np\nq\n", {}, "has no columns but the target 'y'"),
        ("a,y\n1,0.5\n2,0.7\n", {}, "column 'y', line 2: the target 0.5 is not a whole number"),
        ("a,y\n,p\n,q\n", {}, "'a' is empty; left out: every value is missing. Keep one"),
        (b"a,y\n1,p\n2,\x81\n", {}, "not cp1252"),
        (b"\xff\xff\t\x00\xff\xff\n", {}, "is not text: it has zero bytes"),  # found by fuzzing
        ("", {}, "is empty"),
        ("\n\n", {}, "has no lines"),
    ],
)
def test_a_table_that_cannot_be_learned_from_is_refused_with_its_place(csv, text, read_options, message):
    path = csv(text)
    found = refusal(path, **read_options)
    assert message in found
    assert path in found


def test_a_late_word_in_a_numeric_column_is_a_gap_that_the_report_names(csv):
    dataset = read(csv("a,y\n" + "1,p\n2,q\n" * 400_000 + "x,p\n" + "3,q\n" * 10))
    assert dataset.features.names() == ["a", "a is missing"]
    assert dataset.X[800_000].tolist() == [2.0, 1.0]
    assert dataset.features.report[0].misfits == ("x",)


plain_numbers = st.one_of(st.integers(-99, 99).map(str), st.floats(-9, 9).map("{:.2e}".format), st.just("7."))


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(plain_numbers, plain_numbers, st.sampled_from(["p", "q", "1", "NA ", "é"])), min_size=1, max_size=9
    ),
    st.booleans(),
)
def test_the_plain_table_reader_equals_the_general_reader(csv, rows, quoted_names):
    assume(any(y.strip() != "NA" for _, _, y in rows))  # a table whose labels are all missing is refused
    quote = '"' if quoted_names else ""
    options = ReadOptions(keep=["a", "b"])
    header = ",".join(f"{quote}{name}{quote}" for name in ("a", "b", "y"))
    quick = read(csv("\n".join([header, *map(",".join, rows)]) + "\n", "quick.csv"), options)
    general = read(csv("\n".join([header, *(f'{a},{b},"{y}"' for a, b, y in rows)]) + "\n", "general.csv"), options)
    assert quick.X.tobytes() == general.X.tobytes()
    assert quick.labels.y.tolist() == general.labels.y.tolist()
    assert quick.features == general.features


def test_a_model_finds_its_columns_in_any_order_the_quick_way_too(csv):
    features = read(csv("a,b,y\n1,2,p\n3,4,q\n")).features
    np.testing.assert_array_equal(read(csv("b,y,z,a\n8,p,5,9\n", "new.csv"), like=features).X, [[9, 8]])


def test_numbers_that_begin_whole_may_have_fractions_later(csv):
    text = "a,y\n" + "1,p\n2,q\n" * 400_000 + "2.5,p\n"
    assert read(csv(text)).X[-1, 0] == 2.5


def test_missing_values_are_filled_and_flagged_and_the_filling_is_kept(csv):
    loaded = read(csv("a,b,y\n1,u,p\n,u,q\n3,,p\n8,v,q\n"))
    np.testing.assert_array_equal(loaded.X[:, 0], [1, 3, 3, 8])
    assert [column.fill for column in loaded.features.columns] == [3.0, "u"]
    later = read(csv("a,b\n,v\n", "new.csv"), like=loaded.features)
    np.testing.assert_array_equal(later.X, [[3, 1, 0, 1, 0]])


def test_the_model_decides_which_columns_count_and_in_which_order(csv):
    features = read(csv(CSV)).features
    other = read(csv("colour,extra,age\nblue,9,7\n", "new.csv"), like=features)
    np.testing.assert_array_equal(other.X, [[7, 1, 0]])
    assert other.labels is None
    with pytest.raises(DataError, match="line 3, column 'colour': 'green' is not among the 2 values"):
        read(csv("colour,age\nred,1\ngreen,7\n", "new.csv"), ReadOptions(unseen="error"), like=features)
    unseen = read(csv("colour,age\ngreen,7\n", "new.csv"), like=features)
    assert unseen.notes == ("column 'colour': 1 value is not in the training data, such as 'green', and ignored",)
    np.testing.assert_array_equal(unseen.X, [[7, 0, 0]])
    with pytest.raises(DataError, match="has no column 'age'"):
        read(csv("colour\nred\n", "new.csv"), like=features)
    with pytest.raises(DataError, match="is svmlight data; the model was trained on a table"):
        read(csv("1 1:1\n", "a.svm"), like=features)


def test_columns_can_be_forced_to_be_categories_or_left_out(csv):
    loaded = read(csv("id,grade,y\n7,1,p\n8,2,q\n"), ReadOptions(drop=["id"], categorical=["grade"]))
    assert loaded.features.names() == ["grade=1", "grade=2"]


def test_whole_number_labels_are_integers_however_they_are_written(csv):
    assert read(csv("a,y\n1,1.0\n2,0\n")).labels.classes.tolist() == [0, 1]
    assert read(csv("a,y\n1,-1\n2,+1\n")).labels.classes.tolist() == [-1, 1]


def test_names_or_keys_are_not_taken_for_categories(csv):
    text = "name,y\n" + "".join(f"n{k},{k % 2}\n" for k in range(1001))
    assert "'name' is id; left out: nearly all values are distinct" in refusal(csv(text))


@pytest.mark.parametrize("suffix", ["parquet", "arrow", "npy", "npz", "svm", "csv.gz"])
def test_a_file_that_is_cut_off_is_refused(tmp_path, csv, suffix):
    whole = tmp_path / f"whole.{suffix}"
    table = pa.table({"a": np.arange(100.0), "y": np.arange(100) % 2})
    if suffix == "parquet":
        parquet.write_table(table, whole)
    elif suffix == "arrow":
        feather.write_feather(table, str(whole))
    elif suffix == "npy":
        np.save(whole, np.ones((50, 3)))
    elif suffix == "npz":
        np.savez(whole, X=np.ones((50, 3)), y=np.ones(50))
    elif suffix == "svm":
        whole.write_text("1 1:2\n1 1:")
    else:
        whole.write_bytes(gzip.compress(CSV.encode()))
    content = whole.read_bytes()
    cut = tmp_path / f"cut.{suffix}"
    cut.write_bytes(content if suffix == "svm" else content[: len(content) * 2 // 3])
    assert str(cut) in refusal(str(cut))


def test_fingerprints_tell_files_apart_and_recognise_copies(csv):
    one, copy, other = csv(CSV, "1.csv"), csv(CSV, "2.csv"), csv(CSV + "4,red,cat\n", "3.csv")
    assert read(one).fingerprint == read(copy).fingerprint != read(other).fingerprint


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.one_of(st.binary(max_size=300), st.text('a,"\n\r1.;?|\t', max_size=120).map(str.encode)))
def test_any_bytes_as_a_table_are_read_or_refused(csv, content):
    path = csv(content)
    found = read_or_refused(path)
    assert path in found if isinstance(found, str) else np.isfinite(found.X).all()


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(["parquet", "arrow", "npy", "npz"]), st.data())
def test_a_damaged_binary_file_is_read_or_refused(tmp_path, form, data):
    whole = tmp_path / f"whole.{form}"
    if not whole.exists():
        table = pa.table({"a": np.arange(20.0), "b": ["u", "v"] * 10, "y": np.arange(20) % 2})
        {
            "parquet": lambda: parquet.write_table(table, whole),
            "arrow": lambda: feather.write_feather(table, str(whole)),
            "npy": lambda: np.save(whole, np.arange(60.0).reshape(20, 3).round()),
            "npz": lambda: np.savez(whole, X=np.ones((20, 2)), y=np.arange(20) % 2),
        }[form]()
    content = bytearray(whole.read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    damaged = tmp_path / f"damaged.{form}"
    damaged.write_bytes(bytes(content))
    found = read_or_refused(str(damaged))
    assert str(damaged) in found if isinstance(found, str) else found.n_examples > 0


def test_the_built_in_sets_match_their_descriptions():
    for name in data.names():
        dataset = data.load(name)
        assert dataset.X.shape == (len(dataset.y), len(dataset.feature_names))
        assert np.isfinite(dataset.X).all()
        assert dataset.description == data.descriptions()[name]
    spirals = data.load("spirals")
    assert len(np.unique(spirals.X, axis=0)) == 194
    np.testing.assert_array_equal(data.load("majority").y, data.load("majority").X.sum(axis=1) >= 2)


def test_values_of_rows_without_a_label_are_not_reported(tmp_path):
    table = tmp_path / "t.csv"
    table.write_text("day,y\n" + "".join(f"2024-01-{k:02d},{k % 2}\n" for k in range(1, 21)) + "Total,\n")
    assert [entry.misfits for entry in read(str(table)).features.report] == [(), ()]


ROW = {"size": 1.5, "kind": "a"}
PARTS = [{"part": 1}, {"part": 2}]


@pytest.mark.parametrize(
    ("document", "rows"),
    [
        ({f"x{k}": {**ROW, "parts": PARTS if k == 1 else None} for k in range(5)}, 5),
        ({"size": [1, 2], "parts": PARTS, "kind": ["a", "b"]}, 2),
        ({**ROW, "shop": {"town": "Bonn"}, "order": {"parts": PARTS}}, 1),
        ({"order": {"tags": ["x"], "parts": PARTS}}, 1),
        ({"status": "ok", "answer": {"total": 3, "page": {"items": [ROW] * 3}}}, 3),
        ({"meta": {"page": 1}, "data": [ROW] * 3}, 3),
        ({"a": {"b": {"c": {"items": [ROW] * 3}}}}, 1),
    ],
)
def test_a_list_of_objects_replaces_a_json_object_only_within_an_envelope(document, rows):
    assert len(rows_of_object(document)) == rows


def test_long_quoted_texts_with_commas_do_not_add_a_column(tmp_path):
    """The header is compared with the beginning of the lines, which may end within quotes."""
    texts = [f"mail {k}, with two commas, " + "and words " * 1000 for k in range(20)]
    lines = [f'"{text}",{"spam" if k % 2 else "ham"}' for k, text in enumerate(texts)]
    (tmp_path / "mails.csv").write_text("\n".join(["text,label", *lines]) + "\n")
    found = read(str(tmp_path / "mails.csv"))
    assert found.n_examples == 20
    assert found.features.target == "label"
