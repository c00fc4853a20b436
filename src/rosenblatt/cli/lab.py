"""`rosenblatt lab`: the page for a class."""

from typing import Any

import click

from rosenblatt.cli.options import optional_source_argument, reading_options, wishes_from
from rosenblatt.cli.printing import echo


@click.command()
@optional_source_argument
@reading_options
@click.option("--port", type=click.IntRange(0, 65535), help="The port; else 1958, or any that is free.")
@click.option("--no-browser", is_flag=True, help="Print the address, and open no browser.")
def lab(source: str | None, port: int | None, no_browser: bool, **options: Any) -> None:
    """Open the lab: a page on this machine where a perceptron learns step by step, forward and back.

    \b
    Examples:
      rosenblatt lab
      rosenblatt lab @iris
      rosenblatt lab flowers.csv --target species --no-browser
    """
    wishes = wishes_from(options)

    from rosenblatt.data import read
    from rosenblatt.lab.server import serve
    from rosenblatt.lab.tables import table_of

    given = table_of(read(source, wishes)) if source else None
    serve(given, port=port, open_browser=not no_browser, say=echo)
