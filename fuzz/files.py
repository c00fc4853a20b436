"""Coverage-guided fuzzing of the Python side: model files and tables. docs/fuzzing.md has the command.

Any bytes must be read or refused with an error of ours, and reading must leave no file behind.
"""

import hashlib
import inspect
import json
import os
import sys
import tempfile
from importlib import import_module
from pathlib import Path

import atheris

from rosenblatt.data import DataError, ReadOptions, read
from rosenblatt.models import ModelFileError
from rosenblatt.models.files import model_file

FOLDER = Path(tempfile.mkdtemp(prefix="fuzz-"))
FORMS = [None, "csv", "tsv", "svmlight", "npy"]


def instrument() -> None:
    """Makes every function of the readers and the model files report what it covers.

    By hand: an editable installation brings an import hook of its own, which the hook of atheris does not see through.
    """
    for name in ("columns.encode", "formats.arrow", "formats.csv", "formats.npy", "formats.svmlight"):
        import_module(f"rosenblatt.data.{name}")
    for name, module in list(sys.modules.items()):
        if name.startswith(("rosenblatt.data", "rosenblatt.models")):
            for owner in [module, *(c for _, c in inspect.getmembers(module, inspect.isclass))]:
                for _, function in inspect.getmembers(owner, inspect.isfunction):
                    if function.__module__ == name:
                        atheris.instrument_func(function)


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
            model_file.read(place)
        else:
            read(str(place), ReadOptions(form=FORMS[kind % 8 % 5], impute=bool(kind & 8), has_header=bool(kind & 16)))
    except (ModelFileError, DataError, MemoryError):
        pass
    if os.listdir(FOLDER) != ["input"]:
        raise RuntimeError("reading left a file behind")


if __name__ == "__main__":
    instrument()
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()
