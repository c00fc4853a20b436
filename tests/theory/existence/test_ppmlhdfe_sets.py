"""The eighteen public sets of ppmlhdfe: all separated observations, and no others."""

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

from rosenblatt import theory

SETS = sorted((Path(__file__).parent / "ppmlhdfe").glob("*.csv"))


def test_there_are_eighteen_sets():
    assert len(SETS) == 18


@pytest.mark.parametrize("reader", [pd.read_csv, pl.read_csv], ids=["pandas", "polars"])
@pytest.mark.parametrize("path", SETS, ids=lambda path: path.stem)
def test_the_separated_observations_are_those_of_the_authors(path, reader):
    data = reader(path)
    regressors = [name for name in data.columns if name.startswith("x")]
    effects = [name for name in data.columns if name.startswith("id")]
    found = theory.existence(
        data[regressors] if regressors else None,
        data["y"],
        family="poisson",
        fixed_effects=data[effects] if effects else None,
    )
    assert np.array_equal(found.separated, np.flatnonzero(data["separated"].to_numpy()))
    assert found.exists == (not data["separated"].sum())
    rows = data[regressors].to_numpy().tolist() if regressors else None
    levels = data[effects].to_numpy().tolist() if effects else None
    assert theory.verify_existence(found.to_dict(), rows, data["y"].to_list(), fixed_effects=levels)
