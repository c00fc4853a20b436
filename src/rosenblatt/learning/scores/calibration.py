"""Probabilities from scores: Platt's sigmoid for two classes, its multinomial form for more.

P(c | x) is proportional to exp(slope · z_c + offset_c). z_c is the score of class c (for two classes 0 and the score;
for one-vs-one the smallest score by which the class wins a pair, negative if it loses one). Slope and offsets minimise
the log loss on scores of examples that the model was not fitted on. The targets are smoothed: the true class of an
example gets (m + 1) / (m + 2), and the other classes share the rest. For two classes m is the number of examples of its
class, as in Platt (1999). For more classes m is the number of all examples: classes are then so small that Platt's
targets would be far from certain, also for scores that are never wrong.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

#: With more classes than this there are few examples of each, and only the slope is fitted (temperature scaling).
_MAX_OFFSETS = 100
_MOST_EXAMPLES = 30_000
_ITERATIONS = 100
_TOLERANCE = 1e-10

#: Multiplications of a matrix product. BLAS libraries divide larger ones between threads, and the wait for these takes
#: longer than a product of this size.
_PRODUCT = 1 << 18

#: Probabilities below this count as this much in a log loss, which is infinite for 0.
SMALLEST = 1e-15


@dataclass(frozen=True)
class Calibration:
    """The map from scores to probabilities.

    Examples
    --------
    >>> import numpy as np
    >>> Calibration(2.0, (0.0, 0.0)).probabilities(np.array([[0.0], [4.0]])).round(3).tolist()
    [[0.5, 0.5], [0.0, 1.0]]
    """

    slope: float
    offsets: tuple[float, ...]  # one per class; the first is 0
    n_examples: int = 0  # the number of examples it was fitted on
    held_out: str = ""  # which examples these were, in words

    def probabilities(self, scores: Array, *, pairs: bool = False) -> Array:
        """The probability of each class. `pairs`: the scores are those of one-vs-one."""
        return softmax(self.slope * class_scores(scores, len(self.offsets), pairs) + np.array(self.offsets))


def attach(estimator: object, calibration: Calibration) -> None:
    """Gives a fitted estimator a calibration. It holds until the weights are replaced."""
    vars(estimator)["_calibration"] = (calibration, _weights(estimator))


def attached(estimator: object) -> Calibration | None:
    """The calibration of an estimator with its present weights, if any."""
    calibration: Calibration | None
    calibration, weights = vars(estimator).get("_calibration", (None, None))
    return calibration if calibration is not None and weights is _weights(estimator) else None


def _weights(estimator: object) -> object:
    state = vars(estimator)
    return state.get("coef_", state.get("dual_coef_"))


def class_scores(scores: Array, n_classes: int, pairs: bool) -> Array:
    """One column of scores per class, from the scores of the binary problems."""
    if n_classes == 2:
        return np.column_stack([np.zeros(len(scores)), scores[:, 0]])
    if not pairs:
        return scores
    found = np.empty((len(scores), n_classes))
    signed = np.hstack([scores, -scores])
    for c, columns in enumerate(pair_columns(n_classes)):
        found[:, c] = signed[:, columns].min(axis=1)
    return found


def pair_columns(n_classes: int) -> NDArray[np.int64]:
    """For each class the columns of its scores in [s, -s], where s has one column per pair (a, b), positive for b.

    >>> pair_columns(3).tolist()
    [[3, 4], [0, 5], [1, 2]]
    """
    a, b = np.triu_indices(n_classes, 1)
    pairs = np.arange(len(a))
    order = np.argsort(np.concatenate([b, a]), kind="stable")
    return np.sort(np.concatenate([pairs, pairs + len(a)])[order].reshape(n_classes, n_classes - 1), axis=1)


def softmax(logits: Array) -> Array:
    """exp(logits) divided by its sum over each row, without overflow."""
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def fit_calibration(scores: Array, codes: NDArray[np.integer], held_out: str = "") -> Calibration:
    """Fits slope and offsets to class scores (one column per class) of examples with these class codes.

    A negative slope would make the class of the highest score the least probable one. The slope is then 0, and the
    probabilities are the shares of the classes. Of more than `_MOST_EXAMPLES`, that many at equal distances are used:
    they determine so few numbers well.
    """
    if len(scores) > _MOST_EXAMPLES:
        chosen = np.linspace(0, len(scores) - 1, _MOST_EXAMPLES).astype(np.int64)
        scores, codes = scores[chosen], codes[chosen]
    n, k = scores.shape
    size = float(np.sqrt(np.mean((scores - scores.mean(axis=1, keepdims=True)) ** 2))) or 1.0
    z, targets = scores / size, _targets(codes, n, k)
    free_offsets = k - 1 if k <= _MAX_OFFSETS else 0
    slope, offsets = _newton(z, targets, free_offsets)
    if slope < 0:
        slope, offsets = 0.0, _newton(np.zeros_like(z), targets, free_offsets)[1]
    return Calibration(slope / size, tuple(float(b) for b in offsets), n, held_out)


def _targets(codes: NDArray[np.integer], n: int, k: int) -> Array:
    counts = np.bincount(codes, minlength=k) if k == 2 else np.full(k, n)
    targets = np.repeat((1.0 / (counts + 2) / (k - 1))[codes][:, None], k, axis=1)
    targets[np.arange(n), codes] = ((counts + 1.0) / (counts + 2))[codes]
    return targets


def _newton(z: Array, targets: Array, free_offsets: int) -> tuple[float, Array]:
    """Minimises the mean log loss, which is convex, over the slope and the offsets of all classes but the first."""
    n, k = z.shape
    theta = np.zeros(1 + free_offsets)

    def full(parameters: Array) -> Array:
        return np.concatenate([np.zeros(k - free_offsets), parameters[1:]])

    def loss_at(parameters: Array) -> float:
        logits = parameters[0] * z + full(parameters)
        largest = logits.max(axis=1, keepdims=True)
        return float(np.mean(np.log(np.exp(logits - largest).sum(axis=1)) + largest[:, 0] - (targets * logits).sum(1)))

    loss = loss_at(theta)
    for _ in range(_ITERATIONS):
        p = softmax(theta[0] * z + full(theta))
        excess = p - targets
        mean = (p * z).sum(axis=1, keepdims=True)
        gradient = np.concatenate([[np.mean((excess * z).sum(axis=1))], excess.mean(axis=0)[k - free_offsets :]])
        if np.abs(gradient).max() < _TOLERANCE:
            break
        hessian = np.empty((1 + free_offsets, 1 + free_offsets))
        hessian[0, 0] = np.mean((p * z * z).sum(axis=1) - mean[:, 0] ** 2)
        free = p[:, k - free_offsets :]
        hessian[0, 1:] = hessian[1:, 0] = np.mean(free * (z[:, k - free_offsets :] - mean), axis=0)
        hessian[1:, 1:] = np.diag(free.mean(axis=0)) - _gram(free) / n
        step = np.linalg.solve(hessian + 1e-12 * np.eye(len(theta)), gradient)
        size = 1.0
        while size > 1e-8 and not (better := loss_at(theta - size * step)) < loss:
            size /= 2
        if size <= 1e-8:
            break
        theta, loss = theta - size * step, better
    return float(theta[0]), full(theta)


def _gram(columns: Array) -> Array:
    """The products of all pairs of columns, added up over blocks of rows."""
    n, k = columns.shape
    rows = max(1, _PRODUCT // max(1, k * k))
    total = np.zeros((k, k))
    for begin in range(0, n, rows):
        block = columns[begin : begin + rows]
        total += block.T @ block
    return total


def log_losses(probabilities: Array, codes: NDArray[np.integer]) -> Array:
    """The negative logarithm of the probability of each example's class.

    >>> float(log_losses(np.array([[0.5, 0.5]]), np.array([1]))[0].round(4))
    0.6931
    """
    return np.asarray(-np.log(np.maximum(probabilities[np.arange(len(codes)), codes], SMALLEST)))
