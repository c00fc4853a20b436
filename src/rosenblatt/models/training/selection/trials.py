"""Trials: candidate settings, each fitted on folds of the training examples and scored on the rest of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.learning.pairs.pair_weights import PairWeights
from rosenblatt.learning.parameters import Algorithm, MultiClass, Parameters, names_of
from rosenblatt.learning.threads import map_threads
from rosenblatt.models.files.record import Record
from rosenblatt.models.files.registry import KINDS
from rosenblatt.models.training.evaluation.held_scores import HeldScores
from rosenblatt.models.training.sources.source import TrainingSet

_WORDS: dict[MultiClass, str] = {
    "joint": "classes learned jointly",
    "ova": "one class against all others",
    "ovo": "one class against one",
}


@dataclass(frozen=True)
class Candidate:
    """A run. The weights after each of `epochs` are compared."""

    rule: str  # in words
    parameters: Mapping[str, Any]
    epochs: tuple[int, ...]
    algorithm: Algorithm = "AveragedPerceptron"

    def changed(self, rule: str, **parameters: Any) -> "Candidate":
        """The same run with other parameters, which `rule` describes."""
        words = f"{self.rule}, {rule}" if self.rule else rule
        return Candidate(words, {**self.parameters, **parameters}, self.epochs, self.algorithm)

    def by(self, way: MultiClass) -> "Candidate":
        """The same run with another way to learn more than two classes."""
        return self.changed(_WORDS[way], multi_class=way)

    def balanced(self) -> "Candidate":
        """The same run with class weights."""
        return self.changed("classes weighted equally", class_weight="balanced")

    def setting(self, epochs: int) -> str:
        """The setting in words."""
        return f"{self.rule}, {epochs:,} epochs" if self.rule else f"{epochs:,} epochs"


@dataclass(frozen=True)
class Tried:
    """A setting and its accuracy in cross-validation."""

    setting: str
    algorithm: Algorithm
    parameters: Mapping[str, Any]
    accuracy: float
    candidate: Candidate = field(compare=False)
    held: tuple[HeldScores, ...] = field(default=(), compare=False, repr=False)  # of each fold, if they were kept

    @property
    def is_plain(self) -> bool:
        """Whether it only differs from the defaults of the averaged perceptron in the number of epochs."""
        return self.algorithm == "AveragedPerceptron" and self.parameters.keys() == {"max_iter"}


@dataclass
class _Results:
    """The results of a candidate, for each of its numbers of epochs."""

    candidate: Candidate
    correct: NDArray[np.int64]  # predictions on held-out examples
    total: NDArray[np.int64]
    held: list[list[HeldScores]]

    def __iadd__(self, other: "_Results") -> "_Results":
        self.correct += other.correct
        self.total += other.total
        for mine, more in zip(self.held, other.held, strict=True):
            mine += more
        return self


class Trials:
    """Fits candidates on folds and adds up their correct predictions.

    With `keeps_scores`, the scores of the held-out examples are kept, for the calibration of the best setting.
    """

    def __init__(self, given: Mapping[str, Any], keeps_scores: bool = False) -> None:
        self._given, self._keeps_scores = given, keeps_scores
        self._results: list[_Results] = []

    def run(self, candidates: Sequence[Candidate], folds: Sequence[TrainingSet]) -> None:
        """Fits each candidate on every fold. Folds in memory are fitted at the same time."""
        tasks = [(candidate, fold) for candidate in candidates for fold in folds]
        threads = min(fold.trial_threads for fold in folds)
        for found in map_threads(lambda task: self._tried(*task), tasks, threads):
            self._add(found)

    def tried(self, among: Sequence[Candidate] | None = None) -> list[Tried]:
        """The settings of these candidates, or of all: the best first, and the earlier of equals."""
        found = [
            Tried(
                candidate.setting(epochs),
                candidate.algorithm,
                {**candidate.parameters, "max_iter": epochs},
                int(each.correct[k]) / max(int(each.total[k]), 1),
                candidate,
                tuple(each.held[k]),
            )
            for each in self._results
            for candidate in [each.candidate]
            if among is None or candidate in among
            for k, epochs in enumerate(candidate.epochs)
        ]
        return sorted(found, key=lambda each: -each.accuracy)

    def best(self, count: int, among: Sequence[Candidate] | None = None) -> list[Candidate]:
        """The candidates of the best settings."""
        found: list[Candidate] = []
        for each in self.tried(among):
            if each.candidate not in found:
                found.append(each.candidate)
        return found[:count]

    def _add(self, found: _Results) -> None:
        for known in self._results:
            if known.candidate is found.candidate:
                known += found
                return
        self._results.append(found)

    def _tried(self, candidate: Candidate, fold: TrainingSet) -> _Results:
        given = {**self._given, **candidate.parameters, "max_iter": candidate.epochs[-1]}
        parameters = Parameters.of(candidate.algorithm, known_to(candidate.algorithm, given))
        counts: list[tuple[int, int]] = []
        held: list[list[HeldScores]] = []
        for record in fold.trial_records(parameters, candidate.epochs):
            if self._keeps_scores and _predicts_by_scores(record):
                scores, codes = fold.held_scores(record)
                counts.append((int(np.sum(record.codes_of(scores) == codes)), len(codes)))
                held.append([HeldScores.of(record, scores, codes)])
            else:
                confusion = fold.held_confusion(record)
                counts.append((int(np.trace(confusion)), int(confusion.sum())))
                held.append([])
        correct, total = np.array(counts, dtype=np.int64).T
        return _Results(candidate, correct.copy(), total.copy(), held)


def _predicts_by_scores(record: Record) -> bool:
    return KINDS[record.estimator].is_direct and not isinstance(record.fitted["coef_"], PairWeights)


def known_to(algorithm: Algorithm, given: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters that the algorithm has."""
    return {name: value for name, value in given.items() if name in names_of(algorithm)}
