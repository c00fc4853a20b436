"""Files that cannot be learned from: each gets one sentence that names the cause, the place and a remedy that works."""

import gzip
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from rosenblatt.data.sources import byte_source, file_bytes
from tests.cli.running import done, error, run

ROADS = [[], ["--stream"]]
ROWS = "".join(f"{k * k % 17},{k % 7},{k % 2}\n" for k in range(40))


def text_of(name: str) -> bytes:
    """The content of a bad file."""
    table = pa.table({"a": list(range(1000)), "y": [0, 1] * 500})
    sink = pa.BufferOutputStream()
    parquet.write_table(table, sink)
    packed = gzip.compress(("a,b,y\n" + ROWS * 50).encode())
    return {
        "empty.csv": b"",
        "blank.csv": b"\n\n\n",
        "header.csv": b"a,b,y\n",
        "one_row.csv": b"a,b,y\n1,2,x\n",
        "one_class.csv": b"a,y\n" + b"".join(b"%d,x\n" % (k * k) for k in range(30)),
        "all_left_out.csv": b"id,k,y\n" + b"".join(b"%d,5,%d\n" % (k, k % 2) for k in range(60)),
        "continuous.csv": b"a,price\n" + b"".join(b"%d,%d\n" % (k * k % 17, k % 3) for k in range(40)) + b"3,2.5\n",
        "many_classes.csv": b"a,y\n" + b"".join(b"%d,c%d\n" % (k * k % 17, k % 80) for k in range(100)),
        "cut.csv": ("a,b,y\n" + ROWS + "3,").encode(),
        "cut_in_quotes.csv": ("a,b,y\n" + ROWS + '3,"w').encode(),
        "cut.csv.gz": packed[: len(packed) // 2],
        "cut.parquet": sink.getvalue().to_pybytes()[:400],
        "cut.json": b'[{"a":1,"y":0},{"a":2,"y"',
        "cut.jsonl": b'{"a":1,"y":0}\n{"a":2,',
        "cut.svm": b"1 1:2 2:3\n-1 1:3\n1 2:",
        "zeros.csv": b"a,b,y\n1,2,x\n" + bytes(1000),
    }[name]


@pytest.mark.parametrize("road", ROADS)
@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("empty.csv", "empty.csv is empty."),
        ("blank.csv", "has no lines"),
        ("header.csv", "has a header but no rows."),
        ("one_row.csv", "has 1 class ('x'); a perceptron needs at least 2."),
        ("one_class.csv", "has 1 class ('x'); a perceptron needs at least 2."),
        ("all_left_out.csv", "every column but the target 'y' is left out: 'id' is row number"),
        ("continuous.csv", "column 'price', line 42: the target 2.5 is not a whole number."),
        ("many_classes.csv", "column 'y': 80 different labels in 100 rows are no classes."),
        (
            "cut.csv",
            "line 42: 2 columns where the header has 3. Correct the line. It is the last line: is the file whole?",
        ),
        ("cut_in_quotes.csv", "line 42: 2 columns where the header has 3."),
        ("cut.csv.gz", "is incomplete: its gzip data ends early"),
        ("cut.parquet", "cannot be read as parquet"),
        ("cut.json", "object 2: not JSON"),
        ("cut.jsonl", "object 2: not JSON"),
        ("cut.svm", "line 3: the value of '2:' is not a finite number."),
        ("zeros.csv", "is not text: it has zero bytes."),
    ],
)
def test_a_bad_file_gets_its_sentence_on_both_roads(tmp_path, name, sentence, road):
    (tmp_path / name).write_bytes(text_of(name))
    result = run("train", tmp_path / name, *road, "-o", tmp_path / "m.json")
    assert result.exit_code == 1
    assert sentence in result.stderr.strip().splitlines()[-1]
    assert "Traceback" not in result.output
    assert not (tmp_path / "m.json").exists()


@pytest.mark.parametrize("road", ROADS)
def test_a_wrong_delimiter_is_answered_with_the_right_one(tmp_path, road):
    path = tmp_path / "t.csv"
    path.write_text("a b,c;d;y\n" + ROWS.replace(",", ";"))
    for wrong in (",", "|"):
        message = error("train", path, "--delimiter", wrong, *road)
        suggested = re.search(r"\((--delimiter .*?);? in Python", message)[1]
        done("train", path, *shlex.split(suggested), *road)
    done("train", path, *road)  # found without help


@pytest.mark.parametrize("road", ROADS)
@pytest.mark.parametrize("name", ["t.csv", "t.svm", "t.jsonl", "t.json"])
def test_a_line_without_end_is_refused(tmp_path, monkeypatch, name, road):
    """The same as the test of 10 GB below, with a lower limit."""
    for module in (file_bytes, byte_source):
        monkeypatch.setattr(module, "LONGEST_LINE", 1 << 23)
    begin = {
        "t.csv": "a,y\n1,0\n2,1\n",
        "t.svm": "1 1:2\n-1 1:",
        "t.jsonl": '{"a":1,"y":0}\n{"a":"',
        "t.json": '[{"a":"',
    }
    with (tmp_path / name).open("wb") as file:
        file.write(begin[name].encode() + b"1" * (1 << 24))
    result = run("train", tmp_path / name, *road)
    assert result.exit_code == 1
    assert re.search(r"longer than|not JSON", result.stderr), result.stderr


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits the memory of a process as Linux does")
@pytest.mark.parametrize("road", ROADS)
@pytest.mark.parametrize("name", ["t.csv", "t.svm"])
def test_a_line_of_ten_gigabytes_is_refused_in_bounded_memory(tmp_path, name, road):
    """The file is sparse: after a megabyte it is a hole, which takes no disk."""
    begin = {"t.csv": b"a,y\n1,0\n2,1\n", "t.svm": b"1 1:2\n-1 1:"}
    with (tmp_path / name).open("wb") as file:
        file.write(begin[name] + b"1" * (1 << 20))
        file.truncate(10 * 1024**3)
    limited = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_DATA, (2 << 30, 2 << 30)); "
        "from rosenblatt.cli import main; main()"
    )
    found = subprocess.run(
        [sys.executable, "-c", limited, "train", tmp_path / name, *road], capture_output=True, text=True, check=False
    )
    assert found.returncode == 1, found.stderr
    assert "longer than" in found.stderr.strip().splitlines()[-1]


def test_a_pipe_that_is_cut_is_refused(tmp_path):
    packed = gzip.compress(("a,b,y\n" + ROWS * 50).encode())
    for road in ROADS:
        assert "is incomplete" in error("train", "-", *road, stdin=packed[: len(packed) // 2])


def test_predict_and_evaluate_take_several_files(tmp_path):
    for k, part in enumerate((ROWS[: len(ROWS) // 2 + 1], ROWS)):
        (tmp_path / f"part{k}.csv").write_text("a,b,y\n" + part[: part.rfind("\n") + 1])
    parts = sorted(tmp_path.glob("part*.csv"))
    done("train", *parts, "-q", "-o", tmp_path / "m.json")
    rows = sum(len(Path(part).read_text().splitlines()) - 1 for part in parts)
    for sources in (parts, [f"{tmp_path}/part*.csv"]):
        assert len(done("predict", tmp_path / "m.json", *sources).splitlines()) == rows + 1
        assert f"of {rows} wrong" in done("evaluate", tmp_path / "m.json", *sources)
