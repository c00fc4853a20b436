"""Exact detection of cycles: L3 says that the oscillation on inseparable data "could be detected automatically"."""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray

from rosenblatt.conventions.ties import TIES, Tie
from rosenblatt.core import CycleSearch
from rosenblatt.default_budgets import HOW_TO_GO_ON
from rosenblatt.internal_error import verified
from rosenblatt.meter import Meter
from rosenblatt.theory.budget import limit_of
from rosenblatt.theory.exact.linear_algebra import primitive
from rosenblatt.theory.examples.check_features import check_X
from rosenblatt.theory.examples.classes import check_classes, check_y, signs_of
from rosenblatt.theory.examples.labelled_examples import Examples
from rosenblatt.theory.separability.answer import Separability
from rosenblatt.theory.separability.decide import Verdict
from rosenblatt.theory.separability.witness import Witness

_SLICE = 50_000_000  # touched values between two checks for Ctrl-C


@dataclass(frozen=True, eq=False)
class Cycle:
    """A run in file order that has returned to an earlier state, and so repeats itself forever.

    The states at the ends of epochs `pre_period`, `pre_period + period`, … are the same, and no earlier pair is.

    Examples
    --------
    >>> from rosenblatt import theory
    >>> cycle = theory.cycles([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    >>> cycle.period, cycle.n_mistakes
    (1, 4)
    """

    pre_period: int  # epochs
    period: int  # epochs
    mistakes: dict[int, int]  # mistakes of each example over one period, without zeros
    proof: Separability | None  # the mistakes as a verified witness; None if the state returned because of rounding

    @property
    def n_mistakes(self) -> int:
        """Mistakes of one period."""
        return sum(self.mistakes.values())


def cycles(
    X: Any,
    y: Any,
    *,
    fit_intercept: bool = True,
    eta0: float = 1.0,
    tie: Tie = "mistake",
    start: ArrayLike | None = None,
    max_iter: int | None = None,
    budget: float | None = None,
) -> Cycle | None:
    """Runs the perceptron in file order until it returns to an earlier state.

    Returns None if the run separates the examples, or has neither separated nor cycled after `max_iter` epochs. Without
    `max_iter` the run continues until one of the two happens; on integer data one always does. If the run would take
    more than `budget` touched values (by default 10¹¹, about two minutes; `math.inf` for no limit) before that, the
    call raises a ValueError, also with `max_iter`.
    `start` is [w₀, w₁, …] with an offset, else [w₁, …].

    Over one period the updates add up to zero, which no separator allows: in exact arithmetic the mistake counts are a
    witness, and `proof` holds it, verified. In floating point a state can also return because small updates are
    rounded away; then the counts do not verify, `proof` is None, and the cycle proves nothing about the data. Integers
    below 2^53 are exact: there, counts that do not verify are an `InternalError`.

    >>> XOR = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> cycle = cycles(*XOR)
    >>> cycle.pre_period, cycle.period, cycle.mistakes, cycle.proof.verify()
    (0, 1, {0: 1, 1: 1, 2: 1, 3: 1}, True)
    """
    if tie not in TIES:
        raise ValueError(f"tie is {tie!r}; it must be one of {', '.join(TIES)}.")
    limit = limit_of("cycles", budget)
    X = check_X(X)
    y = check_y(y, X.shape[0])
    classes = check_classes(y)
    if len(classes) > 2:
        raise ValueError(f"y has {len(classes)} classes; a run has 2. Give one class against the rest, y == label.")
    examples = Examples(X, signs_of(y, classes[1]), bool(fit_intercept))
    first = np.zeros(examples.width) if start is None else np.array(start, dtype=np.float64).reshape(-1)
    if len(first) != examples.width:
        raise ValueError(f"start has {len(first)} numbers; this run has {examples.width} weights.")
    search = CycleSearch(
        rows=examples.rows,
        labels=examples.signs.astype(np.int32),
        positive=1,
        start=np.ascontiguousarray(first[int(fit_intercept) :]),
        start_offset=float(first[0]) if fit_intercept else 0.0,
        eta0=float(eta0),
        tie=tie,
        fit_intercept=bool(fit_intercept),
    )
    if not _found(search, examples.values + 32 * len(examples), max_iter, limit) or search.separated:
        return None
    counts = search.mistakes
    mistakes = {int(i): int(counts[i]) for i in np.flatnonzero(counts)}
    multipliers = dict(zip(mistakes, primitive(list(mistakes.values())), strict=True))
    verdict = Verdict("undecided", False, witness=Witness(multipliers))
    proof = Separability(X, y, bool(fit_intercept), classes[1], classes[0], verdict, None)
    found = Cycle(int(search.pre_period), int(search.period), mistakes, proof)
    if _is_exact(examples, float(eta0), first, int(search.epochs)):
        parameters = {"fit_intercept": bool(fit_intercept), "eta0": float(eta0), "tie": tie, "start": first.tolist()}
        verified(proof, "The mistakes of a cycle", {"X": X, "y": y}, **parameters)
        return found
    return found if proof.verify() else replace(found, proof=None)


def _found(search: CycleSearch, work: int, max_iter: int | None, limit: float) -> bool:
    """Runs the search to its end. Returns False if `max_iter` is reached, and raises if the budget is used up.

    `work` is the work of one epoch. Neither limit applies once the period is known and the pre-period is counted.
    """
    slice_ = max(1, _SLICE // work)
    affordable = limit if math.isinf(limit) else limit // work  # epochs
    most = affordable if max_iter is None else min(max_iter, affordable)
    with Meter("cycles", None if math.isinf(most) else most, "epochs") as meter:
        while True:
            left = slice_
            if search.period == 0:
                meter.update(search.epochs)
                if max_iter is not None and search.epochs >= max_iter:
                    return False
                if search.epochs >= affordable:
                    raise ValueError(
                        f"after {search.epochs:,} epochs the run has neither separated the examples nor cycled, and "
                        f"the budget of {limit:,.0f} touched values ran out. {HOW_TO_GO_ON} separability(X, y) "
                        "decides without a run."
                    )
                left = int(min(slice_, most - search.epochs))
            else:
                meter.update(None, f"period {search.period:,}, counting the epochs before it")
            if search.advance(left):
                return True


def _is_exact(examples: Examples, eta0: float, start: NDArray[np.float64], epochs: int) -> bool:
    """Whether no update in `epochs` epochs can have been rounded: all values are integers below 2^53."""
    values = examples.X.data if sp.issparse(examples.X) else examples.X
    if not all(np.all(np.rint(a) == a) for a in (values, start, np.array(eta0))):
        return False
    longest = float(abs(start).max()) + abs(eta0) * float(examples.largest.max()) * len(examples) * epochs
    return longest < 2.0**53
