"""The search in dense data of many columns, by logistic regression on a working set.

The gradient of Σ log(1 + exp(−z·w)) is −Σ λz with λ = 1 / (1 + exp(z·w)) > 0. So where the estimate exists, which is
where the classes overlap, its λ are the multipliers of a witness; where the classes are separable, the iterations of
Newton's method soon find a separator. Each iteration is a matrix product, which a processor does at its full speed.
"""

import numpy as np
from numpy.typing import NDArray

from rosenblatt.theory.budget import Budget
from rosenblatt.theory.examples.frame import Frame
from rosenblatt.theory.examples.labelled_examples import Examples, Floats, Indices, to_floats
from rosenblatt.theory.separability.search.min_norm_search import max_working_values, parts
from rosenblatt.theory.separability.search.near_witness import prove_near, vertex
from rosenblatt.theory.separability.witness import Separator, Witness

LEAST_WIDTH = 100  # below this many columns the search for the point of least norm takes less time
_SAMPLE = 2.25  # examples of the first working set for each column: above 2, random labels overlap (Cover 1965)
_ITERATIONS = 60
_AFTER = 4  # iterations after the points are separated, which widen the margin
_ROUNDS = 12
_PRODUCT = 0.06  # cost of a multiplication in a matrix product, in touched values
_SCALES = (1.0, 0.5, 0.25, 0.1, 0.03, 0.01)  # of the last weights, from which the next round may start
_DAMPING = 1e-10  # of the curvature, so that directions without curvature get finite steps
_LARGEST = 1e8  # weights of this size, with examples of unit length, mean that the estimate does not exist


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
    w = np.zeros(frame.width)
    for _ in range(_ROUNDS):
        inside[working] = True
        found = _newton(points, w, budget)
        if found is None:
            return None
        w, multipliers = found
        if multipliers is not None:
            return _witness(examples, working, points, multipliers, budget)
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


def _newton(points: Floats, start: Floats, budget: Budget) -> tuple[Floats, Floats | None] | None:
    """Weights that separate the points; or the estimate with its multipliers; or None if neither is reached."""
    from scipy.linalg import LinAlgError, cho_factor, cho_solve

    n, width = points.shape
    scores = points @ start
    scale = min(_SCALES, key=lambda scale: _loss(scale * scores))
    w, scores = scale * start, scale * scores
    loss = _loss(scores)
    after = 0
    for _ in range(_ITERATIONS):
        if scores.min() > 0:
            after += 1
            if after > _AFTER:
                return w, None
        budget.spend(_PRODUCT * (n * width**2 + width**3 / 3) + 10.0 * points.size)
        with np.errstate(over="ignore"):
            multipliers = 1 / (1 + np.exp(scores))
        gradient = multipliers @ points
        if abs(gradient).max() < 1e-12 * multipliers.sum():
            return w, multipliers
        weighted = points * np.sqrt(multipliers * (1 - multipliers))[:, None]
        curvature = weighted.T @ weighted
        curvature[np.diag_indices(width)] += _DAMPING * curvature.diagonal().max()
        try:
            step = cho_solve(cho_factor(curvature, lower=True, overwrite_a=True, check_finite=False), gradient)
        except LinAlgError:
            return None
        change = points @ step
        scale = 1.0
        while (new := _loss(scores + scale * change)) > loss + 1e-12 * abs(loss) and scale > 1e-6:
            scale /= 2
        w, scores, loss = w + scale * step, scores + scale * change, new
        if abs(w).max() > _LARGEST:
            return (w, None) if scores.min() > 0 else None
    return None


def _loss(scores: Floats) -> float:
    return float(np.logaddexp(0, -scores).sum())


def _witness(
    examples: Examples, working: Indices, points: Floats, multipliers: Floats, budget: Budget
) -> Witness | None:
    reduced = vertex(points, multipliers, budget)
    if reduced is None:
        return None
    chosen, guess = reduced
    return prove_near(examples, working[chosen], guess, budget)
