"""How a fit ended: the worst of many problems, and each ending in words."""

from collections.abc import Sequence

from rosenblatt.conventions import ENDINGS

#: From best to worst: the precedence of endings, except that a proof that no separator exists is worse than any limit.
_BADNESS: dict[str, int] = {name: rank for rank, name in enumerate(ENDINGS)}
_BADNESS |= {"inseparable": len(ENDINGS), "cycled": len(ENDINGS) + 1}

#: Endings after which the weights may not be what the user hopes for.
UNSETTLED = ("cycled", "inseparable", "stalled", "max_updates", "max_steps", "max_iter")

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
