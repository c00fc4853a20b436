"""The fewest training errors that any linear classifier can make on two classes. With the proof."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from rosenblatt.internal_error import verified
from rosenblatt.theory.budget import Budget
from rosenblatt.theory.examples import Examples, Indices, check_X, to_floats
from rosenblatt.theory.fewest import Fewest
from rosenblatt.theory.hitting import hitting_set
from rosenblatt.theory.hyperplane import Hyperplane
from rosenblatt.theory.labels import check_classes, check_y, signs_of
from rosenblatt.theory.question import Question, as_text, plain
from rosenblatt.theory.separability import Obstruction
from rosenblatt.theory.verify import exact_signs, ints, is_witness

_ENOUGH = 2e10  # touched values: some twenty seconds
_SHOWN = 12


@dataclass(frozen=True, eq=False)
class MinError:
    """Bounds on the fewest errors, and their proofs. `X` and `y` are those given; `verify` reads them again.

    Examples
    --------
    >>> from rosenblatt import theory
    >>> xor = theory.min_error([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    >>> xor.lower, xor.upper, xor.verify()
    (1, 1, True)
    """

    X: Any
    y: NDArray[Any]
    fit_intercept: bool
    positive: Any
    negative: Any
    lower: int
    upper: int
    weights: list[int]  # [w₀, w₁, …], or [w₁, …] through the origin: makes `upper` errors
    errors: Indices  # the examples that `weights` do not put strictly on their own side
    obstructions: list[Obstruction]  # fewer than `lower` examples cannot hit them all
    budget: float

    @property
    def exact(self) -> bool:
        """Whether the bounds meet: then `upper` is the fewest."""
        return self.lower == self.upper

    @cached_property
    def hyperplane(self) -> Hyperplane:
        """The hyperplane in floating point: the proof is in `weights`, which 53 bits may not hold."""
        w = to_floats(self.weights)
        w = np.ldexp(w, -int(np.frexp(abs(w[int(self.fit_intercept) :]).max())[1]))
        return Hyperplane(w[1:], w[0]) if self.fit_intercept else Hyperplane(w)

    def verify(self) -> bool:
        """Checks both bounds in integers against the data as they are now. See `verify_min_error`."""
        return verify_min_error(self.to_dict(), self.X, self.y)

    def explain(self) -> str:
        """Says in words what was found and why it is so."""
        plane = "hyperplane" if self.fit_intercept else "hyperplane through the origin"
        question = f"{plain(self.positive)!r} against {plain(self.negative)!r}, {len(self.y):,} examples"
        if self.upper == 0:
            return f"{question}: 0 errors.\nA {plane} has every example strictly on its own side."
        size = _errors(self.lower) if self.exact else f"between {self.lower:,} and {_errors(self.upper)}"
        lines = [
            f"{question}: {size} at the least.",
            f"A {plane} has all examples strictly on their own sides but {_some(self.errors.tolist())}.",
        ]
        if self.lower == 1:
            lines.append(
                f"Examples {_some(self.obstructions[0].indices.tolist())} cannot be separated, so one is wrong."
            )
        elif self.lower:
            lines.append(
                f"Fewer than {self.lower:,} are not possible: {len(self.obstructions):,} groups of examples cannot be "
                f"separated, each in itself, and no {_examples(self.lower - 1)} all of them."
            )
        if not self.exact:
            lines.append(
                f"The budget of {self.budget:,.0f} touched values ran out before the bounds met. Raise it to go on."
            )
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Both proofs in plain types, ready for JSON; integers as text for `int(text, 0)`. See `verify_min_error`."""
        return {
            "lower": self.lower,
            "upper": self.upper,
            "exact": self.exact,
            **Question(self.X, self.y, self.positive, self.negative, self.fit_intercept).to_dict(),
            "weights": [as_text(a) for a in self.weights],
            "errors": self.errors.tolist(),
            "obstructions": [
                {"indices": found.indices.tolist(), "multipliers": [as_text(m) for m in found.multipliers]}
                for found in self.obstructions
            ],
        }

    def __repr__(self) -> str:
        size = f"{self.lower}" if self.exact else f"{self.lower} to {self.upper}"
        return f"<MinError: {size} of {len(self.y)}>"


def min_error(X: Any, y: Any, *, fit_intercept: bool = True, budget: float | None = None) -> MinError:
    """The fewest training errors of any linear classifier on two classes, or bounds on them, with a proof of each.

    An error is an example that is not strictly on its own side; one on the plane is an error, whatever its class. To
    find the fewest is NP-hard; few errors, or few features, are found and proved soon.

    Parameters
    ----------
    X : array or CSR matrix of shape (n_examples, n_features)
        Floats or integers, taken at their exact values.
    y : array of n_examples labels
        Two classes.
    fit_intercept : bool, default=True
        Whether the hyperplane may have an offset; else it goes through the origin.
    budget : float, default=None
        Work, in touched values (see docs), after which the bounds are given as they are. None: 2·10¹⁰, some twenty
        seconds. `math.inf`: until they meet.

    Examples
    --------
    >>> result = min_error([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    >>> result.lower, result.upper, result.exact, result.verify()
    (1, 1, True, True)
    """
    X = check_X(X)
    y = check_y(y, X.shape[0])
    classes = check_classes(y)
    if len(classes) > 2:
        raise ValueError(
            f"y has {len(classes)} classes ({_some(classes.tolist())}); the fewest errors are asked about 2. Ask about "
            "one class against the rest, y == label, or about the rows of two classes."
        )
    limit = _ENOUGH if budget is None else budget
    negative, positive = classes
    fewest = Fewest(Examples(X, signs_of(y, positive, negative), bool(fit_intercept)), Budget(limit))
    fewest.run()
    obstructions = [
        Obstruction(np.array(list(found.multipliers), dtype=np.int64), list(found.multipliers.values()))
        for found in fewest.witnesses[: fewest.n_proof]
    ]
    found = MinError(
        X,
        y,
        bool(fit_intercept),
        positive,
        negative,
        fewest.lower,
        fewest.upper,
        fewest.weights,
        fewest.errors,
        obstructions,
        limit,
    )
    return verified(found, "The fewest errors on two classes", {"X": X, "y": y}, budget=limit)


def verify_min_error(certificate: Mapping[str, Any], X: Any, y: Any) -> bool:
    """Whether the certificate (as `MinError.to_dict` gives it) proves both bounds about these very examples.

    The upper bound: the errors of `weights` are counted in integers. The lower one: each obstruction is a witness, in
    integers, so that one of its examples at least is an error of any hyperplane; and no set of fewer than `lower`
    examples hits them all, by a search of every possibility that bounds in integers do not rule out.

    Examples
    --------
    >>> from rosenblatt import theory
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> verify_min_error(theory.min_error(X, y).to_dict(), X, y)
    True
    """
    try:
        return _proves(certificate, X.tocsr() if sp.issparse(X) else np.asarray(X), np.asarray(y))
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError):
        return False  # not even a certificate


def _proves(claim: Mapping[str, Any], X: Any, y: Any) -> bool:
    if X.shape != (claim["n_examples"], claim["n_features"]) or y.shape != X.shape[:1]:
        return False
    signs = np.where(y == claim["positive"], 1, np.where(y == claim["negative"], -1, 0))
    lower, upper, offset = claim["lower"], claim["upper"], claim["fit_intercept"]
    if not np.all(signs) or len(np.unique(signs)) != 2 or claim["exact"] is not (lower == upper):
        return False
    wrong = np.flatnonzero(exact_signs(X, signs, offset, ints(claim["weights"])) <= 0).tolist()
    if claim["errors"] != wrong or len(wrong) != upper or not 0 <= lower <= upper:
        return False
    obstructions = claim["obstructions"]
    if not all(is_witness(found, X, signs, offset) for found in obstructions):
        return False
    return lower == 0 or hitting_set([found["indices"] for found in obstructions], lower - 1, Budget()) is None


def _errors(count: int) -> str:
    return "1 error" if count == 1 else f"{count:,} errors"


def _examples(count: int) -> str:
    return "single example is in" if count == 1 else f"{count:,} examples meet"


def _some(items: list[Any]) -> str:
    shown = ", ".join(map(str, items[:_SHOWN]))
    return shown if len(items) <= _SHOWN else f"{shown}, … ({len(items)} in all)"
