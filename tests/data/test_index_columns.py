"""The index of a data frame is neither a feature nor the target, on every road; an option can still name it."""

import numpy as np
import pandas as pd
import pytest
from pyarrow import feather

from rosenblatt.data import DataError, ReadOptions, read, scan
from tests.cli.running import as_json, done, run

FRAME = pd.DataFrame(
    {
        "length": [1.0, 2.0, 3.0, 4.0] * 20,
        "kind": ["a", "b", "b", "a"] * 20,
    }
).sort_values("kind")


@pytest.fixture(params=["parquet", "feather", "csv"])
def stored(request, tmp_path):
    """Writes a frame with its index as pandas does."""

    def write(frame: pd.DataFrame) -> str:
        path = tmp_path / f"table.{request.param}"
        if request.param == "parquet":
            frame.to_parquet(path)
        elif request.param == "feather":
            feather.write_feather(frame, path)
        else:
            frame.to_csv(path)
        return str(path)

    return write


def roads(path: str, **read_options):
    """The features, the target and the notes by every way of reading."""
    queried = ReadOptions(sql="select * from data", **read_options)
    for found in (
        read(path, ReadOptions(**read_options)),
        scan(path, ReadOptions(**read_options)),
        *((read(path, queried), scan(path, queried)) if not path.endswith(("feather", "csv")) else ()),
    ):
        yield found.features.names(), found.features.target, " ".join(found.notes)


def test_an_index_without_a_name_is_no_data(stored):
    for names, target, notes in roads(stored(FRAME)):
        assert names == ["length"]
        assert target == "kind"
        assert "left out" in notes


def test_an_index_without_a_name_is_no_data_to_the_one_who_names_the_target(stored):
    for names, _, notes in roads(stored(FRAME), target="kind"):
        assert names == ["length"]
        assert "left out" in notes


def test_a_range_that_pandas_keeps_in_the_metadata_needs_no_note(tmp_path):
    FRAME.reset_index(drop=True).to_parquet(tmp_path / "t.parquet")
    for names, target, notes in roads(str(tmp_path / "t.parquet")):
        assert (names, target) == (["length"], "kind")
        assert "left out" not in notes


def test_a_named_index_of_the_metadata_is_left_out_and_the_note_says_how_to_keep_it(tmp_path):
    named = FRAME.rename_axis("number")
    named.to_parquet(tmp_path / "t.parquet")
    for names, target, notes in roads(str(tmp_path / "t.parquet")):
        assert (names, target) == (["length"], "kind")
        assert "column 'number' is left out: pandas stored it as the index (reset_index() makes it a column)" in notes
    named.reset_index().to_parquet(tmp_path / "t.parquet")
    for names, target, notes in roads(str(tmp_path / "t.parquet")):
        assert (names, target) == (["length"], "kind")
        assert "column 'number' looks like a row number and is left out (--keep number" in notes


def test_an_index_that_an_option_names_is_taken(tmp_path):
    path = str(tmp_path / "t.parquet")
    FRAME.set_index("kind").to_parquet(path)
    for names, target, _ in roads(path, target="kind"):
        assert (names, target) == (["length"], "kind")
    FRAME.assign(town=["x", "y"] * 40).set_index("town").to_parquet(path)
    for names, target, _ in roads(path, categorical=["town"]):
        assert target == "kind"
        assert sorted(names) == ["length", "town=x", "town=y"]


def test_several_levels_are_left_out_together(tmp_path):
    FRAME.set_index([np.arange(80), pd.Index(np.arange(80), name="row")]).to_parquet(tmp_path / "t.parquet")
    for names, target, notes in roads(str(tmp_path / "t.parquet")):
        assert (names, target) == (["length"], "kind")
        assert notes.count("left out") == 2


def test_a_dropped_index_needs_no_note(tmp_path):
    FRAME.rename_axis("number").to_parquet(tmp_path / "t.parquet")
    for names, _, notes in roads(str(tmp_path / "t.parquet"), drop=["number"]):
        assert names == ["length"]
        assert "left out" not in notes


def test_a_table_of_an_index_and_labels_alone_is_refused(tmp_path):
    FRAME[["kind"]].to_parquet(tmp_path / "t.parquet")
    with pytest.raises(DataError, match=r"no columns but the target 'kind', not counting the index"):
        read(str(tmp_path / "t.parquet"))


def test_row_numbers_of_a_file_sorted_by_class_do_not_give_the_classes_away(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"noise": rng.normal(size=200), "kind": rng.permutation(["a", "b"] * 100)})
    frame.sort_values("kind").set_index(np.arange(200) ** 2).to_parquet(tmp_path / "t.parquet")
    for road in ([], ["--stream"]):
        report = as_json("train", tmp_path / "t.parquet", *road, "-o", tmp_path / "m.json")
        assert report["n_features"] == 1
        assert report["training"]["accuracy"] < 0.7
    assert "left out" in run("train", tmp_path / "t.parquet").stderr
    done("predict", tmp_path / "m.json", tmp_path / "t.parquet")


@pytest.mark.slow
def test_shards_leave_the_index_out_as_well(tmp_path):
    for k in range(2):
        FRAME.to_parquet(tmp_path / f"part{k}.parquet")
    report = as_json("train", tmp_path / "*.parquet", "--workers", 1, "--max-iter", 5)
    assert report["n_features"] == 1
    assert any("left out" in note for note in report["notes"])


def test_a_model_finds_a_column_that_another_file_has_as_its_index(tmp_path):
    frame = FRAME.assign(number=np.arange(80.0))[["number", "length", "kind"]]
    frame.to_csv(tmp_path / "t.csv", index=False)
    frame.set_index("number").to_parquet(tmp_path / "t.parquet")
    done("train", tmp_path / "t.csv", "-o", tmp_path / "m.json")
    predicted = [done("predict", tmp_path / "m.json", tmp_path / name) for name in ("t.csv", "t.parquet")]
    assert predicted[0] == predicted[1]
