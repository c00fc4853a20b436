"""The part of the examples that early stopping keeps back."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedShuffleSplit

from rosenblatt.learning.examples import Examples


def split(examples: Examples, fraction: float, seed: int) -> tuple[Examples, NDArray[np.uint32]]:
    """Examples without a stratified part, and that part."""
    members = examples.members
    codes = examples.codes[members]
    counts = np.bincount(codes, minlength=len(examples.classes))
    held = int(np.ceil(fraction * len(members)))
    classes = len(examples.classes)
    if counts.min() < 2:
        rarest = examples.classes.tolist()[counts.argmin()]
        raise ValueError(
            f"early_stopping keeps back examples of every class, but class {rarest!r} has only {counts.min()}. Give "
            "it at least 2, or set early_stopping=False."
        )
    if held < classes or len(members) - held < classes:
        raise ValueError(
            f"validation_fraction={fraction} of {len(members)} examples leaves {held} to validate and "
            f"{len(members) - held} to train on; {classes} classes need at least {classes} in each part."
        )
    splitter = StratifiedShuffleSplit(n_splits=1, test_size=held, random_state=seed % 2**32)
    train, validation = next(splitter.split(codes, codes))
    return replace(examples, chosen=members[np.sort(train)]), members[np.sort(validation)]
