"""The scikit-learn layer: check, convert, run the core, publish what it found."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rosenblatt.estimators.averaged import AveragedPerceptron
    from rosenblatt.estimators.batch import BatchPerceptron
    from rosenblatt.estimators.kernel import KernelPerceptron
    from rosenblatt.estimators.losses import perceptron_loss, zero_one_loss
    from rosenblatt.estimators.perceptron import Perceptron
    from rosenblatt.estimators.pocket import PocketPerceptron
    from rosenblatt.estimators.voted import VotedPerceptron

__all__ = [
    "AveragedPerceptron",
    "BatchPerceptron",
    "KernelPerceptron",
    "Perceptron",
    "PocketPerceptron",
    "VotedPerceptron",
    "perceptron_loss",
    "zero_one_loss",
]

# Imported when first used: `learning` does without scikit-learn, whose import takes longer than most fits.
_HOME = {
    "AveragedPerceptron": "averaged",
    "BatchPerceptron": "batch",
    "KernelPerceptron": "kernel",
    "Perceptron": "perceptron",
    "PocketPerceptron": "pocket",
    "VotedPerceptron": "voted",
    "perceptron_loss": "losses",
    "zero_one_loss": "losses",
}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        from importlib import import_module

        return getattr(import_module(f"rosenblatt.estimators.{_HOME[name]}"), name)
    raise AttributeError(f"module 'rosenblatt.estimators' has no attribute {name!r}")
