"""Atomic output files: written to a temporary file in the same folder, then renamed.

The writer holds a lock on its temporary file until the rename. So a later write can recognise, and remove, temporary
files of processes that were killed.
"""

import errno
import os
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import IO

_SUFFIX = ".rosenblatt-part"
_HOUR = 3600.0


def is_disk_full(error: OSError) -> bool:
    """Whether a write failed because the disk, the user's quota or the largest size of a file is exhausted."""
    return error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def check_place(path: str | Path) -> None:
    """Raises an error if no file can be written at this path. Called before long computations."""
    place = Path(path).resolve()
    if place.is_dir():
        raise IsADirectoryError(f"{path} is a folder; name a file in it.")
    if not place.parent.is_dir():
        raise FileNotFoundError(f"{path} cannot be written: there is no folder {place.parent}. Create it first.")


def write_whole(path: str | Path, *parts: bytes | memoryview) -> None:
    """Replaces the file atomically by the concatenation of `parts`: readers see the old or the new file."""
    check_place(path)
    place = Path(path).resolve()  # for a symbolic link, its target is replaced
    try:
        if place.exists() and not place.is_file():  # /dev/stdout or a pipe: cannot be renamed onto
            with open(place, "wb") as file:
                file.writelines(parts)
        else:
            _remove_abandoned(place.parent)
            _replace(place, parts)
    except OSError as error:
        if error.errno is None:
            raise
        # Without this, the error would name the temporary file or none.
        raise OSError(error.errno, error.strerror, str(path)) from error


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
        if sys.platform == "win32":  # Windows cannot rename an open file
            os.replace(part, place)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise


def _hold(file: IO[bytes], part: Path) -> bool:
    """Locks a new file. Returns False if another process removed it as abandoned before it was locked."""
    if sys.platform == "win32":
        return True
    import fcntl

    with suppress(OSError):  # a file system without locks: abandoned files are then never removed
        fcntl.flock(file, fcntl.LOCK_EX)
    return part.exists()


def _remove_abandoned(folder: Path) -> None:
    """Removes temporary files of processes that were killed while writing to this folder."""
    for part in folder.glob(f".*{_SUFFIX}"):
        with suppress(OSError):  # locked by its writer, or renamed in the meantime
            _remove_unless_held(part)


def _remove_unless_held(part: Path) -> None:
    if sys.platform == "win32":  # no such locks, and a writer closes the file before it renames it
        if time.time() - part.stat().st_mtime > _HOUR:
            part.unlink()
        return
    import fcntl

    with part.open("r+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        part.unlink()
