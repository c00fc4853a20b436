"""What `rosenblatt train --stream` needs on disk: said before it is written, refused where there is no room."""

import gzip
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

from rosenblatt.data import scan
from rosenblatt.data.formats import arrow, csv, npy
from rosenblatt.data.sources import byte_source
from rosenblatt.learning.rows.row_cache import RowCache
from rosenblatt.models import Plan, StreamSource, train
from tests.cli.running import done, error, run

ROWS, COLUMNS = 4000, 5
DENSE = ROWS * (8 * COLUMNS + 4)
COMMAND = [sys.executable, "-m", "rosenblatt", "train"]
POSIX = pytest.mark.skipif(os.name == "nt", reason="limits on files, and mounts")


def written(folder: Path, form: str) -> tuple[Path, int]:
    """The same examples in a file of this format, and the bytes that their copy takes."""
    random = np.random.default_rng(0)
    X, y = random.normal(size=(ROWS, COLUMNS)).round(3), random.integers(0, 2, ROWS)
    table = pa.table({f"x{j}": X[:, j] for j in range(COLUMNS)} | {"y": y})
    path = folder / f"t.{form}"
    if form == "parquet":
        pa.parquet.write_table(table, path)
    elif form == "arrow":
        with pa.ipc.new_file(path, table.schema) as file:
            file.write_table(table, max_chunksize=500)
    elif form == "npy":
        np.save(path, np.column_stack([X, y]))
    elif form == "svm":
        path.write_text("".join(f"{label} 1:{a} 3:{b}\n" for label, (a, b, *_) in zip(y, X.tolist(), strict=True)))
        return path, ROWS * (2 * 12 + 12)
    else:
        pa.csv.write_csv(table, folder / "t.csv")
        if form == "csv.gz":
            path.write_bytes(gzip.compress((folder / "t.csv").read_bytes()))
    return path, DENSE


FORMS = ["csv", "csv.gz", "parquet", "arrow", "npy", "svm"]


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv, "_SCAN_BLOCK", 1 << 14)
    monkeypatch.setattr(arrow, "_ROWS", 500)
    monkeypatch.setattr(npy, "_VALUES", 3000)
    monkeypatch.setattr(byte_source, "_BLOCK", 1 << 14)


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("form", FORMS)
def test_the_disk_use_is_estimated_from_the_first_block(tmp_path: Path, form: str) -> None:
    path, size = written(tmp_path, form)
    told = []
    train(StreamSource(scan(str(path)), watch=told.append), Plan("Perceptron", {"max_iter": 1}))
    assert len(told) > 3
    # gzip reads ahead by 8 kB, which is half of such a small block.
    assert told[0].expected == pytest.approx(size, rel=0.6 if form == "csv.gz" else 0.08)
    assert told[-1].expected == pytest.approx(size, rel=0.01)  # the end of an Arrow file holds no rows
    assert told[-1].written == pytest.approx(size, abs=8)  # where the first sparse row begins


@pytest.mark.parametrize("form", FORMS)
def test_the_command_says_how_much_and_where(tmp_path: Path, form: str) -> None:
    path, size = written(tmp_path, form)
    said = run("train", path, "--stream", "--max-iter", 1, "--cache-folder", tmp_path)
    assert said.exit_code == 0, said.output
    about = re.search(r"note: the examples take about (.+) kB of disk in (.+) until the training is over", said.stderr)
    assert about is not None, said.stderr
    assert float(about[1]) == pytest.approx(size / 1000, rel=0.02)
    assert about[2] == str(tmp_path)


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("form", FORMS)
def test_a_disk_that_is_too_small_is_refused_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    path, _ = written(tmp_path, form)
    full, roomy = tmp_path / "full", tmp_path / "roomy"
    full.mkdir()
    roomy.mkdir()
    files: list[Path] = []
    new = RowCache._new
    monkeypatch.setattr(RowCache, "_new", lambda cache: files.append(cache.folder) or new(cache))
    free = {full: 60_000, roomy: 10**9}  # a block has room, all examples have not
    monkeypatch.setattr("shutil.disk_usage", lambda folder: SimpleNamespace(free=free[Path(folder)]))
    said = error("train", path, "--stream", "--cache-folder", full)
    assert f"kB in {full}, where 60.0 kB are free" in said
    assert said.endswith("Free disk space, or name another folder (--cache-folder).")
    assert files == []
    done("train", path, "--stream", "--max-iter", 1, "--cache-folder", roomy)


def test_rows_of_a_query_are_refused_by_the_block_because_their_number_is_unknown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("duckdb")
    path, _ = written(tmp_path, "parquet")
    query = ["train", path, "--sql", "select * from data", "--stream"]
    assert "4,000 examples take 176.0 kB of disk" in run(*query, "--max-iter", 1).stderr
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=60_000))
    assert "where 60.0 kB are free" in error(*query)


@POSIX
def test_the_folder_for_temporary_files_is_that_of_tmpdir(tmp_path: Path) -> None:
    path, _ = written(tmp_path, "csv")
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    said = subprocess.run(
        [*COMMAND, str(path), "--stream", "--max-iter", "1"],
        env=os.environ | {"TMPDIR": str(folder)},
        capture_output=True,
        text=True,
        check=True,
    ).stderr
    assert f"of disk in {folder} until" in said


@POSIX
@pytest.mark.parametrize(("source", "remedy"), [("t.csv", "--cache-folder"), ("- < t.csv", "TMPDIR")])
def test_a_disk_that_fills_up_meanwhile_is_said_in_one_line_and_nothing_is_left(
    tmp_path: Path, source: str, remedy: str
) -> None:
    written(tmp_path, "csv")
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    train = f"{shlex.join(COMMAND)} {source} --stream --quiet"  # ulimit: 512-byte blocks that a file may have
    said = subprocess.run(
        ["sh", "-c", f"ulimit -f 40 && exec {train}"],
        env=os.environ | {"TMPDIR": str(folder)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert said.returncode == 1
    assert said.stderr.startswith(f"Error: the disk is full: {folder} ")
    assert remedy in said.stderr
    assert said.stderr.count("\n") == 1
    assert list(folder.iterdir()) == []


def in_namespace(script: str) -> list[str]:
    """A command that may mount: as root of a user namespace of its own."""
    return ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script]


@POSIX
def test_a_file_system_that_is_too_small_is_refused_in_advance(tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    mount = f"mount -t tmpfs -o size=64k tmpfs {shlex.quote(str(small))}"
    if not shutil.which("unshare") or subprocess.run(in_namespace(mount), capture_output=True, check=False).returncode:
        pytest.skip("no file system can be mounted here")
    path, _ = written(tmp_path, "csv")
    train = [*COMMAND, str(path), "--stream", "--quiet", "--cache-folder", str(small)]
    said = subprocess.run(
        in_namespace(f"{mount} && {shlex.join(train)}; code=$?; ls -A {shlex.quote(str(small))}; exit $code"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert said.returncode == 1, said.stderr
    assert said.stderr == (
        f"Error: the examples need about {DENSE / 1000:.1f} kB in {small}, where 65.5 kB are free. Free disk space, "
        "or name another folder (--cache-folder).\n"
    )
    assert said.stdout == ""
