"""The scikit-learn layer: check, convert, run the core, publish what it found."""

from rosenblatt.estimators.averaged import AveragedPerceptron
from rosenblatt.estimators.batch import BatchPerceptron
from rosenblatt.estimators.losses import perceptron_loss, zero_one_loss
from rosenblatt.estimators.perceptron import Perceptron
from rosenblatt.estimators.pocket import PocketPerceptron
from rosenblatt.estimators.voted import VotedPerceptron

__all__ = [
    "AveragedPerceptron",
    "BatchPerceptron",
    "Perceptron",
    "PocketPerceptron",
    "VotedPerceptron",
    "perceptron_loss",
    "zero_one_loss",
]
