"""Files that differ from the one a model was trained on, and tables whose values change their type on the way."""

import re
import shlex
import sqlite3
from contextlib import closing

import pandas as pd
import pytest

from tests.cli.running import PETS, as_json, done, error, run

ROADS = [[], ["--stream"]]


@pytest.fixture
def model(tmp_path):
    table = "size,weight,colour,kind\n" + "".join(
        f"{k % 17 + k / 8:.3f},{1000 + 37 * k % 101}.5,{'red' if k % 3 else 'blue'},{'ab'[k % 17 > 8]}\n"
        for k in range(80)
    )
    (tmp_path / "train.csv").write_text(table)
    done("train", tmp_path / "train.csv", "-q", "-o", tmp_path / "model.json")
    return tmp_path / "model.json"


def test_a_file_with_another_decimal_sign_is_read_by_the_option_that_the_note_prints(model):
    train, commas = model.with_name("train.csv"), model.with_name("commas.csv")
    commas.write_text(train.read_text().replace(",", ";").replace(".", ","))
    expected = done("predict", model, train, "--scores")
    first = run("predict", model, commas, "--scores")
    assert first.stdout != expected
    suggested = shlex.split(re.search(r"as missing \((--decimal \S+);", first.stderr)[1])
    assert done("predict", model, commas, "--scores", *suggested) == expected
    assert as_json("evaluate", model, commas, *suggested)["errors"] == as_json("evaluate", model, train)["errors"]


@pytest.mark.parametrize("label", ["0.5", "inf", "1e30", "unknown", ""])
def test_predicting_does_not_use_the_labels(model, label):
    train, other = model.with_name("train.csv"), model.with_name("other.csv")
    lines = train.read_text().splitlines()
    other.write_text("\n".join([lines[0], *(f"{line.rpartition(',')[0]},{label}" for line in lines[1:])]))
    assert done("predict", model, other) == done("predict", model, train)


def test_evaluating_names_the_line_of_a_label_that_is_no_class(model):
    other = model.with_name("other.csv")
    other.write_text("size,weight,colour,kind\n1,2,red,0.5\n")
    assert "line 2: the label '0.5' is not a class of the model" in error("evaluate", model, other)


@pytest.mark.parametrize("road", ROADS)
def test_a_text_after_many_numbers_of_a_database_counts_as_missing(tmp_path, road):
    rows = [("unknown" if k == 35_000 else k % 7, k % 11, "ab"[k % 7 > 3]) for k in range(36_000)]
    with closing(sqlite3.connect(tmp_path / "t.db")) as connection:
        connection.execute("create table t(x integer, z integer, label text)")
        connection.executemany("insert into t values (?, ?, ?)", rows)
        connection.commit()
    columns = {column["name"]: column for column in as_json("look", tmp_path / "t.db", *road)["columns"]}
    assert columns["x"]["type"] == "number"
    assert columns["x"]["misfits"] == ["unknown"]


def test_the_query_that_is_suggested_for_a_database_runs_as_printed(tmp_path):
    path = tmp_path / "shop.db"
    with closing(sqlite3.connect(path)) as connection:
        for name in ("order items", "others"):
            connection.execute(f'create table "{name}"(weight, colour, pet)')
        lines = [line.split(",") for line in PETS.splitlines()[1:]]
        connection.executemany('insert into "order items" values (?, ?, ?)', lines)
        connection.commit()
    query = re.search(r"\((--sql .*?); in Python", error("train", path))[1]
    assert "80 examples" in done("train", path, *shlex.split(query))


@pytest.mark.parametrize("road", ROADS)
def test_whole_numbers_of_64_bits_in_parquet_are_numbers(tmp_path, road):
    table = {"size": [2**62 + k * k for k in range(60)], "z": [k % 7 for k in range(60)], "y": ["a", "b"] * 30}
    pd.DataFrame(table).to_parquet(tmp_path / "t.parquet")
    columns = as_json("look", tmp_path / "t.parquet", "--keep", "size", *road)["columns"]
    assert {column["name"]: column["type"] for column in columns}["size"] == "number"
