"""The split into training and validation examples for early stopping."""

from dataclasses import replace
from math import ceil

import numpy as np
from numpy.typing import NDArray

from rosenblatt.learning.examples import Examples
from rosenblatt.learning.labels.stratified import stratified_split


def validation_split(examples: Examples, fraction: float, seed: int) -> tuple[Examples, NDArray[np.uint32]]:
    """Returns the training examples and the positions of a stratified validation part."""
    members = examples.members
    codes = examples.codes[members]
    classes = len(examples.classes)
    counts = np.bincount(codes, minlength=classes)
    held = ceil(fraction * len(members))
    if counts.min() < 2:
        rarest = examples.classes.tolist()[counts.argmin()]
        raise ValueError(
            f"early_stopping holds out examples of every class, but class {rarest!r} has only {counts.min()}. Provide "
            "at least 2, or set early_stopping=False."
        )
    if held < classes or len(members) - held < classes:
        raise ValueError(
            f"validation_fraction={fraction} of {len(members)} examples leaves {held} to validate and "
            f"{len(members) - held} to train on; {classes} classes need at least {classes} in each part."
        )
    training, validation = stratified_split(codes, classes, held, seed)
    return replace(examples, chosen=members[training]), members[validation]
