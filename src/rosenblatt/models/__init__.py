"""Training, model files and export. A model file is one versioned, readable JSON file; pickle is never used."""

from typing import TYPE_CHECKING

from rosenblatt.lazy_names import lazy_names

if TYPE_CHECKING:
    from rosenblatt.models.export.c_export import to_c
    from rosenblatt.models.export.onnx_export import to_onnx
    from rosenblatt.models.files.certificates import Certificate
    from rosenblatt.models.files.model_error import ModelFileError
    from rosenblatt.models.files.model_file import read, to_bytes, write
    from rosenblatt.models.files.record import Record
    from rosenblatt.models.files.saving import load, save
    from rosenblatt.models.files.schema import json_schema
    from rosenblatt.models.training.evaluation.assessment import Assessment, assess, evaluate
    from rosenblatt.models.training.plan import Plan
    from rosenblatt.models.training.sources.source import Source
    from rosenblatt.models.training.sources.stream_source import StreamSource
    from rosenblatt.models.training.trainer import Trained, train

__all__ = [
    "Assessment",
    "Certificate",
    "ModelFileError",
    "Plan",
    "Record",
    "Source",
    "StreamSource",
    "Trained",
    "assess",
    "evaluate",
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

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "export.c_export": "to_c",
        "export.onnx_export": "to_onnx",
        "files.certificates": "Certificate",
        "files.model_error": "ModelFileError",
        "files.model_file": "read to_bytes write",
        "files.record": "Record",
        "files.saving": "load save",
        "files.schema": "json_schema",
        "training.evaluation.assessment": "Assessment assess evaluate",
        "training.plan": "Plan",
        "training.sources.source": "Source",
        "training.sources.stream_source": "StreamSource",
        "training.trainer": "Trained train",
    },
)
