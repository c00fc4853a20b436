"""The perceptron, whole. See `Perceptron`, `separability`, `conventions` and `textbook` first."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rosenblatt import boolean, compat, conventions, data, distributed, lab, models, plot, textbook, theory
    from rosenblatt.estimators import (
        AveragedPerceptron,
        BatchPerceptron,
        KernelPerceptron,
        Perceptron,
        PocketPerceptron,
        VotedPerceptron,
        perceptron_loss,
        zero_one_loss,
    )
    from rosenblatt.internal_error import InternalError
    from rosenblatt.models import load, save
    from rosenblatt.theory import Hyperplane, separability
    from rosenblatt.trace import Trace

    __version__: str

__all__ = [
    "AveragedPerceptron",
    "BatchPerceptron",
    "Hyperplane",
    "InternalError",
    "KernelPerceptron",
    "Perceptron",
    "PocketPerceptron",
    "Trace",
    "VotedPerceptron",
    "boolean",
    "compat",
    "conventions",
    "data",
    "distributed",
    "lab",
    "load",
    "models",
    "perceptron_loss",
    "plot",
    "save",
    "separability",
    "textbook",
    "theory",
    "zero_one_loss",
]

# Imported when first used: `rosenblatt --help` must not pay for scikit-learn.
_HOMES = {
    "rosenblatt.estimators": (
        "AveragedPerceptron",
        "BatchPerceptron",
        "KernelPerceptron",
        "Perceptron",
        "PocketPerceptron",
        "VotedPerceptron",
        "perceptron_loss",
        "zero_one_loss",
    ),
    "rosenblatt.internal_error": ("InternalError",),
    "rosenblatt.models": (
        "load",
        "save",
    ),
    "rosenblatt.theory": (
        "Hyperplane",
        "separability",
    ),
    "rosenblatt.trace": ("Trace",),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}


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
