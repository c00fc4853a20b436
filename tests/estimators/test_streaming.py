"""`fit_stream`: the same fit as in memory, in bounded memory, and nothing left on disk."""

import os
import resource
import subprocess
import sys
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt import AveragedPerceptron, Perceptron
from rosenblatt.core import Xxh64, xxh64
from rosenblatt.learning.rows.row_cache import CacheError, RowCache

FITTED = ("coef_", "intercept_", "classes_", "status_", "statuses_", "n_iter_", "n_mistakes_", "n_samples_seen_")


def batches_of(X, y, size):
    return [(X[k : k + size], y[k : k + size]) for k in range(0, len(y), size)]


def assert_same_fit(one, other):
    for name in FITTED:
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)
        assert np.asarray(getattr(one, name)).dtype == np.asarray(getattr(other, name)).dtype, name
    np.testing.assert_array_equal(one.history_, other.history_)


@st.composite
def problems(draw):
    k = draw(st.integers(2, 4))
    n = draw(st.integers(k, 30))
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 5)) * rng.integers(0, 2, (n, 5))
    labels = draw(st.sampled_from([np.arange(4), np.array(["b", "a", "d", "c"]), np.array([1.0, -1.0, 3.0, 7.0])]))
    y = labels[np.concatenate([np.arange(k), rng.integers(0, k, n - k)])]
    storage = draw(st.sampled_from([np.asarray, np.float32, sp.csr_matrix, lambda X: sp.csr_matrix(np.float32(X))]))
    return storage(X), y


@pytest.mark.slow
@given(
    problems(),
    st.integers(1, 40),
    st.sampled_from([Perceptron, AveragedPerceptron]),
    st.fixed_dictionaries(
        {"max_iter": st.sampled_from([1, 7, 30])},
        optional={
            "multi_class": st.sampled_from(["ova", "ovo", "joint"]),
            "tie": st.sampled_from(["mistake", "positive", "negative"]),
            "init": st.sampled_from(["zeros", "random"]),
            "init_scale": st.sampled_from([0.1, 2.0]),
            "rivals": st.sampled_from(["best", "all"]),
            "class_weight": st.sampled_from([None, "balanced"]),
            "step": st.sampled_from(["constant", "pa1"]),
            "max_updates": st.just(3),
        },
    ),
)
def test_a_stream_makes_the_updates_of_a_fit_in_memory(problem, size, kind, parameters):
    X, y = problem
    if parameters.get("rivals") == "all":
        parameters.pop("step", None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        in_memory = kind(order="cyclic", **parameters).fit(X, y)
        streamed = kind(order="cyclic", **parameters).fit_stream(batches_of(X, y, size))
    assert_same_fit(streamed, in_memory)


def test_a_stream_refuses_an_order_that_needs_random_access():
    for order in ("shuffle", "misclassified"):
        with pytest.raises(ValueError, match="needs random access"):
            Perceptron(order=order).fit_stream([([[1.0]], [0])])


@pytest.mark.parametrize(
    ("batches", "message"),
    [
        ([], "no batch"),
        ([(np.ones((2, 2)), [0, 0])], "1 class"),
        ([(np.ones((2, 2)), [0, 1]), (np.ones((2, 3)), [0, 1])], "3 features"),
        ([(np.ones((2, 2)), [0, 1]), (np.array([[1.0, np.nan]]), [1])], "row 2, column 1"),
        ([(np.ones((2, 2)), [0, 1]), (np.ones((2, 2), np.float32), [0, 1])], "has type float32"),
        ([(np.ones((2, 2)), [0, 1]), (np.ones((2, 2)), ["a", "b"])], "mixes numbers and text"),
    ],
)
def test_inconsistent_batches_raise_an_error_and_leave_the_estimator_unchanged(batches, message):
    estimator = Perceptron(order="cyclic")
    with pytest.raises(ValueError, match=message):
        estimator.fit_stream(batches)
    assert not hasattr(estimator, "coef_")


def test_the_cache_folder_has_no_named_file_during_or_after_the_fit(tmp_path):
    X, y = np.eye(40), np.arange(40) % 2
    seen = []

    def batches():
        for batch in batches_of(X, y, 10):
            seen.append(os.listdir(tmp_path))
            yield batch

    Perceptron(order="cyclic").fit_stream(batches(), cache_folder=tmp_path)
    assert seen == [[]] * 4  # the files have no names
    assert os.listdir(tmp_path) == []


def test_a_missing_folder_is_named():
    with pytest.raises(CacheError, match="no folder /nowhere"):
        Perceptron(order="cyclic").fit_stream([(np.eye(2), [0, 1])], cache_folder="/nowhere")


FULL = """
import resource, signal, sys
import numpy as np
from rosenblatt import Perceptron
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
batches = ((np.ones((1000, 100)), np.arange(1000) % 2) for _ in range(100))
try:
    Perceptron(order="cyclic").fit_stream(batches, cache_folder=sys.argv[1])
except OSError as error:
    print(type(error).__name__, error)
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(resource, "RLIMIT_FSIZE"), reason="needs limits on files")
def test_a_full_disk_raises_an_error_with_a_remedy_and_leaves_no_file(tmp_path):
    command = [sys.executable, "-c", FULL, str(tmp_path)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert said.startswith("CacheError the disk is full")
    assert "--cache-folder" in said
    assert os.listdir(tmp_path) == []


def test_indices_are_widened_where_they_must_be(tmp_path):
    with RowCache(tmp_path) as cache:
        codes = np.zeros(2, np.int32)
        starts = np.array([0, 1, 2])
        cache.append_sparse(np.ones(2), np.array([0, 5], np.int32), starts.astype(np.int32), codes)
        cache.append_sparse(np.ones(2), np.array([1, 2**40]), starts, codes)
        cache.append_sparse(np.ones(2), np.array([3, 4], np.int32), starts.astype(np.int32), codes)
        cache.finish(2**40 + 1, np.array([7], np.int32))
        whole = cache.matrix()
        assert whole.indices.tolist() == [0, 5, 1, 2**40, 3, 4]
        assert whole.indptr.tolist() == list(range(7))
        assert cache.codes.tolist() == [7] * 6
        del whole


@given(st.lists(st.binary(max_size=100), max_size=12))
def test_the_hash_of_parts_is_that_of_the_whole(parts):
    hash_of_parts = Xxh64()
    for part in parts:
        hash_of_parts.add(np.frombuffer(part, np.uint8))
    assert hash_of_parts.value == xxh64(np.frombuffer(b"".join(parts), np.uint8))
