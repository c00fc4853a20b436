"""Hyperplanes with few errors, from above: the pocket algorithm, linear programs, and local search from the best."""

from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np
import scipy.sparse as sp
from scipy.optimize import linprog

from rosenblatt.theory.budget import Budget
from rosenblatt.theory.exact.linear_algebra import cleared, primitive
from rosenblatt.theory.examples.frame import Frame
from rosenblatt.theory.examples.labelled_examples import Examples, Floats
from rosenblatt.theory.examples.shuffled_run import shuffled_run
from rosenblatt.theory.minimum_error.local_search import LocalSearch
from rosenblatt.theory.separability.search.min_norm_search import working_set

Try = Callable[[list[int]], bool]  # counts the errors of weights exactly, keeps the best; whether the bounds are equal

_EPOCHS = 100  # epochs of the pocket algorithm
_PROGRAM = 200_000  # no linear programs for X with more values than this
_ROUNDS = 6  # reweighted linear programs
_POINTS = 4_000_000  # no local search for X with more values than this
_DIRECTIONS = 200  # line searches without an improvement that end a local search
_SHARE = 0.2  # share of the remaining budget for each of the two


def pocket(examples: Examples, attempt: Try, budget: Budget) -> None:
    """Runs the pocket algorithm with ratchet (Gallant 1990) for some epochs."""
    epoch = 5.0 * examples.values + 100.0 * len(examples)
    epochs = int(min(_EPOCHS, _SHARE * budget.left / epoch))
    if not epochs:
        return
    run = shuffled_run(examples, epochs, pocket=True, ratchet=True)
    while run.advance(examples.values + 1, pause_at_epoch=True) != "done":  # several times an epoch
        budget.charge(2.0 * examples.values + 1000)
    if run.not_finite:
        return
    best = run.outcome(0).pocket
    w, w0 = best.w[0], float(best.offsets[0])
    if np.all(np.isfinite(w)) and np.isfinite(w0):
        numbers = [w0, *w.tolist()] if examples.fit_intercept else w.tolist()
        attempt(primitive(cleared([Fraction(a) for a in numbers])[0]))


def improve_planes(examples: Examples, attempt: Try, budget: Budget) -> None:
    """Local searches from the solutions of linear programs, within a share of the budget."""
    if len(examples) * examples.width > _POINTS:
        return
    limit = budget.used + _SHARE * budget.left
    frame = Frame(examples, working_set(examples), budget)
    points = frame.points(examples.members)
    search = LocalSearch(points)
    starts = _programs(points, budget, limit) if points.size <= _PROGRAM else iter([points.mean(axis=0)])
    for w in starts:
        if not np.any(w):
            continue
        best = w / abs(w).max()
        for better in search.improve(best, min(_DIRECTIONS, 4 * len(points)), budget):
            best = better
            if budget.used > limit:
                break
        if attempt(frame.float_weights(best)) or budget.used > limit:
            return


def _programs(points: Floats, budget: Budget, limit: float) -> Iterator[Floats]:
    """Minimises the weighted sum of the violations of z·w ≥ 1 repeatedly, with weights from the last violations.

    Examples with a large violation get a small weight, so that they become errors and the others become correct
    (Candès, Wakin and Boyd 2008).
    """
    n, width = points.shape
    prices = np.ones(n)
    table = sp.hstack([sp.csr_matrix(-points), -sp.identity(n)], format="csr")
    bounds = [(None, None)] * width + [(0, None)] * n
    for _ in range(_ROUNDS):
        if budget.used > limit:
            return
        iteration = 5.0 * (points.size + n)
        budget.spend(4e6 + 10 * iteration)
        options = {"maxiter": max(1, int(min((limit - budget.used) / iteration, 2**30)))}
        found = linprog(
            np.concatenate([np.zeros(width), prices]),
            A_ub=table,
            b_ub=-np.ones(n),
            bounds=bounds,
            method="highs-ds",
            options=options,
        )
        budget.charge(iteration * found.nit)
        if found.status != 0:
            return
        yield found.x[:width]
        prices = 1 / (found.x[width:] + 0.1)
