"""Model files: versioned JSON that a person can read, in one file. Nothing here ever unpickles."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rosenblatt.models.assessment import Assessment, assess
    from rosenblatt.models.c_export import to_c
    from rosenblatt.models.certificates import Certificate
    from rosenblatt.models.errors import ModelFileError
    from rosenblatt.models.files import read, to_bytes, write
    from rosenblatt.models.onnx_export import to_onnx
    from rosenblatt.models.record import Record
    from rosenblatt.models.saving import load, save
    from rosenblatt.models.schema import json_schema
    from rosenblatt.models.training import Plan, Trained, train

__all__ = [
    "Assessment",
    "Certificate",
    "ModelFileError",
    "Plan",
    "Record",
    "Trained",
    "assess",
    "json_schema",
    "load",
    "read",
    "save",
    "to_bytes",
    "to_c",
    "to_onnx",
    "train",
    "write",
]

# Imported when first used: few export, and who only asks what can be trained does not wait for NumPy.
_HOME = {
    "Assessment": "assessment",
    "Certificate": "certificates",
    "ModelFileError": "errors",
    "Plan": "training",
    "Record": "record",
    "Trained": "training",
    "assess": "assessment",
    "json_schema": "schema",
    "load": "saving",
    "read": "files",
    "save": "saving",
    "to_bytes": "files",
    "to_c": "c_export",
    "to_onnx": "onnx_export",
    "train": "training",
    "write": "files",
}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        from importlib import import_module

        return getattr(import_module(f"rosenblatt.models.{_HOME[name]}"), name)
    raise AttributeError(f"module 'rosenblatt.models' has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(__all__)
