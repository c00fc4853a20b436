"""Whether a function is a threshold function, with a proof either way, and its smallest unit."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from rosenblatt.boolean.computes import checked
from rosenblatt.boolean.minimality import MinimalityProof
from rosenblatt.boolean.regular import Regular, regular_form
from rosenblatt.boolean.smallest import Search, realizes
from rosenblatt.boolean.summability import Summability, two_sum
from rosenblatt.boolean.tables import Table, inputs, linear_sums
from rosenblatt.boolean.unit import ThresholdUnit
from rosenblatt.conventions.ties import Tie
from rosenblatt.internal_error import verified
from rosenblatt.theory import Separability, separability

#: Up to so many variables the smallest weights are proved so, whatever it takes.
PROVED_UP_TO = 8
#: Beyond, the search stops after so many cases, and says so.
_MAX_CASES = 200
#: Up to so many variables all pairs of rows are searched for a witness of two and two.
_PAIRS_UP_TO = 10


@dataclass(frozen=True)
class Weights:
    """Integer weights that compute a function, over its regular form; None where it is constant."""

    form: Regular | None
    regular: list[int]
    n: int

    @property
    def original(self) -> list[int]:
        return [0] * self.n if self.form is None else self.form.original_weights(self.regular)


def decide(table: Table, variables: tuple[str, ...]) -> Weights | Summability:
    """Weights that are right on the whole table, or rows that no weights can serve: verified, either way."""
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
    answer = separability(inputs(form.n).astype(float), form.table)
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
    """The smallest integer weights found, and the verified proof that there are none smaller (None: not proved)."""

    weights: list[int]
    proof: MinimalityProof | None


def smallest(table: Table, known: Weights) -> Smallest:
    """Integer weights of minimum Σ|w|, from weights that are right."""
    form = known.form
    if form is None:
        return Smallest(known.original, None)
    search = Search(form, known.regular)
    tree = search.run(None if form.n <= PROVED_UP_TO else _MAX_CASES)
    assert search.best is not None
    if tree is None and form.n <= PROVED_UP_TO:
        raise ArithmeticError(
            f"floating point was too coarse to prove the smallest weights of this function: {table.astype(int)}"
        )
    size = sum(search.best)
    weights = form.original_weights(search.best)
    if tree is None:
        return Smallest(weights, None)
    proof = MinimalityProof(table, size, form.order, tree)
    what = "The proof that no smaller weights compute a function"
    return Smallest(weights, verified(proof, what, {"table": table}, weights=weights))


def unit_with(weights: list[int], table: Table, variables: tuple[str, ...], tie: Tie | None) -> ThresholdUnit:
    """The unit that computes the table with these weights, checked on every row.

    Its offset is the middle of its range, which is right under every tie rule, or under a given one the integer that
    is nearest to zero.
    """
    sums = linear_sums(weights)
    top = int(sum(abs(w) for w in weights)) + 1  # beyond every sum: the range of a constant ends somewhere
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
