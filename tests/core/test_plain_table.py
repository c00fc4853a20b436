"""The reader of plain tables gives the same values as Python's csv module, and returns None for any other text."""

import csv
import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt.core import plain_table

numbers = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.floats(-1e5, 1e5).map("{:.3f}".format),
    st.integers(-(10**20), 10**20).map(str),
)
fields = st.one_of(numbers, st.sampled_from(["spam", "ham", "", "x y", "é"]))


def parse(text: str | bytes, roles: str, **how: int):
    content = text if isinstance(text, bytes) else text.encode()
    return plain_table(np.frombuffer(content, dtype=np.uint8), delimiter=",", roles=roles, **how)


@given(
    st.lists(st.tuples(numbers, fields, numbers), max_size=8),
    st.sampled_from(["n-n", "nln", "--n", "nl-"]),
    st.sampled_from(["\n", "\r\n", "\n\n"]),
    st.booleans(),
    st.integers(1, 60),
)
def test_numbers_and_labels_are_those_of_a_plain_reader(rows, roles, newline, ends, chunk_bytes):
    text = newline.join(",".join(row) for row in rows) + (newline if ends else "")
    X, codes, labels = parse(text, roles, chunk_bytes=chunk_bytes, threads=3)
    read = list(csv.reader(io.StringIO(text)))
    expected = [[float(row[j]) for j in range(3) if roles[j] == "n"] for row in read if row]
    assert X.shape == (len(expected), roles.count("n"))
    assert X.tobytes() == np.array(expected, dtype=float).reshape(X.shape).tobytes()
    if "l" in roles:
        assert [labels[code].decode() for code in codes] == [row[1] for row in read if row]
    else:
        assert (len(codes), labels) == (0, [])


@pytest.mark.parametrize(
    "text",
    ["1,\n", ",1\n", "1,2,3\n", "1\n", "1,x\n", "1, 2\n", "1 ,2\n", '"1",2\n', "1,nan\n", "1,inf\n", "1,1e999\n",
     "+1,2\n", "1,2\n3", "1,2\r3,4\n", "1,0x3\n"],
)  # fmt: skip
def test_other_text_is_left_to_the_general_reader(text):
    assert parse("1,2\n" + text, "nn") is None


@given(st.binary(max_size=120), st.sampled_from(["n", "nn", "ln", "n-l", "-"]), st.integers(1, 50))
def test_any_bytes_are_read_or_give_none(content, roles, chunk_bytes):
    found = parse(content, roles, chunk_bytes=chunk_bytes, threads=2)
    assert found is None or np.isfinite(found[0]).all()


def test_a_column_with_more_than_a_thousand_values_has_no_labels():
    text = "".join(f"1,k{k}\n" for k in range(1001))
    assert parse(text, "nl") is None
    assert len(parse(text[: text.index("1,k1000")], "nl")[2]) == 1000
