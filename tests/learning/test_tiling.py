"""Networks by tiling: every set of two classes gets one, and only equal examples with different classes stay wrong."""

import numpy as np
import pytest

from rosenblatt import data
from rosenblatt.learning import tiling
from rosenblatt.learning.tiling import TilingError, tile


@pytest.mark.parametrize("name", ["and", "xor", "circles", "spirals"])
def test_a_built_in_set_is_classified_without_an_error(name):
    known = data.load(name)
    network = tile(known.X, known.y)
    assert network.errors == 0
    assert (network.predict(known.X) == known.y).all()


def test_a_separable_set_needs_one_unit():
    known = data.load("and")
    assert tile(known.X, known.y).n_units == 1


@pytest.mark.parametrize("seed", range(30))
def test_random_labels_are_learnt_without_an_error_far_from_the_origin_too(seed):
    draw = np.random.default_rng(seed)
    X = draw.integers(-4, 5, size=(draw.integers(4, 40), draw.integers(1, 4))) * 10.0 ** draw.integers(-6, 7) + 1e3
    different = np.unique(X, axis=0)
    X = np.vstack([different, different[: len(different) // 2]])  # some examples twice, with the same class
    labels = np.where(np.arange(len(different)) == 0, "no", np.where(draw.random(len(different)) < 0.4, "no", "yes"))
    labels[-1] = "yes"
    y = np.concatenate([labels, labels[: len(different) // 2]])
    network = tile(X, y)
    assert network.errors == 0
    assert (network.predict(X) == y).all()


def test_of_equal_examples_with_different_classes_the_minority_stays_wrong():
    X = [[0, 0], [0, 0], [0, 0], [1, 1], [2, 0]]
    network = tile(X, [1, 1, 0, 0, 1])
    assert network.errors == 1
    assert network.predict(X).tolist() == [1, 1, 1, 0, 1]


def test_each_layer_makes_fewer_errors_than_the_one_before_although_the_pocket_finds_nothing(monkeypatch):
    known = data.load("xor")

    def useless(self, X, goal, scaling):
        self.n_units += 1
        return np.array([-1.0, *np.zeros(X.shape[1])])

    monkeypatch.setattr(tiling._Trainer, "unit", useless)
    network = tile(known.X, known.y)
    assert network.errors == 0
    assert len(network.layers) > 1


def test_more_units_than_the_limit_are_refused_with_a_remedy(monkeypatch):
    monkeypatch.setattr(tiling, "MAX_UNITS", 2)
    known = data.load("circles")
    with pytest.raises(TilingError, match="more than 2 units would be needed"):
        tile(known.X, known.y)


@pytest.mark.parametrize(
    ("X", "y", "words"),
    [
        ([[1.0], [2.0]], [0, 0], "two classes"),
        ([[1.0], [2.0], [3.0]], [0, 1, 2], "two classes"),
        ([[1.0], [np.nan]], [0, 1], "not finite"),
        ([1.0, 2.0], [0, 1], "a table"),
    ],
)
def test_what_has_no_network_is_refused(X, y, words):
    with pytest.raises(ValueError, match=words):
        tile(X, y)
