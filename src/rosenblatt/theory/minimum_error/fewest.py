"""The fewest examples that a hyperplane must leave on the wrong side: the search.

From below: of the examples of a witness (Σ λz = 0, λ > 0) at least one is an error, so the errors of any hyperplane hit
every witness. Disjoint witnesses give the first bound, a fractional packing of witnesses a better one. From above: the
errors of any hyperplane, counted in integers. Implicit hitting sets close the gap: leave out a smallest set that hits
the witnesses known so far. If the rest is separable, the set is the answer; otherwise the rest has a new witness, which
joins the others. In few dimensions, or with few errors, sweeps over sets of hyperplanes prove the minimum before that.
"""

from collections.abc import Callable, Collection

import numpy as np

from rosenblatt.theory.budget import Budget, OutOfBudgetError
from rosenblatt.theory.examples.frame import Frame
from rosenblatt.theory.examples.labelled_examples import Examples, Indices
from rosenblatt.theory.minimum_error.bound_proof import Proof, renumbered, used_sets
from rosenblatt.theory.minimum_error.hitting_sets import fractional_cover, greedy_hitting_set, hitting_set
from rosenblatt.theory.minimum_error.sweep_search import SweepSearch
from rosenblatt.theory.minimum_error.upper_bounds import improve_planes, pocket
from rosenblatt.theory.separability.reduction.equal_rows import find_equal_rows
from rosenblatt.theory.separability.search.min_norm_search import search, working_set
from rosenblatt.theory.separability.witness import Separator, Witness

_GROWTH = 1.2  # growth factor of the witnesses before another linear program
_SEARCH_COST = 2e6  # cost of starting a search, in touched values, and for each example
_SELECTION_COST = 20.0
_SWEEP_SHARE = 0.7  # share of the remaining budget for sweeps
_MAX_RETRIED = 200  # maximum number of errors that are retried one by one
_MAX_PRICED = 50  # maximum number of linear programs for new witnesses
_PRICES = (0.1, 0.2, 0.34, 0.49)
_ENOUGH = 8  # witnesses for each error, after which a linear program must improve the bound to be repeated


class Fewest:
    """The bounds found so far: `lower` is proved by `proof`, over `witnesses` or by sweeps, `upper` by `weights`."""

    def __init__(self, examples: Examples, budget: Budget, progress: Callable[[int, int], None] | None = None) -> None:
        self.examples = examples
        self.progress = progress
        self.budget = budget
        self.witnesses: list[Witness] = []
        self.lower = 0
        self.proof: Proof = {"packing": [], "unit": 1}
        self.weights: list[int] = []
        self.errors: Indices = examples.members
        for sign in (1, -1):  # initial bound: a plane with all examples on one side
            self._try_weights([sign, *[0] * (examples.width - 1)], Budget())

    @property
    def upper(self) -> int:
        return len(self.errors)

    @property
    def settled(self) -> bool:
        return self.lower == self.upper

    def run(self) -> None:
        """Searches until the bounds are equal or the budget runs out."""
        try:
            self._pair_twins()
            pocket(self.examples, self._attempt, self.budget)
            steps = (
                self._pack,
                self._improve_upper,
                self._sweep,
                self._retry_errors,
                self._price_witnesses,
                self._close_by_hitting_sets,
            )
            for step in steps:
                if not self.settled:
                    step()
        except OutOfBudgetError:
            pass

    def compact_proof(self) -> tuple[list[Witness], Proof]:
        """The witnesses that the proof uses, and the proof with their numbers."""
        if "sweeps" in self.proof:
            return [], self.proof
        used = used_sets(self.proof)
        place = {k: new for new, k in enumerate(used)}
        return [self.witnesses[k] for k in used], renumbered(self.proof, place)

    def _improve_upper(self) -> None:
        improve_planes(self.examples, self._attempt, self.budget)

    def _sweep(self) -> None:
        """Proves that the best hyperplane is optimal, or finds a better one, if that is expected to fit the budget."""
        part = self.budget.part(_SWEEP_SHARE * self.budget.left)
        if not SweepSearch.fits(self.examples, self.upper, part):
            return
        try:
            proof = SweepSearch(self.examples, part).run(self.weights, self.upper, self._fewest_after)
        except OutOfBudgetError:
            proof = None
        self.budget.spend(part.used)
        if proof is not None:
            self._raise_lower(self.upper, {"sweeps": proof})

    def _fewest_after(self, weights: list[int]) -> int:
        self._try_weights(weights, self.budget)
        return self.upper

    def _attempt(self, weights: list[int]) -> bool:
        self._try_weights(weights, self.budget)
        return self.settled

    def _try_weights(self, weights: list[int], budget: Budget) -> None:
        """Counts the errors of these weights, and keeps the best."""
        offset = int(self.examples.fit_intercept)
        if not any(weights[offset:]):
            if not offset:
                weights = [1, *weights[1:]]
            else:  # a plane beyond all examples makes the same predictions
                beyond = 2 * int(self.examples.largest[1]) + 1
                weights = [beyond if weights[0] > 0 else -beyond, 1, *weights[2:]]
        wrong, _ = self.examples.not_above_zero(weights, budget)
        if len(wrong) < self.upper or not self.weights:
            self.weights, self.errors = weights, wrong
            self._report()

    def _raise_lower(self, lower: int, proof: Proof) -> None:
        if lower > self.lower:
            self.lower, self.proof = lower, proof
            self._report()

    def _report(self) -> None:
        if self.progress is not None:
            self.progress(self.lower, self.upper)

    def _outside(self, left_out: Collection[int]) -> Indices:
        return _without(self.examples.members, left_out)

    def _separator_or_witness(self, rest: Indices) -> Separator | Witness:
        self.budget.spend(_SEARCH_COST + _SELECTION_COST * len(rest))
        some = self.examples.only(rest)
        return search(some, Frame(some, working_set(some), self.budget), self.budget)

    def _pair_twins(self) -> None:
        """Pairs equal examples with different labels; no two pairs share an example."""
        rest = self.examples.members
        while pairs := find_equal_rows(self.examples.only(rest), self.budget).twins:
            for pair in pairs:
                self._add_disjoint(Witness(dict.fromkeys(pair, 1)))
            rest = _without(rest, {i for pair in pairs for i in pair})

    def _add_disjoint(self, witness: Witness) -> None:
        """A witness that shares no example with the others, which are pairwise disjoint."""
        self.witnesses.append(witness)
        parts = [[k, 1] for k in range(len(self.witnesses))]
        self._raise_lower(len(parts), {"packing": parts, "unit": 1})

    def _pack(self) -> None:
        """Leaves out one witness after the other until a hyperplane separates the rest."""
        rest = self._outside({i for witness in self.witnesses for i in witness.multipliers})
        while len(rest) and not self.settled:
            answer = self._separator_or_witness(rest)
            if isinstance(answer, Separator):
                self._try_weights(answer.weights, self.budget)
                return
            self._add_disjoint(answer)
            rest = _without(rest, answer.multipliers)

    def _separate(self, rest: Indices) -> None:
        """Adds disjoint witnesses of the rest until a hyperplane separates what is left."""
        while len(rest):
            answer = self._separator_or_witness(rest)
            if isinstance(answer, Separator):
                self._try_weights(answer.weights, self.budget)
                return
            self.witnesses.append(answer)
            rest = _without(rest, answer.multipliers)

    def _retry_errors(self) -> None:
        """Checks for each error of the best hyperplane whether leaving out only the other errors is enough.

        If not, the witness contains exactly that one error, as the witnesses of a proof do when the number of errors is
        minimal.
        """
        left_out = set(self.errors.tolist())
        for i in self.errors.tolist()[:_MAX_RETRIED]:
            answer = self._separator_or_witness(self._outside(left_out - {i}))
            if isinstance(answer, Separator):
                self._try_weights(answer.weights, self.budget)
                left_out.remove(i)
            else:
                self.witnesses.append(answer)

    def _price_witnesses(self) -> None:
        """Raises the linear program's bound by column generation: new witnesses among examples of small price.

        The optimal fractional cover prices the examples. A witness with a price below 1 improves the packing.
        """
        for _ in range(_MAX_PRICED):
            before = self.lower
            cover, bound, proof = fractional_cover([w.multipliers for w in self.witnesses], self.budget)
            self._raise_lower(bound, proof)
            if self.settled or (self.lower == before and len(self.witnesses) > _ENOUGH * self.upper):
                return
            if not self._improved(cover):
                return

    def _improved(self, cover: dict[int, float]) -> bool:
        """Searches witnesses with a price below 1, among examples of ever higher prices."""
        widest = 1.0 / (self.examples.width + 1)  # a witness of examples below this price costs less than 1
        for limit in (0.0, 0.5 * widest, widest, *(part for part in _PRICES if part > widest)):
            known = len(self.witnesses)
            self._separate(self._outside({i for i, price in cover.items() if price > limit + 1e-9}))
            prices = [sum(cover.get(i, 0.0) for i in witness.multipliers) for witness in self.witnesses[known:]]
            if min(prices, default=1.0) < 1 - 1e-6:
                return True
        return False

    def _close_by_hitting_sets(self) -> None:
        """Implicit hitting sets, until the bounds are equal."""
        bounded = 0
        while not self.settled:
            sets = [witness.multipliers for witness in self.witnesses]
            if len(sets) > _GROWTH * bounded:
                bounded = len(sets)
                _, bound, proof = fractional_cover(sets, self.budget)
                self._raise_lower(bound, proof)
                continue
            quick = greedy_hitting_set(sets, self.budget)
            if len(quick) < self.upper:  # gives a better plane if the rest is separable, else more witnesses
                self._separate(self._outside(quick))
                continue
            chosen = hitting_set(sets, self.lower, self.budget)
            if isinstance(chosen, set):
                self._separate(self._outside(chosen))
            else:
                self._raise_lower(self.lower + 1, chosen)


def _without(indices: Indices, left_out: Collection[int]) -> Indices:
    """The sorted `indices` without those in `left_out`."""
    places = np.searchsorted(indices, np.fromiter(left_out, dtype=np.int64, count=len(left_out)))
    rest: Indices = np.delete(indices, places)
    return rest
