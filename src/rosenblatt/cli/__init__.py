"""The command line: one file a command; each parses, calls the library and prints."""

import click

from rosenblatt.cli.datasets import datasets
from rosenblatt.cli.train import train


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="rosenblatt")
def main() -> None:
    """The perceptron, from data to a model and an honest account of it."""


main.add_command(datasets)
main.add_command(train)
