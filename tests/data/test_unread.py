"""What is no file of examples is refused with what it is and what to do; odd text is read or refused with its line."""

import gzip
import io
import json
import sqlite3
import zipfile

import duckdb
import numpy as np
import pytest

from rosenblatt.data import DataError, ReadOptions, read, scan
from tests.cli.running import error

ROWS = [{"a": k, "y": "p" if k % 2 else "q"} for k in range(60)]


def zipped(*names: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in names:
            archive.writestr(name, "a,y\n1,p\n")
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("t.xlsx", zipped("[Content_Types].xml", "xl/workbook.xml"), "cannot be read as a workbook"),
        ("t.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "cannot be read as a workbook"),
        ("t.zip", zipped("t.csv", "u.csv"), "is a zip archive of 2 files (t.csv, u.csv); unpack it"),
        ("t.csv.zst", b"\x28\xb5\x2f\xfd\x04\x00", "is incomplete: its zstd data ends early or is damaged"),
        ("t.csv.lz4", b"\x04\x22\x4d\x18", "is incomplete: its lz4 data ends early or is damaged"),
        ("t.tar", b"t.csv\x00", "is an archive"),
        ("t.pkl", b"\x80\x04", "is of a format that is not read. Save the table as CSV or Parquet"),
        ("t.csv", b"<!DOCTYPE html><html>", "is a web page"),
    ],
)
def test_an_unsupported_format_is_named_with_a_remedy(tmp_path, name, content, message):
    path = tmp_path / name
    path.write_bytes(content)
    for road in ([], ["--stream"]):
        assert message in error("train", path, *road)
    error("train", "-", stdin=content)  # in one line, whatever it says


def test_a_database_of_several_tables_is_refused_with_the_query_to_ask(tmp_path):
    connection = sqlite3.connect(tmp_path / "t.db")
    for name in ("t", "u"):
        connection.execute(f"create table {name} (a)")
    connection.close()
    with duckdb.connect(str(tmp_path / "t.duckdb")) as database:
        database.execute("create table t (a integer); create table u (a integer)")
    for name in ("t.db", "t.duckdb"):
        for road in ([], ["--stream"]):
            message = error("train", tmp_path / name, *road)
            assert "is a database with the tables t, u; name one in a query (--sql 'select * from t'" in message


def test_json_gives_the_same_rows_as_a_query_on_it(tmp_path):
    (tmp_path / "t.json").write_text(json.dumps(ROWS))
    whole = read(str(tmp_path / "t.json"), ReadOptions(keep=["a"]))
    queried = read(str(tmp_path / "t.json"), ReadOptions(keep=["a"], sql="select * from data"))
    assert whole.X.tolist() == queried.X.tolist()
    assert whole.labels.y.tolist() == queried.labels.y.tolist()


def test_an_array_file_without_its_name_is_still_read(tmp_path):
    import numpy as np

    np.savez(tmp_path / "t.npz", X=np.eye(2), y=np.array([0, 1]))
    (tmp_path / "t.npz").rename(tmp_path / "t")
    assert read(str(tmp_path / "t")).X.shape == (2, 2)


def test_a_format_that_is_named_is_believed(tmp_path):
    (tmp_path / "t.json").write_text("a,y\n1,p\n2,q\n")
    assert read(str(tmp_path / "t.json"), ReadOptions(form="csv")).n_examples == 2


@pytest.mark.parametrize("take", [read, scan])
def test_a_pattern_and_a_folder_are_read_as_one_table(tmp_path, take):
    (tmp_path / "parts").mkdir()
    for k in range(3):
        (tmp_path / "parts" / f"part{k}.csv").write_text(f"a,c,y\n{k}.5,u{k},p\n{k + 5},v,q\n")
    rows = [(0.5, "p"), (5, "q"), (1.5, "p"), (6, "q"), (2.5, "p"), (7, "q")]
    for source in (str(tmp_path / "parts" / "part*.csv"), str(tmp_path / "parts")):
        data = take(source)
        X, y = (data.X, data.labels.y) if take is read else map(np.concatenate, zip(*data, strict=True))
        assert list(zip(X[:, 0].tolist(), y.tolist(), strict=True)) == rows
        assert data.features.names() == ["a", "c=u0", "c=u1", "c=u2", "c=v"]
        assert data.place(3).endswith("part1.csv, line 3")
    with pytest.raises(DataError, match="as a pattern it matches none"):
        take(str(tmp_path / "x*.csv"))
    (tmp_path / "parts" / "part3.csv").write_text("a,b,y\n1,2,p\n")
    with pytest.raises(DataError, match=r"part3.csv has the column 'b', which .*part0.csv lacks"):
        take(str(tmp_path / "parts"))


MARK = "\ufeff"


@pytest.mark.parametrize(
    "text",
    [
        MARK + MARK + "a,y\n1,p\n2,q\n",
        MARK + MARK + '"a","y"\n1,p\n2,q\n',
        "\n" + MARK + "a,y\n1,p\n2,q\n",
        "\r\n" + MARK + "a,y\r\n1,p\r\n2,q\r\n",
        MARK + "\na,y\n1,p\n2,q\n",
        "a," + MARK + "y\n1,p\n2,q\n",
        "a,y\n" + MARK + "1,p\n2,q\n",
        "a,y,\n1,p,\n2,q,\n",
        ",a,y\n0,1,p\n1,2,q\n",
        ",a,,y\n0,1,,p\n1,2,,q\n",
        "a,y\r1,p\r2,q\r",
    ],
)
def test_byte_order_marks_and_columns_without_a_name_do_no_harm(tmp_path, text):
    for name, content in (("t.csv", text.encode()), ("t.csv.gz", gzip.compress(text.encode()))):
        (tmp_path / name).write_bytes(content)
        loaded, scanned = read(str(tmp_path / name)), scan(str(tmp_path / name))
        assert loaded.X.tolist() == [[1], [2]]
        assert loaded.labels.y.tolist() == ["p", "q"]
        assert loaded.features.names() == scanned.features.names() == ["a"]
        assert [(X.tolist(), y.tolist()) for X, y in scanned] == [([[1], [2]], ["p", "q"])]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (MARK + MARK + "\na,y\n1,p\n2\n", "line 4: 1 columns where the header has 2"),
        ("\n\n" + MARK + "a,y\n1,p\n2\n", "line 5: 1 columns where the header has 2"),
        (
            "a,y\n1,p,\n2,q\n",
            "line 2: 3 columns where the header has 2. Correct the line; if every line ends with ','",
        ),
        ("a,y,\n1,p\n2,q\n", "line 2: 2 columns where the header, which ends with ',', has 3. Remove the last ','"),
        ("a,b,y\n1,x,p\n2,z,q\n1," + MARK + "x,p\n", "column 'b': '\\ufeffx' begins with a byte order mark"),
        (MARK, "has no lines"),
        (MARK + "\n" + MARK + "\n", "has no lines"),
    ],
)
def test_lines_are_counted_from_the_first_of_the_file(tmp_path, text, message):
    (tmp_path / "t.csv").write_text(text)
    for road in (read, lambda path: list(scan(path))):
        with pytest.raises(DataError) as refused:
            road(str(tmp_path / "t.csv"))
        assert message in str(refused.value)
