"""Integer codes for labels that arrive in batches; at the end they are mapped to the sorted classes."""

import numpy as np
from numpy.typing import NDArray

from rosenblatt.learning.rows.array_types import Labels


class LabelCodes:
    """Assigns codes to labels in order of first appearance."""

    def __init__(self) -> None:
        self._known: dict[object, int] = {}
        self._kinds: set[str] = set()
        self._dtype: np.dtype[np.generic] | None = None

    def of(self, y: Labels) -> NDArray[np.int32]:
        """The codes of the labels of a batch."""
        self._kinds.add("text" if y.dtype.kind in "US" or (len(y) and isinstance(y.flat[0], str)) else "numbers")
        if len(self._kinds) > 1:
            raise ValueError("y mixes numbers and text between batches. Give all labels one type, as y.astype(str).")
        if y.dtype.kind in "biuf":
            self._dtype = y.dtype if self._dtype is None else np.promote_types(self._dtype, y.dtype)
        if y.dtype.kind in "biuf" and len(y) and np.all((y == y.min()) | (y == y.max())):  # two labels: no sort needed
            labels, inverse = np.array([y.min(), y.max()]), (y == y.max()).astype(np.intp)
        else:
            labels, inverse = np.unique(y, return_inverse=True)
        codes: NDArray[np.int32] = np.array([self._code(label) for label in labels.tolist()], dtype=np.int32)
        return np.asarray(codes[inverse], dtype=np.int32)

    def _code(self, label: object) -> int:
        return self._known.setdefault(label, len(self._known))

    def finish(self) -> tuple[Labels, NDArray[np.int32]]:
        """Returns the sorted classes, and for each code its index among them."""
        labels = np.array(list(self._known), dtype=self._dtype)
        classes = np.unique(labels)
        return classes, np.searchsorted(classes, labels).astype(np.int32)
