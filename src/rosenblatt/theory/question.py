"""What a certificate is about: the examples, and which of them are to be on which side. In plain types."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Question:
    """Two classes of these examples, as given by the caller: a proof about them is checked on them."""

    X: Any
    y: NDArray[Any]
    positive: Any
    negative: Any  # None: every other class
    fit_intercept: bool

    @property
    def data(self) -> dict[str, Any]:
        """What a bug report must hold."""
        return {"X": self.X, "y": self.y}

    def to_dict(self) -> dict[str, Any]:
        """The part that all certificates have in common."""
        return {
            "fit_intercept": self.fit_intercept,
            "positive": plain(self.positive),
            "negative": plain(self.negative),
            "n_examples": int(self.X.shape[0]),
            "n_features": int(self.X.shape[1]),
        }


def plain(label: Any) -> Any:
    """A label as JSON knows it."""
    return label.item() if isinstance(label, np.generic) else label


def as_text(a: int) -> str:
    """Decimal; beyond a few thousand digits, where that takes quadratic time and Python refuses it, hexadecimal."""
    return str(a) if a.bit_length() < 10_000 else hex(a)
