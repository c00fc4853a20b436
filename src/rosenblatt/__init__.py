"""The perceptron, whole. See `Perceptron`, `conventions` and `textbook` first."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rosenblatt import conventions, data, models, plot, textbook
    from rosenblatt.estimators import Perceptron
    from rosenblatt.models import load, save

    __version__: str

__all__ = ["Perceptron", "conventions", "data", "load", "models", "plot", "save", "textbook"]

# Imported when first used: `rosenblatt --help` must not pay for scikit-learn.
_HOME = {"Perceptron": "rosenblatt.estimators", "load": "rosenblatt.models", "save": "rosenblatt.models"}


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
