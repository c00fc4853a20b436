"""A wider search than the default (`--tune`): more steps and margins, votes, and kernels, by successive halving.

All candidates are compared on the first folds of five, which have some hundred examples. The better half of them is
compared on the next fold as well, and so on, until a few are compared on all five (successive halving, Jamieson and
Talwalkar 2016, with folds as the resource).
"""

from collections.abc import Collection, Iterator, Mapping
from math import ceil
from typing import Any

from rosenblatt.models.training.selection.setting_search import (
    Search,
    keeps_scores,
    other_ways,
    rules_of,
    search,
    typical_norm,
    up_to,
    worth_searching,
)
from rosenblatt.models.training.selection.trial_cost import cost_of_fit, is_sparse
from rosenblatt.models.training.selection.trials import Candidate, Trials
from rosenblatt.models.training.sources.source import TrainingSet
from rosenblatt.models.training.splits import Fold

_FOLDS = 5
_LAST = 4  # candidates that are compared on all folds
_FIRST_EXAMPLES = 300  # held-out examples on which all candidates are compared, if there are so many

#: Limit on the cost of the linear candidates (`trial_cost`): about a minute.
_WORK = 2e11

#: Kernels and votes compare examples with examples, so they are tried up to this many training examples.
_DUAL = ("VotedPerceptron", "KernelPerceptron")
_MOST_FOR_DUAL = 5000

_STEP_SIZES = (3.0, 0.03, 0.003, 0.0003)  # in addition to those of the default search
_MARGINS = (0.3, 1.0, 3.0, 30.0)  # in units of the typical norm of a row
_EPOCHS = (10, 50, 200)
_DUAL_EPOCHS = 30
_GAMMAS = (0.03, 0.1, 0.3, 1.0, 3.0)  # in units of 1 / features
_DEGREES = (2, 3)


def tune(examples: TrainingSet, given: Mapping[str, Any], asked: Collection[str], seed: int) -> Search | None:
    """The wider search on examples that are already scaled. Very large data gets the default search.

    `given` and `asked` are those of `search`.
    """
    candidates = list(_candidates(examples, given, asked))
    linear = [each for each in candidates if each.algorithm not in _DUAL]
    cost = sum(cost_of_fit(examples, e.epochs[-1], e.parameters.get("multi_class", "joint")) for e in linear)
    # Half of the candidates are compared on the next fold, a quarter on the one after: about twice the work of one fold
    # for all. Small data, for which all are compared on more folds, is far below the limit.
    if 2 * cost > _WORK:
        return search(examples, given, asked, seed)
    if not worth_searching(examples):
        return None
    rounds: list[list[Candidate]] = []
    folds = [examples.trial(Fold(k, _FOLDS, seed)) for k in range(_FOLDS)]
    trials, left = Trials(given, keeps_scores(examples, folds)), candidates
    first = min(_FOLDS, ceil(_FOLDS * _FIRST_EXAMPLES / examples.n_training))
    for part in [folds[:first], *([fold] for fold in folds[first:])]:
        trials.run(left, part)
        rounds.append(left)
        left = trials.best(max(len(left) // 2, _LAST), left)
    # Those that came further are listed first: their accuracy is that of more examples.
    tried = trials.tried(rounds[-1])
    for before, after in zip(reversed(rounds[:-1]), reversed(rounds[1:]), strict=True):
        tried += trials.tried([each for each in before if each not in after])
    return Search(tuple(tried), f"up to {_FOLDS} folds of the training part (successive halving)")


def _candidates(examples: TrainingSet, given: Mapping[str, Any], asked: Collection[str]) -> Iterator[Candidate]:
    linear = list(rules_of(given, examples))
    known = {each.rule for each in linear}
    linear += [each for each in _more_rules(examples) if each.rule not in known]
    yield from linear
    ways = [] if "multi_class" in asked else other_ways(examples)
    averaged = [each for each in linear if each.algorithm == "AveragedPerceptron"]
    for way in ways:
        yield from (each.by(way) for each in averaged)
    if "class_weight" not in asked:
        yield from (each.balanced() for each in averaged)
    if examples.is_in_memory and examples.n_training <= _MOST_FOR_DUAL and not is_sparse(examples):
        yield from _dual(examples)


def _more_rules(examples: TrainingSet) -> Iterator[Candidate]:
    for size in _STEP_SIZES:
        yield Candidate(f"steps of at most {size:g} (pa1)", {"step": "pa1", "C": size}, up_to(_EPOCHS[-1], *_EPOCHS))
    for times in _MARGINS:
        margin = round(times * typical_norm(examples), 3)
        yield Candidate(f"a margin of {margin:g}", {"margin": margin}, up_to(_EPOCHS[-1], *_EPOCHS))


def _dual(examples: TrainingSet) -> Iterator[Candidate]:
    """Votes and kernels. Their problems are one class against one, or one against all others."""
    yield Candidate("vote of all weights", {"multi_class": "ovo"}, (10,), "VotedPerceptron")
    base = {"vote": "average", "multi_class": "ova"}
    for times in _GAMMAS:
        gamma = float(f"{times / examples.features.n_features:.3g}")
        for kernel in ("rbf", "laplacian"):
            parameters = {**base, "kernel": kernel, "gamma": gamma}
            yield Candidate(f"{kernel} kernel, gamma {gamma:g}", parameters, (_DUAL_EPOCHS,), "KernelPerceptron")
    for degree in _DEGREES:
        gamma = float(f"{1 / examples.features.n_features:.3g}")
        parameters = {**base, "kernel": "poly", "degree": degree, "coef0": 1.0, "gamma": gamma}
        yield Candidate(f"polynomial kernel of degree {degree}", parameters, (_DUAL_EPOCHS,), "KernelPerceptron")
