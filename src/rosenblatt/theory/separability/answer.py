"""The answer for two classes, and its certificate."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.theory.budget import Budget
from rosenblatt.theory.convergence.radius import squared_radius
from rosenblatt.theory.examples.classes import signs_of
from rosenblatt.theory.examples.labelled_examples import Examples, to_floats
from rosenblatt.theory.examples.two_class_problem import TwoClassProblem, as_text, plain
from rosenblatt.theory.hyperplane import Hyperplane
from rosenblatt.theory.margin.widest_margin import Margin, margin_of, root
from rosenblatt.theory.separability.decide import Kind, Verdict
from rosenblatt.theory.separability.explain import explain
from rosenblatt.theory.separability.verify import verify
from rosenblatt.theory.separability.witness import Witness

_LONG = 10**12  # larger multipliers are abbreviated in the repr


@dataclass(frozen=True, repr=False)
class Obstruction:
    """Examples and multipliers λ > 0 with Σ λ·y·(1, x) = 0, which no separator allows.

    Examples
    --------
    >>> from rosenblatt import separability
    >>> separability([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]).witness
    Obstruction(indices=array([0, 1, 2, 3]), multipliers=[1, 1, 1, 1])
    """

    indices: NDArray[np.int64]
    multipliers: list[int]
    basis: tuple[int, ...] = ()  # if not empty, the multipliers are approximate, and these examples prove exact ones

    def __len__(self) -> int:
        return len(self.indices)

    def __repr__(self) -> str:
        """Multipliers with many digits, which arbitrary floats produce, are abbreviated to their first digits."""
        shown = [str(m) if m < _LONG else f"{m / 10 ** (n := len(str(m)) - 1):.4g}…e{n}" for m in self.multipliers]
        return f"Obstruction(indices={self.indices!r}, multipliers=[{', '.join(shown)}])"


@dataclass(frozen=True, eq=False)
class Separability:
    """The answer for two classes, and its proof. `X` and `y` are those given; `verify` reads them again.

    Examples
    --------
    >>> from rosenblatt import separability
    >>> result = separability([[0], [1], [2]], ["low", "low", "high"])
    >>> result.kind, result.margin, result.mistake_bound, result.verify()
    ('separable', 0.5, 65, True)
    """

    X: Any
    y: NDArray[Any]
    fit_intercept: bool
    positive: Any
    negative: Any  # None: every other class
    verdict: Verdict
    budget: float | None

    @property
    def problem(self) -> TwoClassProblem:
        return TwoClassProblem(self.X, self.y, self.positive, self.negative, self.fit_intercept)

    @property
    def kind(self) -> Kind:
        """Separable, weak (quasi-complete separation), inseparable (overlap) or undecided."""
        return self.verdict.kind

    @property
    def separable(self) -> bool | None:
        """Whether some hyperplane has every example strictly on its correct side; None when undecided."""
        return self.verdict.separable

    @property
    def weights(self) -> list[int] | None:
        """The hyperplane as exact integers: [w₀, w₁, …], or [w₁, …] through the origin."""
        return self.verdict.weights

    @cached_property
    def hyperplane(self) -> Hyperplane | None:
        """The hyperplane in floating point: the proof is in `weights`, which may need more than 53 bits."""
        if self.verdict.weights is None:
            return None
        w = to_floats(self.verdict.weights)
        w = np.ldexp(w, -int(np.frexp(abs(w).max())[1]))
        return Hyperplane(w[1:], w[0]) if self.fit_intercept else Hyperplane(w)

    @cached_property
    def witness(self) -> Obstruction | None:
        """At most n_features + 2 examples that no hyperplane can separate, with their multipliers."""
        if self.verdict.witness is None:
            return None
        multipliers = self.verdict.witness.multipliers
        indices = np.array(list(multipliers), dtype=np.int64)
        return Obstruction(indices, list(multipliers.values()), self.verdict.witness.basis)

    @cached_property
    def max_margin(self) -> Margin | None:
        """The widest margin with its support, in the data's own space."""
        return self.margin_within(Budget(self.budget), augmented=False)

    @cached_property
    def max_margin_augmented(self) -> Margin | None:
        """The widest margin in the space that the run uses: (1, x) with an offset."""
        return self.margin_within(Budget(self.budget), augmented=True) if self.fit_intercept else self.max_margin

    @property
    def margin(self) -> float | None:
        """Geometric margin γ: half the width of the widest empty slab between the classes."""
        return None if self.max_margin is None else self.max_margin.gamma

    @property
    def margin_augmented(self) -> float | None:
        return None if self.max_margin_augmented is None else self.max_margin_augmented.gamma

    @cached_property
    def radius(self) -> float:
        """The largest ‖(1, x)‖, or ‖x‖ through the origin."""
        return root(squared_radius(self._examples))

    @cached_property
    def mistake_bound(self) -> int | None:
        """The maximum number of mistakes from a zero start, under every tie rule and order: ⌊R²/γ²⌋ (Novikoff)."""
        return self._mistakes(self.max_margin_augmented)

    def mistakes_within(self, budget: Budget) -> int | None:
        """The bound on mistakes that follows from the margin found within this budget."""
        return self._mistakes(self.margin_within(budget, augmented=True))

    def _mistakes(self, best: Margin | None) -> int | None:
        return None if best is None else int(squared_radius(self._examples) / best.lower_squared)

    def budget_up_to(self, most: float) -> Budget:
        """A budget of at most `most`, and at most the budget of the answer itself."""
        return Budget(most if self.budget is None else min(most, self.budget))

    def verify(self) -> bool:
        """Checks the proof in integers against the data as they are now, with separate code. Undecided: False."""
        return verify(self.to_dict(), self.X, self.y)

    def explain(self) -> str:
        """Explains the result and its proof in words."""
        return explain(self)

    def to_dict(self) -> dict[str, Any]:
        """The certificate in plain types, ready for JSON; integers as text for `int(text, 0)`. See `theory.verify`."""
        verdict = self.verdict
        return {
            "kind": verdict.kind,
            "separable": verdict.separable,
            **self.problem.to_dict(),
            "weights": None if verdict.weights is None else [as_text(a) for a in verdict.weights],
            "witness": None if verdict.witness is None else _proof(verdict.witness),
            "closure": None if verdict.closure is None else _proof(verdict.closure),
            "null": [[as_text(a) for a in vector] for vector in verdict.null],
        }

    @cached_property
    def _examples(self) -> Examples:
        return Examples(self.X, signs_of(self.y, self.positive, self.negative), self.fit_intercept)

    def margin_within(self, budget: Budget, *, augmented: bool) -> Margin | None:
        """The widest margin, or the bounds on it found within this budget.

        None if separability is not proved, or if X holds numbers that no float can represent.
        """
        if self.verdict.weights is None or not self.separable or self.X.dtype.kind == "O":
            return None
        return margin_of(self.problem, self._examples, augmented=augmented, budget=budget, known=self.verdict.weights)

    def __repr__(self) -> str:
        against = "the rest" if self.negative is None else repr(plain(self.negative))
        return f"<Separability: {plain(self.positive)!r} against {against}: {self.kind}; explain() says why>"


def _proof(witness: Witness) -> dict[str, list[Any]]:
    multipliers = witness.multipliers
    plain_types: dict[str, list[Any]] = {
        "indices": [int(i) for i in multipliers],
        "multipliers": [as_text(m) for m in multipliers.values()],
    }
    return plain_types | ({"basis": list(witness.basis)} if witness.basis else {})
