"""Is there a w with z·w > 0 for all examples? A guess in floating point, proved in integers."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from rosenblatt.core import MinNorm
from rosenblatt.theory.budget import Budget
from rosenblatt.theory.exact import cleared, primitive, relation
from rosenblatt.theory.examples import Examples, Indices
from rosenblatt.theory.frame import Frame
from rosenblatt.theory.shuffled_run import shuffled_run
from rosenblatt.theory.wolfe import Nearest, Placed, nearest_point

_SLICE = 200_000_000  # touched values between two looks at the interpreter
_ALL = 2_000_000  # a set with so few values is its own working set
_WIDE = 1000  # features above which a few epochs of the perceptron come first
_PART = 500
_ROOM = 40_000_000  # values that a working set may hold


@dataclass(frozen=True)
class Separator:
    """Weights [w₀, w₁, …] with z·w > 0 for every example, in integers."""

    weights: list[int]


@dataclass(frozen=True)
class Witness:
    """Multipliers > 0 with Σ λz = 0: no separator exists."""

    multipliers: dict[int, int]

    @classmethod
    def of(cls, indices: list[int], multipliers: list[int]) -> "Witness":
        pairs = sorted((i, m) for i, m in zip(indices, primitive(multipliers), strict=True) if m)
        return cls(dict(pairs))


def working_set(examples: Examples) -> Indices:
    """The examples to begin with."""
    if len(examples) * examples.width <= _ALL:
        return examples.members
    size = max(1000, 10 * examples.width)
    size = max(2, min(size, _ROOM // examples.width, len(examples)))
    chosen = np.random.default_rng(0).choice(len(examples), size, replace=False)
    sample: Indices = examples.members[np.sort(chosen)]
    return sample


def parts(indices: Indices) -> list[Indices]:
    """Few at a time, so that what is made on the way needs no room worth mentioning."""
    return [indices[begin : begin + _PART] for begin in range(0, len(indices), _PART)]


def search(examples: Examples, frame: Frame, budget: Budget) -> Separator | Witness:
    """Settles the question in the directions of the frame, or runs out of budget."""
    # A separator must lie in the directions of the frame; the perceptron's lies anywhere.
    if frame.is_whole and examples.width > _WIDE and (quick := _perceptron(examples, budget)) is not None:
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
            members = working[guess.members].tolist()
            return _witness(frame, members, budget) or _exactly(examples, frame, members, guess, budget)
        weights = frame.float_weights(guess.point)
        wrong, scores = examples.not_above_zero(weights, budget)
        if not len(wrong):
            return Separator(weights)
        fresh = wrong[~inside[wrong]]
        if not len(fresh):
            return _exactly(examples, frame, working[guess.members].tolist(), guess, budget)
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
        budget.spend(guess.work_done - before)
        if pause != "slice":
            return pause


def _witness(frame: Frame, members: list[int], budget: Budget) -> Witness | None:
    """The relation among these examples, if there is just one and of one sign."""
    points = frame.integers(members)
    low = min(p.exponent for p in points)
    multipliers = relation([[a << (p.exponent - low) for a in p.numbers] for p in points], budget)
    if multipliers is None or min(multipliers) < 0 < max(multipliers):
        return None
    return _unscaled(members, [abs(m) for m in multipliers], [p.scale for p in points])


def _unscaled(indices: list[int], multipliers: list[int], scales: list[int]) -> Witness:
    """Multipliers of the frame's points, as multipliers of the examples themselves."""
    low = min(scales)
    return Witness.of(indices, [m << (scale - low) for m, scale in zip(multipliers, scales, strict=True)])


def _exactly(
    examples: Examples, frame: Frame, members: list[int], guess: MinNorm, budget: Budget
) -> Separator | Witness:
    """Rounding hides the answer: goes on from the guess in rational numbers."""
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
    end = nearest_point(placed(members), rough_integers(guess.multipliers) or [1], closer, budget)
    if not end.is_origin:
        return Separator(frame.weights(end.direction))
    return _unscaled(end.keys, end.multipliers, [scales[i] for i in end.keys])


def rough_integers(multipliers: NDArray[np.float64]) -> list[int]:
    """Multipliers of a guess as positive integers of 60 bits or so."""
    return [max(1, int(m)) for m in np.ldexp(multipliers / max(multipliers.max(initial=0), 1e-300), 60).tolist()]


def _perceptron(examples: Examples, budget: Budget) -> Separator | None:
    """A few epochs of the perceptron; in many dimensions they often find a separator at once."""
    chosen = None if examples.everyone else examples.members.astype(np.uint32)
    run = shuffled_run(examples, 100, chosen)
    while run.advance(min(_SLICE, examples.values + 1), pause_at_epoch=True) != "done":
        budget.spend(examples.values)
        if run.not_finite:
            return None
    outcome = run.outcome(0)
    if outcome.ending != "separated":
        return None
    w = outcome.last.w[0].tolist()
    w = [float(outcome.last.offsets[0]), *w] if examples.fit_intercept else w
    weights = primitive(cleared([Fraction(a) for a in w])[0])
    wrong, _ = examples.not_above_zero(weights, budget)
    return None if len(wrong) else Separator(weights)
