"""Sources that are not one file: a query, a built-in set, several files. Each has a reader and a scanner."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from rosenblatt.data.features import Features
from rosenblatt.data.read_options import ReadOptions
from rosenblatt.data.sources.file_names import files_of

if TYPE_CHECKING:
    from rosenblatt.data.dataset import Dataset
    from rosenblatt.data.scanner import Scan


class OtherSource(NamedTuple):
    """The functions that read all examples of the source, or scan them in blocks."""

    read: "Callable[[ReadOptions, Features | None], Dataset]"
    scan: "Callable[[ReadOptions, Features | None], Scan]"


def file_or_other(source: str, options: ReadOptions) -> str | OtherSource:
    """The path of the one file that the source names, or the source if it is of another kind."""
    if options.sql is not None:
        from rosenblatt.data.formats.sql import read_sql, scan_sql

        return OtherSource(partial(read_sql, source, options.sql), partial(scan_sql, source, options.sql))
    if source.startswith("@"):
        from rosenblatt.data.formats.builtin import read_builtin, scan_builtin

        return OtherSource(partial(read_builtin, source), partial(scan_builtin, source))
    files = files_of(source)
    if len(files) > 1:
        from rosenblatt.data.formats.several_files import read_files, scan_files

        return OtherSource(partial(read_files, files), partial(scan_files, files))
    return files[0]
