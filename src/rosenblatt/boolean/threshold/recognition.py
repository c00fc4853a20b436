"""Decides whether a function is a threshold function, with a proof either way, and finds its smallest unit."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from rosenblatt.boolean.proofs.circuit_check import checked
from rosenblatt.boolean.proofs.minimality import MinimalityProof
from rosenblatt.boolean.proofs.summability import Summability, two_sum
from rosenblatt.boolean.threshold.regular_form import Regular, regular_form
from rosenblatt.boolean.threshold.smallest_weights import Search, realizes
from rosenblatt.boolean.truth_tables import Table, inputs, linear_sums
from rosenblatt.boolean.unit import ThresholdUnit
from rosenblatt.conventions.ties import Tie
from rosenblatt.internal_error import verified
from rosenblatt.theory import Separability, separability

#: Up to this many essential variables, the search for the smallest weights runs until it has a proof.
PROVED_UP_TO = 8
#: With more variables, the search gives up after this many cases and returns weights without a proof.
_MAX_CASES = 200
#: Up to this many variables, all pairs of rows are searched for two true and two false rows of equal sum.
_PAIRS_UP_TO = 10


@dataclass(frozen=True)
class Weights:
    """Integer weights that compute a function, in the variables of its regular form (None if it is constant)."""

    form: Regular | None
    regular: list[int]
    n: int

    @property
    def original(self) -> list[int]:
        return [0] * self.n if self.form is None else self.form.original_weights(self.regular)


def decide(table: Table, variables: tuple[str, ...]) -> Weights | Summability:
    """Returns weights that compute the whole table, or a proof that no weights do. Both are verified first."""
    found = _decided(table, variables)
    if isinstance(found, Summability):
        return verified(found, "The proof that no unit computes a function", {"table": table})
    unit_with(found.original, table, variables, None)
    return found


def _decided(table: Table, variables: tuple[str, ...]) -> Weights | Summability:
    def refuted(true: Sequence[int], false: Sequence[int]) -> Summability:
        return Summability(dict(Counter(true)), dict(Counter(false)), variables, table)

    n = len(variables)
    if table.all() or not table.any():
        return Weights(None, [], n)
    form = regular_form(table)
    if not isinstance(form, Regular):
        return refuted(*form)
    guess = Search(form).guess()
    if guess is not None:
        return Weights(form, guess, n)
    pairs = two_sum(form.table) if form.n <= _PAIRS_UP_TO else None
    if pairs is not None:
        return refuted(*([form.original_row(row) for row in side] for side in pairs))
    answer = separability(inputs(form.n).astype(float), form.table, budget=math.inf)
    assert isinstance(answer, Separability)
    if answer.weights is not None and answer.separable and realizes(form, answer.weights[1:]):
        return Weights(form, answer.weights[1:], n)
    assert answer.witness is not None, "separability without a budget settles every table"
    times = dict(zip(answer.witness.indices.tolist(), answer.witness.multipliers, strict=True))
    sides = [
        {form.original_row(row): count for row, count in times.items() if bool(form.table[row]) == value}
        for value in (True, False)
    ]
    return Summability(sides[0], sides[1], variables, table)


@dataclass(frozen=True)
class Smallest:
    """The smallest integer weights found, and the verified proof that none are smaller (None: not proved)."""

    weights: list[int]
    proof: MinimalityProof | None


def smallest(table: Table, known: Weights) -> Smallest:
    """Finds integer weights of minimum Σ|w|, starting from weights that compute the function."""
    form = known.form
    if form is None:
        return Smallest(known.original, None)
    search = Search(form, known.regular)
    tree = search.run(None if form.n <= PROVED_UP_TO else _MAX_CASES)
    assert search.best is not None
    if tree is None and form.n <= PROVED_UP_TO:
        raise ArithmeticError(
            "the linear program was not precise enough to prove the smallest weights of this function: "
            f"{table.astype(int)}"
        )
    size = sum(search.best)
    weights = form.original_weights(search.best)
    if tree is None:
        return Smallest(weights, None)
    proof = MinimalityProof(table, size, form.order, tree)
    what = "The proof that no smaller weights compute a function"
    return Smallest(weights, verified(proof, what, {"table": table}, weights=weights))


def unit_with(weights: list[int], table: Table, variables: tuple[str, ...], tie: Tie | None) -> ThresholdUnit:
    """Returns the unit that computes the table with these weights, checked on every row.

    Without `tie`, or for "mistake", the offset is the middle of its range, so no score is 0 and every tie rule gives
    the same unit. With another tie rule it is the integer of the range that is nearest to zero.
    """
    sums = linear_sums(weights)
    top = int(sum(abs(w) for w in weights)) + 1  # larger than every sum; bounds the range of a constant
    low = -int(sums[table].min()) if table.any() else -top - 1  # w₀ > low, or ≥ low
    high = -int(sums[~table].max()) if not table.all() else top + 1  # w₀ < high, or ≤ high
    if tie in ("positive", "negative"):
        lowest, highest = (low, high - 1) if tie == "positive" else (low + 1, high)
        offset = Fraction(min(max(0, lowest), highest))
    elif not table.any():
        offset = Fraction(2 * high - 1, 2)
    elif table.all():
        offset = Fraction(2 * low + 1, 2)
    else:
        offset = Fraction(low + high, 2)
    return checked(ThresholdUnit(weights, offset, variables, tie or "mistake"), table)
