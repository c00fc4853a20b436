"""A fitted model to write, and the hand of a forger."""

import hashlib
import json
import warnings
from pathlib import Path

import numpy as np

from rosenblatt import Perceptron


def fitted(n_features=3, classes=(0, 1), **parameters):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, n_features))
    y = np.array(classes)[np.argmax(X @ rng.standard_normal((n_features, len(classes))), axis=1)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return Perceptron(max_iter=200, **parameters).fit(X, y), X


def sealed(document: dict) -> bytes:
    """A document with the checksum that its content has: what a forger would write."""
    content = {key: value for key, value in document.items() if key != "checksum"}
    digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    return json.dumps(content | {"checksum": f"sha256:{digest}"}).encode()


def forge(path: Path, *place: str | int, value: object) -> None:
    """Sets the value at a place of a model file, and the checksum that fits."""
    document = json.loads(path.read_text())
    *steps, last = place
    within = document
    for step in steps:
        within = within[step]
    within[last] = value
    path.write_bytes(sealed(document))
