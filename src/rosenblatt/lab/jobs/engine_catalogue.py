"""The tables of the library that the engine in the browser needs: plans, defaults, endings, texts of missing values."""

from typing import Any

from rosenblatt.data.columns.missing import MISSING
from rosenblatt.lab.requests.run_requests import ALGORITHMS
from rosenblatt.learning.fit import plan_of
from rosenblatt.learning.parameters import Parameters, defaults_of
from rosenblatt.learning.status import MEANING

_NOT_IN_BROWSER = ("n_iter_no_change", "max_updates")


def engine_catalogue() -> dict[str, Any]:
    """Returns, for each algorithm of the lab, its estimator, the parameters that define it, and its default plan."""
    return {
        "algorithms": {
            name: {"estimator": estimator, "fixed": fixed, "plan": _plan(Parameters.of(estimator, fixed))}
            for name, (estimator, fixed) in ALGORITHMS.items()
        },
        "defaults": {estimator: defaults_of(estimator) for estimator, _ in ALGORITHMS.values()},
        "endings": MEANING,
        "missing": list(MISSING),
    }


def _plan(parameters: Parameters) -> dict[str, Any]:
    return {name: value for name, value in plan_of(parameters).items() if name not in _NOT_IN_BROWSER}
