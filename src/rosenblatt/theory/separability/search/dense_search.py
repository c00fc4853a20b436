"""The search in dense data of many columns, by logistic regression on a working set.

The gradient of Σ log(1 + exp(−z·w)) + ε‖w‖²/2 is εw − Σ λz with λ = 1 / (1 + exp(z·w)) > 0. At the minimum, which
exists and which Newton's method finds for every ε > 0, Σ λz = εw. As ε falls, one of these happens:

* w separates the working set;
* εw is so small that the sum becomes zero by a change of λ that keeps them positive: the multipliers of a witness;
* some w is ≥ 0 on the whole working set and > 0 on a part of it, so no witness contains that part, and its λ fall
  towards zero. These examples are removed, and with them the columns that only they use; a witness among the others
  suffices.

Each iteration is a matrix product, which a processor does at its full speed.
"""

import numpy as np
from numpy.typing import NDArray

from rosenblatt.theory.budget import Budget
from rosenblatt.theory.examples.frame import Frame
from rosenblatt.theory.examples.labelled_examples import Examples, Floats, Indices, to_floats
from rosenblatt.theory.separability.search.exact_witness import prove_exactly
from rosenblatt.theory.separability.search.min_norm_search import max_working_values, parts
from rosenblatt.theory.separability.search.near_witness import prove_near, vertex
from rosenblatt.theory.separability.witness import Separator, Witness

LEAST_WIDTH = 100  # below this many columns the search for the point of least norm takes less time
_SAMPLE = 2.25  # examples of the first working set for each column: above 2, random labels overlap (Cover 1965)
_PENALTIES = (1e-4, 1e-6, 1e-8)  # ε, with examples of about unit length
_ITERATIONS = 30  # for each ε
_CONVERGED = 1e-3  # decrease of the loss that is too small for another iteration
_ROUNDS = 12
_STEPS = 30  # from the multipliers of a minimum to those of a witness
_LONGEST = 0.9  # share of a multiplier that a step may take away
_PRODUCT = 0.06  # cost of a multiplication in a matrix product, in touched values


def search_dense(examples: Examples, budget: Budget) -> Separator | Witness | None:
    """A separator of all examples, or a witness; None where Newton's method finds neither."""
    frame = Frame(examples, examples.members, budget)
    room = max_working_values(examples) // examples.width
    size = min(int(_SAMPLE * examples.width), len(examples))
    if frame.width != examples.width or not examples.width < size <= room:
        return None
    chosen = np.sort(np.random.default_rng(0).choice(len(examples), size, replace=False))
    working: Indices = examples.members[chosen]
    inside = np.zeros(len(examples.signs), dtype=bool)
    points = np.vstack([frame.points(part) for part in parts(working)])
    for _ in range(_ROUNDS):
        inside[working] = True
        w = np.zeros(frame.width)
        for penalty in _PENALTIES:
            w, scores = _newton(points, w, penalty, budget)
            if scores.min() > 0:
                break
            found = _witness(examples, working, points, _multipliers(scores), budget)
            if found is not None:
                return found
        weights = frame.float_weights(w)
        wrong, _ = examples.not_above_zero(weights, budget)
        if not len(wrong):
            return Separator(weights)
        fresh = _lowest(examples, weights, inside, int(np.count_nonzero(~inside[wrong])))
        if not len(fresh) or len(working) + len(fresh) > room:
            return None
        working = np.concatenate([working, fresh])
        points = np.vstack([points, *(frame.points(part) for part in parts(fresh))])
    return None


def _lowest(examples: Examples, weights: list[int], inside: NDArray[np.bool_], n_wrong: int) -> Indices:
    """The wrong examples outside the working set, and others that are nearly wrong: the next round may need them."""
    scores = examples.scores(to_floats(weights))
    scores[inside] = np.inf
    most = examples.width if n_wrong > examples.width // 4 else 4 * n_wrong + examples.width // 8
    most = min(most, np.count_nonzero(np.isfinite(scores)))
    if not n_wrong or not most:
        return np.zeros(0, dtype=np.int64)
    return np.argpartition(scores, most - 1)[:most].astype(np.int64)


def _newton(points: Floats, start: Floats, penalty: float, budget: Budget) -> tuple[Floats, Floats]:
    """The minimum with this penalty, or the last iterate, and its scores."""
    n, width = points.shape
    w, scores = start, points @ start
    loss = _loss(scores, w, penalty)
    for _ in range(_ITERATIONS):
        budget.spend(_PRODUCT * (n * width**2 + width**3 / 3) + 10.0 * points.size)
        multipliers = _multipliers(scores)
        gradient = multipliers @ points - penalty * w
        step = _solve(points * np.sqrt(multipliers * (1 - multipliers))[:, None], penalty, gradient)
        if step is None:
            break
        decrease, change, scale = float(gradient @ step), points @ step, 1.0
        while (
            new := _loss(scores + scale * change, w + scale * step, penalty)
        ) > loss - 1e-4 * scale * decrease and scale > 1e-6:
            scale /= 2
        w, scores, loss = w + scale * step, scores + scale * change, new
        if decrease < _CONVERGED:
            break
    return w, scores


def _loss(scores: Floats, w: Floats, penalty: float) -> float:
    return float(np.logaddexp(0, -scores).sum() + penalty / 2 * (w @ w))


def _multipliers(scores: Floats) -> Floats:
    with np.errstate(over="ignore"):
        found: Floats = 1 / (1 + np.exp(scores))
    return found


def _solve(weighted: Floats, penalty: float, right: Floats) -> Floats | None:
    """The solution of (PᵀP + penalty) x = right for the weighted points P; None where rounding prevents it."""
    from scipy.linalg import LinAlgError, cho_factor, cho_solve

    matrix = weighted.T @ weighted
    matrix[np.diag_indices(len(matrix))] += penalty
    try:
        found: Floats = cho_solve(cho_factor(matrix, lower=True, overwrite_a=True, check_finite=False), right)
    except LinAlgError:
        return None
    return found


def _witness(
    examples: Examples, working: Indices, points: Floats, multipliers: Floats, budget: Budget
) -> Witness | None:
    """A witness from multipliers whose sum of points is small, by steps that would make the sum zero.

    An example whose multiplier would lose most of its value in such a step is removed.
    """
    kept, left = np.arange(len(points)), multipliers
    for _ in range(_STEPS):
        budget.spend(_PRODUCT * len(kept) * points.shape[1] ** 2 + 20.0 * points.size)
        part = points[kept]
        part = part[:, _varying(part, examples.fit_intercept)]
        if not 0 < part.shape[1] < len(kept):
            return None
        change = _relative_change(part, left)
        if change is None:
            return None
        if change.min() >= -_LONGEST:
            reduced = vertex(part, left * (1 + change), budget)
            if reduced is None:
                return None
            chosen, guess = working[kept[reduced[0]]], reduced[1]
            return prove_near(examples, chosen, guess, budget) or prove_exactly(examples, chosen, guess, budget)
        stays = change >= -_LONGEST
        kept, left = kept[stays], (left * (1 + change))[stays]
    return None


def _varying(points: Floats, offset: bool) -> NDArray[np.bool_]:
    """The columns that are not constant on these points (not zero, through the origin), and the offset's."""
    # The quotients are exact: with an offset, the first column holds powers of two.
    values = points / points[:, :1] if offset else points
    varying: NDArray[np.bool_] = np.any(values != (values[0] if offset else 0), axis=0)
    varying[0] |= offset
    return varying


def _relative_change(points: Floats, multipliers: Floats) -> Floats | None:
    """The smallest relative change of the multipliers, in the Euclidean norm, that makes their sum of points zero."""
    weighted = points * multipliers[:, None]
    step = _solve(weighted, 1e-14 * float(np.square(weighted).sum(axis=0).max()), multipliers @ points)
    return None if step is None else -(weighted @ step)
