"""The scikit-learn estimators: check the input, convert it, call `learning.fit`, set the fitted attributes."""

from typing import TYPE_CHECKING

from rosenblatt.lazy_names import lazy_names

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

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "averaged": "AveragedPerceptron",
        "batch": "BatchPerceptron",
        "kernel": "KernelPerceptron",
        "losses": "perceptron_loss zero_one_loss",
        "perceptron": "Perceptron",
        "pocket": "PocketPerceptron",
        "voted": "VotedPerceptron",
    },
)
