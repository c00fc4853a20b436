"""The svmlight parser of the core, compared with a simple one in Python."""

import io
import struct
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import dump_svmlight_file, load_svmlight_file

from rosenblatt.core import SvmlightError, SvmlightReading, xxh64


def as_bytes(text: str | bytes) -> np.ndarray:
    return np.frombuffer(text.encode() if isinstance(text, str) else text, dtype=np.uint8)


def parse(text: str | bytes, **read_options: Any) -> dict[str, Any]:
    return SvmlightReading(as_bytes(text), **read_options).finish()


def read_or_refused(content: bytes, **read_options: Any) -> dict[str, Any] | str:
    try:
        return parse(content, **read_options)
    except SvmlightError as error:
        return str(error)


def plainly(text: str) -> tuple[list[float], list[list[tuple[int, float]]], list[int]]:
    """Labels, entries by row and query ids, parsed by Python."""
    labels, rows, qids = [], [], []
    for line in text.split("\n"):
        label, *tokens = line.split("#")[0].split() or [None]
        if label is None:
            continue
        labels.append(float(label))
        if tokens and tokens[0].startswith("qid:"):
            qids.append(int(tokens.pop(0)[4:]))
        rows.append([(int(token.split(":")[0]), float(token.split(":")[1])) for token in tokens])
    return labels, rows, qids


def rows_of(found: dict[str, Any]) -> list[list[tuple[int, float]]]:
    base = 0 if found["zero_based"] else 1
    starts = found["starts"]
    return [
        [(int(j) + base, float(v)) for j, v in zip(found["indices"][a:b], found["values"][a:b], strict=True)]
        for a, b in pairwise(starts.tolist())
    ]


def bits(values: Iterable[float]) -> list[bytes]:
    return [struct.pack("<d", value) for value in values]


finite = st.floats(allow_nan=False, allow_infinity=False)
written = st.one_of(
    finite.map(repr),
    finite.map("{:.17e}".format),
    st.floats(-1e6, 1e6).map("{:g}".format),
    st.floats(-1e6, 1e6).map("{:+.3f}".format),
    st.integers(-(10**25), 10**25).map(str),
    st.tuples(st.integers(0, 10**30), st.integers(-330, 280)).map("{0[0]}.{0[0]}E{0[1]}".format),
    st.sampled_from(["0", "-0", "+0.0", ".5", "5.", "-.25", "1e-400", "-1e-400", "0e999", "4.9e-324", "1e22", "1e23"]),
)
held = written.filter(lambda number: np.isfinite(float(number)))  # a file with any other is refused
blank = st.sampled_from([" ", "  ", "\t", " \t ", "\r"])
index_sets = st.sets(st.integers(0, 50), max_size=6).map(sorted)


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Well-formed files: comments, blank lines, query ids on all lines or none, every way to write a number."""
    with_qid = draw(st.booleans())
    lines = []
    for _ in range(draw(st.integers(0, 8))):
        kind = draw(st.sampled_from(["example", "example", "example", "blank", "comment"]))
        if kind == "example":
            tokens = [draw(st.sampled_from(["+1", "-1", "0", "2.0", "1e0", "-3.5"]))]
            tokens += ["qid:" + str(draw(st.integers(-(10**9), 10**17)))] if with_qid else []
            tokens += [f"{j}:{draw(held)}" for j in draw(index_sets)]
            line = draw(blank).join(tokens)
            lines.append(line + draw(st.sampled_from(["", " ", "\r", " # 1:2 : # qid:9"])))
        else:
            lines.append({"blank": draw(st.sampled_from(["", "  ", "\t\r"])), "comment": "# 3:4 :::"}[kind])
    return "\n".join(lines) + draw(st.sampled_from(["", "\n", "\n\n"]))


@given(texts(), st.integers(1, 40), st.sampled_from([1, 2, 5]))
def test_reads_what_a_plain_reader_reads_in_chunks_of_any_size_and_any_number_of_threads(text, chunk_bytes, threads):
    found = parse(text, chunk_bytes=chunk_bytes, threads=threads)
    labels, rows, qids = plainly(text)
    assert bits(found["labels"]) == bits(labels)
    assert [[j for j, _ in row] for row in rows_of(found)] == [[j for j, _ in row] for row in rows]
    assert bits(found["values"]) == bits(v for row in rows for _, v in row)
    assert (found["qids"] is None) == (not qids)
    assert qids == ([] if found["qids"] is None else found["qids"].tolist())
    indices = [j for row in rows for j, _ in row]
    assert found["zero_based"] == (0 in indices)
    assert found["features"] == (max(indices) + (0 in indices) if indices else 0)


@given(written)
def test_every_way_to_write_a_number_is_rounded_correctly(number):
    expected = float(number)
    if np.isinf(expected):
        with pytest.raises(SvmlightError, match="not a finite number"):
            parse(f"1 1:{number}")
    else:
        assert bits(parse(f"1 1:{number}")["values"]) == bits([expected])


@given(st.integers(0, 2**63), st.integers(-30, 30))
def test_short_decimals_near_the_limits_of_the_fast_path_are_rounded_correctly(mantissa, exponent):
    text = f"{mantissa}e{exponent}"
    assert bits(parse(f"1 1:{text}")["values"]) == bits([float(text)])


digits = st.text("0123456789", min_size=1, max_size=10)
usual = st.one_of(
    st.tuples(st.sampled_from(["", "-"]), digits).map("".join),
    st.tuples(st.sampled_from(["", "-"]), digits, st.just("."), digits).map("".join),
)


@given(st.dictionaries(st.integers(0, 10**9), usual, max_size=6), st.sampled_from(["", " # " + 40 * ":"]))
def test_entries_of_the_usual_form_are_read_as_all_others_are(entries, room):
    # Entries with enough bytes after them take the fast path; the last ones of a text do not.
    line = " ".join(["1", *(f"{j}:{entries[j]}" for j in sorted(entries))]) + room
    found = parse(line, zero_based=True)
    assert found["indices"].tolist() == sorted(entries)
    assert bits(found["values"]) == bits(float(entries[j]) for j in sorted(entries))


@given(texts(), st.sampled_from([1, 2, 5]))
def test_a_text_is_hashed_while_it_is_parsed(text, threads):
    assert parse(text, threads=threads, chunk_bytes=16, hash=True)["hash"] == xxh64(as_bytes(text))
    assert parse(text, threads=threads, chunk_bytes=16)["hash"] is None


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_a_reading_can_be_finished_once_or_abandoned(threads):
    text = as_bytes("1 1:2 3:4\n" * 50_000)
    abandoned = SvmlightReading(text, threads=threads, chunk_bytes=1000)
    del abandoned
    reading = SvmlightReading(text, threads=threads, chunk_bytes=1000)
    assert len(reading.finish()["labels"]) == 50_000
    with pytest.raises(ValueError, match="is finished"):
        reading.finish()


@given(st.binary(max_size=200), st.integers(1, 50), st.sampled_from([None, True, False]))
def test_any_bytes_are_read_or_refused(content, chunk_bytes, zero_based):
    found = read_or_refused(content, chunk_bytes=chunk_bytes, threads=2, zero_based=zero_based)
    if isinstance(found, str):
        assert found.startswith("line ")
    else:
        assert found["starts"][-1] == len(found["values"]) == len(found["indices"])


@given(texts(), st.data())
def test_a_damaged_file_is_read_or_refused(text, data):
    content = bytearray(text.encode())
    for _ in range(data.draw(st.integers(1, 4))):
        if content:
            content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    found = read_or_refused(bytes(content), chunk_bytes=7)
    assert isinstance(found, str) or np.isfinite(found["values"]).all()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("+1 1:2\nspam 1:2\n", "line 2: the label 'spam' is not a finite number"),
        ("1 1:2\n\n# x\n1 1:\n", "line 4: the value of '1:' is not a finite number"),
        ("1 1:2 3\n", "line 1: '3' is not of the form index:value"),
        ("1 1:2 x:3", "line 1: 'x:3' is not of the form index:value"),
        ("1 1:2x", "line 1: the value of '1:2x' is not a finite number"),
        ("1 1:nan", "line 1: the value of '1:nan' is not a finite number"),
        ("1 1:-inf", "line 1: the value of '1:-inf' is not a finite number"),
        ("1 1:1e999", "line 1: the value of '1:1e999' is not a finite number"),
        ("1 2:1 1:1", "line 1: index 1 (in '1:1') comes after 2; sort the indices of each line"),
        ("1 2:1 2:1", "line 1: index 2 comes twice"),
        ("1 -2:1", "line 1: the index of '-2:1' is negative"),
        ("1,2 1:1", "line 1: '1,2' names several labels"),
        ("1:2 2:3", "line 1: the line begins with '1:2', not with a label"),
        ("1 qid:x 1:2", "line 1: 'qid:x' is not a query id"),
        ("1 qid:1 1:2\n1 1:2", "line 2: has no qid, unlike line 1"),
        ("1 1:2\n\n1 qid:1 1:2", "line 3: has a qid, unlike line 1"),
        ("nan 1:2", "line 1: the label 'nan'"),
        ("1 99999999999999999999:1", "line 1: '99999999999999999999:1' is not of the form"),
        ("1 1:2\n1 1:\x00\xff" + "a" * 99, "line 2: the value of '1:\\x00\\xc3\\xbf" + "a" * 25 + "...'"),
    ],
)
@pytest.mark.parametrize("chunk_bytes", [1, 1 << 20])
def test_a_fault_is_refused_with_its_line(text, message, chunk_bytes):
    with pytest.raises(SvmlightError) as refused:
        parse(text, chunk_bytes=chunk_bytes, threads=2)
    assert message in str(refused.value)


def test_the_first_fault_counts_whichever_thread_finds_its_own_first():
    text = "1 1:1\n" * 50 + "1 bad\n" + "1 1:1\n" * 50 + "1 worse\n"
    with pytest.raises(SvmlightError, match=r"^line 51: 'bad'"):
        parse(text, chunk_bytes=16, threads=4)


def test_indices_begin_where_the_caller_says():
    assert parse("1 1:5", zero_based=True)["indices"].tolist() == [1]
    assert parse("1 1:5", zero_based=False)["indices"].tolist() == [0]
    assert parse("1 1:5\n1 0:1")["indices"].tolist() == [1, 0]
    with pytest.raises(SvmlightError, match="line 2: index 0"):
        parse("1 1:5\n1 0:1", zero_based=False)


def test_more_features_than_expected_are_refused_with_their_line():
    assert parse("1 3:5", features=7)["features"] == 7
    for zero_based in (None, False):
        with pytest.raises(SvmlightError, match="line 2: index 4 is beyond the 3 features expected"):
            parse("1 3:5\n1 4:1", features=3, zero_based=zero_based)
    with pytest.raises(SvmlightError, match="line 2: index 3 is beyond the 3 features expected"):
        parse("1 0:5\n1 3:1", features=3)


def test_large_indices_take_64_bits_and_others_32():
    assert parse("1 2147483646:1")["indices"].dtype == np.int32
    found = parse("1 1:1 2147483648:1\n-1 123456789012345678:2")
    assert found["indices"].dtype == found["starts"].dtype == np.int64
    assert found["indices"].tolist() == [0, 2147483647, 123456789012345677]
    assert found["features"] == 123456789012345678


def test_a_byte_order_mark_and_an_empty_text_are_nothing():
    assert parse(b"\xef\xbb\xbf1 1:1")["labels"].tolist() == [1]
    assert parse("")["starts"].tolist() == [0]
    assert parse("\n# only\n")["labels"].tolist() == []


def test_agrees_with_scikit_learn_on_what_it_writes():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((200, 30)) * (rng.random((200, 30)) < 0.2)
    buffer = io.BytesIO()
    dump_svmlight_file(X, rng.integers(0, 3, 200), buffer, zero_based=False, comment="made here")
    theirs, labels = load_svmlight_file(io.BytesIO(buffer.getvalue()), n_features=30)
    ours = parse(buffer.getvalue(), features=30, threads=2, chunk_bytes=1000)
    np.testing.assert_array_equal(ours["labels"], labels)
    np.testing.assert_array_equal(ours["values"], theirs.data)
    np.testing.assert_array_equal(ours["indices"], theirs.indices)
    np.testing.assert_array_equal(ours["starts"], theirs.indptr)


@pytest.mark.parametrize(
    ("content", "expected"),
    [  # from the algorithm's published test vectors
        (b"", 0xEF46DB3751D8E999),
        (b"a", 0xD24EC4F1A98C6E5B),
        (b"abc", 0x44BC2CF5AD770999),
        (b"Nobody inspects the spammish repetition", 0xFBCEA83C8A378BF1),
    ],
)
def test_fingerprints_are_xxh64(content, expected):
    assert xxh64(as_bytes(content)) == expected
