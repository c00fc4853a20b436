"""The perceptron, whole. See `Perceptron`, `conventions` and `textbook` first."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rosenblatt import conventions, data, models, plot, textbook
    from rosenblatt.estimators import (
        AveragedPerceptron,
        BatchPerceptron,
        Perceptron,
        PocketPerceptron,
        VotedPerceptron,
        perceptron_loss,
        zero_one_loss,
    )
    from rosenblatt.models import load, save

    __version__: str

__all__ = [
    "AveragedPerceptron",
    "BatchPerceptron",
    "Perceptron",
    "PocketPerceptron",
    "VotedPerceptron",
    "conventions",
    "data",
    "load",
    "models",
    "perceptron_loss",
    "plot",
    "save",
    "textbook",
    "zero_one_loss",
]

# Imported when first used: `rosenblatt --help` must not pay for scikit-learn.
_HOME = {
    "AveragedPerceptron": "rosenblatt.estimators",
    "BatchPerceptron": "rosenblatt.estimators",
    "Perceptron": "rosenblatt.estimators",
    "PocketPerceptron": "rosenblatt.estimators",
    "VotedPerceptron": "rosenblatt.estimators",
    "load": "rosenblatt.models",
    "perceptron_loss": "rosenblatt.estimators",
    "save": "rosenblatt.models",
    "zero_one_loss": "rosenblatt.estimators",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return import_module("rosenblatt.core").__version__
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    if name in __all__:
        return import_module(f"rosenblatt.{name}")
    raise AttributeError(f"module 'rosenblatt' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
