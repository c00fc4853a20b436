"""The subject of a certificate: the examples, and the side on which each of them is to be; in plain types."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class TwoClassProblem:
    """Two classes of the examples as given by the caller; a proof is checked against them."""

    X: Any
    y: NDArray[Any]
    positive: Any
    negative: Any  # None: every other class
    fit_intercept: bool

    @property
    def data(self) -> dict[str, Any]:
        """The data that a bug report must include."""
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
    """A label in a type that JSON supports."""
    return label.item() if isinstance(label, np.generic) else label


def as_text(a: int) -> str:
    """Decimal text, or hexadecimal beyond a few thousand digits, where decimal takes quadratic time and is refused."""
    return str(a) if a.bit_length() < 10_000 else hex(a)
