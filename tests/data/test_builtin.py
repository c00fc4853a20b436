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
