"""Decides between separable, weakly separable and inseparable: first the screen, then the search, then the closure."""

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rosenblatt.theory.budget import Budget, OutOfBudgetError
from rosenblatt.theory.decomposition import decompose
from rosenblatt.theory.exact.linear_algebra import Matrix
from rosenblatt.theory.examples.frame import Frame
from rosenblatt.theory.examples.labelled_examples import Examples
from rosenblatt.theory.separability.reduction.compact import Compact, compact
from rosenblatt.theory.separability.reduction.equal_rows import EqualRows, find_equal_rows
from rosenblatt.theory.separability.reduction.screen import Round, add_rounds, screen
from rosenblatt.theory.separability.search.closure import Closed, close
from rosenblatt.theory.separability.search.dense_search import LEAST_WIDTH, search_dense
from rosenblatt.theory.separability.search.min_norm_search import search, working_set
from rosenblatt.theory.separability.search.sparse_search import is_wide_and_sparse, search_sparse
from rosenblatt.theory.separability.witness import Separator, Witness

_FIRST_SLICE = 4e9  # work on the point of least norm before logistic regression is tried
_PROOF_SLICE = 4e9  # further work to prove that this point is the origin, once it is found
_COPY = 5.0  # cost of a value of the core, in touched values
_LONG_VALUE = 3000.0  # cost of a Python integer or a Fraction: to convert it, and to check the answer against it

Kind = Literal["separable", "weak", "inseparable", "undecided"]


@dataclass(frozen=True)
class Verdict:
    """The proved result. `separable` is None, and `kind` "undecided", if the budget ran out."""

    kind: Kind
    separable: bool | None
    weights: list[int] | None = None
    witness: Witness | None = None
    closure: Witness | None = None
    null: Matrix = field(default_factory=list)
    work: float = 0.0


def decide(examples: Examples, budget: Budget) -> Verdict:
    """Decides the kind. A witness alone decides `separable`; its closure decides whether the separation is weak."""
    case = _Decision(examples, budget)
    try:
        return case.decide()
    except OutOfBudgetError:
        return Verdict("undecided", None if case.witness is None else False, witness=case.witness, work=budget.used)


def decide_in_integers(X: NDArray[Any], signs: NDArray[np.int8], fit_intercept: bool, budget: Budget) -> Verdict:
    """The same for a table of Python integers and Fractions that no float can represent, by decomposition."""
    members = np.flatnonzero(signs)
    try:
        budget.spend(_LONG_VALUE * len(members) * X.shape[1])
    except OutOfBudgetError:
        return Verdict("undecided", None, work=budget.used)
    rows = X[members] * signs[members].astype(object)[:, None]
    if fit_intercept:
        rows = np.column_stack([signs[members].astype(object), rows])
    found = decompose(rows, budget=budget)
    if found is None:
        return Verdict("undecided", None, work=budget.used)
    if found.positive.all():
        return Verdict("separable", True, weights=found.direction, work=found.work)
    zero = np.flatnonzero(~found.positive).tolist()
    witness = Witness.of(members[zero].tolist(), [found.multipliers[k] for k in zero])
    if found.positive.any():
        return Verdict("weak", False, found.direction, witness, work=found.work)
    return Verdict("inseparable", False, None, witness, work=found.work)


class _Decision:
    """The state of one decision; `witness` is kept in case the budget runs out."""

    def __init__(self, examples: Examples, budget: Budget) -> None:
        self.examples = examples
        self.budget = budget
        self.witness: Witness | None = None

    def decide(self) -> Verdict:
        equal = find_equal_rows(self.examples, self.budget)
        if equal.twins:
            self.witness = Witness(dict.fromkeys(equal.twins[0], 1))
        # A wide and sparse core gets a linear program over all columns in any case.
        rare = self.examples.width >= LEAST_WIDTH and not is_wide_and_sparse(self.examples)
        rounds, core = screen(self.examples, equal.distinct, self.budget, rare)
        if self.witness is not None and rounds:
            return self._weak(rounds)
        if not len(core):
            return self._separable(rounds, [0] * self.examples.width)
        self.budget.spend(_COPY * self.examples.values)
        part = compact(self.examples, core)
        if is_wide_and_sparse(part.examples):
            answer = search_sparse(part.examples, part.inner(equal.twins), self.budget)
            return self._decomposed(part, answer, equal, rounds)
        frame = Frame(part.examples, working_set(part.examples), self.budget)
        if frame.is_short and equal.twins:  # all pairs together are a witness, and they leave few directions
            found: Separator | Witness = Witness(dict.fromkeys(np.unique(part.inner(equal.twins)).tolist(), 1))
        else:
            found = self._search(part.examples, frame)
        if isinstance(found, Separator):
            return self._separable(rounds, part.weights(found.weights))
        if self.witness is None or found.basis:
            self.witness = part.witness(found)
        if rounds:
            return self._weak(rounds)
        if len(found.basis) == part.examples.width:  # it spans the space, so there is no weak separation
            return self._verdict("inseparable", None, null=part.dropped_directions())
        return self._closed(
            part, close(part.examples, frame, found, len(core) < self.examples.width, self.budget), equal
        )

    def _search(self, examples: Examples, frame: Frame) -> Separator | Witness:
        """The point of least norm; with many columns only for a while, then logistic regression, then again."""
        if examples.width >= LEAST_WIDTH and self.budget.left > 0:
            first = self.budget.part(min(_FIRST_SLICE, self.budget.left))
            proof_slice = min(_PROOF_SLICE, self.budget.left - first.left)
            frame.budget = first
            try:
                return search(examples, frame, first, near=True, proof_slice=proof_slice)
            except OutOfBudgetError:
                pass
            finally:
                frame.budget = self.budget
                self.budget.charge(first.used)
            if (found := search_dense(examples, self.budget)) is not None:
                return found
        return search(examples, frame, self.budget, near=examples.width >= LEAST_WIDTH)

    def _decomposed(self, part: Compact, found: Separator | Closed, equal: EqualRows, rounds: list[Round]) -> Verdict:
        """The verdict from an answer that needs no further search."""
        if isinstance(found, Separator):
            return self._separable(rounds, part.weights(found.weights))
        if self.witness is None:
            self.witness = part.witness(found.closure)
        return self._weak(rounds) if rounds else self._closed(part, found, equal)

    def _verdict(
        self, kind: Kind, weights: list[int] | None, closure: Witness | None = None, null: Matrix | None = None
    ) -> Verdict:
        separable = kind == "separable"
        return Verdict(kind, separable, weights, self.witness, closure, null or [], self.budget.used)

    def _separable(self, rounds: list[Round], weights: list[int]) -> Verdict:
        return self._verdict("separable", add_rounds(self.examples, rounds, weights, self.budget))

    def _weak(self, rounds: list[Round]) -> Verdict:
        zero = [0] * self.examples.width
        return self._verdict("weak", add_rounds(self.examples, rounds, zero, self.budget))

    def _closed(self, part: Compact, end: Closed, equal: EqualRows) -> Verdict:
        if end.separator is not None:
            return self._verdict("weak", part.weights(end.separator.weights))
        closure = part.witness(end.closure)
        if end.covers_all:
            closure = _over_copies(closure, equal.copies)
            null: Matrix = []
        else:
            null = [part.weights(vector) for vector in end.null] + part.dropped_directions()
        assert self.witness is not None
        whole = None if closure.multipliers == self.witness.multipliers else closure
        return self._verdict("inseparable", None, whole, null)


def _over_copies(closure: Witness, copies: dict[int, list[int]]) -> Witness:
    """The same sum over all copies of equal examples: each copy gets 1, subtracted from their representative."""
    factor = max((-(-(len(others) + 1) // closure.multipliers[i]) for i, others in copies.items()), default=1)
    total = {i: factor * m for i, m in closure.multipliers.items()}
    for i, others in copies.items():
        total[i] -= len(others)
        total.update(dict.fromkeys(others, 1))
    return Witness.of(list(total), list(total.values()))
