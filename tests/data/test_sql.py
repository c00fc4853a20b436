"""Rows of a query: the same examples as from a file, in memory and in batches; errors in the database's own words."""

import sqlite3

import duckdb
import numpy as np
import pytest

from rosenblatt.data import DataError, ReadOptions, read, scan
from rosenblatt.data.formats import sql
from tests.cli.running import as_json, error


@pytest.fixture
def places(tmp_path):
    """The same rows as CSV, Parquet, DuckDB and SQLite."""
    rows = [(k / 4, "red" if k % 3 else "blue", "buys" if k % 2 else "leaves") for k in range(100)]
    csv = tmp_path / "t.csv"
    csv.write_text("size,colour,bought\n" + "".join(f"{a},{b},{c}\n" for a, b, c in rows))
    with duckdb.connect(str(tmp_path / "t.duckdb")) as connection:
        connection.execute(f"create table data as select * from '{csv}'")
        connection.execute(f"copy data to '{tmp_path / 't.parquet'}'")
    with sqlite3.connect(tmp_path / "t.sqlite") as connection:
        connection.execute("create table data (size real, colour text, bought text)")
        connection.executemany("insert into data values (?, ?, ?)", rows)
    connection.close()
    return [csv, tmp_path / "t.parquet", tmp_path / "t.duckdb", tmp_path / "t.sqlite"]


def test_every_database_gives_the_rows_of_the_file(places, monkeypatch):
    monkeypatch.setattr(sql, "_ROWS", 7)
    whole = read(str(places[0]), ReadOptions(target="bought"))
    query = "select size * 2 as double, colour, bought from data where size < 20 order by size"
    for place in places:
        read_options = ReadOptions(sql=query, target="bought")
        loaded, scanned = read(str(place), read_options), scan(str(place), read_options)
        np.testing.assert_array_equal(loaded.X, whole.X[:80] * [2, 1, 1])
        np.testing.assert_array_equal(loaded.labels.y, whole.labels.y[:80])
        blocks = list(scanned.blocks())
        assert len(blocks) > 1
        np.testing.assert_array_equal(np.concatenate([block.X for block in blocks]), loaded.X)
        assert scanned.features == loaded.features
        assert scanned.fingerprint == loaded.fingerprint


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("select colour, nothing from data", "nothing"),
        ("select * from nowhere", "nowhere"),
        ("selec 1", "(?i)syntax error"),
        ("select * from data where size < 0", "gave no rows"),
        ("select size, size, bought from data", "size"),
    ],
)
def test_an_invalid_query_is_refused_with_the_message_of_the_database(places, query, message):
    for place in places:
        with pytest.raises(DataError, match=message):
            scan(str(place), ReadOptions(sql=query))


def test_a_database_is_never_written_to(places):
    for place in places[2:]:
        before = place.read_bytes()
        with pytest.raises(DataError, match=r"(?i)read.?only"):
            read(str(place), ReadOptions(sql="delete from data"))
        assert place.read_bytes() == before


@pytest.mark.slow
def test_a_query_trains_and_predicts(tmp_path, places):
    query = "select size, colour, case when size > 12 then 'big' else 'small' end as class from data"
    for place in places:
        for more in ([], ["--stream"]):
            report = as_json("train", place, "--sql", query, "-o", tmp_path / "m.json", *more)
            assert report["training"]["accuracy"] > 0.8
        assert len(as_json("predict", tmp_path / "m.json", place, "--sql", "select * from data")["predictions"]) == 100
    assert "not a file that can be queried" in error("train", "@iris", "--sql", "select 1")


def test_without_duckdb_the_extra_is_named(places, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "duckdb", None)
    assert "rosenblatt[sql]" in error("train", places[0], "--sql", "select * from data")


@pytest.mark.slow
@pytest.mark.parametrize(
    "query",
    [
        "copy (select 1) to 'out.csv'",
        "copy data to 'out.parquet'",
        "select * from 'other.csv'",
        "select * from read_csv('other.csv')",
        "select * from read_text('other.csv')",
        "select * from glob('*')",
        "attach 'out.db' as o",
        "vacuum into 'out.sqlite'",
        "export database 'out'",
        "create table more as select 1",
        "pragma database_list",
        "set enable_external_access = true",
        "select 1 as a, 'b' as y; copy (select 1) to 'out.csv'",
        "select load_extension('out')",
        "install httpfs",
        "",
    ],
)
def test_a_query_opens_and_writes_no_other_file(places, query, monkeypatch):
    folder = places[0].parent
    monkeypatch.chdir(folder)
    (folder / "other.csv").write_text("a,y\n1,b\n")
    before = {path: path.read_bytes() for path in folder.iterdir()}
    for place in places:
        for road in (read, scan):
            with pytest.raises(DataError, match="the query on"):
                road(str(place), ReadOptions(sql=query))
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_a_query_sees_no_variable_of_the_program(places):
    import pyarrow as pa

    secret = pa.table({"a": [1, 2], "y": ["p", "q"]})
    assert secret.num_rows
    for place in places:
        with pytest.raises(DataError, match="secret"):
            read(str(place), ReadOptions(sql="select * from secret"))


@pytest.mark.parametrize("name", ["a[1]*.csv", "a?.csv", "it's.csv", "a[!1].csv"])
def test_a_file_is_queried_by_its_literal_name(tmp_path, name):
    for other in ("a1.csv", "a12.csv", "ab.csv"):
        (tmp_path / other).write_text("x,y\n5,other\n6,others\n")
    (tmp_path / name).write_text("x,y\n1,this\n2,that\n")
    read_options = ReadOptions(sql="select x, y from data order by x")
    assert read(str(tmp_path / name), read_options).labels.y.tolist() == ["this", "that"]
    assert [y.tolist() for _, y in scan(str(tmp_path / name), read_options)] == [["this", "that"]]


def test_queries_that_only_read_are_run_whatever_their_form(places):
    with sqlite3.connect(places[3]) as connection:
        connection.execute("create virtual table notes using fts5(body, y)")
        connection.execute("insert into notes values ('red wine', 'p'), ('white wine', 'q')")
    connection.close()
    for query in (
        "with big as (select * from data where size > 3) select * from big;",
        "select min(size) as n, bought from data group by bought -- by class",
        "with recursive n(i) as (select 1 union all select i + 1 from n where i < 5) select i, i > 2 as y from n",
    ):
        for place in places:
            assert read(str(place), ReadOptions(sql=query)).n_examples
    found = read(str(places[3]), ReadOptions(sql="select body, y from notes where notes match 'wine'"))
    assert found.n_examples == 2
