"""Improves a hyperplane by line searches: the errors of w + αv change only at the α with z·w + α z·v = 0.

All n such α are sorted, so that one pass finds the α with the fewest errors (Li and Lin 2007, "Optimizing 0/1 loss for
perceptrons by random coordinate descent"). An α with as many errors as before is taken, too: the search then moves
across plateaus.
"""

from collections.abc import Iterator

import numpy as np

from rosenblatt.theory.budget import Budget
from rosenblatt.theory.examples.labelled_examples import Floats

_DIRECTION = 1e5  # cost of a direction, in touched values, and for each example
_EXAMPLE = 150.0


class LocalSearch:
    """Searches from given weights; `directions` without an improvement end it."""

    def __init__(self, points: Floats, seed: int = 0) -> None:
        self.points = points
        self.random = np.random.default_rng(seed)

    def improve(self, w: Floats, directions: int, budget: Budget) -> Iterator[Floats]:
        """Yields weights with ever fewer errors; none of the counts is proved."""
        n, width = self.points.shape
        scores = self.points @ w
        fewest = int(np.count_nonzero(scores <= 0))
        since = 0
        while fewest and since < directions:
            since += 1
            budget.spend(_DIRECTION + (_EXAMPLE + width) * n)
            v = self._direction(scores)
            slopes = self.points @ v
            errors, alpha = best_step(scores, slopes)
            if errors > fewest or not np.isfinite(alpha):
                continue
            w, scores = w + alpha * v, scores + alpha * slopes
            largest = abs(w).max()
            if not 1e-3 < largest < 1e3 and largest > 0:
                w, scores = w / largest, scores / largest
            if np.count_nonzero(scores <= 0) < fewest:  # after rounding, which may differ from `errors`
                scores = self.points @ w
                fewest, since = int(np.count_nonzero(scores <= 0)), 0
                yield w

    def _direction(self, scores: Floats) -> Floats:
        """A random error, a coordinate, a random direction, or the mean of several errors, chosen at random."""
        kind = self.random.integers(4)
        if kind < 2:
            wrong = np.flatnonzero(scores <= 0)
            chosen = self.random.choice(wrong, 1 if kind == 0 else min(len(wrong), 5))
            return np.asarray(self.points[chosen].mean(axis=0))
        if kind == 2:
            return np.asarray(self.random.normal(size=self.points.shape[1]))
        v = np.zeros(self.points.shape[1])
        v[self.random.integers(len(v))] = 1.0
        return v


def best_step(scores: Floats, slopes: Floats) -> tuple[int, float]:
    """The fewest errors along a line, and an α that attains them: the middle of the first shortest list of errors.

    >>> best_step(np.array([1.0, -1.0, 2.0]), np.array([0.0, 1.0, -1.0]))
    (0, 1.5)
    """
    moving = slopes != 0
    constant = int(np.count_nonzero(scores[~moving] <= 0))
    t = slopes[moving]
    at = -scores[moving] / t
    if not len(at):
        return constant, 0.0
    order = np.argsort(at)
    at = at[order]
    # Beyond its own α an example with a positive slope becomes right, one with a negative slope wrong.
    after = constant + np.count_nonzero(t > 0) + np.concatenate([[0], np.cumsum(np.where(t[order] > 0, -1, 1))])
    open_after = np.concatenate([[True], at[1:] > at[:-1], [True]])  # between equal α there is no interval
    after = np.where(open_after, after, len(scores) + 1)
    k = int(np.argmin(after))
    if k == 0:
        alpha = at[0] - 1 - abs(at[0])
    elif k == len(at):
        alpha = at[-1] + 1 + abs(at[-1])
    else:
        alpha = (at[k - 1] + at[k]) / 2
    return int(after[k]), float(alpha)
