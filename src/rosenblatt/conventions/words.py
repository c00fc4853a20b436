"""A dialect in plain words: its choices instead of its name."""

from collections.abc import Mapping
from typing import Any

_TIES = {"mistake": "zero is always a mistake", "positive": "zero counts as +1", "negative": "zero counts as −1"}
_STARTS = {"zeros": "start at 0", "random": "small random start"}
_ORDERS = {"cyclic": "in turn", "shuffle": "shuffled again in each epoch", "misclassified": "drawn from the mistakes"}
_LIMITS = {
    "max_iter": "at most {} epochs",
    "max_steps": "at most {} examples presented",
    "max_updates": "at most {} mistakes",
    "patience": "stop after {} examples without a mistake",
}

#: The keys that `describe` puts into words; others, such as the seed, are not part of the rule.
DESCRIBED = (
    *("tie", "init", "init_scale", "order", "fit_intercept", "eta0", "step", "C", "margin", "error_tie", "max_error"),
    *_LIMITS,
)


def describe(dialect: Mapping[str, Any]) -> str:
    """Describes the tie rule, the initial weights, the order, and every other choice of a dialect.

    Examples
    --------
    >>> from rosenblatt import conventions
    >>> conventions.describe(conventions.L3)
    'zero counts as −1, start at 0, in turn, step 2'
    """
    tie = dialect.get("tie", "mistake")
    parts = [_TIES[tie], _STARTS[dialect.get("init", "zeros")], _ORDERS[dialect.get("order", "cyclic")]]
    if dialect.get("init") == "random" and dialect.get("init_scale", 0.5) != 0.5:
        parts[1] = f"random start of at most {dialect['init_scale']:g}"
    if not dialect.get("fit_intercept", True):
        parts.append("through the origin")
    if dialect.get("eta0", 1) != 1:
        parts.append(f"step {dialect['eta0']:g}")
    if dialect.get("step", "constant") != "constant":
        c = f", C = {dialect['C']:g}" if dialect["step"] != "pa" and dialect.get("C", 1) != 1 else ""
        parts.append(f"passive-aggressive ({dialect['step']}{c})")
    if dialect.get("margin"):
        parts.append(f"margin {dialect['margin']:g}")
    if dialect.get("error_tie") not in (None, tie):
        parts.append(f"in reported errors {_TIES[dialect['error_tie']]}")
    if dialect.get("max_error"):
        parts.append(f"stop at {dialect['max_error']:.4g} errors an example")
    parts += [words.format(dialect[key]) for key, words in _LIMITS.items() if dialect.get(key) is not None]
    return ", ".join(parts)
