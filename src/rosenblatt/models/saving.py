"""`save` and `load` for estimators and circuits in Python."""

from pathlib import Path
from typing import Any

import numpy as np

from rosenblatt.data.features import Column, Features
from rosenblatt.models.errors import ModelFileError
from rosenblatt.models.files import read, write
from rosenblatt.models.record import Record
from rosenblatt.models.registry import KINDS, fitted_of, name_of

#: Parameters that are about the running program, not the model.
_NOT_STORED = ("callback",)


def save(model: Any, path: str | Path) -> None:
    """Saves a fitted estimator, the pipeline that `load` gave, a threshold unit or a network, for people to read.

    The file is JSON, and holds all of the model. An existing file is replaced only by a whole new one.

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
    """What a model file holds: an estimator, a unit or a network. Nothing is unpickled; half a file is refused.

    A model that was trained on categories, filled or scaled columns comes as a scikit-learn pipeline that takes data
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

    from rosenblatt.models.encoder import FeatureEncoder

    return Pipeline([("features", FeatureEncoder(record.features)), ("model", model)])


def record_of(model: Any) -> Record:
    """What a file keeps of a fitted estimator or a circuit."""
    name = name_of(model)
    if name is not None and KINDS[name].is_circuit:
        features = Features.of_table([Column(variable) for variable in model.variables], None)
        return Record(name, {}, {"classes_": np.array([0, 1]), "circuit": model}, features)
    return _record_of_estimator(model)


def _record_of_estimator(model: Any) -> Record:
    from sklearn.pipeline import Pipeline
    from sklearn.utils.validation import check_is_fitted

    from rosenblatt.models.encoder import FeatureEncoder

    features = None
    if isinstance(model, Pipeline) and len(model.steps) == 2 and isinstance(model.steps[0][1], FeatureEncoder):
        features, model = model.steps[0][1].features, model.steps[1][1]
    name = name_of(model)
    if name is None:
        found = f"{type(model).__module__}.{type(model).__name__}"
        raise TypeError(f"save takes a fitted {', '.join(list(KINDS)[:-1])} or {list(KINDS)[-1]}; got a {found}.")
    check_is_fitted(model)
    if features is None:
        features = _features_of(model)
    parameters = {k: None if k in _NOT_STORED else v for k, v in model.get_params(deep=False).items()}
    return Record(name, parameters, fitted_of(model, name), features)


def _features_of(model: Any) -> Features:
    names = getattr(model, "feature_names_in_", None)
    if names is None:
        return Features("array", int(model.n_features_in_))
    return Features.of_table([Column(str(name)) for name in names], None)
