"""Arrow columns as arrays, and the statistics of columns, against Arrow's and NumPy's own functions."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt.data.columns.arrow_values import floats
from rosenblatt.data.columns.learn import number_column

KINDS = (pa.int8(), pa.uint16(), pa.int32(), pa.int64(), pa.uint64(), pa.float32(), pa.float64(), pa.decimal128(9, 2))


@pytest.mark.parametrize("kind", KINDS, ids=str)
@pytest.mark.parametrize("start", [0, 3])
def test_a_numeric_column_becomes_the_floats_that_arrow_casts_it_to(kind: pa.DataType, start: int) -> None:
    values = [1, 0, 7, None, 100, 3, None, 2, 5, 9, 11]
    column = pa.chunked_array([pa.array(values, kind), pa.array(values[::-1], kind)]).slice(start)
    expected = [np.nan if value is None else float(value) for value in column.to_pylist()]
    assert np.array_equal(floats(column), expected, equal_nan=True)


def test_whole_numbers_above_2_53_are_rounded_to_the_nearest_float() -> None:
    column = pa.chunked_array([pa.array([2**53 + 1, -(2**62) - 1, 2**63 - 1], pa.int64())])
    assert floats(column).tolist() == [float(2**53 + 1), float(-(2**62) - 1), float(2**63 - 1)]


@given(st.lists(st.floats(-1e300, 1e300), min_size=1, max_size=40))
def test_gaps_are_filled_with_numpys_median(values: list[float]) -> None:
    assert number_column("x", np.array(values), impute=True).fill == np.median(values)
