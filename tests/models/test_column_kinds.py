"""ONNX and C prepare every kind of column as `predict` does: gaps, dates, rare and unseen words."""

import numpy as np
import pyarrow as pa
import pytest

from rosenblatt.data import read
from rosenblatt.models import Plan, to_c, to_onnx, train
from rosenblatt.models.files.encoder import FeatureEncoder
from tests.models.exported import labels_by_c, run_onnx

ROWS = 90
TRAINING = "size,when,city,bought\n" + "".join(
    f"{'' if k % 7 == 0 else (k * k) % 53 / 2},"
    f"{'' if k % 11 == 3 else f'{1890 + 3 * k % 200}-{k % 12 + 1:02d}-{k % 28 + 1:02d} {k % 24:02d}:30'},"
    f"{'' if k % 13 == 5 else ['Rome', 'Oslo', f'town {k}'][k % 3]},{'yes' if (k * k) % 53 > 20 + k % 5 else 'no'}\n"
    for k in range(ROWS)
)
NEW = "size,when,city\n,,\n3,1900-02-28,Rome\n4,2000-02-29 23:59:59,Atlantis\ninf,1969-12-31 00:00,town 2\n9,,Oslo\n"


def _inputs(path):
    """The values of the columns, with NaN and empty texts for gaps."""
    lines = [line.split(",") for line in path.read_text().splitlines()[1:]]
    seconds = [np.datetime64(row[1].replace(" ", "T"), "s").astype(float) if row[1] else np.nan for row in lines]
    sizes = [float(row[0] or "nan") for row in lines]
    return np.array(sizes)[:, None], np.array(seconds)[:, None], np.array([[row[2]] for row in lines], dtype=object)


@pytest.mark.parametrize("scale", [True, False])
def test_exports_prepare_gaps_dates_and_rare_words_as_predict_does(tmp_path, scale):
    (tmp_path / "t.csv").write_text(TRAINING)
    (tmp_path / "new.csv").write_text(NEW)
    dataset = read(str(tmp_path / "t.csv"))
    city = dataset.features.columns[2]
    assert city.vocabulary == ("Oslo", "Rome")
    assert city.pooled
    assert all(column.gap for column in dataset.features.columns)
    record = train(dataset, Plan(scale=scale, parameters={"max_iter": 20})).record
    for path in (tmp_path / "t.csv", tmp_path / "new.csv"):
        X = read(str(path), like=record.features).X
        expected = record.classes[record.predicted_codes(X)].tolist()
        size, when, words = _inputs(path)
        assert run_onnx(to_onnx(record), {"size": size, "when": when, "city": words}).tolist() == expected
        raw = X.copy()
        names = record.features.names()
        gaps = {"size": np.isnan(size) | np.isinf(size), "when": np.isnan(when), "city": words == ""}
        for j, name in enumerate(names):
            column = next(c for c in gaps if name.startswith(c))
            raw[gaps[column][:, 0].astype(bool), j] = np.nan
            if name.endswith("is missing"):
                raw[:, j] = 0.5  # is not looked at
        assert labels_by_c(to_c(record), raw, tmp_path) == expected


def test_a_table_of_numbers_and_dates_has_one_input(tmp_path):
    (tmp_path / "t.csv").write_text("\n".join(line.rsplit(",", 2)[0] + "," + line.rsplit(",", 1)[1]
                                              for line in TRAINING.splitlines()) + "\n")  # fmt: skip
    dataset = read(str(tmp_path / "t.csv"))
    record = train(dataset, Plan(parameters={"max_iter": 20})).record
    size, when, _ = _without_city(tmp_path / "t.csv")
    expected = record.classes[record.predicted_codes(dataset.X)].tolist()
    assert run_onnx(to_onnx(record), {"X": np.hstack([size, when])}).tolist() == expected
    frame = pa.table({"size": [None, 3.0], "when": ["1900-02-28", None]})
    assert np.isfinite(FeatureEncoder(record.features).transform(frame)).all()


def _without_city(path):
    lines = [line.split(",") for line in path.read_text().splitlines()[1:]]
    text = [",".join([*row[:2], ""]) for row in lines]
    other = path.with_name("two.csv")
    other.write_text("size,when,city\n" + "\n".join(text) + "\n")
    return _inputs(other)
