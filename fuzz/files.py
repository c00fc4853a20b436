"""Coverage-guided fuzzing of the Python side: model files and tables. docs/fuzzing.md has the command.

Any bytes must be read or refused with an error of ours, and reading must leave no file behind.
"""

import hashlib
import json
import os
import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["rosenblatt"]):
    from rosenblatt.data import DataError, Wishes, read
    from rosenblatt.models import ModelFileError, files

FOLDER = Path(tempfile.mkdtemp(prefix="fuzz-"))
FORMS = [None, "csv", "tsv", "svmlight", "npy"]


def resealed(content: bytes) -> bytes:
    """A document whose checksum is right again, so that what comes after the checksum is reached."""
    try:
        document = json.loads(content)
        body = {key: value for key, value in document.items() if key != "checksum"}
        digest = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
        return json.dumps({**body, "checksum": f"sha256:{digest}"}).encode()
    except (ValueError, AttributeError, RecursionError, TypeError):
        return content


def one_input(content: bytes) -> None:
    if not content:
        return
    kind, content = content[0], content[1:]
    place = FOLDER / "input"
    place.write_bytes(resealed(content) if kind % 8 == 0 else content)
    try:
        if kind % 8 <= 1:
            files.read(place)
        else:
            read(str(place), Wishes(form=FORMS[kind % 8 % 5], impute=bool(kind & 8), has_header=bool(kind & 16)))
    except (ModelFileError, DataError, MemoryError):
        pass
    if os.listdir(FOLDER) != ["input"]:
        raise RuntimeError("reading left a file behind")


if __name__ == "__main__":
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()
