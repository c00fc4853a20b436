"""The regular form of a function, in which threshold functions are recognised.

Inessential variables are dropped, variables in which the function decreases are negated, and the rest are sorted so
that f(… 1 0 …) ≥ f(… 0 1 …) for neighbours. Such a function is called regular. Every threshold function has a regular
form, with weights w₁ ≥ w₂ ≥ … > 0, and its lowest true rows and highest false rows determine it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rosenblatt.boolean.proofs.summability import both_ways, exchanged
from rosenblatt.boolean.truth_tables import Table, at, cube, n_variables, row_bits, row_number


def directions(table: Table) -> tuple[int | None, ...]:
    """For each variable: 1 if the function increases in it, −1 if it decreases, 0 if inessential, else None."""
    found: list[int | None] = []
    c = cube(table)
    for axis in range(c.ndim):
        off, on = np.moveaxis(c, axis, 0)
        rises, falls = bool((~off & on).any()), bool((off & ~on).any())
        found.append(None if rises and falls else int(rises) - int(falls))
    return tuple(found)


def chow_parameters(table: Table) -> tuple[int, ...]:
    """The number of true rows, and for each variable the number of true rows where it is 1."""
    c = cube(table)
    return int(table.sum()), *(int(np.moveaxis(c, axis, 0)[1].sum()) for axis in range(c.ndim))


@dataclass(frozen=True)
class Regular:
    """A function in regular form, and the map to its original variables."""

    table: Table  # of the essential variables, the strongest first
    order: tuple[int, ...]  # the original variable at each place
    signs: tuple[int, ...]  # its direction
    n_original: int

    @property
    def n(self) -> int:
        return len(self.order)

    @cached_property
    def symmetric(self) -> tuple[bool, ...]:
        """Whether variable i and the next one can be exchanged without changing the function."""
        c = cube(self.table)
        swapped = (
            np.array_equal(c[at(self.n, {i: 1, i + 1: 0})], c[at(self.n, {i: 0, i + 1: 1})]) for i in range(self.n - 1)
        )
        return tuple(swapped)

    @cached_property
    def lowest_true(self) -> list[int]:
        """The minimal true rows: clearing the last variable or moving a 1 one place to the right gives a false row."""
        c = cube(self.table)
        implied = np.zeros_like(c)
        implied[..., 1] |= c[..., 0]
        for i in range(self.n - 1):
            implied[at(self.n, {i: 1, i + 1: 0})] |= c[at(self.n, {i: 0, i + 1: 1})]
        return [int(row) for row in np.flatnonzero((c & ~implied).ravel())]

    @cached_property
    def highest_false(self) -> list[int]:
        """The maximal false rows, defined like `lowest_true` with the opposite moves."""
        c = cube(self.table)
        implied = np.zeros_like(c)
        implied[..., 0] |= ~c[..., 1]
        for i in range(self.n - 1):
            implied[at(self.n, {i: 0, i + 1: 1})] |= ~c[at(self.n, {i: 1, i + 1: 0})]
        return [int(row) for row in np.flatnonzero((~c & ~implied).ravel())]

    def original_weights(self, weights: Sequence[int]) -> list[int]:
        """Maps weights of the regular form to the original variables."""
        w = [0] * self.n_original
        for variable, sign, weight in zip(self.order, self.signs, weights, strict=True):
            w[variable] = sign * weight
        return w

    def original_row(self, row: int) -> int:
        """Maps a row of the regular table to a row of the original table; inessential variables are 0."""
        bits = [0] * self.n_original
        for variable, sign, bit in zip(self.order, self.signs, row_bits(row, self.n), strict=True):
            bits[variable] = bit if sign > 0 else 1 - bit
        return row_number(bits)


def regular_form(table: Table) -> Regular | tuple[list[int], list[int]]:
    """Returns the regular form, or two true and two false rows of equal sum, which prove that there is no unit."""
    signs = directions(table)
    for axis, sign in enumerate(signs):
        if sign is None:
            witness = both_ways(table, axis)
            assert witness is not None
            return witness
    essential = [axis for axis, sign in enumerate(signs) if sign]
    c = cube(table)[at(len(signs), {axis: 0 for axis, sign in enumerate(signs) if not sign})]
    c = np.flip(c, tuple(place for place, axis in enumerate(essential) if signs[axis] == -1))
    strength = chow_parameters(c.ravel())[1:]
    places = sorted(range(len(essential)), key=lambda place: -strength[place])
    order = tuple(essential[place] for place in places)
    form = Regular(
        np.transpose(c, places).ravel(), order, tuple(int(signs[axis] or 0) for axis in order), n_variables(table)
    )
    # If two variables are comparable, the one with the larger Chow parameter is the stronger one in every row. Being
    # stronger is transitive, so it is enough to compare neighbours.
    for i in range(form.n - 1):
        found = exchanged(form.table, i, i + 1)
        if found is not None:
            true, false = ([form.original_row(row) for row in side] for side in found)
            return true, false
    return form
