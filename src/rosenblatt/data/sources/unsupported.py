"""Errors for sources that cannot be read as one file: folders, archives, other formats."""

import re
import shlex
from pathlib import Path

from rosenblatt.data.errors import DataError

_SHEET = "is a spreadsheet of a kind that is not read. Save the sheet as CSV"
_ARCHIVE = "is an archive, which is not read. Unpack it, and name a file in it"
_OTHER = "is of a format that is not read. Save the table as CSV or Parquet"

_BY_NAME = {
    ".numbers": _SHEET,
    **dict.fromkeys((".7z", ".rar", ".tar", ".tgz"), _ARCHIVE),
    **dict.fromkeys((".pkl", ".pickle", ".h5", ".hdf5", ".mat", ".rds", ".rdata", ".orc", ".avro", ".dta"), _OTHER),
    **dict.fromkeys((".arff", ".sav", ".por", ".sas7bdat", ".xpt", ".xml"), _OTHER),
}
_BY_CONTENT = {
    b"7z\xbc\xaf": _ARCHIVE,
    b"Rar!": _ARCHIVE,
    b"<!DOCTYPE": "is a web page. Was the download refused?",
    b"<html": "is a web page. Was the download refused?",
}


#: How a model file begins.
_MODEL = re.compile(rb'\{\s*"format":\s*"rosenblatt model"')


def refuse_unsupported(source: str, head: bytes, name: str) -> None:
    """Refuses a file whose name or first bytes show an unsupported format."""
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    problem = next((message for start, message in _BY_CONTENT.items() if text.startswith(start)), None)
    suffix = Path(source).suffix.lower()
    problem = problem or _BY_NAME.get(suffix)
    if _MODEL.match(text):
        problem = "is a model of rosenblatt, not data. Show it with rosenblatt inspect {file}"
    if problem is not None:
        raise DataError(
            f"{name} {problem.replace('{file}', shlex.quote(source))}{'' if problem.endswith('?') else '.'}"
        )
