"""ONNX and C agree with `predict` on the models of all messy files: gaps, unseen levels, dates, odd numbers."""

import csv
import io
import subprocess
from datetime import UTC, datetime, timedelta

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow.csv import write_csv

from rosenblatt import data
from rosenblatt.data.columns.number_text import DURATION, MAGNITUDES, SIGN_WORDS
from rosenblatt.models import read, to_c, to_onnx
from tests.cli.running import done, error
from tests.data.test_messy import EXPECTED, GOOD, MESSY
from tests.models.exported import BUILDS, compiled, run_onnx

ROWS = 60
SPACES = ["", "", " ", "\t", "\u00a0 "]
EXPORTED = [name for name in GOOD if EXPECTED[name].get("export") != "hashed"]


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """The model of each messy file."""
    folder = tmp_path_factory.mktemp("models")
    for name in GOOD:
        options = EXPECTED[name].get("options", [])
        done("train", MESSY / name, *options, "--max-iter", "3", "-q", "-o", folder / f"{name}.json")
    return {name: (folder / f"{name}.json", read(folder / f"{name}.json")) for name in GOOD}


@pytest.fixture(scope="module")
def c_program(trained, tmp_path_factory):
    """A program with all models in C: it reads the number of a model and rows of features, and prints classes."""
    folder = tmp_path_factory.mktemp("c")
    lines = ["#include <stdio.h>", "#include <stdlib.h>"]
    cases = []
    for k, name in enumerate(EXPORTED):
        (folder / f"m{k}.h").write_text(to_c(trained[name][1], f"m{k}"))
        lines.append(f'#include "m{k}.h"')
        cases.append(
            f'    case {k}: for (;;) {{ int place; for (j = 0; j < M{k}_FEATURES; ++j) if (scanf("%lf", x + j) != 1) '
            f'return 0; place = m{k}_predict(x); m{k}_scores(x, s); printf("%s%c", place < 0 ? "<gap>" : '
            f"m{k}_classes[place], 0); }}"
        )
    lines += ["int main(int n, char **v) {", "    double x[1000], s[100]; long j;", "    (void)n;"]
    lines += ["    switch (atoi(v[1])) {", *cases, "    }", "    return 1;", "}"]
    (folder / "main.c").write_text("\n".join(lines))
    compiled(folder, BUILDS[0], "main.c", "-o", "main", "-lm")
    return folder / "main"


def values_of(column, rng):
    """Values of a column that training may not have seen: None is a gap, a date is a `datetime`."""
    if column.is_date:
        first = datetime(1950, 1, 1, tzinfo=UTC)
        dates = [first + timedelta(seconds=60 * int(m)) for m in rng.integers(0, 60 * 24 * 365 * 140, ROWS)]
        if column.date_format.order == "time":
            dates = [date.replace(year=1970, month=1, day=1) for date in dates]
        found = dates
    elif column.vocabulary is not None:
        words = rng.choice([*column.vocabulary, "never seen"], ROWS).tolist()
        before, after = rng.choice(SPACES, (2, ROWS)).tolist()
        found = [b + word + a for b, word, a in zip(before, words, after, strict=True)]
    else:
        found = (rng.standard_normal(ROWS) * 10.0 ** rng.integers(-2, 5, ROWS)).round(3).tolist()
    return [None if gap else value for value, gap in zip(found, rng.random(ROWS) < 0.25, strict=True)]


def written(value, column):
    """A value as the training file writes it."""
    if value is None:
        return "" if column.vocabulary is None else " NA "
    if column.is_date:
        if column.date_format.order in ("seconds", "milliseconds"):
            return f"{value.timestamp():.0f}{'000' if column.date_format.order == 'milliseconds' else ''}"
        form = {"dmy": "%d.%m.%Y %H:%M", "mdy": "%m/%d/%Y %H:%M", "time": "%H:%M"}
        return value.strftime(form.get(column.date_format.order, "%Y-%m-%d %H:%M"))
    if column.vocabulary is not None:
        return value
    text = f"{value:.3f}"
    form = column.number_format
    if form is not None and form.unit == DURATION:
        minutes, seconds = divmod(abs(value), 60)
        return f"{'-' if value < 0 else ''}{int(minutes)}:{seconds:06.3f}"
    if form is not None and form.unit == MAGNITUDES:
        return f"{value / 1000:.6f}".replace(".", form.decimal) + "k"
    if form is not None and form.unit in SIGN_WORDS:
        return f"{abs(value):.3f} {SIGN_WORDS[form.unit][value < 0]}".replace(".", form.decimal)
    return text if form is None else f"{text.replace('.', form.decimal)} {form.unit}"


def predicted(model, record, values, folder):
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow([column.name for column in record.features.columns])
    columns = [[written(v, c) for v in found] for found, c in zip(values, record.features.columns, strict=True)]
    writer.writerows(zip(*columns, strict=True))
    (folder / "new.csv").write_text(buffer.getvalue(), newline="")
    text = done("predict", model, folder / "new.csv", "--delimiter", ",", "--header")
    return [row[0] for row in csv.reader(io.StringIO(text))][1:]


def number_of(value):
    if value is None:
        return np.nan
    return value.timestamp() if isinstance(value, datetime) else value


def parts_of(date, parts, origin):
    """The features of a date, by the calendar of Python."""
    clock = date.hour + date.minute / 60
    all_parts = {"year": date.year, "month": date.month, "weekday": date.weekday(), "hour": clock,
                 "elapsed days": (date.timestamp() - origin) / 86400}  # fmt: skip
    return [float(all_parts[part]) for part in parts]


def c_features(value, column):
    if value is None:
        found = [np.nan] * (column.width - column.gap)
    elif column.is_date:
        found = parts_of(value, column.parts, column.origin)
    elif column.vocabulary is not None:
        word = value.strip()  # the program that calls C encodes categories
        found = [float(word == each) for each in column.vocabulary] + [
            float(word not in column.vocabulary)
        ] * column.pooled
    else:
        found = [value]
    return [*found, *([0.0] * column.gap)]


@pytest.mark.slow
@pytest.mark.parametrize("name", EXPORTED)
def test_onnx_and_c_agree_with_predict(trained, c_program, tmp_path, name):
    model, record = trained[name]
    columns = record.features.columns
    rng = np.random.default_rng(len(name))
    values = [values_of(column, rng) for column in columns]
    expected = predicted(model, record, values, tmp_path)
    assert len(expected) == ROWS
    if any(column.vocabulary is not None for column in columns):
        inputs = {
            column.name: np.array([[written(v, column)] for v in found], dtype=object)
            if column.vocabulary is not None
            else np.array([[number_of(v)] for v in found])
            for column, found in zip(columns, values, strict=True)
        }
    else:
        inputs = {"X": np.array([[number_of(v) for v in found] for found in values]).T.copy()}
    assert [str(label) for label in run_onnx(to_onnx(record), inputs).tolist()] == expected
    rows = [
        " ".join(repr(v) for value, column in zip(row, columns, strict=True) for v in c_features(value, column))
        for row in zip(*values, strict=True)
    ]
    found = subprocess.run(
        [c_program, str(EXPORTED.index(name))], input="\n".join(rows).encode(), capture_output=True, check=True
    ).stdout
    assert found.decode().split("\0")[:-1] == expected


@pytest.mark.parametrize("name", [name for name in GOOD if name not in EXPORTED])
def test_a_model_that_neither_can_hold_is_refused_by_name(trained, tmp_path, name):
    model, record = trained[name]
    hashed = next(column.name for column in record.features.columns if column.bits)
    for way in ("--onnx", "--c"):
        assert f"column {hashed!r} is hashed" in error("export", model, way, tmp_path / "out")


def test_spaces_missing_words_and_booleans_count_alike_in_csv_parquet_and_onnx(tmp_path):
    words = ["Berlin", "Rome", "New  York", "a|b"] * 10
    flags = ["true", "false", "false", "true", "true"] * 8
    table = {"city": words, "flag": flags, "label": [w[0] + f[0] for w, f in zip(words, flags, strict=True)]}
    pq.write_table(pa.table(table), tmp_path / "train.parquet")
    done("train", tmp_path / "train.parquet", "--max-iter", "50", "-q", "-o", tmp_path / "model.json")
    record = read(tmp_path / "model.json")
    cities = [" Berlin ", "Rome\t", "New York", " New  York", "a|b\u00a0", "a", "?", " NA ", "\u2003", "Rome"]
    new = {"city": cities, "flag": ["TRUE", " true ", "False", "True", "no", "nan", " false", "", "true", "FALSE "]}
    clean = {
        "city": ["Berlin", "Rome", "other", "New  York", "a|b", "other", None, None, None, "Rome"],
        "flag": ["True", "True", "False", "True", "other", None, "False", None, "True", "False"],
    }
    expected = labels_of_file(record, clean, tmp_path / "clean.parquet")
    assert len(set(expected)) > 3
    assert labels_of_file(record, new, tmp_path / "new.parquet") == expected
    assert labels_of_file(record, new, tmp_path / "new.csv") == expected
    inputs = {name: np.array([[text] for text in texts], dtype=object) for name, texts in new.items()}
    assert run_onnx(to_onnx(record), inputs).tolist() == expected


def labels_of_file(record, table, path):
    write = pq.write_table if path.suffix == ".parquet" else write_csv
    write(pa.table(table), path)
    return record.classes[record.predicted_codes(data.read(str(path), like=record.features).X)].tolist()
