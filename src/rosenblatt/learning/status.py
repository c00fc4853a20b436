"""The status of a fit: the worst ending of its problems, and the meaning of each ending."""

from collections.abc import Sequence

from rosenblatt.conventions import ENDINGS

#: Rank from best to worst: the precedence of endings, but "inseparable" and "cycled" rank behind all limits.
_BADNESS: dict[str, int] = {name: rank for rank, name in enumerate(ENDINGS)}
_BADNESS |= {"inseparable": len(ENDINGS), "cycled": len(ENDINGS) + 1}

#: Endings of fits that did not converge; they cause a warning.
NOT_CONVERGED = ("cycled", "inseparable", "stalled", "max_updates", "max_steps", "max_iter")

MEANING = {
    "separated": "a whole pass without a mistake",
    "cycled": "the weights returned to an earlier state, so the run would never end",
    "error_reached": "the share of errors in an epoch fell to max_error",
    "unchanged": "the weights did not change for `patience` examples",
    "early_stopped": "the validation score stopped improving; the best weights were kept",
    "inseparable": "no separator exists; the proof is certificate_",
    "stalled": "the best epoch has not improved for a long time",
    "max_updates": "the limit of updates was reached",
    "max_steps": "the limit of examples presented was reached",
    "max_iter": "the limit of epochs was reached",
    "partial": "fitted in parts by partial_fit",
    "imported": "copied from another model",
}


def worst(statuses: Sequence[str]) -> str:
    """The worst of the endings, which is the status of the whole fit.

    >>> worst(["separated", "max_iter", "stalled"])
    'max_iter'
    """
    return max(statuses, key=lambda status: _BADNESS[status])
