"""The scikit-learn layer: check, convert, run the core, publish what it found."""

from rosenblatt.estimators.perceptron import Perceptron

__all__ = ["Perceptron"]
