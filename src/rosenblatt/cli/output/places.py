"""Checks of output paths: an output must not overwrite an input or another output."""

import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from glob import escape, iglob
from pathlib import Path
from typing import Any

import click

from rosenblatt.whole_file import check_place


def check_places(reads: Iterable[str | None], writes: Mapping[str, str | None]) -> None:
    """Raises an error for an output that cannot be written, or that is the same file as an input or another output.

    `writes` maps options to output paths. Symbolic and hard links are resolved. Commands call this before any other
    work.
    """
    taken = {identity: f"{name}, which this command reads" for name, identity in _inputs(reads)}
    for option, place in writes.items():
        if place is None:
            continue
        if place != "-":
            check_place(place)
        identity = "-" if place == "-" else _identity(place) or Path(place).resolve()
        if identity in taken:
            raise click.ClickException(f"{option} {place} would replace {taken[identity]}. Name another file.")
        if place == "-" or not _is_device(place):
            taken[identity] = f"what {option} writes"


def check_readable(source: str) -> None:
    """Raises an error if a file of the source cannot be opened. Nothing is read from it."""
    from rosenblatt.data.sources.file_names import files_of

    for name in files_of(source):
        if name != "-" and not name.startswith("@"):
            with open(name, "rb"):
                pass


def _inputs(reads: Iterable[str | None]) -> Iterator[tuple[str, Any]]:
    for source in reads:
        if source is None or source.startswith("@"):
            continue
        for name in ["-"] if source == "-" else _files(source):
            identity = _identity(name)
            if identity is not None:
                yield "standard input" if name == "-" else name, identity


def _files(source: str) -> Iterator[str]:
    """The files of a source: a file, a folder or a pattern, and the array files of a version 1 model."""
    yield source
    if os.path.isdir(source):
        yield from iglob(os.path.join(escape(source), "*"))
    elif not os.path.exists(source):
        yield from iglob(source, recursive=True)
    elif source.endswith(".json"):
        yield from iglob(f"{escape(source.removesuffix('.json'))}-*.safetensors")


def _identity(name: str) -> Any:
    """The device and inode of a regular file; None for anything else, which cannot be overwritten."""
    try:
        found = os.fstat(0) if name == "-" else os.stat(name)
    except OSError:
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None


def _is_device(name: str) -> bool:
    return os.path.exists(name) and not os.path.isfile(name)
