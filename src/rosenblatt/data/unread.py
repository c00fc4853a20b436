"""What is no file of examples, and what to do about it: folders, patterns, archives, spreadsheets, databases, JSON."""

import shlex
from pathlib import Path

from rosenblatt.data.errors import DataError

_SHEET = "is a spreadsheet, which is not read. Save the sheet as CSV"
_ARCHIVE = "is an archive, which is not read. Unpack it, and name a file in it"
_OTHER = "is of a format that is not read. Save the table as CSV or Parquet"
_ZIP = "is a zip archive, which is not read. Unpack it (unzip {file}), and name a file in it"
_ZSTD = "is packed by Zstandard, which is not unpacked here. Unpack it first (zstd -d {file})"
_LZ4 = "is packed by LZ4, which is not unpacked here. Unpack it first (lz4 -d {file})"
_JSON = (
    "is JSON, which is read by a query only (--sql 'select * from data'; in Python Wishes(sql='select * from data'))"
)
_DATABASE = (
    "is a database: name a table of it in a query (--sql 'select * from TABLE'; in Python "
    "Wishes(sql='select * from TABLE'))"
)

_BY_NAME = {
    **dict.fromkeys((".xlsx", ".xls", ".xlsm", ".ods", ".numbers"), _SHEET),
    **dict.fromkeys((".7z", ".rar", ".tar", ".tgz"), _ARCHIVE),
    **dict.fromkeys((".json", ".jsonl", ".ndjson"), _JSON),
    **dict.fromkeys((".pkl", ".pickle", ".h5", ".hdf5", ".mat", ".rds", ".rdata", ".orc", ".avro", ".dta"), _OTHER),
    ".zip": _ZIP,
    ".zst": _ZSTD,
    ".lz4": _LZ4,
}
_BY_CONTENT = {
    b"\xd0\xcf\x11\xe0": _SHEET,
    b"\x28\xb5\x2f\xfd": _ZSTD,
    b"\x04\x22\x4d\x18": _LZ4,
    b"7z\xbc\xaf": _ARCHIVE,
    b"Rar!": _ARCHIVE,
    b"SQLite format 3": _DATABASE,
    b'{"': _JSON,
    b"[{": _JSON,
    b"{\n": _JSON,
    b"[\n": _JSON,
    b"<!DOCTYPE": "is a web page. Was the download refused?",
    b"<html": "is a web page. Was the download refused?",
}


def refuse_unread(source: str, head: bytes, name: str) -> None:
    """Refuses a file whose name or beginning says that it is of no format that is read."""
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    what = next((what for start, what in _BY_CONTENT.items() if text.startswith(start)), None)
    if head[8:12] == b"DUCK":
        what = _DATABASE
    suffix = Path(source).suffix.lower()
    if head.startswith(b"PK\x03\x04") and suffix != ".npz":
        # Workbooks are zip archives, too; so are .npz files without their name.
        what = _SHEET if b"[Content_Types].xml" in head or b"spreadsheet" in head[:100] else _ZIP
        what = None if b".npy" in head[:100] else what
    what = what or _BY_NAME.get(suffix)
    if what is not None:
        raise DataError(f"{name} {what.replace('{file}', shlex.quote(source))}{'' if what.endswith('?') else '.'}")


def refuse_no_file(source: str) -> None:
    """Refuses a folder, and a pattern for the names of files, where one file is to be read."""
    if Path(source).is_dir():
        raise DataError(f"{source} is a folder; name a file in it, or train on all of its files (--workers 2).")
    if any(sign in source for sign in "*?[") and not Path(source).exists():
        from glob import glob

        count = len(glob(source))
        if not count:
            raise DataError(f"{source}: there is no file of this name, and as a pattern it matches none.")
        files = "a file" if count == 1 else f"{count:,} files"
        raise DataError(
            f"{source} is a pattern that matches {files}; a single file is read here. Name one, or train on all "
            "that match (--workers 2)."
        )
