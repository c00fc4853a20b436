"""The random numbers of a run, defined once: the core's `random.hpp` computes the same ones.

SplitMix64 (Steele, Lea, Flood 2014), keyed by seed, purpose and counter, so that the order of epoch 7 can be
computed without the six before it, in a stream, in a worker of a cluster or by hand.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MASK = (1 << 64) - 1
_GAMMA = 0x9E3779B97F4A7C15
_ORDER, _START, _SAMPLE, _REMOVE = 1, 2, 3, 4  # purposes


def _mix(z: int) -> int:
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & _MASK
    return z ^ (z >> 31)


def _stream(seed: int, purpose: int, counter: int) -> Callable[[int], int]:
    """Returns `below`: each call of `below(k)` draws uniformly from 0, ..., k - 1."""
    state = _mix((_mix((seed + _GAMMA) & _MASK) + _GAMMA * purpose) & _MASK) + _GAMMA * counter & _MASK

    def below(k: int) -> int:
        nonlocal state
        state = (state + _GAMMA) & _MASK
        return _mix(state) * k >> 64

    return below


def epoch_order(seed: int, epoch: int, n: int) -> "NDArray[np.uint32]":
    """The order in which epoch `epoch` (from 0) presents n examples under `order="shuffle"`.

    >>> epoch_order(0, 0, 8).tolist()
    [3, 5, 0, 2, 4, 7, 6, 1]
    """
    import numpy as np  # not above: the command line imports `conventions` even to print its help

    order = list(range(n))
    below = _stream(seed, _ORDER, epoch)
    for i in range(n - 1, 0, -1):
        j = below(i + 1)
        order[i], order[j] = order[j], order[i]
    return np.array(order, dtype=np.uint32)


def sampler(seed: int, epoch: int) -> Callable[[int], int]:
    """Draws from the misclassified set during epoch `epoch` (from 0) under `order="misclassified"`.

    A step is `M[below(len(M))]`, where M lists the examples that are misclassified now, in the order of the data.

    Examples
    --------
    >>> below = sampler(seed=0, epoch=0)
    >>> all(0 <= below(10) < 10 for _ in range(100))
    True
    """
    return _stream(seed, _SAMPLE, epoch)


def remover(seed: int, problem: int = 0) -> Callable[[int], int]:
    """Draws the support vectors that are removed at random when the budget is full.

    Examples
    --------
    >>> below = remover(seed=0)
    >>> all(0 <= below(10) < 10 for _ in range(100))
    True
    """
    return _stream(seed, _REMOVE, problem)


def random_start(seed: int, size: int, problem: int = 0, scale: float = 0.5) -> "NDArray[np.float64]":
    """Small random weights: `scale` times multiples of 2⁻⁹ in [−1, 1]. The offset comes first.

    With a power of two as scale, as the default, sums with integer data stay exact.

    >>> import numpy as np
    >>> start = random_start(seed=0, size=3)
    >>> bool(np.all(start * 1024 == np.round(start * 1024))), bool(np.all(abs(start) <= 0.5))
    (True, True)
    """
    import numpy as np

    below = _stream(seed, _START, problem)
    return np.array([scale * ((below(1025) - 512) / 512) for _ in range(size)])
