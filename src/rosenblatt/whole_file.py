"""Output files that are complete or not there: written beside their place, then renamed into it."""

import os
from contextlib import suppress
from pathlib import Path


def check_place(path: str | Path) -> None:
    """Refuses a place where no file can be, which is better known before long work than after it."""
    place = Path(path).resolve()
    if place.is_dir():
        raise IsADirectoryError(f"{path} is a folder; name a file in it.")
    if not place.parent.is_dir():
        raise FileNotFoundError(f"{path} cannot be written: there is no folder {place.parent}. Make it first.")


def write_whole(path: str | Path, *parts: bytes | memoryview) -> None:
    """Replaces the file by one of these parts. Whatever happens meanwhile, readers see the old file or the new."""
    place = Path(path).resolve()  # a link stays a link: what it points to is replaced
    check_place(path)
    if place.exists() and not place.is_file():  # /dev/stdout, a pipe: nothing to rename onto
        with open(place, "wb") as file:
            file.writelines(parts)
        return
    beside = place.with_name(f".{place.name}.{os.urandom(6).hex()}.part")
    try:
        with open(beside, "xb") as file:
            file.writelines(parts)
            file.flush()
            os.fsync(file.fileno())
        if place.exists():
            os.chmod(beside, place.stat().st_mode & 0o7777)
        os.replace(beside, place)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise
