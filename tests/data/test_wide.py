"""Tables of many thousand columns are read in time that grows with their size, on every road."""

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from rosenblatt.data import read, scan

COLUMNS = 20_000


@pytest.fixture(scope="module")
def wide(tmp_path_factory):
    """The same two rows as plain text, as text that needs the general reader, and as Parquet."""
    folder = tmp_path_factory.mktemp("wide")
    names = [f"c{k}" for k in range(COLUMNS)]
    rows = [[str(k) for k in range(1, COLUMNS + 1)], [str(-k) for k in range(1, COLUMNS + 1)]]
    head = ",".join([*names, "y"]) + "\n"
    for name, labels in (("plain.csv", "ab"), ("quoted.csv", ['"a"', '"b"'])):
        lines = [",".join([*row, label]) + "\n" for row, label in zip(rows, labels, strict=True)]
        (folder / name).write_text(head + "".join(lines))
    table = {name: [float(row[k]) for row in rows] for k, name in enumerate(names)}
    parquet.write_table(pa.table({**table, "y": ["a", "b"]}), folder / "t.parquet")
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("name", ["plain.csv", "quoted.csv", "t.parquet"])
def test_twenty_thousand_columns_are_read_scanned_and_read_for_a_model(wide, name):
    """With a cost that grows with the cube of the columns, this takes hours."""
    path = str(wide / name)
    loaded = read(path)
    np.testing.assert_array_equal(loaded.X, [np.arange(1, COLUMNS + 1), -np.arange(1, COLUMNS + 1)])
    scanned = scan(path)
    assert scanned.features == loaded.features
    np.testing.assert_array_equal(np.concatenate([X for X, _ in scanned]), loaded.X)
    np.testing.assert_array_equal(read(path, like=loaded.features).X, loaded.X)
