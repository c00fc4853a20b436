"""Kernel values of the core: one defined sum, whatever the storage, the block, the threads and the instruction set."""

import os
import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt.core import KernelFunction, Rows, exponentials, kernel_values, tangents
from rosenblatt.learning.dual.kernel_functions import Kernel
from rosenblatt.learning.examples import rows_of
from tests.storages import STORAGES

NAMES = ("linear", "poly", "rbf", "sigmoid", "laplacian")
SORTED = [name for name in STORAGES if name != "csr_unsorted"]


def values(name, A, B, threads=1, *, gamma=0.01, degree=3, coef0=0.5):
    """The kernel values of all pairs of a row of A and a row of B."""
    out = np.full((A.shape[0], B.shape[0]), np.nan)
    kernel = KernelFunction(name, gamma, degree, coef0)
    assert kernel_values(kernel, rows_of(A), rows_of(B), out, threads)
    return out


def by_definition(name, A, B, gamma=0.01, degree=3, coef0=0.5):
    """Sums from left to right, one value at a time, in plain Python."""

    def summed(terms):
        total = 0.0
        for term in terms:
            total += term
        return total

    def dot(a, b):
        return summed(x * y for x, y in zip(a.tolist(), b.tolist(), strict=True))

    def power(base, exponent):
        result = base
        for bit in bin(exponent)[3:]:
            result *= result
            result *= base if bit == "1" else 1.0
        return result

    def value(a, b):
        if name == "laplacian":
            distance = summed(abs(x - y) for x, y in zip(a.tolist(), b.tolist(), strict=True))
            return exponentials(np.array([-gamma * distance]))[0]
        if name == "rbf":
            distance = max(0.0, (dot(a, a) + dot(b, b)) - 2 * dot(a, b))
            return exponentials(np.array([-gamma * distance]))[0]
        if name == "linear":
            return dot(a, b)
        scaled = gamma * dot(a, b) + coef0
        return power(scaled, degree) if name == "poly" else tangents(np.array([scaled]))[0]

    return np.array([[value(a, b) for b in B] for a in A])


def some_rows(rng, rows, features):
    X = rng.standard_normal((rows, features)).astype(np.float32).astype(float)
    X[rng.random(X.shape) < 0.5] = 0
    return X


@pytest.mark.parametrize("name", NAMES)
@given(
    seed=st.integers(0, 2**32 - 1),
    rows=st.integers(1, 20),
    columns=st.integers(1, 50),
    features=st.one_of(st.integers(1, 40), st.sampled_from([127, 128, 129, 300])),
    degree=st.integers(1, 9),
    storage=st.sampled_from(SORTED),
    threads=st.integers(1, 3),
)
def test_every_storage_has_the_bits_of_the_definition(name, seed, rows, columns, features, degree, storage, threads):
    rng = np.random.default_rng(seed)
    A, B = some_rows(rng, rows, features), some_rows(rng, columns, features)
    found = values(name, STORAGES[storage](A), STORAGES[storage](B), threads, degree=degree)
    assert found.tobytes() == by_definition(name, A, B, degree=degree).tobytes()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("form", [np.asarray, sp.csr_matrix])
def test_a_pair_has_the_same_bits_in_any_block_order_and_number_of_threads(name, form):
    rng = np.random.default_rng(0)
    X = some_rows(rng, 601, 150)
    few = form(X[:130])
    whole = values(name, form(X), few, 1)
    assert values(name, few, form(X), 1).tobytes() == whole.T.tobytes()
    assert values(name, form(X), few, 3).tobytes() == whole.tobytes()
    chosen = rng.permutation(601)[:97]
    some = form(X[chosen])
    np.testing.assert_array_equal(values(name, some, few, 2), whole[chosen])
    np.testing.assert_array_equal(values(name, few, some, 2), whole[chosen].T)
    np.testing.assert_array_equal(values(name, form(X[5:6]), few), whole[5:6])
    if name in ("rbf", "laplacian"):
        assert np.all(whole.diagonal() == 1)


@pytest.mark.slow
def test_every_instruction_set_gives_the_same_bits():
    code = (
        "import hashlib, numpy as np, scipy.sparse as sp; from rosenblatt.core import KernelFunction, kernel_values\n"
        "from rosenblatt.learning.examples import rows_of\n"
        "X = np.random.default_rng(0).standard_normal((203, 141)); X[X < 0.3] = 0; out = np.empty((203, 203))\n"
        "found = hashlib.sha256()\n"
        f"for name in {NAMES}:\n"
        "    for Z in (X, X.astype(np.float32), sp.csr_matrix(X)):\n"
        "        kernel_values(KernelFunction(name, 0.02, 3, 0.5), rows_of(Z), rows_of(Z), out, 2)\n"
        "        found.update(out.tobytes())\n"
        "print(found.hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "ROSENBLATT_ISA": level},
        ).stdout
        for level in ("baseline", "v3", "v4", "vnni")
    }
    assert len(digests) == 1


def test_values_are_written_to_the_given_block_only():
    X = np.random.default_rng(0).standard_normal((30, 9))
    room = np.full((40, 50), np.nan)
    kernel = KernelFunction("rbf", 0.1)
    assert kernel_values(kernel, rows_of(X), rows_of(X[:13]), room[3:33, 5:18], 2)
    np.testing.assert_array_equal(room[3:33, 5:18], values("rbf", X, X[:13], gamma=0.1))
    assert np.isfinite(room).sum() == 30 * 13


@pytest.mark.parametrize("form", [np.asarray, sp.csr_matrix])
@pytest.mark.parametrize(("row", "column"), [(0, 0), (17, 30), (9, 12)])
def test_a_value_that_is_not_finite_is_reported(form, row, column):
    X, Y = np.ones((18, 3)), np.ones((31, 3))
    X[row], Y[column] = 1e200, 1e200
    out = np.empty((18, 31))
    for name in ("linear", "poly", "rbf"):
        finite = kernel_values(KernelFunction(name, 1.0, 1), rows_of(form(X)), rows_of(form(Y)), out, 1)
        assert finite == bool(np.isfinite(out).all())
        assert not np.isfinite(out[row, column])


@pytest.mark.parametrize("form", [np.asarray, sp.csr_matrix])
def test_no_examples_have_no_values(form):
    nothing, X = np.empty((0, 3)), np.ones((4, 3))
    for A, B in ((nothing, X), (X, nothing), (nothing, nothing)):
        assert Kernel("rbf")(form(A), form(B)).shape == (len(A), len(B))


def test_invalid_arguments_are_refused():
    X = np.ones((2, 3))
    kernel = KernelFunction("linear")
    with pytest.raises(ValueError, match="no kernel is named 'cosine'"):
        KernelFunction("cosine")
    with pytest.raises(ValueError, match="at least 1"):
        KernelFunction("poly", 1.0, 0)
    with pytest.raises(ValueError, match="same features"):
        kernel_values(kernel, Rows.dense(X), Rows.dense(np.ones((2, 4))), np.empty((2, 2)), 1)
    with pytest.raises(ValueError, match="both be dense or both be sparse"):
        kernel_values(kernel, Rows.dense(X), rows_of(sp.csr_matrix(X)), np.empty((2, 2)), 1)
    with pytest.raises(ValueError, match="one value for each row"):
        kernel_values(kernel, Rows.dense(X), Rows.dense(X), np.empty((2, 3)), 1)
    with pytest.raises(ValueError, match="one value for each row"):
        kernel_values(kernel, Rows.dense(X), Rows.dense(X), np.empty((2, 4))[:, ::2], 1)
    unsorted = sp.csr_matrix((np.ones(2), np.array([2, 0]), np.array([0, 2])), shape=(1, 3))
    with pytest.raises(ValueError, match="in order"):
        kernel_values(kernel, rows_of(unsorted), rows_of(unsorted), np.empty((1, 1)), 1)
