"""Lines that are changed before a table is parsed: repeated headers, and runs of spaces."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt.data import DataError, ReadOptions, read, scan
from rosenblatt.data.formats.delimited import line_filters
from rosenblatt.data.formats.delimited.line_filters import FilteredLines, without_header

DEFAULT = ReadOptions()
HEADER = "size,kind\n"
LINES = st.lists(st.sampled_from(["size,kind", "1,a", "size,kinds", "", "2,size,kind", "\ufeffsize,kind"]), max_size=12)


@given(LINES, st.sampled_from(["\n", "\r\n"]), st.booleans(), st.integers(1, 9))
def test_a_stream_is_filtered_as_the_whole_text(lines, end, ends, size):
    text = (end.join(lines) + end * ends).encode()
    kept = [line for line in lines if line.removeprefix("\ufeff") != "size,kind"]
    whole, removed = without_header(text, b"size,kind")
    assert removed == len(lines) - len(kept)
    assert whole.split() == end.join(kept).encode().split()
    source = io.BytesIO(text)
    source.name = "stream"
    before, line_filters._BLOCK = line_filters._BLOCK, size
    try:
        streamed = io.BufferedReader(FilteredLines(source, lambda part: without_header(part, b"size,kind")[0])).read()
    finally:
        line_filters._BLOCK = before
    assert streamed.split() == whole.split()


def both(path, options=DEFAULT):
    """The classes and notes in memory and streamed, which must be the same."""
    whole, streamed = read(str(path), options), scan(str(path), options)
    labels = [label for block in streamed.blocks() for label in block.y.tolist()]
    assert labels == whole.labels.y.tolist()
    assert streamed.notes == whole.notes
    return whole


def test_a_header_that_is_repeated_far_into_a_large_file_is_left_out(tmp_path):
    rows = "".join(f"{k},{'ab'[k % 2]}\n" for k in range(300_000))
    (tmp_path / "t.csv").write_text(HEADER + rows + HEADER + rows)
    found = both(tmp_path / "t.csv", ReadOptions(keep=["size"]))
    assert found.n_examples == 600_000
    assert found.labels.classes.tolist() == ["a", "b"]
    assert "1 line repeats the header and is left out" in found.notes


def test_a_repeated_header_whose_features_are_named_by_numbers_is_left_out(tmp_path):
    rows = "".join(f"{k}.5,{2 * k}.25,{'ab'[k % 2]}\n" for k in range(30))
    (tmp_path / "t.csv").write_text(("1,2,kind\n" + rows) * 2)
    found = both(tmp_path / "t.csv")
    assert found.n_examples == 60
    assert found.labels.classes.tolist() == ["a", "b"]


def test_errors_after_a_repeated_header_name_the_line_in_the_file(tmp_path):
    (tmp_path / "t.csv").write_text(HEADER + "1,a\n2,b\n" + HEADER + "3,a\n4,b,c\n")
    with pytest.raises(DataError, match=r"line 6: 3 columns where the header has 2"):
        read(str(tmp_path / "t.csv"))
    with pytest.raises(DataError, match=r"line 6: 3 columns where the header has 2"):
        list(scan(str(tmp_path / "t.csv")).blocks())


def test_a_row_that_is_equal_to_a_header_of_numbers_is_a_row(tmp_path):
    (tmp_path / "t.csv").write_text("0,1,2\n" + "5,6,1\n7,8,0\n0,1,2\n")
    assert both(tmp_path / "t.csv", ReadOptions(has_header=True, keep_all=True)).n_examples == 3


def test_a_table_with_runs_of_spaces_equals_the_same_table_with_commas(tmp_path):
    rows = [
        ("size", "colour", "kind"),
        *((str(k * 7 % 13), "red" if k % 3 else "dark red", "ab"[k % 2]) for k in range(30)),
    ]
    (tmp_path / "t.csv").write_text("".join(",".join(row) + "\n" for row in rows))
    (tmp_path / "t.txt").write_text("".join("".join(f"{cell:<12}" for cell in row) + "\r\n" for row in rows))
    expected, found = both(tmp_path / "t.csv"), both(tmp_path / "t.txt")
    assert found.X.tolist() == expected.X.tolist()
    assert found.features.names() == expected.features.names()
    (tmp_path / "one.txt").write_text("a b\n1 x\n2  y\n")
    assert both(tmp_path / "one.txt", ReadOptions(delimiter=" ")).labels.classes.tolist() == ["x", "y"]


def test_a_line_with_another_number_of_columns_is_refused_with_its_number(tmp_path):
    (tmp_path / "t.txt").write_text("size  kind\n" + "1.5   a\n2.5   b\n" * 100 + "1  2  3\n")
    for take in (read, lambda path: list(scan(path).blocks())):
        with pytest.raises(DataError, match=r"line 202: 3 columns where the header has 2"):
            take(str(tmp_path / "t.txt"))
