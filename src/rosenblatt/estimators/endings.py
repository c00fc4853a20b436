"""How a fit ended: the worst of many problems, in words, and the warning where one is due."""

import warnings
from collections.abc import Sequence

from rosenblatt.conventions import ENDINGS

#: From best to worst: the precedence of endings, except that a proof that no separator exists is worse than any limit.
_BADNESS: dict[str, int] = {name: rank for rank, name in enumerate(ENDINGS)}
_BADNESS |= {"inseparable": len(ENDINGS), "cycled": len(ENDINGS) + 1}

#: Endings after which the weights may not be what the user hopes for.
_WARN = ("cycled", "inseparable", "stalled", "max_updates", "max_steps", "max_iter")

MEANING = {
    "separated": "a whole pass without a mistake",
    "cycled": "the weights have come back to an earlier state: it would go on for ever",
    "error_reached": "the errors of an epoch came down to max_error",
    "unchanged": "the weights did not change for `patience` examples",
    "early_stopped": "the validation score stopped improving; the best weights were kept",
    "inseparable": "no separator exists, and here is the proof: certificate_",
    "stalled": "the best epoch has not improved for a long time",
    "max_updates": "the limit of updates was reached",
    "max_steps": "the limit of examples presented was reached",
    "max_iter": "the limit of epochs was reached",
    "partial": "fitted in parts by partial_fit",
    "imported": "taken over from another model",
}


def worst(statuses: Sequence[str]) -> str:
    """The ending that stands for many problems.

    >>> worst(["separated", "max_iter", "stalled"])
    'max_iter'
    """
    return max(statuses, key=lambda status: _BADNESS[status])


def warn_unless_settled(
    name: str,
    statuses: Sequence[str],
    n_iter: int,
    n_mistakes: int,
    scales_differ: bool,
    separable: bool,
    stacklevel: int,
    remedies: Sequence[str] | None = None,
) -> None:
    """Warns once if the fit did not come to rest; `separable` where a stalled problem is known to have a separator.

    `remedies` are those of a linear model unless given.
    """
    status = worst(statuses)
    if status not in _WARN:
        return
    from sklearn.exceptions import ConvergenceWarning

    share = "" if len(statuses) == 1 else f" ({sum(s == status for s in statuses)} of {len(statuses)} problems)"
    advice = {
        "max_updates": "Raise max_updates",
        "max_steps": "Raise max_steps",
        "max_iter": "Raise max_iter",
    }.get(status, "A single hyperplane does not fit these examples without error")
    if status == "stalled" and separable:
        advice = "A separator exists (see the certificate), but its margin is small"
    if remedies is None:
        remedies = [
            "average or keep the best weights (AveragedPerceptron, PocketPerceptron) if there is noise",
            "use a kernel or more features if the boundary is curved",
        ]
    if scales_differ:
        remedies = [*remedies, "scale the columns, whose sizes differ by orders of magnitude (StandardScaler)"]
    warnings.warn(
        f"{name} ended '{status}'{share} after {n_iter} epochs and {n_mistakes} mistakes: {MEANING[status]}. "
        f"{advice}; or {'; '.join(remedies)}.",
        ConvergenceWarning,
        stacklevel=stacklevel,
    )
