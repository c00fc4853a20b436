import numpy as np
import pytest

from rosenblatt import data


@pytest.mark.parametrize("name", data.names())
def test_every_set_loads_with_names_that_fit(name):
    dataset = data.load(name)
    assert dataset.X.shape == (len(dataset.y), len(dataset.feature_names))
    assert np.isfinite(dataset.X).all()
    assert len(set(dataset.y.tolist())) >= 2
    assert dataset.description


def test_an_unknown_name_lists_the_known():
    with pytest.raises(ValueError, match="no built-in data set 'irises'; there are: and, or"):
        data.load("irises")


def test_sets_print_in_a_line():
    for found in (data.load("digits"), data.read("@digits")):
        assert "1,797 examples, 64 features, 10 classes" in repr(found)
        assert "\n" not in repr(found)
