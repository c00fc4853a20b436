"""Fits the calibration of a trained model on scores of examples that the scoring weights were not fitted on.

These are the folds of a cross-validation on the training examples, each scored by a fit on the other folds. The search
for the best setting has made these fits; without a search, they are made here. If they would be expensive, the examples
held out for the test are used: the calibration does not change predicted labels, so their accuracy stays an estimate
for new examples.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from rosenblatt.data import DataError
from rosenblatt.learning.scores.calibration import Calibration, fit_calibration
from rosenblatt.models.files.record import Record
from rosenblatt.models.training.evaluation.held_scores import HeldScores, score_size
from rosenblatt.models.training.sources.source import TrainingSet
from rosenblatt.models.training.splits import Fold

_FOLDS = 3
#: Minimum number of training examples of a class, and the number of classes that must have them. The targets of a fit
#: are smoothed, so that a class of fewer examples gets a small probability.
_PER_CLASS = _FOLDS
_CLASSES = 2
#: Limit on the values read in the additional fits; 10⁹ take about a second.
_WORK = 4e8
#: Minimum number of held-out examples per class, if these are used instead of folds.
_HELD_OUT_PER_CLASS = 20

Refit = Callable[[TrainingSet], Record]


def calibrated(
    record: Record,
    examples: TrainingSet,
    refit: Refit,
    proba: bool | None,
    seed: int,
    searched: Sequence[HeldScores] = (),
) -> Calibration | None:
    """The calibration of a model; None if there are too few examples.

    `record` and `examples` are both scaled or both unscaled. `refit` fits the same model on a part of the examples.
    `searched` are the scores of folds by this model's setting, if a search has kept them.
    With `proba=True` too few examples are an error, and cost does not matter; with None, a calibration is only fitted
    if it costs little.
    """
    if proba is False:
        return None
    if record.parameters.get("kernel") == "precomputed":
        if proba:
            raise DataError(f"{examples.name}: a precomputed kernel cannot be cut into folds. Leave --proba out.")
        return None
    if (examples.counts >= _PER_CLASS).sum() < _CLASSES:
        if proba:
            raise DataError(
                f"{examples.name}: probabilities need {_CLASSES} classes of at least {_PER_CLASS} training examples; "
                f"the smallest class has {examples.counts.min()}. Leave --proba out, or add examples."
            )
        return None
    if searched:
        folds = "a fifth" if len(searched) == 1 else f"{len(searched)} folds"
        return _fitted(record, searched, f"{folds} of the training examples")
    if _work(record, examples) * (_FOLDS - 1) <= _WORK:
        return _by_folds(record, examples, refit, seed)
    held = examples.n_examples - examples.n_training
    if held:
        scores, codes = examples.held_scores(record)
        if np.bincount(codes, minlength=len(record.classes)).min() >= _HELD_OUT_PER_CLASS:
            return _fitted(record, [HeldScores.of(record, scores, codes)], "the examples held out")
    return _by_folds(record, examples, refit, seed) if proba else None


def _by_folds(record: Record, examples: TrainingSet, refit: Refit, seed: int) -> Calibration:
    parts = []
    for k in range(_FOLDS):
        part = examples.trial(Fold(k, _FOLDS, seed))
        fitted = refit(part)
        parts.append(HeldScores.of(fitted, *part.held_scores(fitted)))
    return _fitted(record, parts, f"{_FOLDS} folds of the training examples")


def _fitted(record: Record, parts: Sequence[HeldScores], held_out: str) -> Calibration:
    """Fits the calibration to held scores, and converts its slope to the size of the model's scores."""
    scores = np.concatenate([part.scores for part in parts]).astype(np.float64)
    found = fit_calibration(scores, np.concatenate([part.codes for part in parts]), held_out)
    return replace(found, slope=found.slope / score_size(record))


def _work(record: Record, examples: TrainingSet) -> float:
    """About how many values a fit like this one reads."""
    epochs, n = int(record.fitted["n_iter_"]), examples.n_training
    problems = 1 if len(record.classes) == 2 else len(record.classes)
    if record.estimator == "KernelPerceptron":
        return float(n) * n * (record.features.n_features + epochs * problems)
    if record.estimator == "VotedPerceptron":
        return float(n) * len(record.fitted["support_"]) * record.features.n_features
    return float(epochs) * (examples.n_values + 32 * n) * problems
