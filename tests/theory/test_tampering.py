"""A certificate proves what it says about the very examples it was made for, and nothing else."""

import copy

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import assume, given, settings

from rosenblatt import separability
from rosenblatt.theory import verify
from tests.theory.cases import AND, XOR, integer_sets


def tampered(certificate, draw):
    """The certificate with one thing in it changed."""
    forged = copy.deepcopy(certificate)
    ways = ["kind", "separable", "shape", "drop", "extra"]
    ways += ["witness"] * (forged["witness"] is not None) + ["closure"] * (forged["closure"] is not None)
    way = draw(st.sampled_from(ways))
    if way == "kind":
        forged["kind"] = draw(
            st.sampled_from(sorted({"separable", "weak", "inseparable", "provable"} - {forged["kind"]}))
        )
    elif way == "separable":
        forged["separable"] = draw(st.sampled_from([value for value in (True, False, None) if value != forged[way]]))
    elif way == "shape":
        forged[draw(st.sampled_from(["n_examples", "n_features"]))] += 1
    elif way == "drop":
        del forged[draw(st.sampled_from(["kind", "weights", "witness", "fit_intercept", "positive"]))]
    elif way == "extra":
        forged["positive"], forged["negative"] = "neither", "nor"
    else:
        part = forged[way]
        k = draw(st.integers(0, len(part["indices"]) - 1))
        what = draw(st.sampled_from(["negate", "zero", "change", "forget", "repeat", "outside"]))
        if what == "negate":
            part["multipliers"][k] = str(-int(part["multipliers"][k]))
        elif what == "zero":
            part["multipliers"][k] = "0"
        elif what == "change":
            part["multipliers"][k] = str(int(part["multipliers"][k]) + draw(st.integers(1, 5)))
        elif what == "forget":
            part["multipliers"].pop(k)
        elif what == "repeat":
            part["indices"].append(part["indices"][k])
            part["multipliers"].append(part["multipliers"][k])
        else:
            part["indices"][k] = draw(st.sampled_from([-1, 10**6, 0.5, "0"]))
    return forged


@settings(max_examples=300)
@given(integer_sets(), st.booleans(), st.data())
def test_no_change_to_a_certificate_survives(case, fit_intercept, source):
    X, y = case
    if not fit_intercept:
        assume(np.all(np.any(X != 0, axis=1)))  # the multiplier of a zero example may be anything
    certificate = separability(X, y, fit_intercept=fit_intercept).to_dict()
    assert verify(certificate, X, y)
    assert not verify(tampered(certificate, source.draw), X, y)


def test_a_weight_that_no_longer_separates_is_refused():
    certificate = separability(*AND).to_dict()
    assert verify(certificate, *AND)
    for j in range(3):
        forged = copy.deepcopy(certificate)
        forged["weights"][j] = str(-int(forged["weights"][j]))
        assert not verify(forged, *AND)
    forged = {**certificate, "weights": [float(a) for a in certificate["weights"]]}
    assert not verify(forged, *AND)


def test_other_data_is_refused():
    certificate = separability(*XOR).to_dict()
    X, y = np.array(XOR[0], dtype=float), np.array(XOR[1])
    assert verify(certificate, X, y)
    nudged = X.copy()
    nudged[3, 1] = np.nextafter(1.0, 2.0)
    assert not verify(certificate, nudged, y)
    assert not verify(certificate, X, 1 - y[[0, 1, 2, 2]])
    assert not verify(certificate, X[:3], y[:3])


def test_verify_reads_the_data_as_they_are_now():
    X, y = np.array(AND[0], dtype=float), np.array(AND[1])
    result = separability(X, y)
    assert result.verify()
    X[0] = 5
    assert not result.verify()


@pytest.mark.parametrize("kind", ["inseparable", "weak"])
def test_a_witness_alone_does_not_settle_the_kind(kind):
    # (0) and (1) on a line have both labels; the rest of the plane is free, or not.
    X = np.array([[0, 0], [1, 0], [0, 0], [1, 0], [0, 1]])
    y = np.array([0, 1, 1, 0, 1])
    result = separability(X, y)
    assert result.kind == "weak"
    overlap = separability(np.vstack([X, [0, -1]]), np.append(y, 1))
    assert overlap.kind == "inseparable"
    forged = {**(result if kind == "inseparable" else overlap).to_dict(), "kind": kind}
    assert not verify(forged, X if kind == "inseparable" else np.vstack([X, [0, -1]]), y)


def test_what_is_not_a_certificate_is_not_verified():
    for nonsense in ({}, {"kind": "separable"}, {"kind": None, "separable": True}):
        assert not verify(nonsense, *AND)


def test_a_rank_that_every_prime_of_the_checker_hides_is_found_in_integers():
    primes = np.array([2147483647, 2147483629, 2147483587])
    flat = np.diag(primes)
    X = np.vstack([flat, -flat, [primes, primes * [1, 2, 3], primes * [3, 1, -1]]])
    signs = np.array([1] * 8 + [-1])
    certificate = separability(X, signs, fit_intercept=False).to_dict()
    assert certificate["kind"] == "inseparable"
    assert verify(certificate, X, signs)
    short = {**certificate, "closure": None, "witness": {"indices": [0, 3], "multipliers": ["1", "1"]}}
    assert not verify(short, X, signs)
    spanning = {"indices": [0, 1, 2, 3, 4, 5], "multipliers": ["1"] * 6}
    assert verify({**certificate, "closure": None, "witness": spanning, "null": []}, X, signs)
