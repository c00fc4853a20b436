"""The text of `report()`: a fit in words."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rosenblatt.learning.status import MEANING

if TYPE_CHECKING:
    from rosenblatt.estimators.base.scoring_classifier import ScoringClassifier

_SHOWN_CLASSES = 10


def _accelerated(uses: Sequence[dict[str, int]]) -> str:
    """The accelerators of all problems, each with its largest number of epochs."""
    names = dict.fromkeys(name for problem in uses for name in problem)
    most = {name: max(problem.get(name, 0) for problem in uses) for name in names}
    return ", ".join(f"{name} ({epochs:,} epochs)" for name, epochs in most.items())


def report(estimator: "ScoringClassifier", feature_names: Sequence[str] | None) -> str:
    """Describes how the fit ended, its counts and its largest weights."""
    classes = estimator.classes_.tolist()
    shown = ", ".join(map(str, classes[:_SHOWN_CLASSES])) + (", …" if len(classes) > _SHOWN_CLASSES else "")
    period = f", period {estimator.cycle_} epochs" if estimator.cycle_ else ""
    lines = [
        f"{type(estimator).__name__}: {len(classes)} classes ({shown}), {estimator.n_features_in_} features",
        f"  ended      {estimator.status_}: {MEANING[estimator.status_]}{period}",
    ]
    if len(estimator.statuses_) > 1:
        counts = {status: estimator.statuses_.count(status) for status in dict.fromkeys(estimator.statuses_)}
        lines.append("  problems   " + ", ".join(f"{count} {status}" for status, count in counts.items()))
    lines += [
        f"  epochs     {estimator.n_iter_:,} ({estimator.n_samples_seen_:,} examples presented)",
        f"  mistakes   {estimator.n_mistakes_:,}",
    ]
    if len(getattr(estimator, "history_", ())):
        last = estimator.history_[-1]
        lines.append(f"  last epoch {last['mistakes']:,} mistakes, {last['error_rate']:.2%} errors when presented")
    if uses := _accelerated(getattr(estimator, "accelerators_", [])):
        lines.append(f"  faster by  {uses}")
    if hasattr(estimator, "support_") and not hasattr(estimator, "coef_"):
        return "\n".join([*lines, f"  support    {len(estimator.support_):,} examples ({estimator.regime_})"])
    lines.append("  top weights")
    problems = len(vars(estimator)["coef_"])
    for key, top in estimator._top_weights(3, feature_names, range(min(problems, _SHOWN_CLASSES))):
        name = "" if problems == 1 else (" against ".join(map(str, key)) if isinstance(key, tuple) else str(key)) + ": "
        lines.append(f"    {name}" + ", ".join(f"{feature} {weight:+.4g}" for feature, weight in top))
    return "\n".join(lines)
