"""The `ConvergenceWarning` after a fit that did not converge."""

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from sklearn.exceptions import ConvergenceWarning

from rosenblatt.learning.status import MEANING, NOT_CONVERGED, worst

if TYPE_CHECKING:
    from rosenblatt.theory import Separability


class Fitted(Protocol):
    """A fitted estimator."""

    statuses_: list[str]
    n_iter_: int
    n_mistakes_: int
    certificates_: "list[Separability | None]"


def warn_unless_converged(
    fitted: Fitted, *, scales_differ: bool, stacklevel: int, remedies: Sequence[str] | None = None
) -> None:
    """Warns once if the fit did not converge. `remedies` default to those of linear models."""
    status = worst(fitted.statuses_)
    if status not in NOT_CONVERGED:
        return
    statuses = fitted.statuses_
    share = "" if len(statuses) == 1 else f" ({sum(s == status for s in statuses)} of {len(statuses)} problems)"
    advice = {
        "max_updates": "Raise max_updates",
        "max_steps": "Raise max_steps",
        "max_iter": "Raise max_iter",
    }.get(status, "No single hyperplane was found that classifies these examples without error")
    separable = any(proof is not None and bool(proof.separable) for proof in fitted.certificates_)
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
        f"{type(fitted).__name__} ended '{status}'{share} after {fitted.n_iter_} epochs and {fitted.n_mistakes_} "
        f"mistakes: {MEANING[status]}. {advice}; {'; '.join(remedies)}.",
        ConvergenceWarning,
        stacklevel=stacklevel,
    )
