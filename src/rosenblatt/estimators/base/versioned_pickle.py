"""Pickles that record the version of rosenblatt, and a warning when another version loads them."""

import warnings

from sklearn.exceptions import InconsistentVersionWarning as SklearnInconsistentVersionWarning

from rosenblatt.core import __version__

_KEY = "_rosenblatt_version"


class InconsistentVersionWarning(SklearnInconsistentVersionWarning):  # type: ignore[misc]  # scikit-learn ships no types
    """A pickle was written by another version of rosenblatt. Filters for scikit-learn's warning apply to it too."""

    def __init__(self, estimator_name: str, written_by: str) -> None:
        self.estimator_name = estimator_name
        self.written_by = written_by

    def __str__(self) -> str:
        return (
            f"This pickle of {self.estimator_name} was written by {self.written_by} and is loaded by rosenblatt "
            f"{__version__}: attributes may be missing or have another meaning. Fit again, or load the pickle with the "
            "version that wrote it and call rosenblatt.save: later versions read model files."
        )


class VersionedPickle:
    """Mixin: adds the version to a pickle, and compares it when the pickle is loaded."""

    def __getstate__(self) -> dict[str, object]:
        return {**super().__getstate__(), _KEY: __version__}  # type: ignore[dict-item]  # BaseEstimator's is a dict

    def __setstate__(self, state: dict[str, object]) -> None:
        version = state.get(_KEY)
        if version != __version__:
            written_by = "an unknown version of rosenblatt" if version is None else f"rosenblatt {version}"
            warnings.warn(InconsistentVersionWarning(type(self).__name__, written_by), stacklevel=2)
        vars(self).update({name: value for name, value in state.items() if name != _KEY})
