"""Scores the mixed weights on all shards: training errors for the pocket, validation accuracy for early stopping."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.distributed.shards.shard import Shard, live_groups, row_blocks
from rosenblatt.learning.examples import rows_of
from rosenblatt.learning.scores.prediction import is_positive


@dataclass(frozen=True)
class ToScore:
    """The weights of the problems that are still running, and the rules for errors."""

    multi_class: str
    order: str
    tie: str
    error_tie: str
    joint: bool
    live: tuple[int, ...]
    coef: NDArray[np.float64]
    intercept: NDArray[np.float64]
    wants_errors: bool


@dataclass(frozen=True)
class Scored:
    """Counts with one entry per problem that is still running."""

    errors: NDArray[np.float64]  # training errors, by weight
    right: NDArray[np.int64]  # correctly classified validation examples
    held: int
    examples: int


def score_shard(shard: Shard, request: ToScore) -> Scored:
    """Scores the weights on the examples of one shard."""
    errors, right = np.zeros(len(request.live)), np.zeros(len(request.live), np.int64)
    scored = 0
    if shard.is_empty:
        return Scored(errors, right, 0, 0)
    examples = shard.examples()
    if request.wants_errors:
        for group, planes in live_groups(examples, request.multi_class, request.order, request.live):
            members = examples.members if group.chosen is None else group.chosen
            scored += len(members)
            for rows in row_blocks(members):
                codes = shard.codes[rows]
                agreement = _agreement(shard, rows, request, planes, np.array(group.positives))
                wrong = agreement < 0
                positive = np.ones_like(wrong) if request.joint else codes[:, None] == np.array(group.positives)
                if request.joint or request.error_tie == "mistake":
                    wrong |= agreement == 0
                else:
                    wrong |= (agreement == 0) & (positive == (request.error_tie == "negative"))
                weights = np.ones(len(rows)) if shard.weights is None else shard.weights[rows]
                errors[[0] if request.joint else planes] += weights @ wrong
    if shard.held is not None:
        for rows in row_blocks(shard.held):
            scores = _scores(shard, rows, request.coef, request.intercept)
            if request.joint:
                right[0] += int(np.sum(np.argmax(scores, axis=1) == shard.codes[rows]))
            else:
                positives = positives_of(request.multi_class, len(shard.classes))[list(request.live)]
                right += np.sum(is_positive(scores, request.tie) == (shard.codes[rows][:, None] == positives), axis=0)
    return Scored(errors, right, 0 if shard.held is None else len(shard.held), scored)


def add_scores(parts: Sequence[Scored]) -> Scored:
    """The sum over all shards."""
    return Scored(
        np.sum([part.errors for part in parts], axis=0),
        np.sum([part.right for part in parts], axis=0),
        sum(part.held for part in parts),
        sum(part.examples for part in parts),
    )


def positives_of(multi_class: str, n_classes: int) -> NDArray[np.int64]:
    """The positive class of each binary problem."""
    if n_classes == 2:
        return np.array([1])
    if multi_class == "ovo":
        return np.array([b for a in range(n_classes) for b in range(a + 1, n_classes)])
    return np.arange(n_classes)


def _scores(shard: Shard, rows: Any, coef: NDArray[np.float64], intercept: NDArray[np.float64]) -> NDArray[np.float64]:
    return rows_of(shard.X[rows]).scores(np.ascontiguousarray(coef), np.ascontiguousarray(intercept))


def _agreement(shard: Shard, rows: Any, request: ToScore, planes: Any, positives: Any) -> NDArray[np.float64]:
    """y·score, one column per problem. Under the joint rule, the true class's score minus the best other score."""
    scores = _scores(shard, rows, request.coef[planes], request.intercept[planes])
    codes = shard.codes[rows]
    if not request.joint:
        return np.where(codes[:, None] == positives, scores, -scores)
    truth = np.take_along_axis(scores, codes[:, None].astype(np.int64), axis=1)
    np.put_along_axis(scores, codes[:, None].astype(np.int64), -np.inf, axis=1)
    return np.asarray(truth - scores.max(axis=1, keepdims=True))
