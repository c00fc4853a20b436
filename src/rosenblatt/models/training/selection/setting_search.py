"""Search over settings by cross-validation on the training examples, at the cost of a small multiple of one fit.

The candidates are constant steps, constant steps with a margin, and passive-aggressive steps of at most C (PA-I of
Crammer et al. 2006), where C regularises as in a support vector machine. Averaged, last and pocket weights are
compared, and so are the weights after several epochs of one run. The search is greedy: first the rule, then how more
than two classes become binary problems, then class weights. The best setting depends on the dataset (`python -m
benchmarks accuracy`).
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from rosenblatt.learning.parameters import MultiClass
from rosenblatt.models.training.selection.trial_cost import cost_of_fit, is_sparse
from rosenblatt.models.training.selection.trials import Candidate, Trials, Tried
from rosenblatt.models.training.sources.source import MAX_SCORED, TrainingSet
from rosenblatt.models.training.splits import Fold

#: Minimum number of examples of a class, and the share of all examples that classes of this size must have. With fewer,
#: the accuracy of a fold is mostly chance.
_PER_CLASS = 10
_SHARE = 0.9

#: Number of folds: limit on the cost of all trials (`trial_cost`). 1 means one fold of five.
_WORK = {5: 4e9, 3: 4e9, 1: 1.2e10}

#: If the cost exceeds every limit of `_WORK`, a short list of settings is tried on one fold (about five fits). Above
#: this limit, nothing is tried.
_WORK_OF_FEW = {"dense": 1.2e10, "sparse": 5e10}

#: The most epochs of a trial. Small tables are given more epochs without a search, to find a separator.
_MOST_EPOCHS = 200

#: Upper limits of passive-aggressive steps, and margins in units of the typical norm of a row.
_STEP_SIZES = {"dense": (1.0, 0.1, 0.01, 0.001), "sparse": (1.0, 0.3, 0.1)}
_MARGINS = {"dense": (10.0,), "sparse": (1.0, 3.0)}
_FEW_STEP_SIZES = {"dense": (0.1, 0.01), "sparse": (0.3, 0.1)}

#: Scores of held-out examples are kept if there are at most this many per setting, and if each class has enough.
_MOST_SCORES = 500_000
_HELD_OUT_PER_CLASS = 10

#: The number of rules that are tried with other ways to learn more than two classes.
_SECOND_ROUND = 2

#: One class against one is tried up to this many classes and weights, because it has a plane for each pair.
_MOST_FOR_PAIRS = 30
_MOST_WEIGHTS_OF_PAIRS = 10_000_000

#: Class weights are tried if the largest class has at least this many times the examples of the smallest.
_UNEQUAL = 1.5


@dataclass(frozen=True)
class Search:
    """The settings that were tried, from best to worst, and the examples on which they were compared, in words."""

    tried: tuple[Tried, ...]
    part: str

    @property
    def best(self) -> Tried:
        return self.tried[0]

    @property
    def plain(self) -> Tried:
        """The best of the settings that only differ from the defaults in the number of epochs."""
        return next(each for each in self.tried if each.is_plain)

    def reason(self) -> str:
        """The reason for the best setting, in words."""
        best, plain = self.best, self.plain
        text = f"{best.setting}: {best.accuracy:.1%} right in {self.part}, best of {len(self.tried)} settings"
        if best is plain:
            return text
        gain = (best.accuracy - plain.accuracy) * 100
        ahead = f"{gain:.1f} points above" if gain else "level with"
        return f"{text}, {ahead} {plain.setting} with constant steps"


def search(examples: TrainingSet, given: Mapping[str, Any], asked: Collection[str], seed: int) -> Search | None:
    """Tries the candidates on examples that are already scaled. None if there are too few examples or too many.

    `given` are the parameters without a search, `asked` the names of those that the user has set.
    """
    others = [] if "multi_class" in asked else other_ways(examples)
    weighs = "class_weight" not in asked and bool(examples.counts.max() >= _UNEQUAL * examples.counts.min())
    rules = list(rules_of(given, examples))
    cost = _cost(examples, rules, others, weighs)
    folds = next((k for k, limit in _WORK.items() if cost * max(k - 1, 1) <= limit), None)
    if folds is None:
        rules, others, folds = list(_few_rules(given, examples)), others[:1], 1
        if _cost(examples, rules, others, weighs) > _WORK_OF_FEW[_kind(examples)]:
            return None
    if not worth_searching(examples):
        return None
    parts = [examples.trial(Fold(k, 5 if folds == 1 else folds, seed)) for k in range(folds)]
    trials = Trials(given, keeps_scores=keeps_scores(examples, parts))
    trials.run(rules, parts)
    trials.run([each.by(way) for each in trials.best(_SECOND_ROUND) for way in others], parts)
    if weighs:
        trials.run([each.balanced() for each in trials.best(1)], parts)
    part = f"{folds}-fold cross-validation" if folds > 1 else "a fifth of the training part"
    return Search(tuple(trials.tried()), part)


def worth_searching(examples: TrainingSet) -> bool:
    """Whether there are enough examples to compare settings."""
    counts = examples.counts
    return bool(counts[counts >= _PER_CLASS].sum() >= _SHARE * counts.sum())


def keeps_scores(examples: TrainingSet, folds: Sequence[TrainingSet]) -> bool:
    """Whether the scores of the held-out examples are few enough to keep, for the calibration of the best setting.

    Each class must have enough of them.
    """
    held = sum(examples.n_training - fold.n_training for fold in folds)
    enough = len(folds) > 1 or int(examples.counts.min()) >= 5 * _HELD_OUT_PER_CLASS
    return enough and max(held, 1) * len(examples.classes) <= _MOST_SCORES and held <= MAX_SCORED


def _cost(examples: TrainingSet, rules: Sequence[Candidate], others: Sequence[MultiClass], weighs: bool) -> float:
    """The cost of all trials: the rules, the longest of them by other ways, and the longest with class weights."""
    longest = sorted((each.epochs[-1] for each in rules), reverse=True)
    first = sum(cost_of_fit(examples, epochs) for epochs in longest)
    second = sum(cost_of_fit(examples, epochs, way) for epochs in longest[:_SECOND_ROUND] for way in others)
    return first + second + (cost_of_fit(examples, longest[0]) if weighs else 0.0)


def rules_of(given: Mapping[str, Any], examples: TrainingSet) -> Iterator[Candidate]:
    """The rules of update. The earlier of equals wins, so the rules that are best on most datasets come first."""
    many, kind = min(given["max_iter"], _MOST_EPOCHS), _kind(examples)
    yield from _steps(_STEP_SIZES[kind], many)
    for times in _MARGINS[kind]:
        margin = round(times * typical_norm(examples), 3)
        yield Candidate(f"a margin of {margin:g}", {"margin": margin}, up_to(many, 10, 50, many))
    yield Candidate("", {}, up_to(many, 10, many))
    yield Candidate("last weights", {}, up_to(many, 50), "Perceptron")
    yield Candidate("pocket with ratchet", {"ratchet": True}, up_to(many, 50), "PocketPerceptron")


def _few_rules(given: Mapping[str, Any], examples: TrainingSet) -> Iterator[Candidate]:
    """The rules that are best on most large datasets, and constant steps."""
    many = min(given["max_iter"], _MOST_EPOCHS)
    yield from _steps(_FEW_STEP_SIZES[_kind(examples)], many)
    yield Candidate("", {}, up_to(many, 10, many))


def _steps(sizes: Sequence[float], many: int) -> Iterator[Candidate]:
    for size in sizes:
        yield Candidate(f"steps of at most {size:g} (pa1)", {"step": "pa1", "C": size}, up_to(many, 10, 50))


def _kind(examples: TrainingSet) -> Literal["dense", "sparse"]:
    return "sparse" if is_sparse(examples) else "dense"


def typical_norm(examples: TrainingSet) -> float:
    """About the norm of a row: √features for standardised columns, and 1 for words."""
    return 1.0 if is_sparse(examples) else examples.features.n_features**0.5


def up_to(many: int, *epochs: int) -> tuple[int, ...]:
    """Numbers of epochs in ascending order, limited to `many`."""
    return tuple(sorted({min(epoch, many) for epoch in epochs}))


def other_ways(examples: TrainingSet) -> list[MultiClass]:
    """Other ways to learn more than two classes than jointly."""
    k = len(examples.classes)
    if k == 2:
        return []
    weights = k * (k - 1) // 2 * examples.features.n_features
    return ["ova", "ovo"] if k <= _MOST_FOR_PAIRS and weights <= _MOST_WEIGHTS_OF_PAIRS else ["ova"]
