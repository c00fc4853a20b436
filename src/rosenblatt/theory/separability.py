"""Is the data linearly separable? With the proof."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.internal_error import verified
from rosenblatt.theory.budget import Budget
from rosenblatt.theory.decide import Kind, Verdict, decide
from rosenblatt.theory.examples import Examples, check_X, to_floats
from rosenblatt.theory.explain import explain
from rosenblatt.theory.hyperplane import Hyperplane
from rosenblatt.theory.labels import check_classes, check_y, signs_of
from rosenblatt.theory.margin import Margin, margin_of, root
from rosenblatt.theory.question import Question, as_text, plain
from rosenblatt.theory.radius import squared_radius
from rosenblatt.theory.verify import verify

_LONG = 10**12  # a multiplier that nobody reads to the end


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

    def __len__(self) -> int:
        return len(self.indices)

    def __repr__(self) -> str:
        """Multipliers of many digits, which arbitrary floats have, by their beginning."""
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
    def question(self) -> Question:
        return Question(self.X, self.y, self.positive, self.negative, self.fit_intercept)

    @property
    def kind(self) -> Kind:
        """Separable, weak (quasi-complete separation), inseparable (overlap) or undecided."""
        return self.verdict.kind

    @property
    def separable(self) -> bool | None:
        """Whether some hyperplane has every example strictly on its side; None when undecided."""
        return self.verdict.separable

    @property
    def weights(self) -> list[int] | None:
        """The hyperplane as exact integers: [w₀, w₁, …], or [w₁, …] through the origin."""
        return self.verdict.weights

    @cached_property
    def hyperplane(self) -> Hyperplane | None:
        """The hyperplane in floating point: the proof is in `weights`, which 53 bits may not hold."""
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
        return Obstruction(np.array(list(multipliers), dtype=np.int64), list(multipliers.values()))

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
        """At most so many mistakes from a zero start, under every tie rule and order: ⌊R²/γ²⌋ (Novikoff)."""
        best = self.max_margin_augmented
        if best is None:
            return None
        return int(squared_radius(self._examples) / best.lower_squared)

    def verify(self) -> bool:
        """Checks the proof in integers against the data as they are now, by code of its own. Undecided: False."""
        return verify(self.to_dict(), self.X, self.y)

    def explain(self) -> str:
        """Says in words what was found and why it is so."""
        return explain(self)

    def to_dict(self) -> dict[str, Any]:
        """The certificate in plain types, ready for JSON; integers as text for `int(text, 0)`. See `theory.verify`."""
        verdict = self.verdict
        return {
            "kind": verdict.kind,
            "separable": verdict.separable,
            **self.question.to_dict(),
            "weights": None if verdict.weights is None else [as_text(a) for a in verdict.weights],
            "witness": None if verdict.witness is None else _proof(verdict.witness.multipliers),
            "closure": None if verdict.closure is None else _proof(verdict.closure.multipliers),
            "null": [[as_text(a) for a in vector] for vector in verdict.null],
        }

    @cached_property
    def _examples(self) -> Examples:
        return Examples(self.X, signs_of(self.y, self.positive, self.negative), self.fit_intercept)

    def margin_within(self, budget: Budget, *, augmented: bool) -> Margin | None:
        """The widest margin, or what this budget proves of it; None where nothing is known to be separable."""
        if self.verdict.weights is None or not self.separable:
            return None
        return margin_of(self.question, self._examples, augmented=augmented, budget=budget, known=self.verdict.weights)

    def __repr__(self) -> str:
        against = "the rest" if self.negative is None else repr(plain(self.negative))
        return f"<Separability: {plain(self.positive)!r} against {against}: {self.kind}; explain() says why>"


class SeparabilityTable(Mapping[Any, Separability]):
    """The answers for more than two classes.

    `table["a", "b"]` is class b against a (b positive, as everywhere the later class is), `table["a"]` is a against
    the rest. `pairs` and `rest` hold them by kind of question.

    Examples
    --------
    >>> from rosenblatt import data, separability
    >>> iris = data.load("iris")
    >>> table = separability(iris.X, iris.y)
    >>> table["setosa"].kind, table["versicolor", "virginica"].kind
    ('separable', 'inseparable')
    """

    def __init__(self, pairs: dict[tuple[Any, Any], Separability], rest: dict[Any, Separability]) -> None:
        self.pairs = pairs
        self.rest = rest
        self._all: dict[Any, Separability] = {**pairs, **rest}

    def __getitem__(self, question: Any) -> Separability:
        return self._all[question]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def verify(self) -> bool:
        return all(answer.verify() for answer in self.values())

    def explain(self) -> str:
        return "\n\n".join(answer.explain() for answer in self.values())

    def to_dict(self) -> dict[str, Any]:
        return {
            "pairs": [answer.to_dict() for answer in self.pairs.values()],
            "rest": [answer.to_dict() for answer in self.rest.values()],
        }

    def __repr__(self) -> str:
        lines = [f"  {a!r} against {b!r}: {answer.kind}" for (a, b), answer in self.pairs.items()]
        lines += [f"  {a!r} against the rest: {answer.kind}" for a, answer in self.rest.items()]
        return "\n".join(["<SeparabilityTable", *lines, ">"])


def separability(
    X: Any, y: Any, *, fit_intercept: bool = True, budget: float | None = None
) -> Separability | SeparabilityTable:
    """Whether a hyperplane separates the classes of y, with a proof either way.

    Parameters
    ----------
    X : array or CSR matrix of shape (n_examples, n_features)
        Floats or integers, taken at their exact values.
    y : array of n_examples labels
        Two classes give a `Separability`, more a `SeparabilityTable` (by pair, and one against the rest).
    fit_intercept : bool, default=True
        Whether the hyperplane may have an offset; else it goes through the origin.
    budget : float, default=None
        Work after which the answer is "undecided", in touched values (see docs); for each question of a table. None:
        until it is settled.

    Examples
    --------
    >>> result = separability([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1])
    >>> result.kind, result.max_margin.gamma_squared, result.verify()
    ('separable', Fraction(1, 8), True)
    >>> separability([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]).witness
    Obstruction(indices=array([0, 1, 2, 3]), multipliers=[1, 1, 1, 1])
    """
    X = check_X(X)
    y = check_y(y, X.shape[0])
    classes = check_classes(y)
    Budget(budget)  # refuse a bad one before any work
    examples = Examples(X, np.ones(len(y), dtype=np.int8), bool(fit_intercept))

    def ask(positive: Any, negative: Any) -> Separability:
        asked = examples.with_signs(signs_of(y, positive, negative))
        return _decided(Question(X, y, positive, negative, bool(fit_intercept)), asked, budget)

    if len(classes) == 2:
        return ask(classes[1], classes[0])
    pairs = {(a, b): ask(b, a) for a, b in combinations(classes.tolist(), 2)}
    rest = {a: ask(a, None) for a in classes.tolist()}
    return SeparabilityTable(pairs, rest)


def ask_for_fit(
    X: Any,
    signs: NDArray[Any],
    *,
    fit_intercept: bool,
    chosen: NDArray[Any] | None = None,
    budget: float = 2e9,
) -> Separability:
    """The question of a fit that would stall: checked X (array or CSR), signs ±1, and the examples that take part.

    The default budget is a second or two of work. Weights of examples are no matter as long as they are positive.

    Examples
    --------
    >>> ask_for_fit(np.array([[0.0], [1.0], [2.0]]), np.array([1, -1, 1]), fit_intercept=True).kind
    'inseparable'
    """
    X = check_X(X)
    taking_part = np.zeros(X.shape[0], dtype=np.int8)
    members = slice(None) if chosen is None else chosen
    taking_part[members] = np.sign(np.asarray(signs)[members])
    return _decided(Question(X, taking_part, 1, -1, fit_intercept), Examples(X, taking_part, fit_intercept), budget)


def _decided(question: Question, examples: Examples, budget: float | None) -> Separability:
    """The answer after its certificate has been checked. Undecided without a witness, it claims nothing."""
    verdict = decide(examples, Budget(budget))
    q = question
    found = Separability(q.X, q.y, q.fit_intercept, q.positive, q.negative, verdict, budget)
    if found.separable is None:
        return found
    return verified(found, "The separability of two classes", question.data, budget=budget)


def _proof(multipliers: dict[int, int]) -> dict[str, list[Any]]:
    return {"indices": [int(i) for i in multipliers], "multipliers": [as_text(m) for m in multipliers.values()]}
