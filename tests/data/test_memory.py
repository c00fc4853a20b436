"""What does not fit into memory is refused with numbers before it is taken; a stream holds a block at a time."""

import gzip
import io
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from rosenblatt import models
from rosenblatt.data import DataError, memory, read, scan
from rosenblatt.models.training import room
from tests.cli.running import as_json, error


@pytest.fixture
def little_memory(monkeypatch):
    """2 MB are left, as far as anybody asks."""
    monkeypatch.setattr(memory, "available_memory", lambda: 2_000_000)
    monkeypatch.setattr(room, "available_memory", lambda: 2_000_000)


def rows(count: int) -> str:
    return "a,y\n" + "1,p\n2,q\n" * (count // 2)


def packed(text: str, module: str) -> bytes:
    import bz2
    import lzma

    return {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}[module](text.encode())


def test_some_memory_is_available():
    available = memory.available_memory()
    assert available is None or available > 1_000_000


@pytest.mark.slow
@pytest.mark.parametrize("packing", ["gz", "bz2", "xz"])
def test_a_packed_file_that_grows_beyond_the_memory_is_refused_and_can_be_streamed(tmp_path, little_memory, packing):
    path = tmp_path / f"bomb.csv.{packing}"
    path.write_bytes(packed(rows(400_000), packing))
    assert path.stat().st_size < 100_000
    message = error("train", path)
    assert "unpacks to more than 1 MB, half of the memory that is available" in message
    assert "--stream" in message
    assert as_json("train", path, "--stream", "--max-iter", 1, "--holdout", 0)["training"]["examples"] == 400_000


@pytest.mark.slow
def test_a_text_whose_numbers_need_more_than_the_memory_is_refused_and_can_be_streamed(tmp_path, little_memory):
    path = tmp_path / "t.csv"
    path.write_text("a,b,c,y\n" + "0,0,0,0\n1,1,1,1\n" * 100_000)
    assert "rows of 3 columns need 5 MB, more than 2 MB, the memory that is available" in error("train", path)
    assert as_json("train", path, "--stream", "--max-iter", 1, "--holdout", 0)["training"]["examples"] == 200_000


@pytest.mark.slow
@pytest.mark.parametrize("take", [read, scan])
@pytest.mark.parametrize("name", ["t.csv", "t.json"])
def test_a_line_of_ten_gigabytes_is_refused_before_memory_is_taken(tmp_path, monkeypatch, take, name):
    monkeypatch.setattr("rosenblatt.data.formats.json._LONGEST_OBJECT", 1 << 23)
    with (tmp_path / name).open("wb") as file:
        file.write(b"a,y" if name == "t.csv" else b'[{"a": "')
        file.truncate(10_000_000_000)  # a sparse file: it takes no room on the disk
    with pytest.raises(DataError, match=r"line 1 is longer than|object 1: not JSON within 8 MB"):
        take(str(tmp_path / name))


def test_standard_input_that_grows_beyond_the_memory_is_refused(little_memory):
    assert "standard input has more than 1 MB" in error("train", "-", stdin=rows(400_000))


def test_arrays_that_grow_beyond_the_memory_are_refused(tmp_path, little_memory):
    np.savez_compressed(tmp_path / "t.npz", X=np.zeros((100_000, 2)), y=np.arange(100_000) % 2)
    assert "unpacks to 2 MB, more than 1 MB" in error("train", tmp_path / "t.npz")


def test_a_parquet_file_of_more_rows_than_memory_is_refused_and_can_be_streamed(tmp_path, little_memory):
    table = pa.table({"a": np.arange(100_000) % 7.0, "y": np.arange(100_000) % 2})
    parquet.write_table(table, tmp_path / "t.parquet")
    message = error("train", tmp_path / "t.parquet")
    assert "100,000 rows of 2 columns need 2 MB, more than 1 MB" in message
    assert (
        as_json("train", tmp_path / "t.parquet", "--stream", "--max-iter", 1, "--holdout", 0)["training"]["examples"]
        == 100_000
    )


def test_a_stream_refuses_a_line_without_end(tmp_path, monkeypatch):
    monkeypatch.setattr("rosenblatt.data.sources.byte_source._BLOCK", 1000)
    monkeypatch.setattr("rosenblatt.data.sources.byte_source.LONGEST_LINE", 10_000)
    (tmp_path / "t.svm").write_text("1 1:1\n1 " + "1" * 20_000)
    with pytest.raises(DataError, match="a line is longer than"):
        list(scan(str(tmp_path / "t.svm")).growing_blocks())


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the limit is set by ulimit")
def test_a_bomb_ends_in_one_line_where_the_process_has_a_limit(tmp_path):
    """4 GB of rows in many gzip members, packed to some MB; the process may have 2 GB."""
    path = tmp_path / "bomb.csv.gz"
    path.write_bytes(gzip.compress(b"a,y\n1,0\n") + 64 * gzip.compress(b"0,1\n" * (1 << 24), 1))
    command = f"ulimit -v 2000000; OPENBLAS_NUM_THREADS=1 exec {sys.executable} -m rosenblatt train {path}"
    ended = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=300, check=False)
    assert ended.returncode == 1, ended.stderr
    assert "unpacks to more than" in ended.stderr
    assert "--stream" in ended.stderr


@pytest.mark.parametrize("road", [[], ["--stream", "-q"]])
def test_an_index_whose_weights_no_memory_holds_is_refused_with_the_numbers(tmp_path, road):
    (tmp_path / "t.svm").write_text("1 1:1 9000000000000000:2\n-1 3:1\n")
    message = error("train", tmp_path / "t.svm", *road)
    assert "the largest index is 9,000,000,000,000,000" in message
    assert "need about 144,000,000,000 MB" in message
    assert "of memory are available" in message


@pytest.mark.parametrize("road", [[], ["--stream", "-q"]])
def test_two_thousand_million_features_are_refused_where_there_is_no_room(tmp_path, little_memory, road):
    (tmp_path / "t.svm").write_text("1 1:1 2000000000:2\n-1 3:1\n")
    assert "1 × 2,000,000,000 weights need about 32,000 MB; 2 MB" in error("train", tmp_path / "t.svm", *road)


def test_a_check_of_two_thousand_million_features_is_refused_as_well(tmp_path, little_memory):
    (tmp_path / "t.svm").write_text("1 1:1 2000000000:2\n-1 3:1\n")
    assert "weights need about 32,000 MB" in error("check", tmp_path / "t.svm")


def test_the_sizes_of_columns_take_room_only_for_those_in_use(tmp_path):
    (tmp_path / "t.svm").write_text("1 1:1 2000000000:2000\n-1 3:1\n")
    assert read(str(tmp_path / "t.svm")).scales_differ()


def test_the_recipe_for_large_indices_works(tmp_path):
    (tmp_path / "t.svm").write_text("1 1:1 2000000000:2\n-1 3:1\n1 1:4\n")
    loaded = read(str(tmp_path / "t.svm"))
    used, indices = np.unique(loaded.X.indices, return_inverse=True)
    assert used.tolist() == [0, 2, 1999999999]
    lines = io.StringIO()
    for label, start, stop in zip(loaded.labels.y, loaded.X.starts[:-1], loaded.X.starts[1:], strict=True):
        entries = zip(indices[start:stop] + 1, loaded.X.values[start:stop], strict=True)
        print(label, *(f"{index}:{value}" for index, value in entries), file=lines)
    (tmp_path / "small.svm").write_text(lines.getvalue())
    small = read(str(tmp_path / "small.svm"))
    assert small.X.shape == (3, 3)
    assert models.train(small, models.Plan()).record.features.n_features == 3


def test_a_report_on_many_features_names_only_the_heaviest(tmp_path, monkeypatch):
    from rosenblatt.data.features import Features

    monkeypatch.setattr(Features, "names", None)
    (tmp_path / "t.svm").write_text("1 1:1 1000000:2\n-1 3:1\n")
    report = as_json("train", tmp_path / "t.svm")
    assert "x1000000" in [name for top in report["top_weights"].values() for name, _ in top]
