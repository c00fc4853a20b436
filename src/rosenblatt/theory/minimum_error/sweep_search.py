"""Builds the proofs that `sweep_proof` checks, and tries the hyperplanes at which a check fails.

A proof is short if the weights u of each subspace make few errors, so a local search looks for such weights first.
"""

from collections.abc import Callable, Iterator
from math import comb
from typing import Any

import numpy as np

from rosenblatt.theory.budget import Budget
from rosenblatt.theory.exact.linear_algebra import combine, dot, null_space, primitive, solve
from rosenblatt.theory.examples.labelled_examples import Examples, Floats, to_floats
from rosenblatt.theory.examples.two_class_problem import as_text
from rosenblatt.theory.minimum_error.local_search import LocalSearch
from rosenblatt.theory.minimum_error.sweep_proof import SWEEP_COST, Gap, SweepCheck, independent_columns

_SHARE = 0.6  # share of the budget that the check of a proof may be expected to take
_VALUES = 500_000  # no sweeps for X with more values than this
_DIRECTIONS = 60  # line searches without an improvement that end the search for weights of a subspace
_TURNS = 3  # turns that remove the ties of weights
_ZERO = 1e-9  # smaller coordinates of unit vectors are taken for 0: a wrong guess only lets a check fail
_BITS = 40  # bits of the coefficients of those weights
_ROUNDS = 50  # proofs that are begun, each after a better hyperplane


class SweepSearch:
    """Proofs for the examples, in the coordinates of independent columns."""

    def __init__(self, examples: Examples, budget: Budget) -> None:
        self.examples = examples
        self.budget = budget
        budget.exact_products(len(examples) * examples.width * examples.width)
        self.whole, _ = examples.integers(examples.members)
        self.columns = independent_columns(self.whole)
        self.rows = [[row[j] for j in self.columns] for row in self.whole]
        self.check = SweepCheck(self.rows, budget.spend) if self.columns else None

    @staticmethod
    def fits(examples: Examples, errors: int, budget: Budget) -> bool:
        """Whether a proof for this number of errors is expected to fit into the budget."""
        if len(examples) * examples.width > _VALUES:
            return False
        free = examples.width - 2
        subspaces = comb(errors + free - 1, free) if free > 0 else 1
        return SWEEP_COST * len(examples) * subspaces <= _SHARE * budget.left

    def run(self, weights: list[int], errors: int, attempt: Callable[[list[int]], int]) -> dict[str, Any] | None:
        """A proof that no hyperplane makes fewer errors than the best found, or None.

        `attempt` counts the errors of weights and returns the fewest found so far.
        """
        if self.check is None:
            return None
        for _ in range(_ROUNDS):
            proof: dict[str, Any] = {"columns": self.columns, "tree": self._tree(self._own(weights))}
            gap = self.check.gap(proof["tree"], errors)
            if gap is None:
                return proof
            before = errors
            for weights in self._near(gap):
                errors = attempt(weights)
                if errors < before:
                    break
            else:
                return None
        return None

    def _own(self, weights: list[int]) -> list[int]:
        """Weights of the independent columns with the same scores."""
        if len(self.columns) == len(weights):
            return weights
        chosen = independent_columns([list(column) for column in zip(*self.rows, strict=True)])
        found = solve([self.rows[i] for i in chosen], [dot(self.whole[i], weights) for i in chosen], self.budget)
        assert found is not None
        return primitive(found[0])

    def _tree(self, weights: list[int]) -> dict[str, Any] | None:
        """The proof below each subspace of more than two dimensions, beginning with these weights."""
        width = len(self.columns)
        if width <= 2:
            return None
        self.points = _unit(self.rows)
        root: dict[str, Any] = {}
        space = _Subspace([[int(i == j) for j in range(width)] for i in range(width)])
        pending = [(root, self._without_ties(weights, space), space, frozenset[int]())]
        known: set[frozenset[int]] = set()
        while pending:
            node, u, space, path = pending.pop()
            node["weights"] = [as_text(a) for a in u]
            if width - len(path) == 3:
                continue
            node["cases"] = {}
            outside = np.any(abs(self.points @ space.orthonormal) > _ZERO, axis=1)
            for i in [i for i, row in enumerate(self.rows) if outside[i] and dot(row, u) <= 0]:
                longer = path | {i}
                if longer in known:
                    continue
                known.add(longer)
                case: dict[str, Any] = {}
                node["cases"][str(i)] = case
                smaller = _Subspace(null_space([self.rows[k] for k in sorted(longer)], self.budget))
                pending.append((case, self._weights_within(smaller, to_floats(u)), smaller, longer))
        return root

    def _weights_within(self, space: "_Subspace", start: Floats) -> list[int]:
        """Weights of a subspace with few errors and without ties."""
        return self._without_ties(space.integers(self._improved(self.points, space.orthonormal, start)), space)

    def _without_ties(self, u: list[int], space: "_Subspace") -> list[int]:
        """Weights next to u without a score of 0, except for the examples that score 0 in the whole subspace."""
        for _ in range(_TURNS):
            ties = self.points[[any(row) and not dot(row, u) for row in self.rows]]
            ties = ties[np.any(abs(ties @ space.orthonormal) > _ZERO, axis=1)]
            if not len(ties):
                break
            turn = space.integers(self._improved(ties, _across(space.orthonormal, u), ties.sum(axis=0)))
            factor = max(abs(dot(row, turn)) for row in self.rows) + 1
            u = primitive([factor * a + b for a, b in zip(u, turn, strict=True)])
        return u

    def _improved(self, points: Floats, basis: Floats, start: Floats) -> Floats:
        """Weights with few errors among these points: a local search within an orthonormal basis."""
        points = points @ basis
        points = points[np.any(abs(points) > _ZERO, axis=1)]
        best = basis.T @ start
        best = best / abs(best).max() if np.any(abs(best) > _ZERO) else np.ones(len(best))
        for better in LocalSearch(points).improve(best, _DIRECTIONS, self.budget):
            best = better
        found: Floats = basis @ best
        return found

    def _near(self, gap: Gap) -> Iterator[list[int]]:
        """Hyperplanes next to the place of a gap, with few errors among the examples on it."""
        on_it = [row for row in self.rows if any(row) and not dot(row, gap.direction)]
        if not on_it:
            yield self._moved(gap.direction, [0] * len(self.columns))
            return
        path = _unit([self.rows[i] for i in gap.path] or on_it)
        start: Floats = np.asarray(np.linalg.lstsq(path, np.ones(len(path)), rcond=None)[0], dtype=np.float64)
        yield self._moved(gap.direction, _integers(start))
        across = _across(np.eye(len(self.columns)), gap.direction)
        yield self._moved(gap.direction, _integers(self._improved(_unit(on_it), across, start)))

    def _moved(self, direction: list[int], turn: list[int]) -> list[int]:
        """Weights that score as `direction` does, and as `turn` where that is 0."""
        factor = max(abs(dot(row, turn)) for row in self.rows) + 1
        weights = [0] * self.examples.width
        for j, a, b in zip(self.columns, direction, turn, strict=True):
            weights[j] = factor * a + b
        return weights


class _Subspace:
    """A basis in integers and an orthonormal one."""

    def __init__(self, basis: list[list[int]]) -> None:
        self.basis = basis
        self.floats = np.array([to_floats(v) for v in basis])
        self.orthonormal = np.linalg.qr(self.floats.T)[0]

    def integers(self, vector: Floats) -> list[int]:
        """A vector of the subspace, in integers, in about this direction."""
        parts = _integers(np.linalg.lstsq(self.floats.T, vector, rcond=None)[0])
        sizes = [max(map(abs, v)).bit_length() for v in self.basis]
        top = max(sizes)
        return primitive(combine([a << (top - size) for a, size in zip(parts, sizes, strict=True)], self.basis))


def _across(basis: Floats, u: list[int]) -> Floats:
    """An orthonormal basis of the directions orthogonal to u: along u, rounding would make ties look right."""
    across: Floats = basis @ np.linalg.svd(basis.T @ to_floats(u)[:, None])[0][:, 1:]
    return across


def _unit(rows: list[list[int]]) -> Floats:
    """The rows in floating point, each of length 1 or 0."""
    floats = np.array([to_floats(row) if any(row) else np.zeros(len(row)) for row in rows])
    unit: Floats = floats / np.maximum(np.linalg.norm(floats, axis=1), 1e-300)[:, None]
    return unit


def _integers(vector: Floats) -> list[int]:
    """Integers of at most `_BITS` bits in about the same direction."""
    largest = abs(vector).max()
    return [int(a) for a in np.rint(np.ldexp(vector / (largest if largest > 0 else 1.0), _BITS))]
