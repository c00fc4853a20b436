"""`save` and `load` for estimators and circuits in Python."""

from pathlib import Path
from typing import Any

import numpy as np

from rosenblatt.data.features import Column, Features
from rosenblatt.learning.scores.calibration import attached
from rosenblatt.models.files.model_error import ModelFileError
from rosenblatt.models.files.model_file import read, write
from rosenblatt.models.files.record import Record
from rosenblatt.models.files.registry import KINDS, fitted_of, name_of

#: Parameters that are not stored, because they describe the running program and not the model.
_NOT_STORED = ("callback",)


def save(model: Any, path: str | Path) -> None:
    """Saves a fitted estimator, a pipeline or search around one, a threshold unit or a network as readable JSON.

    The file holds the complete model. An existing file is replaced atomically. A pipeline may have scikit-learn's
    scalers, SimpleImputer, OneHotEncoder, ColumnTransformer and feature selection; other steps are refused by name.

    >>> import tempfile, pathlib, rosenblatt
    >>> fitted = rosenblatt.Perceptron().fit([[0, 0], [0, 3], [1, 0], [1, 3]], [0, 1, 0, 1])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder) / "model.json"
    ...     rosenblatt.save(fitted, file)
    ...     rosenblatt.load(file).predict([[1, 3]])
    array([1])
    """
    write(record_of(model), path)


def load(path: str | Path) -> Any:
    """Loads an estimator, a unit or a network from a model file. Pickle is not used; incomplete files are rejected.

    A model that was trained on categories, filled or scaled columns is returned as a scikit-learn pipeline for data
    frames with the file's columns.

    Examples
    --------
    >>> import tempfile
    >>> from rosenblatt import Perceptron
    >>> path = Path(tempfile.mkdtemp()) / "line.json"
    >>> save(Perceptron().fit([[1], [2]], ["low", "high"]), path)
    >>> load(path).predict([[0], [3]])
    array(['low', 'high'], dtype='<U4')
    """
    record = read(path)
    try:
        model = record.to_model(with_names=record.features.is_plain)
    except ModelFileError as error:
        raise ModelFileError(f"{path}: {error}") from error
    if record.features.is_plain:
        return model
    from sklearn.pipeline import Pipeline

    from rosenblatt.models.files.encoder import FeatureEncoder

    return Pipeline([("features", FeatureEncoder(record.features)), ("model", model)])


def record_of(model: Any) -> Record:
    """The record of a fitted estimator or a circuit, as stored in a model file."""
    name = name_of(model)
    if name is not None and KINDS[name].is_circuit:
        features = Features.of_table([Column(variable) for variable in model.variables], None)
        return Record(name, {}, {"classes_": np.array([0, 1]), "circuit": model}, features)
    return _record_of_estimator(model)


def _record_of_estimator(model: Any) -> Record:
    from sklearn.pipeline import Pipeline
    from sklearn.utils.validation import check_is_fitted

    from rosenblatt.models.files.encoder import FeatureEncoder
    from rosenblatt.models.files.pipelines import Unwrapped, reordered, unwrapped

    if isinstance(model, Pipeline) and len(model.steps) == 2 and isinstance(model.steps[0][1], FeatureEncoder):
        features = model.steps[0][1].features
        found = Unwrapped(model.steps[1][1], features, np.arange(features.n_features))
    else:
        found = unwrapped(model)
    estimator = found.estimator
    name = name_of(estimator)
    if name is None:
        raise TypeError(
            f"save takes a fitted {', '.join(list(KINDS)[:-1])} or {list(KINDS)[-1]}, or a pipeline that ends with "
            f"one; got a {type(estimator).__module__}.{type(estimator).__name__}.{_remedy(estimator)}"
        )
    check_is_fitted(estimator)
    features = _features_of(estimator) if found.features is None else found.features
    parameters = {k: None if k in _NOT_STORED else v for k, v in estimator.get_params(deep=False).items()}
    fitted = fitted_of(estimator, name)
    if found.is_reordered:
        if name == "KernelPerceptron" and (found.order < 0).any():
            raise TypeError("save: a KernelPerceptron compares all levels. Encode them with OneHotEncoder(drop=None).")
        fitted = reordered(fitted, found.order, bool(parameters.get("fit_intercept")))
    return Record(name, parameters, fitted, features, calibration=attached(estimator))


def _remedy(estimator: Any) -> str:
    """What to do with one of scikit-learn's linear classifiers."""
    if type(estimator).__module__.startswith("sklearn.") and hasattr(estimator, "coef_"):
        return f" rosenblatt.Perceptron.from_sklearn(model) makes one with the weights of a {type(estimator).__name__}."
    return ""


def _features_of(model: Any) -> Features:
    names = getattr(model, "feature_names_in_", None)
    if names is None:
        return Features("array", int(model.n_features_in_))
    return Features.of_table([Column(str(name)) for name in names], None)
