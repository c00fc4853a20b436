"""`rosenblatt datasets`: what is built in."""

import click


@click.command()
def datasets() -> None:
    """List the built-in data sets."""
    from rosenblatt import data

    for name in data.names():
        click.echo(f"@{name:<14} {data.load(name).description}")
