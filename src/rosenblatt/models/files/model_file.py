"""The model file: one JSON document, written to a temporary file and renamed, so a file is never half-written.

A checksum over the content detects changes and truncation. Version 1 stored arrays of more than 10,000 values in a
safetensors file beside the document. Such models can be read but are no longer written. Their array files are never
removed, since a copy of the document may refer to them. Version 4 can also store the weights of many pairs of classes
as updates; models without them are written as version 3, which older releases read.
"""

import hashlib
import json
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from rosenblatt.core import __version__
from rosenblatt.data import DataError, Features
from rosenblatt.learning.scores.calibration import Calibration
from rosenblatt.models.files.certificates import kept
from rosenblatt.models.files.layout import dumps, parts
from rosenblatt.models.files.model_error import ModelFileError
from rosenblatt.models.files.record import Record
from rosenblatt.models.files.registry import KINDS
from rosenblatt.models.files.values import Tensors, from_json, to_json
from rosenblatt.whole_file import write_whole

FORMAT = "rosenblatt model"
VERSION = 4
VERSIONS = (1, 2, 3, 4)


def write(record: Record, path: str | Path) -> None:
    """Saves a record at `path`. An existing file is replaced atomically.

    Examples
    --------
    >>> import tempfile
    >>> from rosenblatt import data, models
    >>> path = Path(tempfile.mkdtemp()) / "and.json"
    >>> models.write(models.train(data.read("@and"), models.Plan()).record, path)
    >>> models.read(path).estimator
    'AveragedPerceptron'
    """
    write_whole(path, *_sealed(_document(record)))


def to_bytes(record: Record) -> bytes:
    """The content of the record's model file.

    Examples
    --------
    >>> from rosenblatt import data, models
    >>> json.loads(models.to_bytes(models.train(data.read("@and"), models.Plan()).record))["format"]
    'rosenblatt model'
    """
    return b"".join(_sealed(_document(record)))


def _document(record: Record) -> dict[str, Any]:
    fitted = dict(record.fitted)
    if "certificates_" in fitted:
        fitted["certificates_"] = kept(fitted["certificates_"], record.classes, record.parameters.get("multi_class"))
        fitted.pop("certificate_", None)  # derived from certificates_
    calibration = record.calibration
    return {
        "format": FORMAT,
        "version": VERSION,
        "written_by": f"rosenblatt {__version__}",
        "estimator": record.estimator,
        "parameters": {k: to_json(v, k) for k, v in record.parameters.items()},
        "features": record.features.to_json(to_json),
        "training": to_plain(record.training),
        "fitted": {k: to_json(v, k) for k, v in fitted.items()},
    } | ({} if calibration is None else {"calibration": to_plain(asdict(calibration))})


def to_plain(value: Any) -> Any:
    """Converts to nested dictionaries and lists of plain values. Raises an error for other types."""
    return json.loads(json.dumps(value, allow_nan=False))


def _sealed(document: dict[str, Any]) -> list[bytes]:
    return [*parts(document | {"checksum": _checksum(document)}, dumps), b"\n"]


def _checksum(document: dict[str, Any]) -> str:
    content = {key: value for key, value in document.items() if key != "checksum"}
    hashed = hashlib.sha256()
    for part in parts(content, partial(json.dumps, sort_keys=True)):
        hashed.update(part)
    return f"sha256:{hashed.hexdigest()}"


def read(path: str | Path) -> Record:
    """Reads a model file. Raises `ModelFileError` if it is not a model, is incomplete or has an unknown version.

    Examples
    --------
    >>> import tempfile
    >>> from rosenblatt import Perceptron, models, save
    >>> path = Path(tempfile.mkdtemp()) / "line.json"
    >>> save(Perceptron().fit([[1], [2]], ["low", "high"]), path)
    >>> models.read(path).classes
    array(['high', 'low'], dtype='<U4')
    """
    place = Path(path)
    if place.is_dir():
        raise ModelFileError(f"{path} is a folder; name the model file in it.")
    try:
        return _read(place, _content(place))
    except ModelFileError as error:
        raise ModelFileError(f"{path}: {error}") from None
    except DataError as error:
        raise ModelFileError(f"{path}: {error}. Train the model again.") from None


def _content(place: Path) -> bytes:
    try:
        return place.read_bytes()
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(place)) from error


def _read(place: Path, content: bytes) -> Record:
    document = _parsed(content)
    found = document.get("version")
    if document.get("format") != FORMAT:
        raise ModelFileError("this is not a model file of rosenblatt (its format has another name).")
    if found not in VERSIONS:
        known = f"{str(VERSIONS[:-1])[1:-1]} and {VERSIONS[-1]}"
        raise ModelFileError(
            f"the file is of version {found!r}; this version of rosenblatt reads {known}. Update rosenblatt."
        )
    if document.get("checksum") != _checksum(document):
        raise ModelFileError("the checksum does not match: the file was changed after it was written. Train it again.")
    estimator = document.get("estimator")
    if not isinstance(estimator, str) or estimator not in KINDS:
        raise ModelFileError(f"the file holds a {estimator!r}; this version of rosenblatt reads {', '.join(KINDS)}.")
    for key in ("parameters", "fitted", "features", "training"):
        if not isinstance(document.get(key), dict):
            raise ModelFileError(f"the part {key!r} is missing.")
    tensors = _tensors(place, document.get("arrays"))
    try:
        record = Record(
            estimator,
            {k: from_json(v, k, tensors) for k, v in document["parameters"].items()},
            {k: from_json(v, k, tensors) for k, v in document["fitted"].items()},
            Features.from_json(document["features"], lambda found, name: from_json(found, name, tensors)),
            document["training"],
            _calibration(document.get("calibration")),
        )
    except (AttributeError, TypeError, ValueError, OverflowError) as error:
        if isinstance(error, ModelFileError | DataError):
            raise
        raise ModelFileError(f"a part of the file is invalid ({error}). Train the model again.") from error
    record.check()
    return record


def _calibration(found: Any) -> Calibration | None:
    if found is None:
        return None
    kinds: dict[str, Any] = {"slope": (int, float), "offsets": list, "n_examples": int, "held_out": str}
    if not isinstance(found, dict) or found.keys() != kinds.keys():
        raise ModelFileError(f"the calibration must have {', '.join(kinds)}.")
    if not all(isinstance(found[key], kind) and not isinstance(found[key], bool) for key, kind in kinds.items()):
        raise ModelFileError("a part of the calibration is not of its type.")
    if not all(type(offset) in (int, float) for offset in found["offsets"]):
        raise ModelFileError("the offsets of the calibration must be numbers.")
    return Calibration(
        float(found["slope"]), tuple(map(float, found["offsets"])), found["n_examples"], found["held_out"]
    )


def _parsed(content: bytes) -> dict[str, Any]:
    def refuse(constant: str) -> NoReturn:
        raise ValueError(f"{constant} is not a number")

    start = content[:1024].lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    if start not in (b"", b"{", b"["):
        raise ModelFileError(
            "this is not a model file of rosenblatt, which is JSON. The model comes before the data: rosenblatt "
            "predict MODEL FILE."
        )
    try:
        document = json.loads(content, parse_constant=refuse)
    except (ValueError, RecursionError) as error:
        text = " ".join(str(error).split())[:120]
        raise ModelFileError(
            f"this is not complete JSON ({text}). Was the file cut off? Train the model again."
        ) from error
    if not isinstance(document, dict):
        raise ModelFileError("this is not a model file of rosenblatt: it is JSON, but no object.")
    return document


def _tensors(place: Path, named: Any) -> Tensors:
    if named is None:
        return {}
    name = named.get("file") if isinstance(named, dict) else None
    if not isinstance(name, str) or Path(name).name != name or not name.endswith(".safetensors"):
        raise ModelFileError("the file of arrays has an invalid name.")
    try:
        content = place.resolve().with_name(name).read_bytes()
    except OSError as error:
        raise ModelFileError(f"the arrays beside it cannot be read: {error}. Keep both files together.") from error
    if hashlib.sha256(content).hexdigest() != named.get("sha256"):
        raise ModelFileError(f"{name} is not the file of arrays that the model was saved with. Train it again.")
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        return load(content)
    except (SafetensorError, ValueError, KeyError, TypeError) as error:
        raise ModelFileError(f"{name} is not a complete safetensors file ({error}).") from error
