"""Model files: versioned JSON that a person can read, with large arrays beside it. Nothing here ever unpickles."""

from rosenblatt.models.assessment import Assessment, assess
from rosenblatt.models.errors import ModelFileError
from rosenblatt.models.files import read, to_bytes, write
from rosenblatt.models.record import Record
from rosenblatt.models.saving import load, save
from rosenblatt.models.training import Plan, Trained, train

__all__ = [
    "Assessment",
    "ModelFileError",
    "Plan",
    "Record",
    "Trained",
    "assess",
    "load",
    "read",
    "save",
    "to_bytes",
    "train",
    "write",
]
