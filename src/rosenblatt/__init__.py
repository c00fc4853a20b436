"""The perceptron, whole. See `Perceptron`, `conventions` and `textbook` first."""

from importlib import import_module
from importlib.metadata import version as _version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rosenblatt import compat, conventions, data, textbook
    from rosenblatt.estimators import Perceptron

__all__ = ["Perceptron", "compat", "conventions", "data", "textbook"]

# Imported when first used: `rosenblatt --help` must not pay for scikit-learn.
_HOME = {"Perceptron": "rosenblatt.estimators"}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return _version("rosenblatt")
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    if name in __all__:
        return import_module(f"rosenblatt.{name}")
    raise AttributeError(f"module 'rosenblatt' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
