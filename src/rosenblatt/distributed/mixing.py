"""Iterative parameter mixing (McDonald, Hall, Mann 2010): the mean of what the shards made of the same weights."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from rosenblatt.distributed.shard import Passed, Planes, masses

#: Results that one task mixes. The tree follows from the number of shards alone, and so does every rounding.
FAN_IN = 16

Future = TypeVar("Future")


def mix(parts: Sequence[Passed]) -> Passed:
    """Some results added up by their mass, in the order given. One alone stays as it is, bit for bit."""
    if len(parts) == 1:
        return parts[0]
    averages = [part.average for part in parts if part.average is not None]
    return Passed(
        met=np.concatenate([part.met for part in parts]),
        last=added([part.last for part in parts]),
        average=added(averages) if averages else None,
        earlier=None,
    )


def mix_all(results: Sequence[Future], submit: Callable[[list[Future]], Future]) -> Future:
    """A tree of mixtures over the results in shard order; `submit` mixes some of them somewhere."""
    level = list(results)
    while len(level) > 1:
        level = [submit(level[k : k + FAN_IN]) for k in range(0, len(level), FAN_IN)]
    return level[0]


def added(parts: Sequence[Planes]) -> Planes:
    """Planes added up in the order given, by their mass; the division is left to the end."""
    count = np.sum([part.count for part in parts], axis=0)
    mass = np.sum([part.mass for part in parts], axis=0)
    coef, intercept = np.zeros_like(parts[0].coef), np.zeros_like(parts[0].intercept)
    for part in parts:
        # A lone part joins others by its mass; a sum has been multiplied already, and what has no mass does not count.
        factor = np.where((part.count == 1) & (count > 1), part.mass, (part.count > 0).astype(np.float64))
        coef += factor[:, None] * part.coef
        intercept += factor * part.intercept
    return Planes(count, mass, coef, intercept)


def mixing_weights(met: NDArray[Any], mixing: str) -> NDArray[np.float64]:
    """μ, shards × problems, from what the shards met; it sums to one wherever a shard had an example.

    Without a mistake there is nothing to weigh by, and all that had examples count the same.
    """
    mass = masses(met, mixing)
    mass = np.where(mass.sum(axis=0) > 0, mass, masses(met, "uniform"))
    return np.asarray(mass / np.maximum(mass.sum(axis=0), 1.0))
