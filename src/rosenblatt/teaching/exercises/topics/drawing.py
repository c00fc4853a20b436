"""The random numbers of a sheet, the same on every machine."""

from collections.abc import Callable
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from rosenblatt.conventions import sampler

T = TypeVar("T")
_ATTEMPTS = 20_000


class Draw:
    """Whole numbers drawn by topic, seed, student and attempt."""

    def __init__(self, topic: str, seed: int, number: int, attempt: int) -> None:
        purpose = sum(ord(letter) * 31**k for k, letter in enumerate(topic))
        self.below = sampler((seed * 1_000_003 + number * 101 + purpose * 7) % 2**64, attempt)

    def between(self, low: int, high: int) -> int:
        """Uniformly from low, …, high."""
        return low + self.below(high - low + 1)

    def points(self, n: int, width: int, most: int) -> NDArray[np.int64]:
        """N different points with whole coordinates of at most `most` in magnitude."""
        found: list[tuple[int, ...]] = []
        while len(found) < n:
            point = tuple(self.between(-most, most) for _ in range(width))
            if point not in found:
                found.append(point)
        return np.array(found)

    def labels(self, n: int) -> NDArray[np.int64]:
        """Random labels ±1, with both of them present."""
        while True:
            made = np.array([1 if self.below(2) else -1 for _ in range(n)])
            if abs(int(made.sum())) < n:
                return made

    def order(self, n: int) -> list[int]:
        """A random permutation of n items."""
        rest = list(range(n))
        return [rest.pop(self.below(len(rest))) for _ in range(n)]


def search(topic: str, seed: int, number: int, candidate: Callable[[Draw], T | None]) -> T:
    """The first candidate that is not None: the search is seeded, and its result the same on every machine."""
    for attempt in range(_ATTEMPTS):
        found = candidate(Draw(topic, seed, number, attempt))
        if found is not None:
            return found
    raise ValueError(
        f"no exercise of the topic {topic!r} was found under this dialect, with numbers of two digits. "
        "Take a step of 1 and a score of zero that counts as +1 or −1."
    )
