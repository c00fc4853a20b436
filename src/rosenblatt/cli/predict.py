"""`rosenblatt predict`: a model and examples in, classes out."""

import io
import sys
from typing import Any

import click

from rosenblatt.cli.options import json_option, model_argument, reading_like_options, source_argument, wishes_from
from rosenblatt.cli.places import check_places


@click.command()
@model_argument
@source_argument
@reading_like_options
@click.option("--scores", is_flag=True, help="Also print the score of each binary problem.")
@click.option("-o", "--output", metavar="FILE", default="-", help="Write here instead of standard output.")
@json_option
def predict(model: str, source: str, scores: bool, output: str, as_json: bool, **options: Any) -> None:
    """Predict the class of every example with a saved model; one CSV row an example, in the order of the file.

    Columns are found by name; labels need not be there, and are not looked at.

    \b
    Examples:
      rosenblatt predict model.json new.csv > predictions.csv
      rosenblatt predict model.json new.svm --scores -o predictions.csv
      cat new.csv | rosenblatt predict model.json - --json
    """
    wishes = wishes_from(options)
    check_places((model, source), {"-o": output})

    from rosenblatt.data import DataError, read
    from rosenblatt.models import read as read_model
    from rosenblatt.models.registry import KINDS

    record = read_model(model)
    if scores and not KINDS[record.estimator].is_linear:
        raise DataError(f"{model} is a {record.estimator}, which has no scores to print. Leave --scores out.")
    loaded = read(source, wishes, like=record.features)
    labels = record.classes[record.predicted_codes(loaded.X)].tolist()
    values = record.scores(loaded.X) if scores else None
    content = _json(labels, values) if as_json else _csv(labels, values)
    if output == "-":
        sys.stdout.buffer.write(content)
        return
    from rosenblatt.whole_file import write_whole

    write_whole(output, content)


def _csv(labels: list[Any], scores: Any) -> bytes:
    import csv

    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    if scores is None:
        writer.writerow(["prediction"])
        writer.writerows([label] for label in labels)
    else:
        writer.writerow(["prediction", *(f"score{k}" for k in range(1, scores.shape[1] + 1))])
        writer.writerows([label, *row] for label, row in zip(labels, scores.tolist(), strict=True))
    return buffer.getvalue().encode()


def _json(labels: list[Any], scores: Any) -> bytes:
    from rosenblatt.cli.printing import json_text

    document = {"predictions": labels} | ({} if scores is None else {"scores": scores.tolist()})
    return (json_text(document) + "\n").encode()
