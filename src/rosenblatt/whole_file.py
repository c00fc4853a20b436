"""Output files that are complete or not there: written beside their place, then renamed into it.

Whoever writes holds a lock on the temporary file until it has its final name, so that a later write can tell the
files of killed processes, which it removes, from those of processes that are still writing.
"""

import os
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import IO

_SUFFIX = ".rosenblatt-part"
_HOUR = 3600.0


def check_place(path: str | Path) -> None:
    """Refuses a place where no file can be, which is better known before long work than after it."""
    place = Path(path).resolve()
    if place.is_dir():
        raise IsADirectoryError(f"{path} is a folder; name a file in it.")
    if not place.parent.is_dir():
        raise FileNotFoundError(f"{path} cannot be written: there is no folder {place.parent}. Make it first.")


def write_whole(path: str | Path, *parts: bytes | memoryview) -> None:
    """Replaces the file by one of these parts. Whatever happens meanwhile, readers see the old file or the new."""
    check_place(path)
    place = Path(path).resolve()  # a link stays a link: what it points to is replaced
    try:
        if place.exists() and not place.is_file():  # /dev/stdout, a pipe: nothing to rename onto
            with open(place, "wb") as file:
                file.writelines(parts)
        else:
            _remove_abandoned(place.parent)
            _replace(place, parts)
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from error  # no name, or that of the temporary file


def _replace(place: Path, parts: Iterable[bytes | memoryview]) -> None:
    part = place.with_name(f".{os.urandom(8).hex()}{_SUFFIX}")
    try:
        with open(part, "xb") as file:
            if not _hold(file, part):
                return _replace(place, parts)
            file.writelines(parts)
            file.flush()
            os.fsync(file.fileno())
            with suppress(FileNotFoundError):
                os.chmod(part, place.stat().st_mode & 0o7777)
            if sys.platform != "win32":
                os.replace(part, place)
        if sys.platform == "win32":  # which does not rename a file that is open
            os.replace(part, place)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise


def _hold(file: IO[bytes], part: Path) -> bool:
    """Locks a new file; False if another process took it for abandoned, and removed it, before it was locked."""
    if sys.platform == "win32":
        return True
    import fcntl

    with suppress(OSError):  # a file system without locks: then nobody removes what may be abandoned
        fcntl.flock(file, fcntl.LOCK_EX)
    return part.exists()


def _remove_abandoned(folder: Path) -> None:
    """Removes the temporary files of processes that were killed while they wrote to this folder."""
    for part in folder.glob(f".*{_SUFFIX}"):
        with suppress(OSError):  # held by its writer, or renamed meanwhile
            _remove_unless_held(part)


def _remove_unless_held(part: Path) -> None:
    if sys.platform == "win32":  # has no such locks; a writer closes the file for a moment before it renames it
        if time.time() - part.stat().st_mtime > _HOUR:
            part.unlink()
        return
    import fcntl

    with part.open("r+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        part.unlink()
