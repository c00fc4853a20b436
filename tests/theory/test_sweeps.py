"""Proofs by sweeps: they reach the minimum of brute force, never more, and a changed proof is refused."""

import copy
import json
from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings

from rosenblatt.theory import min_error, verify_min_error
from rosenblatt.theory.budget import Budget
from rosenblatt.theory.examples.labelled_examples import Examples
from rosenblatt.theory.minimum_error.plane_sweeps import PlaneSweeps
from rosenblatt.theory.minimum_error.sweep_proof import SweepCheck, independent_columns, proves_by_sweeps
from rosenblatt.theory.minimum_error.sweep_search import SweepSearch
from tests.theory.cases import integer_sets
from tests.theory.test_min_error import fewest_by_brute_force


def noisy(n, d, noise, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, X[:, 0] + noise * rng.normal(size=n) > 0


def swept(X, y, weights):
    """The search by sweeps alone from given weights: its proof, and the fewest errors it met."""
    examples = Examples(X, y.astype(np.int8), True)
    counts = [len(examples.not_above_zero(weights, Budget())[0])]

    def attempt(candidate):
        counts.append(min(counts[-1], len(examples.not_above_zero(candidate, Budget())[0])))
        return counts[-1]

    search = SweepSearch(examples, Budget())
    return search.rows, search.run(weights, counts[0], attempt), counts


@settings(max_examples=40, deadline=None)
@given(integer_sets(max_examples=8, max_features=3, largest=2))
def test_sweeps_from_a_poor_plane_prove_the_minimum_of_brute_force_and_never_more(case):
    X, y = case
    fewest = fewest_by_brute_force(X, y, True)
    for scale in (1.0, 0.1):  # tenths are rounded: near-ties instead of ties
        Z = X * scale
        if scale != 1.0:
            fewest = min_error(Z, y).upper
        rows, proof, counts = swept(Z, y, [1] + [0] * X.shape[1])
        assert counts[-1] >= fewest
        if proof is not None:
            assert counts[-1] == fewest
            assert not proves_by_sweeps(proof, rows, fewest + 1)


def fewest_through_examples(X, y):
    """Over all hyperplanes through d examples, which an arbitrarily small turn puts right: general position only."""
    Z = np.where(y, 1, -1)[:, None] * np.column_stack([np.ones(len(X)), X])
    chosen = np.array(list(combinations(range(len(Z)), X.shape[1])))
    planes = np.linalg.svd(Z[chosen])[2][:, -1]
    scores = planes @ Z.T
    np.put_along_axis(scores, chosen, 0.0, axis=1)
    return int(min(np.count_nonzero(scores < 0, axis=1).min(), np.count_nonzero(scores > 0, axis=1).min()))


@pytest.mark.parametrize(("n", "d", "noise"), [(150, 2, 1.0), (60, 3, 2.0)])
def test_few_columns_are_settled_by_sweeps_within_the_default_budget(n, d, noise):
    X, y = noisy(n, d, noise)
    result = min_error(X, y)
    assert "sweeps" in result.proof
    assert result.lower == result.upper == fewest_through_examples(X, y)
    assert result.obstructions == []
    assert verify_min_error(json.loads(json.dumps(result.to_dict())), X, y)
    assert min_error(sp.csr_matrix(X), y).upper == result.upper
    assert "can be moved until it goes through some of these examples" in result.explain()


def test_integers_with_ties_and_equal_rows_are_settled_too():
    rng = np.random.default_rng(2)
    X = rng.integers(0, 12, (250, 3))
    y = X[:, 0] + rng.integers(-8, 9, 250) > 6
    result = min_error(X, y)
    tenths = min_error(X * 0.5 + 3, y)
    assert result.exact
    assert result.upper == tenths.upper > 40
    assert result.verify()
    assert tenths.verify()


def test_dependent_columns_are_no_obstacle():
    X, y = noisy(120, 2, 0.8)
    wide = np.column_stack([X, X[:, 0] * 2, np.ones(120)])
    result = min_error(wide, y)
    assert result.exact
    assert result.upper == min_error(X, y).upper
    assert result.proof["sweeps"]["columns"] == [0, 1, 2]
    assert result.verify()


def changed(certificate):
    """Every way to claim more than the sweeps prove."""

    def with_tree(change):
        other = copy.deepcopy(certificate)
        change(other["proof"]["sweeps"]["tree"])
        return other

    lower = certificate["lower"]
    first, second, *_ = certificate["proof"]["sweeps"]["tree"]["cases"]
    yield "lower raised", {**copy.deepcopy(certificate), "lower": lower + 1, "exact": False}
    yield "a case left out", with_tree(lambda tree: tree["cases"].pop(first))
    yield "weights of another case", with_tree(lambda tree: tree["cases"].update({first: tree["cases"][second]}))
    yield "weights of nothing", with_tree(lambda tree: tree["cases"].update({first: {"weights": ["0"] * 4}}))
    yield "other weights", with_tree(lambda tree: tree.update(weights=["1", "0", "0", "0"]))
    yield "short weights", with_tree(lambda tree: tree.update(weights=tree["weights"][:-1]))
    yield "no tree", {**certificate, "proof": {"sweeps": {"columns": [0, 1, 2, 3], "tree": None}}}
    yield "fewer columns", {**certificate, "proof": {"sweeps": {"columns": [0, 1, 2], "tree": None}}}


def test_a_changed_proof_is_refused():
    X, y = noisy(60, 3, 2.0)
    certificate = min_error(X, y).to_dict()
    assert verify_min_error(certificate, X, y)
    for what, claim in changed(certificate):
        assert not verify_min_error(claim, X, y), what
    assert not verify_min_error(certificate, X, ~y)


def test_long_numbers_are_swept_in_integers():
    # Points on a line, apart by less than floating point can tell after a shift: every other one is an error.
    x = [(1 << 80) + k for k in range(9)]
    rows = [[sign, sign * a] for a, sign in zip(x, [1, -1] * 4 + [1], strict=True)]
    check = SweepCheck(rows)
    assert check.gap(None, 4) is None
    assert check.gap(None, 5) is not None
    assert independent_columns([[2, 4, 1], [1, 2, 0], [3, 6, 1]]) == [0, 2]


def fewest_in_the_plane(rows, basis):
    """Over the directions between all pairs of neighbouring zeros, in fractions; examples on the axis are right."""
    a, b = basis
    scores = [(dot(z, a), dot(z, b)) for z in rows]
    turns = sorted({Fraction(-p, q) for p, q in scores if q})
    ends = [turns[0] - 1, *turns, turns[-1] + 1]
    counts = []
    for low, high in pairwise(ends):
        t = (low + high) / 2
        values = [p + t * q for p, q in scores]
        counts += [sum(v < 0 for v in values), sum(v > 0 for v in values)]
    return min(counts)


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def row_kinds():
    rng = np.random.default_rng(5)
    small = rng.integers(-3, 4, (40, 3))
    yield "small integers with ties", small.tolist(), True
    yield "integers", rng.integers(-900, 900, (60, 3)).tolist(), True
    yield "floats", [[int(a * 2**60) for a in row] for row in rng.normal(size=(50, 3))], True
    near = small + 1e-11 * rng.normal(size=small.shape)
    yield "ties up to 1e-11", [[int(a * 2**60) for a in row] for row in near], False
    yield (
        "zeros",
        [[int(a * 2**60) for a in row] for row in rng.normal(size=(40, 3)) * rng.integers(0, 2, (40, 3))],
        False,
    )
    yield (
        "far from the origin",
        [[2**60, int((1e5 + a) * 2**60), int(b * 2**60)] for a, b in rng.normal(size=(40, 2))],
        False,
    )
    yield "very long", [[int(a * 2**60) << 1200 for a in row] for row in rng.normal(size=(30, 3))], True


@pytest.mark.parametrize(("kind", "rows", "sharp"), list(row_kinds()), ids=[kind for kind, *_ in row_kinds()])
def test_sweeps_in_floating_point_never_count_more_errors_than_there_are(kind, rows, sharp):
    rows = [row for row in rows if any(row)]
    identity = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    sweeps = PlaneSweeps(rows)
    planes = sweeps.cuts(identity, np.arange(len(rows)))
    bounds = sweeps.bounds(planes)
    exact = np.array([fewest_in_the_plane(rows, plane.exact_basis(rows)) for plane in planes.planes])
    assert np.all(bounds <= exact)
    if sharp:
        assert np.mean(bounds == exact) > 0.9
