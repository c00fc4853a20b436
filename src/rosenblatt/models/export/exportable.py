"""A check for models that no export format can represent."""

import shlex

from rosenblatt.data import DataError, Features


def refuse_hashed(features: Features, form: str) -> None:
    """Raises `DataError` for a model with hashed features, because the exported model cannot compute the hash."""
    hashed = next((column.name for column in features.columns if column.bits is not None), None)
    if hashed is not None:
        raise DataError(
            f"column {hashed!r} is hashed, and the hash cannot be written as {form}. Predict with `rosenblatt predict "
            f"MODEL FILE`, or train without the column (--drop {shlex.quote(hashed)})."
        )
