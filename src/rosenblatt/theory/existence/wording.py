"""The answer in the words that statisticians use."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rosenblatt.default_budgets import HOW_TO_GO_ON
from rosenblatt.theory.existence.recession.coefficients import Status
from rosenblatt.theory.existence.recession.contrasts import SHOWN_LEVELS

if TYPE_CHECKING:
    from rosenblatt.theory.existence.result import Existence

_SHOWN = 12
_SHOWN_COEFFICIENTS = 60

_MODELS = {
    "binomial": "binomial model (logit, probit or another link)",
    "multinomial": "multinomial logit model",
    "ordinal": "cumulative link model",
    "poisson": "Poisson model with log link",
    "log-binomial": "binomial model with log link",
}
_LIMITS = {
    "binomial": "their fitted probabilities tend to 0 or 1, as observed",
    "multinomial": "the fitted probabilities of their outcomes tend to 1",
    "ordinal": "the fitted probabilities of their outcomes tend to 1",
    "poisson": "their count is 0 and their fitted means tend to 0",
    "log-binomial": "they are failures and their fitted probabilities tend to 0",
}


def explain(answer: "Existence") -> str:
    """What was found, what happens to each coefficient, and what to do about it."""
    lines = [f"{_MODELS[answer.family]}, {answer.n_observations:,} observations"]
    if answer.exists is None:
        ran_out = f"Undecided: the budget of {answer.budget:,.0f} touched values ran out before a proof was found."
        return "\n".join([*lines, f"{ran_out} {HOW_TO_GO_ON}"])
    lines += _overlap(answer) if answer.exists else _separation(answer)
    if answer.family == "ordinal":
        lines.append(_order(answer.specification.outcomes.classes))
    lines += _aliasing(answer)
    lines += _identified(answer)
    lines += _levels(answer)
    lines += _table(answer.coefficients)
    if not answer.exists:
        lines += ["", *_advice(answer)]
    return "\n".join(lines)


def _order(classes: Sequence[object]) -> str:
    order = f"The order of the outcomes is {' < '.join(map(str, classes[:_SHOWN]))}."
    texts = [label for label in classes if isinstance(label, str)]
    if len(texts) < len(classes) or sorted(texts) != texts:
        return order
    return f"{order} It is alphabetical; for another one, give y as ordered categories (for a file: --order)."


def _overlap(answer: "Existence") -> list[str]:
    return ["Finite maximum likelihood estimates exist: the outcomes overlap, and no observation is separated."]


def _separation(answer: "Existence") -> list[str]:
    n, separated, partly = answer.n_observations, answer.separated, answer.partly_separated
    if answer.kind == "complete":
        lines = [
            "Complete separation: finite maximum likelihood estimates do not exist.",
            f"All {n:,} observations are separated: {_LIMITS[answer.family]}.",
        ]
        if answer.family in ("binomial", "log-binomial", "poisson") and len(set(_outcomes(answer))) == 1:
            lines.append("All observations have the same outcome, so that nothing can be estimated.")
        return lines
    lines = ["Quasi-complete separation: finite maximum likelihood estimates of all coefficients do not exist."]
    if len(separated):
        lines.append(f"Separated observations: {len(separated):,} of {n:,}; {_LIMITS[answer.family]}.")
        lines.append(f"Their rows, counted from 0: {_some(separated.tolist())}.")
    if len(partly):
        lines.append(
            f"In {len(partly):,} more observations some outcomes, but not all others, get probability 0 in the limit: "
            f"rows {_some(partly.tolist())}."
        )
    return lines


def _outcomes(answer: "Existence") -> list[tuple[bool, ...]]:
    return [tuple(row) for row in answer.specification.outcomes.present[answer.specification.kept].tolist()]


def _aliasing(answer: "Existence") -> list[str]:
    if not answer.aliased:
        return []
    lines = ["The design is rank deficient, which is not the same as separation."]
    count, n = len(answer.coefficients), answer.n_observations
    if count > n:
        lines.append(f"It has more columns ({count:,}) than observations ({n:,}), so it cannot determine them all.")
    used = set(answer.specification.system.rows.columns.tolist())
    zero = {name for j, name in enumerate(answer.specification.system.names) if j not in used}
    never, others = ([name for name in answer.aliased if (name in zero) == wanted] for wanted in (True, False))
    if never:
        lines.append(f"Zero in all observations, as a category that never occurs: {_some(never)}. Leave it out.")
    if others:
        lines.append(
            f"{_some(others)} are linear combinations of each other (or of the fixed effects), so that they have no "
            "unique estimates."
        )
    return lines


def _identified(answer: "Existence") -> list[str]:
    count, identified = len(answer.coefficients), answer.n_identified
    if answer.exists or not count or answer.kind == "complete":
        return []
    what = "is 1 linear combination" if identified == 1 else f"are {identified} linear combinations"
    return [f"Identified, with finite estimates, {what} of the {count} coefficient{'s' * (count != 1)}."]


def _levels(answer: "Existence") -> list[str]:
    diverging = [
        f"{effect}={level} ({limit})"
        for effect, limit_of in answer.diverging_levels.items()
        for level, limit in limit_of.items()
    ]
    if not diverging:
        return []
    count = sum(len(parts) for parts in answer.effect_directions.values())
    lines = [
        f"Levels of fixed effects without a finite estimate: {len(diverging):,} of {count:,}: "
        f"{_some(diverging, SHOWN_LEVELS)}."
    ]
    held = [f"{effect}={level}" for effect, levels in answer.reference_levels.items() for level in levels]
    if held:
        lines.append(
            f"This is relative to {_some(held)}, held at 0: effects are identified up to a shift between them."
        )
    return lines


def _table(coefficients: dict[str, Status]) -> list[str]:
    if not coefficients:
        return []
    rows = list(coefficients.items())[:_SHOWN_COEFFICIENTS]
    width = max(len("coefficient"), *(len(name) for name, _ in rows))
    lines = ["", f"{'coefficient':<{width}}  estimate", *(f"{name:<{width}}  {status}" for name, status in rows)]
    if len(coefficients) > len(rows):
        lines.append(f"… and {len(coefficients) - len(rows):,} more in `coefficients`")
    if "undefined" in coefficients.values():
        lines.append("undefined: aliased, or not finite with a sign that the data do not determine")
    if "undecided" in coefficients.values():
        lines.append(f"undecided: not finite; the budget did not suffice for the sign. {HOW_TO_GO_ON}")
    return lines


def _advice(answer: "Existence") -> list[str]:
    lines = ["What to do:"]
    if answer.kind != "complete" and len(answer.separated) and not len(answer.partly_separated):
        lines.append(
            "- Drop the separated observations: the finite coefficients keep their maximum likelihood estimates, and "
            "the others become aliased, so that they can be dropped too."
        )
    if answer.family in ("binomial", "multinomial", "ordinal"):
        lines.append("- Reduce the bias (Firth): estimates are always finite; in R, brglm2 or logistf.")
    else:
        lines.append("- Penalise the likelihood, or use a weakly informative prior: estimates are finite.")
    if answer.family == "binomial":
        lines.append("- Penalise the likelihood, or use a weakly informative prior.")
        lines.append("- Test by likelihood ratio or by exact conditional tests: Wald tests are invalid here.")
    return lines


def _some(items: Sequence[object], count: int = _SHOWN) -> str:
    shown = ", ".join(map(str, items[:count]))
    return shown if len(items) <= count else f"{shown}, … ({len(items):,} in all)"
