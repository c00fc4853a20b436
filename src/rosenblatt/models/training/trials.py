"""Trials: candidate settings, each fitted on folds of the training examples and scored on the rest of them."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.learning.parameters import Algorithm, MultiClass, Parameters, names_of
from rosenblatt.models.training.sources import TrainingSet

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

    @property
    def is_plain(self) -> bool:
        """Whether it only differs from the defaults of the averaged perceptron in the number of epochs."""
        return self.algorithm == "AveragedPerceptron" and self.parameters.keys() == {"max_iter"}


#: For each number of epochs of a candidate, the correct and all predictions on held-out examples.
Counts = NDArray[np.int64]


class Trials:
    """Fits candidates on folds and adds up their correct predictions."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self._given = given
        self._counts: list[tuple[Candidate, Counts]] = []

    def run(self, candidates: Sequence[Candidate], folds: Sequence[TrainingSet]) -> None:
        """Fits each candidate on every fold. Folds in memory are fitted at the same time."""
        tasks = [(candidate, fold) for candidate in candidates for fold in folds]
        threads = min(fold.trial_threads for fold in folds)
        if threads > 1:
            with ThreadPoolExecutor(threads) as pool:
                counts = list(pool.map(lambda task: self._right(*task), tasks))
        else:
            counts = [self._right(*task) for task in tasks]
        for (candidate, _), found in zip(tasks, counts, strict=True):
            self._add(candidate, found)

    def tried(self, among: Sequence[Candidate] | None = None) -> list[Tried]:
        """The settings of these candidates, or of all: the best first, and the earlier of equals."""
        found = [
            Tried(
                candidate.setting(epochs),
                candidate.algorithm,
                {**candidate.parameters, "max_iter": epochs},
                int(correct) / max(int(total), 1),
                candidate,
            )
            for candidate, counts in self._counts
            if among is None or candidate in among
            for epochs, (correct, total) in zip(candidate.epochs, counts, strict=True)
        ]
        return sorted(found, key=lambda each: -each.accuracy)

    def best(self, count: int, among: Sequence[Candidate] | None = None) -> list[Candidate]:
        """The candidates of the best settings."""
        found: list[Candidate] = []
        for each in self.tried(among):
            if each.candidate not in found:
                found.append(each.candidate)
        return found[:count]

    def _add(self, candidate: Candidate, counts: Counts) -> None:
        for known, total in self._counts:
            if known is candidate:
                total += counts
                return
        self._counts.append((candidate, counts))

    def _right(self, candidate: Candidate, fold: TrainingSet) -> Counts:
        given = {**self._given, **candidate.parameters, "max_iter": candidate.epochs[-1]}
        parameters = Parameters.of(candidate.algorithm, known_to(candidate.algorithm, given))
        confusions = [fold.held_confusion(record) for record in fold.trial_records(parameters, candidate.epochs)]
        return np.array([(np.trace(confusion), confusion.sum()) for confusion in confusions])


def known_to(algorithm: Algorithm, given: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters that the algorithm has."""
    return {name: value for name, value in given.items() if name in names_of(algorithm)}
