"""The `ConvergenceWarning` after a fit that did not converge."""

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sklearn.exceptions import ConvergenceWarning

from rosenblatt.learning.status import MEANING, UNSETTLED, worst

if TYPE_CHECKING:
    from rosenblatt.theory import Separability


def warn_unless_settled(
    name: str,
    statuses: Sequence[str],
    n_iter: int,
    n_mistakes: int,
    scales_differ: bool,
    certificates: "Sequence[Separability | None]",
    stacklevel: int,
    remedies: Sequence[str] | None = None,
) -> None:
    """Warns once if the fit did not converge.

    `certificates` are the results of the stall check. `remedies` default to those of linear models.
    """
    status = worst(statuses)
    if status not in UNSETTLED:
        return
    share = "" if len(statuses) == 1 else f" ({sum(s == status for s in statuses)} of {len(statuses)} problems)"
    advice = {
        "max_updates": "Raise max_updates",
        "max_steps": "Raise max_steps",
        "max_iter": "Raise max_iter",
    }.get(status, "No single hyperplane was found that classifies these examples without error")
    separable = any(proof is not None and bool(proof.separable) for proof in certificates)
    if status == "stalled" and separable:
        advice = "A separator exists (see the certificate), but its margin is small"
    if remedies is None:
        remedies = [
            "average or keep the best weights (AveragedPerceptron, PocketPerceptron) if the data is noisy",
            "use a kernel or more features if the boundary is curved",
        ]
    if scales_differ:
        remedies = [*remedies, "scale the columns, whose ranges differ by orders of magnitude (StandardScaler)"]
    warnings.warn(
        f"{name} ended '{status}'{share} after {n_iter} epochs and {n_mistakes} mistakes: {MEANING[status]}. "
        f"{advice}; {'; '.join(remedies)}.",
        ConvergenceWarning,
        stacklevel=stacklevel,
    )
