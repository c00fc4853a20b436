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


#: A new estimator needs one line here.
KINDS: dict[str, Kind] = {
    "Perceptron": Kind("rosenblatt.estimators", ("classes_", "coef_", "intercept_", *_COUNTS), is_direct=True),
}
