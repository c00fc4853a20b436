"""Many short arrays of different lengths, stored as one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

Value = TypeVar("Value", bound=np.generic)


@dataclass(frozen=True)
class Ragged(Sequence[NDArray[Value]], Generic[Value]):
    """A read-only sequence of arrays: entry p is `values[starts[p]:starts[p + 1]]`.

    >>> short = Ragged(np.array([7, 8, 9]), np.array([0, 1, 3], dtype=np.uint64))
    >>> len(short), short[1].tolist()
    (2, [8, 9])
    """

    values: NDArray[Value]
    starts: NDArray[np.uint64]

    def __len__(self) -> int:
        return len(self.starts) - 1

    @overload
    def __getitem__(self, p: int) -> NDArray[Value]: ...
    @overload
    def __getitem__(self, p: slice) -> list[NDArray[Value]]: ...
    def __getitem__(self, p: int | slice) -> NDArray[Value] | list[NDArray[Value]]:
        if isinstance(p, slice):
            return [self[k] for k in range(*p.indices(len(self)))]
        if not -len(self) <= p < len(self):
            raise IndexError(f"there are {len(self)} arrays; {p} is out of range")
        p %= len(self)
        return self.values[int(self.starts[p]) : int(self.starts[p + 1])]
