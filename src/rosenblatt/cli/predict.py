"""`rosenblatt predict`: predicts the classes of examples with a saved model."""

import io
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rosenblatt.cli.options.reading_options import (
    json_option,
    model_argument,
    read_options_from,
    reading_like_options,
    sources_argument,
)
from rosenblatt.cli.output.places import check_places

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rosenblatt.models import Record

    #: The names of columns, and one row of values per example.
    NamedValues = tuple[list[str], NDArray[np.float64]]


@click.command()
@model_argument
@sources_argument
@reading_like_options
@click.option("--scores", is_flag=True, help="Also print the scores, each named by its class or pair of classes.")
@click.option("--proba", is_flag=True, help="Also print the probability of each class.")
@click.option("-o", "--output", metavar="FILE", default="-", help="Write here instead of standard output.")
@json_option
def predict(model: str, source: str, scores: bool, proba: bool, output: str, as_json: bool, **options: object) -> None:
    """Predict the class of every example with a saved model; one CSV row per example, in the order of the file.

    Columns are found by name; labels are neither needed nor used.

    \b
    Examples:
      rosenblatt predict model.json new.csv > predictions.csv
      rosenblatt predict model.json new.csv --proba -o predictions.csv
      rosenblatt predict model.json new.svm --scores
      cat new.csv | rosenblatt predict model.json - --json
    """
    read_options = read_options_from(options)
    check_places((model, *source.split("\n")), {"-o": output})

    from rosenblatt.cli.output.printing import note, problem_names
    from rosenblatt.data import DataError, read
    from rosenblatt.models import read as read_model

    record = read_model(model)
    if scores and not record.has_scores:
        raise DataError(f"{model} is a {record.estimator}, which has no scores to print. Leave --scores out.")
    if proba and record.calibration is None:
        raise DataError(f"{model} has no probabilities. {_remedy(record, model)}")
    loaded = read(source, read_options, like=record.features)
    note(*loaded.notes)
    labels = record.classes[record.predicted_codes(loaded.X)].tolist()
    found = record.scores(loaded.X) if scores or proba else None
    more: dict[str, NamedValues] = {}
    if proba and found is not None:
        more["probability"] = ([str(label) for label in record.classes.tolist()], record.probabilities_of(found))
    if scores and found is not None:
        more["score"] = (problem_names(record), found)
    content = _json(labels, more) if as_json else _csv(labels, more)
    if output == "-":
        sys.stdout.buffer.write(content)
        return
    from rosenblatt.whole_file import write_whole

    write_whole(output, content)


def _remedy(record: "Record", model: str) -> str:
    """How to get a model with probabilities: a command, if the training data is still there."""
    if not record.has_scores:
        return f"A {record.estimator} has no scores to calibrate. Leave --proba out."
    source = str(record.training.get("source", ""))
    if not source.startswith("@") and not Path(source).is_file():
        return "Train it again with --proba, which calibrates them."
    words = ["rosenblatt", "train", source, "--proba", "-o", model]
    if not source.startswith("@") and record.features.target is not None:
        words.insert(3, f"--target={record.features.target}")
    return f"Calibrate them: {shlex.join(words)}"


def _csv(labels: list[str | int], more: "dict[str, NamedValues]") -> bytes:
    """One row per example; each further column is named, such as "probability of cat"."""
    import csv

    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(["prediction", *(f"{kind} of {name}" for kind, (names, _) in more.items() for name in names)])
    parts = [values.tolist() for _, values in more.values()]
    writer.writerows([label, *(v for row in rows for v in row)] for label, *rows in zip(labels, *parts, strict=True))
    return buffer.getvalue().encode()


def _json(labels: list[str | int], more: "dict[str, NamedValues]") -> bytes:
    from rosenblatt.cli.output.printing import json_text

    document: dict[str, object] = {"predictions": labels}
    for plural, kind in (("scores", "score"), ("probabilities", "probability")):
        if kind in more:
            names, values = more[kind]
            document |= {plural: values.tolist(), f"{plural}_of": names}
    return (json_text(document) + "\n").encode()
