"""The command line. Each command has one file, which parses options, calls the library and prints."""

from importlib import import_module

import click

from rosenblatt.cli.output.failing import OneLineErrors

#: The command `name` is the function `name` of the module `rosenblatt.cli.name`, or `rosenblatt.cli.lessons.name`.
COMMANDS = (
    "train", "look", "predict", "evaluate", "check", "exists", "inspect", "export", "trace", "animate", "teach",
    "boolean", "lab", "datasets", "completion",
)  # fmt: skip
LESSONS = ("trace", "animate", "teach", "boolean", "lab")


class Commands(OneLineErrors):
    """Imports the module of a command when the command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        folder = "rosenblatt.cli.lessons" if cmd_name in LESSONS else "rosenblatt.cli"
        command: click.Command = getattr(import_module(f"{folder}.{cmd_name}"), cmd_name)
        return command


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
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
