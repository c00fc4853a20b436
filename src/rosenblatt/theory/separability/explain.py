"""A verdict in words."""

from typing import TYPE_CHECKING

from rosenblatt.default_budgets import HOW_TO_GO_ON

if TYPE_CHECKING:
    from rosenblatt.theory.separability.answer import Separability

_SHOWN = 12
_MARGIN = 1e9  # touched values for the widest margin: about a second


def explain(answer: "Separability") -> str:
    """The result, the examples that prove it, and its consequences."""
    rest = "the rest" if answer.negative is None else repr(_plain(answer.negative))
    classes = f"{_plain(answer.positive)!r} against {rest}"
    plane = "a hyperplane" if answer.fit_intercept else "a hyperplane through the origin"
    lines = {
        "separable": _separable,
        "weak": _weak,
        "inseparable": _inseparable,
        "undecided": _undecided,
    }[answer.kind](answer, plane)
    return "\n".join([f"{classes}: {answer.kind}.", *lines])


def _separable(answer: "Separability", plane: str) -> list[str]:
    first = f"There is {plane} with every example strictly on its own side."
    last = "In a logistic regression this is complete separation: the maximum likelihood estimate does not exist."
    best = answer.margin_within(answer.budget_up_to(_MARGIN), augmented=False)
    if best is None:
        return [first, last]
    mistakes = answer.mistakes_within(answer.budget_up_to(_MARGIN))
    exact = best.gamma_squared
    if exact is None:
        size = f"{best.gamma:.6g} or more (a budget of {_MARGIN:,.0f} ran out before the widest was found)"
    elif exact.denominator.bit_length() <= 64:
        size = f"{best.gamma:.6g} (γ² = {exact} exactly)"
    else:
        size = f"{best.gamma:.6g} (γ² is known exactly, as a fraction of {exact.denominator.bit_length():,} bits)"
    return [
        first,
        f"The widest margin is {size}, attained at examples {_some(best.support.tolist())}.",
        f"The perceptron, from zero, makes at most {mistakes:,} mistakes on these examples.",
        last,
    ]


def _weak(answer: "Separability", plane: str) -> list[str]:
    assert answer.witness is not None
    return [
        f"There is {plane} with no example on the wrong side, but every such hyperplane goes through some examples.",
        f"Examples {_some(answer.witness.indices.tolist())} lie on all of them{_because(answer)}.",
        "In a logistic regression this is quasi-complete separation: some coefficients have no finite estimate.",
    ]


def _inseparable(answer: "Separability", plane: str) -> list[str]:
    assert answer.witness is not None
    return [
        f"Every {plane[2:]} has an example on the wrong side.",
        f"Examples {_some(answer.witness.indices.tolist())} are enough to prove it{_because(answer)}.",
        "In a logistic regression this is overlap: the estimate exists. The perceptron never stops by itself.",
    ]


def _undecided(answer: "Separability", plane: str) -> list[str]:
    lines = []
    if answer.budget is not None:
        lines.append(f"The budget of {answer.budget:,.0f} touched values ran out. {HOW_TO_GO_ON}")
    if answer.witness is not None:
        lines.insert(
            0, f"Examples {_some(answer.witness.indices.tolist())} rule out a strict separation{_because(answer)}."
        )
        lines.insert(1, "Whether a weak separation exists is undecided.")
    return lines


def _because(answer: "Separability") -> str:
    assert answer.witness is not None
    if len(answer.witness) == 1:
        return ": all its features are zero, so that every plane through the origin contains it"
    if len(answer.witness) == 2 and answer.witness.multipliers == [1, 1] and answer.fit_intercept:
        return ": they are equal and have different labels"
    if not answer.fit_intercept:
        return ": a positive combination of them, each with the sign of its label, is zero"
    return ": a weighted mean of those in one class is the same point as a weighted mean of those in the other"


def _some(indices: list[int]) -> str:
    shown = ", ".join(map(str, indices[:_SHOWN]))
    return shown if len(indices) <= _SHOWN else f"{shown}, … ({len(indices)} in all)"


def _plain(label: object) -> object:
    return label.item() if hasattr(label, "item") else label
