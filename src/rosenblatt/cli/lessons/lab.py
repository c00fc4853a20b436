"""`rosenblatt lab`: the interactive web page for teaching."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rosenblatt.cli.options.reading_options import (
    convention_option,
    optional_source_argument,
    read_options_from,
    reading_options,
)
from rosenblatt.cli.output.printing import echo, note

if TYPE_CHECKING:
    from rosenblatt.conventions import Convention


@click.command()
@optional_source_argument
@reading_options
@convention_option(None, "The dialect that the page opens with: a lecture's, or your own.")
@click.option("--port", type=click.IntRange(0, 65535), help="The port; else 1958, or any that is free.")
@click.option("--no-browser", is_flag=True, help="Print the address without opening a browser.")
@click.option(
    "--site", type=click.Path(file_okay=False, path_type=Path), help="Write the lab as a folder for any web host."
)
@click.option("--one-file", type=click.Path(dir_okay=False, path_type=Path), help="Write the lab as one HTML file.")
def lab(
    source: str | None,
    port: int | None,
    no_browser: bool,
    site: Path | None,
    one_file: Path | None,
    convention: "Convention | None",
    **options: object,
) -> None:
    """Open the lab: a page on this machine where a perceptron learns step by step, forward and back.

    \b
    Examples:
      rosenblatt lab
      rosenblatt lab @iris
      rosenblatt lab flowers.csv --target species --no-browser
      rosenblatt lab --site public/lab
      rosenblatt lab --one-file lab.html

    \b
    --site and --one-file write a lab that computes in the browser and needs no server: a folder for any static host, or
    one file that also opens from disk.
    """
    if site is not None or one_file is not None:
        if source or convention:
            raise click.UsageError(
                "--site and --one-file write the lab with its built-in sets; leave out the file and --convention."
            )
        return _write_static_lab(site, one_file)
    read_options = read_options_from(options)

    from rosenblatt.data import read
    from rosenblatt.lab.jobs.pasted_tables import sample_of, table_of, without_texts
    from rosenblatt.lab.server.serve import serve

    given = None
    if source:
        loaded = read(source, read_options).labelled()
        sample = without_texts(sample_of(loaded))
        given = table_of(sample, sampled_from=loaded.n_examples)
        note(*sample.notes)
    serve(given, port=port, open_browser=not no_browser, say=echo, convention=convention)
    return None


def _write_static_lab(site: Path | None, one_file: Path | None) -> None:
    from rosenblatt.lab.page.site import single_file, write_site
    from rosenblatt.whole_file import write_whole

    if site is not None:
        written = write_site(site)
        size = sum(path.stat().st_size for path in written)
        echo(f"Wrote {len(written)} files ({size / 1000:,.0f} kB) to {site}. Open it with any web server: index.html.")
    if one_file is not None:
        content = single_file().encode()
        write_whole(one_file, content)
        echo(f"Wrote {one_file} ({len(content) / 1000:,.0f} kB). It opens from disk.")
