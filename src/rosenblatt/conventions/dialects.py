"""The dialects of the five lectures: sets of `Perceptron` parameters, with the source of each choice.

L0: Radivojac, CS6140 (2024). L1: "Perceptron Linear Classifier". L2: "SLM Chapter 2 Perceptron". L3: Cheng,
Artificial Neural Networks, ch. 8 (2019/20). L4: "349: Machine Learning", Linear Discriminants (2024).
"""

from collections.abc import Iterator, Mapping
from typing import Any

from rosenblatt.conventions.words import DESCRIBED, describe


class Convention(Mapping[str, Any]):
    """Parameters of a lecture's perceptron. Use it as a mapping: `Perceptron(**L3)`, `{**L3, "max_iter": 10}`.

    >>> L3["tie"], L3.sources["tie"]
    ('negative', 'eq. 1: ŷ = −1 where wᵀx ≤ 0')
    >>> str(L3)
    'zero counts as −1, start at 0, in turn, step 2 (L3)'
    """

    def __init__(self, name: str, **choices: tuple[Any, str]) -> None:
        self.name = name
        self._values = {key: value for key, (value, _) in choices.items()}
        self.sources = {key: source for key, (_, source) in choices.items()}

    def __getitem__(self, key: str) -> Any:
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def replaced(self, values: Mapping[str, Any]) -> "Convention":
        """The same dialect with other choices; the name then says which ones differ.

        Values that are no choice of a rule, such as a seed, are left out.

        >>> str(L3.replaced({"eta0": 1.0, "tie": "negative"}))
        'zero counts as −1, start at 0, in turn (L3 with eta0 changed)'
        """
        changed = {key: values[key] for key in DESCRIBED if key in values and values[key] != self.get(key)}
        if not changed:
            return self
        choices = {key: (value, self.sources[key]) for key, value in self.items()}
        choices |= {key: (value, "changed") for key, value in changed.items()}
        return Convention(f"{self.name} with {', '.join(changed)} changed", **choices)

    def __str__(self) -> str:
        return f"{describe(self)} ({self.name})"

    def __repr__(self) -> str:
        lines = [f"  {key}={value!r}: {self.sources[key]}" for key, value in self.items()]
        return "\n".join([f"Convention {self.name}", *lines])


L0 = Convention(
    "L0",
    fit_intercept=(True, "Algorithm 1, input: X = {1} × ℝᵈ"),
    eta0=(1.0, "Algorithm 1, input: η ∈ (0, 1]; 1 in 'How can we train the perceptron'"),
    tie=("positive", "Algorithm 1: wrong where wᵀx ≥ 0 ∧ y = −1, or wᵀx < 0 ∧ y = +1"),
    order=("cyclic", "Algorithm 1: 'loops over the training data', 'draw the next labeled example'"),
    init=("zeros", "Algorithm 1: w ← 0"),
)

L1 = Convention(
    "L1",
    fit_intercept=(False, "eq. 1: classifiers through the origin"),
    eta0=(1.0, "eq. 6: θ ← θ + yx"),
    tie=("positive", "eq. 1: h = +1 where θ·x ≥ 0; eq. 5: updates follow h"),
    error_tie=("mistake", "eq. 4: y(θ·x) ≤ 0 counts as an error, the boundary too"),
    order=("cyclic", "'consider each training example one by one, cycling through all them'"),
    init=("zeros", "'we set θ = 0'"),
)

L1_offset = Convention(
    "L1_offset",
    fit_intercept=(True, "eq. 12: sign(θ·x + θ₀)"),
    eta0=(1.0, "eq. 14, 15: θ ← θ + yx, θ₀ ← θ₀ + y"),
    tie=("positive", "eq. 12: h = +1 where θ·x + θ₀ ≥ 0; eq. 13: updates follow h"),
    error_tie=("mistake", "eq. 4: the boundary counts as an error"),
    order=("cyclic", "'Cycle through the training examples t = 1, …, n'"),
    init=("zeros", "'initialize θ = 0 (vector) and θ₀ = 0 (scalar)'"),
)

L2 = Convention(
    "L2",
    fit_intercept=(True, "f(x) = wx + b"),
    eta0=(1.0, "left open (η): 1"),
    tie=("mistake", "left open (sign(0)): a tie is a mistake"),
    order=("misclassified", "'for every step, we sample (xᵢ, yᵢ) from M'"),
    init=("zeros", "left open (w₀, b₀); α starts as the all-zero vector: zero"),
)

L3 = Convention(
    "L3",
    fit_intercept=(True, "8.2: w has n + 1 components, x₀ = 1"),
    eta0=(2.0, "Algorithm 8.2: w ← w + 2ηyx, with η = 1"),
    tie=("negative", "eq. 1: ŷ = −1 where wᵀx ≤ 0"),
    order=("cyclic", "Algorithm 8.1: 'for all data pairs i'"),
    init=("zeros", "Algorithm 8.1, line 1: '0 or small random values'"),
    max_error=(0.0, "8.6: 'Without loss of generality, assume … μ = 0'; Algorithm 8.2's μ, errors/N"),
)

L4 = Convention(
    "L4",
    fit_intercept=(True, "'It is more convenient if…': x₀ = 1 always"),
    eta0=(1.0, "'Perceptron Algorithm': w = w + xy"),
    tie=("negative", "'Two-Class Classification': h = 1 if g(x) > 0, −1 otherwise; updates follow h"),
    order=("cyclic", "'Perceptron Algorithm': k = (k + 1) mod m"),
    init=("random", "'Perceptron Algorithm': w = some random setting"),
)
