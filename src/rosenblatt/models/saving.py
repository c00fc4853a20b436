"""`save` and `load` for estimators in Python."""

from pathlib import Path
from typing import Any

from rosenblatt.data.features import Column, Features
from rosenblatt.models.errors import ModelFileError
from rosenblatt.models.files import read, write
from rosenblatt.models.record import Record
from rosenblatt.models.registry import KINDS

#: Parameters that are about the running program, not the model.
_NOT_STORED = ("callback",)


def save(model: Any, path: str | Path) -> None:
    """Saves a fitted estimator, or the pipeline that `load` gave, as a model file that people can read.

    The file is JSON; arrays of more than 10,000 values are in a safetensors file beside it: keep both together. An
    existing file is replaced only by a whole new one.

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
    """The estimator that a model file holds. Nothing is unpickled; what is not a whole model file is refused.

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
        estimator = record.to_estimator(with_names=record.features.is_plain)
    except ModelFileError as error:
        raise ModelFileError(f"{path}: {error}") from error
    if record.features.is_plain:
        return estimator
    from sklearn.pipeline import Pipeline

    from rosenblatt.models.encoder import FeatureEncoder

    return Pipeline([("features", FeatureEncoder(record.features)), ("model", estimator)])


def record_of(model: Any) -> Record:
    """What a file keeps of a fitted estimator."""
    from sklearn.pipeline import Pipeline
    from sklearn.utils.validation import check_is_fitted

    from rosenblatt.models.encoder import FeatureEncoder

    features = None
    if isinstance(model, Pipeline) and len(model.steps) == 2 and isinstance(model.steps[0][1], FeatureEncoder):
        features, model = model.steps[0][1].features, model.steps[1][1]
    name = type(model).__name__
    kind = KINDS.get(name)
    if kind is None or type(model).__module__.partition(".")[0] != kind.home.partition(".")[0]:
        raise TypeError(f"save takes a fitted {' or '.join(KINDS)}; got a {type(model).__module__}.{name}.")
    check_is_fitted(model)
    if features is None:
        features = _features_of(model)
    parameters = {k: None if k in _NOT_STORED else v for k, v in model.get_params(deep=False).items()}
    return Record(name, parameters, {attribute: getattr(model, attribute) for attribute in kind.fitted}, features)


def _features_of(model: Any) -> Features:
    names = getattr(model, "feature_names_in_", None)
    if names is None:
        return Features("array", int(model.n_features_in_))
    return Features.of_table([Column(str(name)) for name in names], None)
