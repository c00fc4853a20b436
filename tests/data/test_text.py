"""Texts and many categories: hashed words with tf-idf, in memory and as a stream, kept in the model."""

import math
import re
from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import rosenblatt
from rosenblatt.core import BucketWords, hashed_texts, hashed_words
from rosenblatt.data import DataError, Features, ReadOptions, Sparse, read, scan
from rosenblatt.data.columns.hashing import DocumentFrequencies, sparse_side_by_side, text_rows
from rosenblatt.models import Plan, train
from rosenblatt.models.files import model_file
from tests.cli.running import as_json, done, error

texts = st.lists(st.text(max_size=60), min_size=1, max_size=12)


def lowered(word):
    return bytes(c + 32 if 65 <= c <= 90 else c for c in word)


def raw(contents):
    offsets = np.cumsum([0, *map(len, contents)])
    return np.frombuffer(b"".join(contents), np.uint8), offsets.astype(np.int64)


@pytest.mark.slow
@given(texts, st.integers(1, 3), st.integers(1, 3))
def test_a_text_counts_its_runs_of_words(written, ngrams, threads):
    bits = 20
    contents = [text.encode() for text in written]
    counts, buckets, starts = hashed_words(*raw(contents), bits=bits, ngrams=ngrams, threads=threads)
    single = {}

    def bucket(run):
        if run not in single:
            # Of a run of n words alone, with n-grams of n: those of the shorter runs in it, and one more.
            n = len(run)
            all_of = Counter(dict(zip(*as_pairs(b" ".join(run), bits, n), strict=True)))
            less = Counter(dict(zip(*as_pairs(b" ".join(run), bits, n - 1), strict=True))) if n > 1 else Counter()
            [(single[run], _)] = (all_of - less).items()
        return single[run]

    for i, content in enumerate(contents):
        words = [lowered(w) for w in re.findall(rb"[A-Za-z0-9_\x80-\xff]+", content) if len(w) > 1]
        expected = Counter()
        for n in range(1, ngrams + 1):
            for k in range(len(words) - n + 1):
                expected[bucket(tuple(words[k : k + n]))] += 1
        mine = slice(starts[i], starts[i + 1])
        assert dict(zip(buckets[mine].tolist(), counts[mine].tolist(), strict=True)) == dict(expected)
        assert np.all(np.diff(buckets[mine]) > 0)


def as_pairs(content, bits, ngrams):
    counts, buckets, _ = hashed_words(*raw([content]), bits=bits, ngrams=ngrams)
    return buckets.tolist(), counts.tolist()


@given(st.lists(st.text("ab c", max_size=20) | st.none(), min_size=1, max_size=20))
def test_rows_have_length_one_and_rare_words_weigh_more(written):
    column = pa.chunked_array([written[: len(written) // 2], written[len(written) // 2 :]], pa.string())
    frequencies = DocumentFrequencies("t", ReadOptions(hash_bits=10, ngrams=1))
    frequencies.add(column)
    how = frequencies.column()
    X = text_rows(column, how).to_scipy().toarray()
    for row, text in zip(X, written, strict=True):
        words = [w for w in (text or "").split() if len(w) > 1]
        assert math.isclose(np.linalg.norm(row), 1.0 if words else 0.0, rel_tol=1e-12)
    frequency = Counter(word for text in written for word in {w for w in (text or "").split() if len(w) > 1})
    for word, df in frequency.items():
        bucket = hashed_words(*raw([word.encode()]), bits=10, ngrams=1)[1][0]
        shared = sum(
            frequency[w] for w in frequency if hashed_words(*raw([w.encode()]), bits=10, ngrams=1)[1][0] == bucket
        )
        if shared == df:
            place = how.buckets.tolist().index(bucket)
            assert how.idf[place] == math.log((1 + len(written)) / (1 + df)) + 1


@given(st.data())
def test_columns_stand_side_by_side_as_if_they_were_dense(drawn):
    rows = drawn.draw(st.integers(1, 8))
    number = np.array(drawn.draw(st.lists(st.integers(-2, 2), min_size=rows, max_size=rows)), float)
    codes = np.array(drawn.draw(st.lists(st.integers(-1, 2), min_size=rows, max_size=rows)))
    block = np.array(drawn.draw(st.lists(st.integers(0, 1), min_size=3 * rows, max_size=3 * rows)), float).reshape(
        rows, 3
    )
    made = sparse_side_by_side([number, (codes, 3), Sparse.from_scipy(sp.csr_matrix(block))], rows, 7)
    onehot = np.eye(3)[codes] * (codes >= 0)[:, None]
    np.testing.assert_array_equal(made.to_scipy().toarray(), np.column_stack([number, onehot, block]))


@pytest.fixture
def mails(tmp_path):
    rng = np.random.default_rng(0)
    ham, spam = (
        ["meeting agenda tomorrow notes", "lunch at noon with the team"],
        ["cheap pills now", "win money win now"],
    )
    path = tmp_path / "mails.csv"
    with path.open("w") as file:
        file.write("size,body,sender,label\n")
        for k in range(300):
            kind = k % 3 == 0
            words = rng.choice((spam if kind else ham)[k % 2].split(), 6)
            file.write(f'{k * k},"{" ".join(words)}, ""quoted""\nline",user{k},{"spam" if kind else "ham"}\n')
    return path


def test_a_spam_filter_is_one_command(tmp_path, mails):
    model = tmp_path / "m.json"
    report = as_json("train", mails, "--text", "body", "--drop", "sender", "-o", model)
    assert report["test"]["accuracy"] == 1.0
    words = read(str(mails), ReadOptions(text=["body"])).features.columns[1]
    assert report["n_features"] == 1 + len(words.buckets) < 1000
    assert "the words of 1 column hashed" in done("inspect", model)
    new = "label,body,size\nham,the agenda of the meeting,3\nspam,win cheap money,3\nham,,3\n"
    assert as_json("predict", model, "-", stdin=new)["predictions"][:2] == ["ham", "spam"]


def test_many_categories_are_hashed_with_a_note(mails, monkeypatch):
    monkeypatch.setattr("rosenblatt.data.columns.learn.MAX_CATEGORIES", 100)
    options = ReadOptions(text=["body"], keep=["sender"], pool=False)
    for take in (read, scan):
        assert "column 'sender' has 300 different values, too many for categories; they are hashed" in "".join(
            take(str(mails), options).notes
        )
    loaded = read(str(mails), ReadOptions(text=["body"], categorical=["sender"], hash_bits=8, pool=False))
    assert [column.bits for column in loaded.features.columns] == [None, 8, 8]
    assert loaded.X.shape == (300, 1 + len(loaded.features.columns[1].buckets) + 256)
    sender = loaded.X.to_scipy().toarray()[:, -256:]
    np.testing.assert_array_equal(sender.sum(axis=1), 1)
    expected = hashed_texts(*raw([f"user{k}".encode() for k in range(300)]), bits=8)
    np.testing.assert_array_equal(sender.argmax(axis=1), expected)


def test_a_stream_of_texts_has_the_features_of_the_file_in_memory(mails):
    read_options = ReadOptions(text=["body"], hash_bits=10, drop=["sender"])
    loaded, scanned = read(str(mails), read_options), scan(str(mails), read_options)
    X = np.concatenate([block.X.to_scipy().toarray() for block in scanned.blocks()])
    np.testing.assert_array_equal(X, loaded.X.to_scipy().toarray())
    np.testing.assert_array_equal(scanned.features.columns[1].idf, loaded.features.columns[1].idf)


def test_the_words_weights_are_in_the_model_and_frames_are_taken(tmp_path, mails):
    loaded = read(str(mails), ReadOptions(text=["body"], hash_bits=14, drop=["sender"]))
    record = train(loaded, Plan()).record
    model_file.write(record, tmp_path / "m.json")
    again = model_file.read(tmp_path / "m.json")
    assert again.features == record.features
    np.testing.assert_array_equal(again.features.columns[1].idf, record.features.columns[1].idf)
    np.testing.assert_array_equal(again.predicted_codes(loaded.X), record.predicted_codes(loaded.X))
    pipeline = rosenblatt.load(tmp_path / "m.json")
    frame = pa.table({"size": [1.0, 2.0], "body": ["agenda tomorrow", "cheap pills"]})
    assert pipeline.predict(frame).tolist() == ["ham", "spam"]
    for part, message in (("idf of", "weights of the words"), ("buckets of", "weights of the words")):
        stored = record.features.to_json(lambda array, name, part=part: array[name.startswith(part) :].tolist())
        with pytest.raises(DataError, match=message):
            Features.from_json(stored)
    stored = record.features.to_json(lambda array, name: array[::-1].tolist())
    with pytest.raises(DataError, match="the buckets of column 'body' must be in ascending order"):
        Features.from_json(stored)


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ({"name": "t", "bits": 99}, "1 to 24 bits"),
        ({"name": "t", "bits": 4, "ngrams": 0}, "runs of words"),
        ({"name": "t", "bits": 1, "ngrams": 1, "idf": [1.0]}, "must be 2 finite numbers"),
    ],
)
def test_forged_hashed_columns_are_refused(column, message):
    with pytest.raises(DataError, match=message):
        Features.from_json({"kind": "table", "n_features": 2, "target": None, "columns": [column]})


def test_a_text_column_that_is_not_there_is_named(mails):
    assert "no column 'subject'" in error("train", mails, "--text", "subject")


@given(texts, st.integers(1, 3))
def test_each_bucket_keeps_a_run_of_words_that_falls_into_it(written, ngrams):
    bits = 6  # few buckets, so that words share them
    words = BucketWords(bits=bits, ngrams=ngrams)
    contents = [text.encode() for text in written]
    words.add(*raw(contents))
    found = words.words()
    assert set(found) == set(hashed_words(*raw(contents), bits=bits, ngrams=ngrams)[1].tolist())
    for bucket, run in found.items():
        n = len(run.split(" "))
        assert n <= ngrams
        assert bucket in hashed_words(*raw([run.encode()]), bits=bits, ngrams=n)[1]


def test_the_word_that_fills_more_than_half_of_a_bucket_is_kept():
    names = [f"w{k}" for k in range(40)]
    buckets = {name: hashed_words(*raw([name.encode()]), bits=3, ngrams=1)[1][0] for name in names}
    first = names[0]
    others = [name for name in names[1:] if buckets[name] == buckets[first]]
    assert len(others) >= 2
    contents = [*[first.encode()] * (len(others) + 1), *(name.encode() for name in others)]
    rng = np.random.default_rng(0)
    for _ in range(5):
        rng.shuffle(contents)
        words = BucketWords(bits=3, ngrams=1)
        words.add(*raw(contents))
        assert words.words()[int(buckets[first])] == first


@pytest.mark.parametrize("more", [[], ["--stream"]])
def test_weights_of_texts_and_hashed_levels_are_shown_by_words(tmp_path, more):
    lines = ["review,user,label"]
    users = [*range(1100), *np.random.default_rng(0).integers(0, 1100, 2000).tolist()]
    for k, user in enumerate(users):
        word, label = ("terrible", "bad") if k % 2 else ("splendid", "good")
        lines.append(f"the film number {k} was a {word} one indeed,user{user},{label}")
    (tmp_path / "t.csv").write_text("\n".join(lines))
    options = ["--text", "review", "--category", "user", "--max-iter", "3", "--hash-bits", "12", "--no-pool"]
    done("train", tmp_path / "t.csv", *options, *more, "-q", "-o", tmp_path / "m.json")
    shown = done("inspect", tmp_path / "m.json", "--top", "12")
    assert "review:terrible" in shown
    assert "review:splendid" in shown
    features = model_file.read(tmp_path / "m.json").features
    names = features.names()
    assert sum(name.startswith("user=user") for name in names) > 900
    assert len(set(names)) == len(names) == len(features.columns[0].buckets) + (1 << 12)
