"""A built-in set as if it had been read from a file."""

import numpy as np

from rosenblatt.core import xxh64
from rosenblatt.data.builtin import load
from rosenblatt.data.encode import number_column
from rosenblatt.data.errors import DataError
from rosenblatt.data.features import Features
from rosenblatt.data.labels import Labels
from rosenblatt.data.loaded import Loaded
from rosenblatt.data.wishes import Wishes


def loaded_builtin(source: str, wishes: Wishes, like: Features | None) -> Loaded:
    """The examples of the set that "@name" names; with `like`, of a model's width."""
    try:
        dataset = load(source[1:])
    except ValueError as error:
        raise DataError(str(error)) from error
    classes, codes = np.unique(dataset.y, return_inverse=True)
    columns = zip(dataset.feature_names, dataset.X.T, strict=True)
    features = Features.of_table([number_column(*column, impute=wishes.impute) for column in columns], "target")
    if like is not None and like.n_features != features.n_features:
        raise DataError(f"{source} has {features.n_features} features; the model has {like.n_features}.")
    stamp = xxh64(np.frombuffer(dataset.X.tobytes() + codes.astype(np.int32).tobytes(), dtype=np.uint8))
    labels = Labels(classes, codes.astype(np.int32))
    return Loaded(
        source, dataset.X, labels, like or features, f"xxh64:{stamp:016x}", lambda row: f"row {row + 1}",
        (dataset.description,),
    )  # fmt: skip
