"""`rosenblatt datasets`: the built-in datasets."""

import sys
from typing import TYPE_CHECKING

import click

from rosenblatt.cli.options.reading_options import json_option

if TYPE_CHECKING:
    from rosenblatt.data import BuiltinDataset


@click.command()
@click.argument("name", required=False, metavar="[@NAME]")
@json_option
def datasets(name: str | None, as_json: bool) -> None:
    """List the built-in data sets, or print one as CSV.

    \b
    Examples:
      rosenblatt datasets
      rosenblatt datasets @iris > iris.csv
    """
    from rosenblatt import data

    if name is None:
        from rosenblatt.cli.output.printing import echo, print_json

        if as_json:
            print_json([_summary(data.load(known)) for known in data.names()])
        else:
            for known, description in data.descriptions().items():
                echo(f"@{known:<14} {description}")
        return
    try:
        dataset = data.load(name.removeprefix("@"))
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="@NAME") from error
    if as_json:
        from rosenblatt.cli.output.printing import print_json

        print_json({**_summary(dataset), "X": dataset.X.tolist(), "y": dataset.y.tolist()})
        return
    import csv

    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow([*dataset.feature_names, "target"])
    writer.writerows([*row, label] for row, label in zip(dataset.X.tolist(), dataset.y.tolist(), strict=True))


def _summary(dataset: "BuiltinDataset") -> dict[str, object]:
    return {
        "name": f"@{dataset.name}",
        "description": dataset.description,
        "examples": len(dataset.y),
        "features": dataset.feature_names,
        "classes": sorted(set(dataset.y.tolist())),
    }
