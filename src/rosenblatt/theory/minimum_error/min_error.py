"""The fewest training errors that any linear classifier can make on two classes, with the proof."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.default_budgets import HOW_TO_GO_ON
from rosenblatt.internal_error import verified
from rosenblatt.theory.budget import Budget, limit_of
from rosenblatt.theory.examples.check_features import check_floats
from rosenblatt.theory.examples.classes import check_classes, check_y, signs_of
from rosenblatt.theory.examples.labelled_examples import Examples, Indices, to_floats
from rosenblatt.theory.examples.two_class_problem import TwoClassProblem, as_text, plain
from rosenblatt.theory.hyperplane import Hyperplane
from rosenblatt.theory.minimum_error.bound_proof import Proof
from rosenblatt.theory.minimum_error.fewest import Fewest
from rosenblatt.theory.minimum_error.verify_min_error import verify_min_error
from rosenblatt.theory.separability.answer import Obstruction

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
    obstructions: list[Obstruction]  # every set of examples that hits them all has at least `lower` elements; none in
    # a proof by sweeps
    proof: Proof  # of that; see `verify_min_error`
    budget: float

    @property
    def exact(self) -> bool:
        """Whether the bounds are equal: then `upper` is the minimum."""
        return self.lower == self.upper

    @cached_property
    def hyperplane(self) -> Hyperplane:
        """The hyperplane in floating point: the proof is in `weights`, which may need more than 53 bits."""
        w = to_floats(self.weights)
        w = np.ldexp(w, -int(np.frexp(abs(w[int(self.fit_intercept) :]).max())[1]))
        return Hyperplane(w[1:], w[0]) if self.fit_intercept else Hyperplane(w)

    def verify(self) -> bool:
        """Checks both bounds in integers against the data as they are now. See `verify_min_error`."""
        return verify_min_error(self.to_dict(), self.X, self.y)

    def explain(self) -> str:
        """Explains the result and its proof in words."""
        plane = "hyperplane" if self.fit_intercept else "hyperplane through the origin"
        classes = f"{plain(self.positive)!r} against {plain(self.negative)!r}, {len(self.y):,} examples"
        if self.upper == 0:
            return f"{classes}: 0 errors.\nA {plane} has every example strictly on its own side."
        size = _errors(self.lower) if self.exact else f"between {self.lower:,} and {_errors(self.upper)}"
        lines = [
            f"{classes}: {size} at the least.",
            f"A {plane} has all examples strictly on their own sides but {_some(self.errors.tolist())}.",
        ]
        if self.lower == 1 and self.obstructions:
            lines.append(
                f"Examples {_some(self.obstructions[0].indices.tolist())} cannot be separated, so one is wrong."
            )
        elif "sweeps" in self.proof:
            lines.append(
                f"Fewer than {self.lower:,} are not possible: a best hyperplane can be moved until it goes through "
                "some of these examples and others, and the proof counts the errors of all hyperplanes that do."
            )
        elif self.lower:
            lines.append(
                f"Fewer than {self.lower:,} are not possible: {len(self.obstructions):,} groups of examples cannot be "
                f"separated, each in itself, and no {_examples(self.lower - 1)} all of them."
            )
        if not self.exact:
            lines.append(
                f"The budget of {self.budget:,.0f} touched values ran out before the bounds were equal. {HOW_TO_GO_ON}"
            )
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Both proofs in plain types, ready for JSON; integers as text for `int(text, 0)`. See `verify_min_error`."""
        return {
            "lower": self.lower,
            "upper": self.upper,
            "exact": self.exact,
            **TwoClassProblem(self.X, self.y, self.positive, self.negative, self.fit_intercept).to_dict(),
            "weights": [as_text(a) for a in self.weights],
            "errors": self.errors.tolist(),
            "obstructions": [
                {"indices": found.indices.tolist(), "multipliers": [as_text(m) for m in found.multipliers]}
                for found in self.obstructions
            ],
            "proof": self.proof,
        }

    def __repr__(self) -> str:
        size = f"{self.lower}" if self.exact else f"{self.lower} to {self.upper}"
        return f"<MinError: {size} of {len(self.y)}>"


def min_error(
    X: Any,
    y: Any,
    *,
    fit_intercept: bool = True,
    budget: float | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> MinError:
    """The fewest training errors of any linear classifier on two classes, or bounds on them, with a proof of each.

    An error is an example that is not strictly on its own side; one on the plane is an error, whatever its class.
    Finding the minimum is NP-hard; with few errors or few features it is fast.

    Parameters
    ----------
    X : array or CSR matrix of shape (n_examples, n_features)
        Floats or integers, taken at their exact values.
    y : array of n_examples labels
        Two classes.
    fit_intercept : bool, default=True
        Whether the hyperplane may have an offset; else it goes through the origin.
    budget : float, default=None
        Work, in touched values (see docs), after which the bounds are given as they are. None: 5·10⁹, some five
        seconds. `math.inf`: until they are equal.
    progress : callable, default=None
        Called with (lower, upper) whenever one of the bounds has improved.

    Examples
    --------
    >>> result = min_error([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    >>> result.lower, result.upper, result.exact, result.verify()
    (1, 1, True, True)
    """
    X = check_floats(X)
    y = check_y(y, X.shape[0])
    classes = check_classes(y)
    if len(classes) > 2:
        raise ValueError(
            f"y has {len(classes)} classes ({_some(classes.tolist())}); min_error takes exactly 2. Give "
            "one class against the rest, y == label, or the rows of two classes only."
        )
    limit = limit_of("min_error", budget)
    negative, positive = classes
    examples = Examples(X, signs_of(y, positive, negative), bool(fit_intercept))
    with Budget(limit).shown("min_error") as counted:
        fewest = Fewest(examples, counted, progress)
        fewest.run()
    witnesses, proof = fewest.compact_proof()
    obstructions = [
        Obstruction(np.array(list(found.multipliers), dtype=np.int64), list(found.multipliers.values()))
        for found in witnesses
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
        proof,
        limit,
    )
    return verified(found, "The fewest errors on two classes", {"X": X, "y": y}, budget=limit)


def _errors(count: int) -> str:
    return "1 error" if count == 1 else f"{count:,} errors"


def _examples(count: int) -> str:
    return "single example is in" if count == 1 else f"{count:,} examples meet"


def _some(items: list[Any]) -> str:
    shown = ", ".join(map(str, items[:_SHOWN]))
    return shown if len(items) <= _SHOWN else f"{shown}, … ({len(items)} in all)"
