"""Iterative parameter mixing (McDonald, Hall, Mann 2010): the weighted mean of the shards' weights after an epoch."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from rosenblatt.distributed.shards.shard import Passed, Planes, masses

#: Number of results that one task mixes. The tree, and so the rounding, depends only on the number of shards.
FAN_IN = 16

Future = TypeVar("Future")


def mix(parts: Sequence[Passed]) -> Passed:
    """The mass-weighted sum of results, in the given order. A single result is returned unchanged."""
    if len(parts) == 1:
        return parts[0]
    averages = [part.average for part in parts if part.average is not None]
    return Passed(
        counts=np.concatenate([part.counts for part in parts]),
        last=added([part.last for part in parts]),
        average=added(averages) if averages else None,
        earlier=None,
    )


def mix_all(results: Sequence[Future], submit: Callable[[list[Future]], Future]) -> Future:
    """Mixes all results in shard order by a tree. `submit` starts a task that mixes some of them."""
    level = list(results)
    while len(level) > 1:
        level = [submit(level[k : k + FAN_IN]) for k in range(0, len(level), FAN_IN)]
    return level[0]


def added(parts: Sequence[Planes]) -> Planes:
    """The mass-weighted sum of planes, in the given order. `Planes.mean` divides it by the mass later."""
    count = np.sum([part.count for part in parts], axis=0)
    mass = np.sum([part.mass for part in parts], axis=0)
    coef, intercept = np.zeros_like(parts[0].coef), np.zeros_like(parts[0].intercept)
    for part in parts:
        # A single part is multiplied by its mass; a sum already contains its masses; a part without mass is ignored.
        factor = np.where((part.count == 1) & (count > 1), part.mass, (part.count > 0).astype(np.float64))
        coef += factor[:, None] * part.coef
        intercept += factor * part.intercept
    return Planes(count, mass, coef, intercept)


def mixing_weights(counts: NDArray[Any], mixing: str) -> NDArray[np.float64]:
    """The mixing weights μ, shards × problems. They sum to 1 for every problem with an example in some shard.

    If no shard made a mistake, all shards with examples have the same weight.
    """
    mass = masses(counts, mixing)
    mass = np.where(mass.sum(axis=0) > 0, mass, masses(counts, "uniform"))
    return np.asarray(mass / np.maximum(mass.sum(axis=0), 1.0))
