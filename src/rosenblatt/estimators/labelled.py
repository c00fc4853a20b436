"""Labelled examples as the core takes them. Free of scikit-learn, so that the command line need not wait for it."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.core import Rows


@dataclass(frozen=True)
class Examples:
    """Labelled examples as the core takes them."""

    X: Any  # as checked, but for NaN and infinity: an array or a CSR matrix
    rows: Rows
    classes: NDArray[Any]
    codes: NDArray[np.int32]  # positions in `classes`; meaningless for examples that are absent
    weights: NDArray[np.float64] | None  # one an example, or None where all are one
    chosen: NDArray[np.uint32] | None  # the examples that take part, or None for all

    @property
    def members(self) -> NDArray[np.uint32]:
        return np.arange(self.rows.n_examples, dtype=np.uint32) if self.chosen is None else self.chosen

    def of_classes(self, *codes: int) -> NDArray[np.uint32]:
        """The members that belong to one of these classes, in order."""
        members = self.members
        return members[np.isin(self.codes[members], codes)]

    def scales_differ(self) -> bool:
        """Whether columns differ in size by more than three orders of magnitude, judged by a thousand examples."""
        import scipy.sparse as sp

        some = self.X[:: -(-self.X.shape[0] // 1000)]
        if sp.issparse(some):
            sizes = np.zeros(some.shape[1])
            np.maximum.at(sizes, some.indices, abs(some.data))
        else:
            sizes = abs(some).max(axis=0)
        sizes = sizes[sizes > 0]
        return bool(len(sizes) and sizes.max() > 1000 * sizes.min())
