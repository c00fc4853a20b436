"""The fewest examples that a hyperplane must leave on the wrong side: the search.

From below: of the examples of a witness (Σ λz = 0, λ > 0) at least one is an error, so the errors of any hyperplane hit
every witness. From above: any hyperplane, counted in integers. The two meet by implicit hitting sets: leave out a
smallest set that hits the witnesses known so far. The rest is separable, and the set is the answer, or it has a
witness that the set misses, which joins the others.
"""

from collections.abc import Collection
from fractions import Fraction

import numpy as np
from scipy.optimize import linprog

from rosenblatt.theory.budget import Budget, OutOfBudgetError
from rosenblatt.theory.decide import twins
from rosenblatt.theory.exact import cleared, primitive
from rosenblatt.theory.examples import Examples, Floats, Indices
from rosenblatt.theory.frame import Frame
from rosenblatt.theory.hitting import fewest_hits, greedy_hitting_set, hitting_set
from rosenblatt.theory.search import Separator, Witness, search, working_set
from rosenblatt.theory.shuffled_run import shuffled_run

_EPOCHS = 100  # of the pocket
_PROGRAM = 200_000  # values above which no linear program guesses
_ROUNDS = 6  # of that program, each with the errors of the one before made cheaper
_GROWN = 1.2  # times as many witnesses are worth another linear program
_ASKED = 20  # touched values for each example that a question picks out
_TRIED = 200  # errors that are taken back one by one


class Fewest:
    """What is known so far: `lower` by the first `n_proof` of the `witnesses`, `upper` by `weights`."""

    def __init__(self, examples: Examples, budget: Budget) -> None:
        self.examples = examples
        self.budget = budget
        self.witnesses: list[Witness] = []
        self.lower = self.n_proof = 0
        self.weights: list[int] = []
        self.errors: Indices = examples.members
        for sign in (1, -1):  # known before any work: all on one side
            self._offer([sign, *[0] * (examples.width - 1)], Budget())

    @property
    def upper(self) -> int:
        return len(self.errors)

    @property
    def settled(self) -> bool:
        return self.lower == self.upper

    def run(self) -> None:
        """Goes on until the bounds meet or the budget runs out."""
        try:
            self._pocket()
            self._pair_twins()
            self._separate(self._outside(self._met()), disjoint=True)
            for improve in (self._programs, self._take_back, self._hit):
                if not self.settled:
                    improve()
        except OutOfBudgetError:
            pass

    def _offer(self, weights: list[int], budget: Budget) -> None:
        """Counts the errors of these weights, and keeps the best."""
        offset = int(self.examples.fit_intercept)
        if not any(weights[offset:]):
            if not offset:
                weights = [1, *weights[1:]]
            else:  # a plane beyond all examples says the same as no plane
                beyond = 2 * int(self.examples.largest[1]) + 1
                weights = [beyond if weights[0] > 0 else -beyond, 1, *weights[2:]]
        wrong, _ = self.examples.not_above_zero(weights, budget)
        if len(wrong) < self.upper or not self.weights:
            self.weights, self.errors = weights, wrong

    def _know(self, witness: Witness) -> None:
        self.witnesses.append(witness)

    def _raise(self, lower: int) -> None:
        if lower > self.lower:
            self.lower, self.n_proof = lower, len(self.witnesses)

    def _met(self) -> set[int]:
        return {i for witness in self.witnesses for i in witness.multipliers}

    def _outside(self, left_out: set[int]) -> Indices:
        return _without(self.examples.members, left_out)

    def _ask(self, rest: Indices) -> Separator | Witness:
        some = self.examples.only(rest)
        self.budget.spend(_ASKED * len(rest))
        return search(some, Frame(some, working_set(some)), self.budget)

    def _pair_twins(self) -> None:
        """Equal examples with different labels, paired off: no two pairs share an example."""
        rest = self.examples.members
        while len(rest) and (pair := twins(self.examples.only(rest), self.budget)) is not None:
            self._know(pair)
            self._raise(self.lower + 1)
            rest = _without(rest, pair.multipliers)

    def _separate(self, rest: Indices, disjoint: bool = False) -> None:
        """Leaves out one witness after the other until a hyperplane separates what remains.

        Where they are disjoint from all known ones, which are so themselves, each of them raises the bound.
        """
        while len(rest):
            answer = self._ask(rest)
            if isinstance(answer, Separator):
                self._offer(answer.weights, self.budget)
                return
            self._know(answer)
            if disjoint:
                self._raise(self.lower + 1)
            rest = _without(rest, answer.multipliers)

    def _hit(self) -> None:
        """Implicit hitting sets, until the bounds meet."""
        bounded = 0
        while not self.settled:
            sets = [witness.multipliers for witness in self.witnesses]
            if len(sets) > _GROWN * bounded:
                bounded = len(sets)
                self._raise(fewest_hits(sets, self.budget))
                continue
            quick = greedy_hitting_set(sets, self.budget)
            if len(quick) < self.upper:  # separable without it: a better plane; else: more witnesses, at little cost
                self._separate(self._outside(quick))
                continue
            chosen = hitting_set(sets, self.lower, self.budget)
            if chosen is None:
                self._raise(self.lower + 1)
            else:
                self._separate(self._outside(chosen))

    def _take_back(self) -> None:
        """Asks of each error of the best hyperplane whether the others suffice.

        If not, the witness meets the errors in that one alone, as the witnesses of a proof must where the errors are
        fewest.
        """
        left_out = set(self.errors.tolist())
        for i in self.errors.tolist()[:_TRIED]:
            answer = self._ask(self._outside(left_out - {i}))
            if isinstance(answer, Separator):
                self._offer(answer.weights, self.budget)
                left_out.remove(i)
            else:
                self._know(answer)

    def _pocket(self) -> None:
        """The pocket with ratchet (Gallant 1990) for some epochs."""
        examples = self.examples
        run = shuffled_run(examples, _EPOCHS, pocket=True, ratchet=True)
        while run.advance(examples.values + 1, pause_at_epoch=True) != "done":
            self.budget.spend(5 * examples.values)
        if run.not_finite:
            return
        best = run.outcome(0).pocket
        self._offer_floats(best.w[0], float(best.offsets[0]))

    def _offer_floats(self, w: Floats, w0: float) -> None:
        if np.all(np.isfinite(w)) and np.isfinite(w0):
            numbers = [w0, *w.tolist()] if self.examples.fit_intercept else w.tolist()
            self._offer(primitive(cleared([Fraction(a) for a in numbers])[0]), self.budget)

    def _programs(self) -> None:
        """The least sum of shortfalls from z·w ≥ 1, again and again, each example at the price of its last one.

        What fell short by much becomes cheap and is given up; the rest is pulled to its side (Candès, Wakin and Boyd
        2008).
        """
        n, width = len(self.examples), self.examples.width
        if n * width > _PROGRAM:
            return
        frame = Frame(self.examples, working_set(self.examples))
        Z = frame.points(self.examples.members)
        width = Z.shape[1]
        prices = np.ones(n)
        bounds = [(None, None)] * width + [(0, None)] * n
        for _ in range(_ROUNDS):
            self.budget.spend(1e7 + 2e3 * n * width)
            found = linprog(
                np.concatenate([np.zeros(width), prices]),
                A_ub=-np.column_stack([Z, np.eye(n)]),
                b_ub=-np.ones(n),
                bounds=bounds,
            )
            if found.status != 0:
                return
            if np.any(found.x[:width]):
                self._offer(frame.float_weights(found.x[:width]), self.budget)
            prices = 1 / (found.x[width:] + 0.1)


def _without(indices: Indices, left_out: Collection[int]) -> Indices:
    """These indices, which are in order, but for some of them."""
    places = np.searchsorted(indices, np.fromiter(left_out, dtype=np.int64, count=len(left_out)))
    rest: Indices = np.delete(indices, places)
    return rest
