"""Checks that the weights of a model fit into memory before they are allocated."""

from rosenblatt.available_memory import available_memory
from rosenblatt.data.errors import DataError
from rosenblatt.data.features import Features
from rosenblatt.data.memory import megabytes

_BYTES = 16  # per weight: 8 during training and 8 for the published copy


def check_room(name: str, features: Features, n_classes: int, multi_class: str | None) -> None:
    """Raises `DataError` if the weights need more memory than is available. The message has both sizes."""
    pairs = n_classes * (n_classes - 1) // 2
    problems = 1 if n_classes == 2 else pairs if multi_class == "ovo" else n_classes
    needed, available = _BYTES * features.n_features * problems, available_memory()
    if available is None or needed <= available:
        return
    what = f"{problems:,} × {features.n_features:,} weights need about {megabytes(needed)}"
    if features.kind == "svmlight":
        largest = features.n_features - bool(features.zero_based)
        what = f"the largest index is {largest:,}, and {what}"
        remedy = "Number the features that occur from 1 on; the documentation (Files, Large indices) shows how"
    else:
        remedy = "Use fewer features: hash texts and categories to fewer (--hash-bits 18), or drop columns (--drop)"
    raise DataError(f"{name}: {what}; {megabytes(available)} of memory are available. {remedy}.")
