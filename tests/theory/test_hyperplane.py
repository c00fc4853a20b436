"""L0's plane: from a point and a normal, its signed distance, and what else a plane can say."""

import hypothesis.strategies as st
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given

from rosenblatt import Hyperplane

coordinates = st.floats(-100, 100).map(lambda a: round(a, 3))
vectors = st.lists(coordinates, min_size=3, max_size=3)
normals = vectors.filter(lambda w: np.linalg.norm(w) > 0.1)


def test_the_lectures_numbers():
    plane = Hyperplane([2, -1], 1)
    np.testing.assert_allclose(plane.signed_distance([[0, 0], [-1, 1]]), [1 / 5**0.5, -2 / 5**0.5], rtol=1e-15)
    np.testing.assert_allclose(
        Hyperplane([-2, 1], -1).signed_distance([[0, 0], [-1, 1]]), [-1 / 5**0.5, 2 / 5**0.5], rtol=1e-15
    )
    np.testing.assert_allclose(Hyperplane([4, -2], 2).signed_distance([0, 0]), 1 / 5**0.5, rtol=1e-15)


def test_planes_are_equal_up_to_a_positive_scale():
    plane = Hyperplane([2, -1], 1)
    assert plane == Hyperplane([4, -2], 2)
    assert plane == plane.normalized()
    assert plane != Hyperplane([-2, 1], -1)
    assert plane != Hyperplane([2, -1], 2)
    assert plane != Hyperplane([2, -1, 0], 1)
    assert plane != "a plane"


@given(normals, coordinates, st.floats(1e-3, 1e3))
def test_scale_changes_no_distance(w, w0, scale):
    plane, scaled = Hyperplane(w, w0), Hyperplane(np.multiply(w, scale), w0 * scale)
    assert plane == scaled
    x = [1.0, -2.0, 3.0]
    np.testing.assert_allclose(scaled.signed_distance(x), plane.signed_distance(x), atol=1e-9)


@given(vectors, normals, vectors)
def test_a_point_and_a_normal_make_the_plane_through_that_point(point, normal, x):
    plane = Hyperplane.from_point_normal(point, normal)
    assert abs(plane.signed_distance(point)) < 1e-9
    expected = np.dot(np.subtract(x, point), normal) / np.linalg.norm(normal)
    np.testing.assert_allclose(plane.signed_distance(x), expected, atol=1e-9)


@given(normals, coordinates, vectors)
def test_a_projection_lies_on_the_plane_and_nowhere_nearer(w, w0, x):
    plane = Hyperplane(w, w0)
    foot = plane.project(x)
    assert abs(plane.signed_distance(foot)) < 1e-9 * (1 + abs(w0))
    np.testing.assert_allclose(np.linalg.norm(np.subtract(x, foot)), abs(plane.signed_distance(x)), atol=1e-9)


def test_d_points_make_a_plane_through_all_of_them():
    points = [[1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0]]
    plane = Hyperplane.from_points(points)
    np.testing.assert_allclose(plane.score(points), 0, atol=1e-15)
    assert plane == Hyperplane([1, 1, 1], -1)
    assert Hyperplane.from_points([[3.0]]) == Hyperplane([1], -3)


def test_sides_are_vectorised_and_sparse_rows_work():
    plane = Hyperplane([1, 1], -1)
    X = np.array([[0, 0], [1, 0], [1, 1]])
    assert plane.side(X).tolist() == [-1, 0, 1]
    assert plane.side(sp.csr_matrix(X)).tolist() == [-1, 0, 1]
    np.testing.assert_array_equal(plane.project(sp.csr_matrix(X)), plane.project(X))


def test_a_plane_keeps_its_own_copy():
    w = np.array([1.0, 2.0])
    plane = Hyperplane(w, 0)
    w[0] = 7
    assert plane.w.tolist() == [1, 2]
    with pytest.raises(ValueError, match="read-only"):
        plane.w[0] = 7


def test_huge_and_tiny_normals_have_finite_distances():
    for scale in (1e-300, 1e300):
        assert Hyperplane([3 * scale, 4 * scale]).signed_distance([1.0, 0.0]) == pytest.approx(0.6)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Hyperplane([0, 0], 1), "zero vector"),
        (lambda: Hyperplane([1, np.nan]), "finite"),
        (lambda: Hyperplane([[1, 2]]), "shape"),
        (lambda: Hyperplane.from_points([[1, 2, 3], [1, 2, 3], [0, 0, 1]]), "lower dimension"),
        (lambda: Hyperplane.from_points([[1, 2, 3]]), "d points"),
        (lambda: Hyperplane.from_point_normal([1], [1, 2]), "agree"),
        (lambda: Hyperplane([1, 2]).side([1, 2, 3]), "3 features"),
    ],
)
def test_what_is_no_plane_is_refused(make, words):
    with pytest.raises(ValueError, match=words):
        make()
