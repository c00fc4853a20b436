"""Which estimators a model file may name, and what it keeps of each. A file can name nothing else."""

from dataclasses import dataclass

_COUNTS = ("status_", "statuses_", "cycle_", "cycles_", "n_iter_", "n_mistakes_", "n_samples_seen_", "history_")


@dataclass(frozen=True)
class Kind:
    """An estimator class: where it lives and which fitted attributes make it whole."""

    home: str
    fitted: tuple[str, ...]
    is_linear: bool = True  # has coef_ and intercept_, one row a binary problem
    is_direct: bool = False  # predicts as `estimators.direct` does


_LINEAR = ("classes_", "coef_", "intercept_", *_COUNTS)
_LAST = ("last_coef_", "last_intercept_")
_POCKET = ("pocket_run_", "pocket_runs_", "pocket_error_", "pocket_errors_", "n_scored_")

#: A new estimator needs one line here.
KINDS: dict[str, Kind] = {
    "Perceptron": Kind("rosenblatt.estimators", _LINEAR, is_direct=True),
    "AveragedPerceptron": Kind("rosenblatt.estimators", (*_LINEAR, *_LAST, "_averaged_over"), is_direct=True),
    "PocketPerceptron": Kind("rosenblatt.estimators", (*_LINEAR, *_LAST, *_POCKET), is_direct=True),
    "BatchPerceptron": Kind("rosenblatt.estimators", _LINEAR, is_direct=True),
}
