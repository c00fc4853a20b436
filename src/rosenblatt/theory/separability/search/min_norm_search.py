"""Searches a w with z·w > 0 for all examples: a guess in floating point, proved in integers."""

from fractions import Fraction

import numpy as np
from flint import fmpz_mat
from numpy.typing import NDArray

from rosenblatt.core import MinNorm
from rosenblatt.theory.budget import Budget, OutOfBudgetError
from rosenblatt.theory.exact.linear_algebra import cleared, only_null_vector, primitive
from rosenblatt.theory.exact.nearest_point import Nearest, Placed, nearest_point
from rosenblatt.theory.examples.frame import Frame
from rosenblatt.theory.examples.labelled_examples import Examples, Indices
from rosenblatt.theory.examples.shuffled_run import shuffled_run
from rosenblatt.theory.separability.search.near_witness import prove_near
from rosenblatt.theory.separability.witness import Separator, Witness

_SLICE = 200_000_000  # touched values between two checks for Ctrl-C
_ALL = 2_000_000  # up to this many values, all examples form the working set
_WIDE = 1000  # above this many features, a few epochs of the perceptron come first
_EPOCHS = 100
_PART = 500
_ROOM = 40_000_000  # maximum number of values in a working set
_LEAST_ROOM = 1_000_000
_BYTES = 24  # bytes of X for each value of the first working set, which is in float64 and grows


def max_working_values(examples: Examples) -> int:
    """How many values a dense working set may hold: no more than X itself has, if that is large."""
    return min(_ROOM, max(_LEAST_ROOM, examples.values))


def working_set(examples: Examples) -> Indices:
    """The examples of the initial working set."""
    if len(examples) * examples.width <= _ALL:
        return examples.members
    size = max(1000, 10 * examples.width)
    room = max(_LEAST_ROOM, examples.values * examples.X.dtype.itemsize // _BYTES)
    size = max(2, min(size, room // examples.width, len(examples)))
    chosen = np.random.default_rng(0).choice(len(examples), size, replace=False)
    sample: Indices = examples.members[np.sort(chosen)]
    return sample


def parts(indices: Indices) -> list[Indices]:
    """Splits the indices into small parts, so that temporary arrays stay small."""
    return [indices[begin : begin + _PART] for begin in range(0, len(indices), _PART)]


def search(
    examples: Examples, frame: Frame, budget: Budget, near: bool = False, proof_slice: float = 0.0
) -> Separator | Witness:
    """Finds a separator or a witness in the directions of the frame, or runs out of budget.

    With `near`, the multipliers of a witness may be approximate (see `near_witness.py`). `proof_slice` is added to the
    budget when the examples of a witness are found and only its proof is left.
    """
    # A separator must lie in the directions of the frame; the perceptron's weights need not.
    if frame.is_whole and examples.width > _WIDE and (quick := perceptron(examples, _EPOCHS, budget)) is not None:
        return quick
    working = working_set(examples)
    guess = MinNorm(frame.width)
    for part in parts(working):
        guess.add(frame.points(part))
    inside = np.zeros(len(examples.signs), dtype=bool)
    inside[working] = True
    while True:
        pause = _solve(guess, budget)
        if pause != "optimal":
            budget.extend(proof_slice)
            chosen, multipliers = working[guess.members], np.array(guess.multipliers)
            del guess  # the proof needs its memory
            if near and (short := prove_near(examples, chosen, multipliers, budget)) is not None:
                return short
            members = chosen.tolist()
            return _witness(frame, members, budget) or _exactly(examples, frame, members, multipliers, budget)
        weights = frame.float_weights(guess.point)
        wrong, scores = examples.not_above_zero(weights, budget)
        if not len(wrong):
            return Separator(weights)
        fresh = wrong[~inside[wrong]]
        if not len(fresh):
            return _exactly(examples, frame, working[guess.members].tolist(), guess.multipliers, budget)
        most = max(500, 2 * frame.width)
        if len(fresh) > most:
            fresh = fresh[np.argpartition(scores[~inside[wrong]], most)[:most]]
        inside[fresh] = True
        working = np.concatenate([working, fresh])
        for part in parts(fresh):
            guess.add(frame.points(part))


def _solve(guess: MinNorm, budget: Budget) -> str:
    while True:
        before = guess.work_done
        pause = guess.solve(slack=0.5, work=int(max(1, min(_SLICE, budget.left))))
        budget.charge(guess.work_done - before)
        if pause != "slice":
            return pause


def _witness(frame: Frame, members: list[int], budget: Budget) -> Witness | None:
    """The linear relation among these examples, if it is unique and its multipliers have one sign."""
    points = [point for part in parts(np.array(members)) for point in frame.integers(part.tolist())]
    low = min(p.exponent for p in points)
    scales = [p.scale for p in points]
    # Each example is converted and then released: Python's integers take several times the memory of X.
    columns = fmpz_mat(frame.width, len(points))
    bits = 0
    for i in reversed(range(len(points))):
        point = points.pop()
        numbers = [a << (point.exponent - low) for a in point.numbers]
        bits = max(bits, *(a.bit_length() for a in numbers))
        for j, a in enumerate(numbers):
            columns[j, i] = a
    multipliers = only_null_vector(columns, bits, budget)
    if multipliers is None or min(multipliers) < 0 < max(multipliers):
        return None
    return _unscaled(members, [abs(m) for m in multipliers], scales)


def _unscaled(indices: list[int], multipliers: list[int], scales: list[int]) -> Witness:
    """Multipliers of the frame's points, as multipliers of the examples themselves."""
    low = min(scales)
    return Witness.of(indices, [m << (scale - low) for m, scale in zip(multipliers, scales, strict=True)])


def _exactly(
    examples: Examples, frame: Frame, members: list[int], multipliers: NDArray[np.float64], budget: Budget
) -> Separator | Witness:
    """Continues from the guess in rational numbers, if rounding prevents a decision in floating point."""
    scales: dict[int, int] = {}

    def placed(indices: list[int]) -> list[Placed[int]]:
        points = frame.integers(indices)
        scales.update((i, p.scale) for i, p in zip(indices, points, strict=True))
        return [Placed(i, p.numbers, p.exponent) for i, p in zip(indices, points, strict=True)]

    def closer(x: Nearest[int]) -> Placed[int] | None:
        wrong, scores = examples.not_above_zero(frame.weights(x.direction), budget)
        if not len(wrong):
            return None
        if len(wrong) > 1000:
            wrong = wrong[np.argpartition(scores, 1000)[:1000]]
        length = max(abs(a) for a in x.direction).bit_length()
        direction = np.array([a / (1 << length) for a in x.direction])
        return placed([int(wrong[np.argmin(frame.points(wrong) @ direction)])])[0]

    members = members or [int(examples.members[0])]
    end = nearest_point(placed(members), rough_integers(multipliers) or [1], closer, budget)
    if not end.is_origin:
        return Separator(frame.weights(end.direction))
    return _unscaled(end.keys, end.multipliers, [scales[i] for i in end.keys])


def rough_integers(multipliers: NDArray[np.float64]) -> list[int]:
    """Multipliers of a guess as positive integers of about 60 bits."""
    return [max(1, int(m)) for m in np.ldexp(multipliers / max(multipliers.max(initial=0), 1e-300), 60).tolist()]


def perceptron(
    examples: Examples, epochs: int, budget: Budget, share: float = 1.0, check: bool = True
) -> Separator | None:
    """Runs some epochs of the perceptron within a share of the remaining budget; None if they do not separate.

    In many dimensions they often find a separator at once. Without `check` the result is not verified in integers.
    """
    epoch = 3.0 * examples.values + 50.0 * len(examples)
    if epoch > budget.left:
        raise OutOfBudgetError
    chosen = None if examples.everyone else examples.members.astype(np.uint32)
    run = shuffled_run(examples, epochs, chosen)
    limit = budget.used + share * budget.left
    while run.advance(min(_SLICE, examples.values + 1), pause_at_epoch=True) != "done":
        budget.charge(epoch)
        if run.not_finite or budget.used > limit:
            return None
        if epoch > budget.left:
            raise OutOfBudgetError
    outcome = run.outcome(0)
    if outcome.ending != "separated":
        return None
    w = outcome.last.w[0].tolist()
    w = [float(outcome.last.offsets[0]), *w] if examples.fit_intercept else w
    weights = primitive(cleared([Fraction(a) for a in w])[0])
    if check and len(examples.not_above_zero(weights, budget)[0]):
        return None
    return Separator(weights)
