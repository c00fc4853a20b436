"""What is no file of examples is refused with what it is and what to do; odd text is read or refused with its line."""

import gzip
import io
import json
import sqlite3
import zipfile

import duckdb
import pytest

from rosenblatt.data import DataError, Wishes, read, scan
from tests.cli.running import as_json, error

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
        ("t.xlsx", zipped("[Content_Types].xml", "xl/workbook.xml"), "is a spreadsheet, which is not read. Save"),
        ("t.csv", zipped("[Content_Types].xml", "xl/workbook.xml"), "is a spreadsheet"),
        ("t.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "is a spreadsheet"),
        ("t.zip", zipped("t.csv"), "is a zip archive, which is not read. Unpack it (unzip "),
        ("t.csv.zip", zipped("t.csv"), "is a zip archive"),
        ("t", zipped("t.csv"), "is a zip archive"),
        ("t.csv.zst", b"\x28\xb5\x2f\xfd\x04\x00", "is packed by Zstandard, which is not unpacked here. Unpack it"),
        ("t.csv", b"\x28\xb5\x2f\xfd\x04\x00", "is packed by Zstandard"),
        ("t.csv.lz4", b"\x04\x22\x4d\x18", "is packed by LZ4"),
        ("t.tar", b"t.csv\x00", "is an archive"),
        ("t.json", json.dumps(ROWS).encode(), "is JSON, which is read by a query only (--sql 'select * from data'"),
        ("t.jsonl", b'{"a": 1}\n{"a": 2}\n', "is JSON"),
        ("t", b'\xef\xbb\xbf[{"a": 1}]', "is JSON"),
        ("t.pkl", b"\x80\x04", "is of a format that is not read. Save the table as CSV or Parquet"),
        ("t.csv", b"<!DOCTYPE html><html>", "is a web page"),
    ],
)
def test_a_format_that_is_not_read_is_named_with_what_to_do(tmp_path, name, content, message):
    path = tmp_path / name
    path.write_bytes(content)
    for road in ([], ["--stream"]):
        assert message in error("train", path, *road)
    error("train", "-", stdin=content)  # in one line, whatever it says


def test_a_database_is_named_with_the_query_to_ask(tmp_path):
    sqlite3.connect(tmp_path / "t.db").execute("create table t (a)").connection.close()
    duckdb.connect(str(tmp_path / "t.duckdb")).close()
    for name in ("t.db", "t.duckdb"):
        assert "is a database: name a table of it in a query (--sql" in error("train", tmp_path / name)


def test_json_is_read_by_the_query_that_the_message_suggests(tmp_path):
    (tmp_path / "t.json").write_text(json.dumps(ROWS))
    assert "--sql 'select * from data'" in error("train", tmp_path / "t.json")
    assert as_json("train", tmp_path / "t.json", "--sql", "select * from data")["classes"] == ["p", "q"]


def test_an_array_file_without_its_name_is_still_read(tmp_path):
    import numpy as np

    np.savez(tmp_path / "t.npz", X=np.eye(2), y=np.array([0, 1]))
    (tmp_path / "t.npz").rename(tmp_path / "t")
    assert read(str(tmp_path / "t")).X.shape == (2, 2)


def test_a_format_that_is_named_is_believed(tmp_path):
    (tmp_path / "t.json").write_text("a,y\n1,p\n2,q\n")
    assert read(str(tmp_path / "t.json"), Wishes(form="csv")).n_examples == 2


def test_a_pattern_is_said_to_be_one(tmp_path):
    for k in range(3):
        (tmp_path / f"part{k}.csv").write_text("a,y\n1,p\n2,q\n")
    pattern = str(tmp_path / "part*.csv")
    for road in ([], ["--stream"]):
        message = error("train", pattern, *road)
        assert "is a pattern that matches 3 files" in message
        assert "--workers 2" in message
    assert "as a pattern it matches none" in error("train", tmp_path / "x*.csv")
    (tmp_path / "part*.csv").write_text("a,y\n1,p\n2,q\n3,q\n")
    assert read(pattern).n_examples == 3
    assert "is a folder; name a file in it" in error("train", tmp_path)


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
        ("\n\n" + MARK + "a,y\n1,p\n,q\n", "line 5, column 'a': the value is missing"),
        (
            "a,y\n1,p,\n2,q,\n",
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
