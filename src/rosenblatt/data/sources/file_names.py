"""The files that a source names: one file, several names, a pattern or a folder."""

from glob import glob
from pathlib import Path

from rosenblatt.data.errors import DataError
from rosenblatt.data.formats import SUFFIXES, format_of_name


def files_of(source: str) -> list[str]:
    """The files that a source names: several names (one per line), a pattern or a folder; else the source itself.

    >>> files_of("data.csv")
    ['data.csv']
    """
    if "\n" in source:
        return [file for name in source.split("\n") for file in files_of(name)]
    path = Path(source)
    if source not in ("-", "") and path.is_dir():
        visible = [str(file) for file in path.iterdir() if file.is_file() and file.name[0] not in "._"]
        found = sorted(file for file in visible if format_of_name(file) is not None)
        if not found:
            raise DataError(
                f"{source}: the folder has no files whose names end as data do ({', '.join(SUFFIXES)}). Name a file, a "
                "folder of such files or a pattern."
            )
        return found
    if any(sign in source for sign in "*?[") and not path.exists():
        found = sorted(glob(source))
        if not found:
            raise DataError(f"{source}: there is no file of this name, and as a pattern it matches none.")
        return found
    return [source]
