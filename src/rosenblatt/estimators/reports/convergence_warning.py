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


#: Budget of the margin in the warning: some hundredths of a second.
_MARGIN_WORK = 2e7


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
    separable = [proof for proof in fitted.certificates_ if proof is not None and proof.separable]
    if status == "stalled" and separable:
        advice = f"A separator exists (see the certificate), but {_margin(separable[0])}"
        remedies = remedies or ["give max_iter for a longer run"]
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


def _margin(proof: "Separability") -> str:
    """The size of the margin, in words."""
    widest = proof.margin_within(proof.budget_up_to(_MARGIN_WORK), augmented=True)
    if widest is None:
        return "its margin is small"
    return f"its margin of {widest.gamma:.3g} is small against the longest example, {proof.radius:.3g}"
