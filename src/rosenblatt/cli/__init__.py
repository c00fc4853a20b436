"""The command line. Each command has one file, which parses options, calls the library and prints."""

import click

from rosenblatt.cli.animate import animate
from rosenblatt.cli.boolean import boolean
from rosenblatt.cli.check import check
from rosenblatt.cli.completion import completion
from rosenblatt.cli.datasets import datasets
from rosenblatt.cli.evaluate import evaluate
from rosenblatt.cli.exists import exists
from rosenblatt.cli.export import export
from rosenblatt.cli.inspect import inspect
from rosenblatt.cli.lab import lab
from rosenblatt.cli.look import look
from rosenblatt.cli.output.failing import OneLineErrors
from rosenblatt.cli.predict import predict
from rosenblatt.cli.teach import teach
from rosenblatt.cli.trace import trace
from rosenblatt.cli.train import train

COMMANDS = (
    train, look, predict, evaluate, check, exists, inspect, export, trace, animate, teach, boolean, lab, datasets,
    completion,
)  # fmt: skip


@click.group(cls=OneLineErrors, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="rosenblatt")
def main() -> None:
    """Train, assess, prove and teach perceptrons.

    \b
    Data are files (CSV, TSV, Parquet, Arrow, JSON, Excel, SQLite, DuckDB, svmlight, .npy, .npz;
    also compressed by gzip, bz2, xz, zstd, lz4 or zip), "-" for standard input, or built-in sets
    such as @iris.

    \b
    Examples:
      rosenblatt train @digits
      rosenblatt train flowers.csv --target species -o model.json
      rosenblatt predict model.json new.csv > predictions.csv
      rosenblatt check @xor
      rosenblatt lab

    \b
    Exit codes: 0 done; 1 error; 2 wrong usage; 3 a condition is not met (--strict, --min-accuracy);
    130 interrupted.
    """


for _command in COMMANDS:
    main.add_command(_command)
