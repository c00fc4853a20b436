"""`rosenblatt look`: shows the type and use of each column of a file, without training."""

from typing import TYPE_CHECKING

import click

from rosenblatt.cli.options.reading_options import json_option, read_options_from, reading_options, sources_argument

if TYPE_CHECKING:
    from rich.console import Console

    from rosenblatt.data import Features


@click.command()
@sources_argument
@reading_options
@click.option("--stream", is_flag=True, help="Bounded memory, for files of any size.")
@json_option
def look(source: str, stream: bool, as_json: bool, **options: object) -> None:
    """Show what each column of a file is: its type, how it is read and what training would do with it.

    \b
    Examples:
      rosenblatt look customers.csv
      rosenblatt look customers.csv --date joined --drop phone
    """
    from rosenblatt.cli.output.printing import console, counted, echo, note, print_json
    from rosenblatt.data import read, scan

    read_options = read_options_from(options)
    data = scan(source, read_options) if stream else read(source, read_options)
    features = data.features
    if as_json:
        report = [entry.to_json() for entry in features.report]
        print_json({"source": data.name, "columns": report, "notes": list(data.notes)})
        return
    note(*data.notes)
    echo(f"{data.name}: {counted(features.n_features, 'feature')}")
    print_columns(console(), features)


def print_columns(out: "Console", features: "Features") -> None:
    """Prints one line per column."""
    from rich.table import Table

    from rosenblatt.cli.output.printing import shown

    if not features.report:
        return
    table = Table(box=None, pad_edge=False, show_header=False)
    for entry in features.report:
        kind, _, rest = entry.line().partition("; ")
        table.add_row(shown(entry.name), shown(kind), shown(rest))
    out.print(table)
