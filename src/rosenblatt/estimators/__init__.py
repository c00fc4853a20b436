"""The scikit-learn layer: check, convert, run the core, publish what it found."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rosenblatt.estimators.perceptron import Perceptron

__all__ = ["Perceptron"]

# Imported when first used: `estimators.direct` does without scikit-learn, whose import takes longer than most fits.
_HOME = {"Perceptron": "rosenblatt.estimators.perceptron"}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        from importlib import import_module

        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'rosenblatt.estimators' has no attribute {name!r}")
