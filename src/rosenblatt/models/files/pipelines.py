"""scikit-learn pipelines as model files: preparation steps become columns, fill values and a scale.

Each feature that reaches the estimator is followed back to the column it comes from. Steps that are not affine
functions, fill values or levels of one column cannot be stored and are refused by name.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from rosenblatt.data.columns.booleans import spelling
from rosenblatt.data.columns.missing import MISSING
from rosenblatt.data.features import Column, Features, Scale

#: Marks the level of all rare categories, whose feature is the last one of its column.
_RARE = object()

_KNOWN = (
    "StandardScaler, MinMaxScaler, MaxAbsScaler, RobustScaler, SimpleImputer, OneHotEncoder, ColumnTransformer, "
    "feature selection and Pipeline"
)


@dataclass
class _Source:
    """A column of the data, as far as the steps have shown what it is."""

    name: str
    levels: list[Any] | None = None  # the texts of a category; the last is `_RARE` if rare levels have one feature
    fill: Any = None


@dataclass(frozen=True)
class _Feature:
    """A feature after some steps: (value - centre) / width. The value is that of the column, of a level or of a gap."""

    source: _Source
    centre: float = 0.0
    width: float = 1.0
    level: Any = None
    is_gap: bool = False

    def scaled(self, centre: float, width: float) -> "_Feature":
        """The same feature after another affine step."""
        if self.centre == 0.0 and self.width == 1.0:  # a single step keeps its numbers bit for bit
            return replace(self, centre=centre, width=width)
        return replace(self, centre=self.centre + centre * self.width, width=self.width * width)


@dataclass(frozen=True)
class Unwrapped:
    """The fitted estimator at the end of a pipeline, its features, and where each comes from.

    Feature j of `features` is feature `order[j]` of the estimator; -1 is a level that the pipeline ignores.
    """

    estimator: Any
    features: Features | None = None
    order: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))

    @property
    def is_reordered(self) -> bool:
        return self.features is not None and not np.array_equal(self.order, np.arange(len(self.order)))


def unwrapped(model: Any) -> Unwrapped:
    """The estimator of a fitted pipeline or search, with the pipeline's preparation as features."""
    from sklearn.model_selection._search import BaseSearchCV
    from sklearn.pipeline import Pipeline
    from sklearn.utils.validation import check_is_fitted

    if isinstance(model, BaseSearchCV):
        if not hasattr(model, "best_estimator_"):
            raise TypeError(f"save needs the best estimator of the {type(model).__name__}: fit it, with refit=True.")
        return unwrapped(model.best_estimator_)
    if not isinstance(model, Pipeline):
        return Unwrapped(model)
    *steps, (_, last) = model.steps
    if hasattr(last, "fit"):
        check_is_fitted(last)
    names, has_names = _names_in(model)
    found = [_Feature(_Source(name)) for name in names]
    for name, step in steps:
        found = _after(step, found, name)
    inner = unwrapped(last)
    if inner.features is not None:
        raise TypeError(
            "save takes one pipeline of preparation and an estimator, not a pipeline that ends with another."
        )
    features, order = _as_columns(found, has_names)
    return Unwrapped(inner.estimator, features, order)


def _names_in(pipeline: Any) -> tuple[list[str], bool]:
    """The names of the columns that a pipeline was fitted on, and whether it was a data frame that named them."""
    names = getattr(pipeline, "feature_names_in_", None)
    if names is not None:
        return [str(name) for name in names], True
    count = getattr(pipeline, "n_features_in_", None)
    if count is None:
        step = type(pipeline.steps[0][1]).__name__
        raise TypeError(
            f"save: {step} does not tell how many columns it was fitted on: a model file cannot hold it. "
            f"It can hold {_KNOWN}. {_TEXT}"
        )
    return [f"x{j}" for j in range(count)], False


_TEXT = "For texts, train the model with `rosenblatt train FILE --text COLUMN`."


def _after(step: Any, features: list[_Feature], name: str) -> list[_Feature]:
    """The features after a fitted step."""
    from sklearn.feature_selection import SelectorMixin

    if step is None or step == "passthrough":
        return features
    if isinstance(step, SelectorMixin):
        return [features[j] for j in np.flatnonzero(step.get_support())]
    # Only scikit-learn's own classes: a subclass may transform in another way.
    known = _STEPS.get(type(step).__name__) if type(step).__module__.startswith("sklearn.") else None
    if known is None:
        _refuse(name, step, f"a model file cannot hold this step. It can hold {_KNOWN}. {_TEXT}")
    return known(step, features, name)


def _refuse(name: str, step: Any, why: str) -> NoReturn:
    raise TypeError(f"save: step {name!r} is a {type(step).__name__}: {why}")


def _pipeline(step: Any, features: list[_Feature], name: str) -> list[_Feature]:
    for inner, each in step.steps:
        features = _after(each, features, f"{name}__{inner}")
    return features


def _function(step: Any, features: list[_Feature], name: str) -> list[_Feature]:
    if step.func is not None:
        _refuse(name, step, "a function of yours cannot be stored. Compute its columns in the data, before training.")
    return features


def _standard(step: Any, features: list[_Feature], _name: str) -> list[_Feature]:
    return _affine(features, step.mean_ if step.with_mean else None, step.scale_)


def _robust(step: Any, features: list[_Feature], _name: str) -> list[_Feature]:
    return _affine(features, step.center_, step.scale_)


def _max_abs(step: Any, features: list[_Feature], name: str) -> list[_Feature]:
    if getattr(step, "clip", False):
        _refuse(name, step, "clipped values cannot be stored. Use clip=False.")
    return _affine(features, None, step.scale_)


def _min_max(step: Any, features: list[_Feature], name: str) -> list[_Feature]:
    if step.clip:
        _refuse(name, step, "clipped values cannot be stored. Use clip=False.")
    return _affine(features, -step.min_ / step.scale_, 1 / step.scale_)


def _affine(features: list[_Feature], centre: Any, width: Any) -> list[_Feature]:
    centres = np.zeros(len(features)) if centre is None else np.asarray(centre, dtype=np.float64)
    widths = np.ones(len(features)) if width is None else np.asarray(width, dtype=np.float64)
    return [f.scaled(float(c), float(w)) for f, c, w in zip(features, centres, widths, strict=True)]


def _imputer(step: Any, features: list[_Feature], name: str) -> list[_Feature]:
    marks_gaps = step.missing_values is None or step.missing_values != step.missing_values  # NaN
    if not marks_gaps and type(step.missing_values).__name__ != "NAType":
        _refuse(
            name, step, f"missing_values={step.missing_values!r} cannot be stored. Replace them by NaN in the data."
        )
    kept: list[_Feature] = []
    for feature, fill in zip(features, step.statistics_.tolist(), strict=True):
        source = feature.source
        if feature.level is not None or feature.is_gap:
            _refuse(name, step, f"the gaps of column {source.name!r} must be filled before its levels are encoded.")
        if fill is None or fill != fill:
            _refuse(name, step, f"column {source.name!r} had no values to fill gaps from. Leave the column out.")
        if source.fill is None:  # otherwise there are no gaps left
            source.fill = fill if isinstance(fill, str) else float(fill) * feature.width + feature.centre
        kept.append(feature)
    flagged = [] if step.indicator_ is None else step.indicator_.features_.tolist()
    return kept + [_Feature(features[j].source, is_gap=True) for j in flagged]


def _one_hot(step: Any, features: list[_Feature], name: str) -> list[_Feature]:
    found: list[_Feature] = []
    infrequent = getattr(step, "infrequent_categories_", None) or [None] * len(features)
    for j, (feature, categories) in enumerate(zip(features, step.categories_, strict=True)):
        column = feature.source.name
        if feature.level is not None or feature.is_gap or (feature.centre, feature.width) != (0.0, 1.0):
            _refuse(name, step, f"column {column!r} must be encoded as it is in the data, not after a scaler.")
        rare = [] if infrequent[j] is None else infrequent[j].tolist()
        if rare and step.handle_unknown == "ignore":
            _refuse(name, step, "rare and unknown levels have one feature. Use handle_unknown='infrequent_if_exist'.")
        levels: list[Any] = [_text(v, column, name, step) for v in categories.tolist() if v not in rare]
        if isinstance(feature.source.fill, float):
            feature.source.fill = _text(feature.source.fill, column, name, step)
        if feature.source.fill is not None and feature.source.fill not in levels:
            _refuse(name, step, f"the fill value {feature.source.fill!r} of column {column!r} has no level of its own.")
        feature.source.levels = levels + [_RARE] * bool(rare)
        dropped = None if step.drop_idx_ is None else step.drop_idx_[j]
        places = [k for k in range(len(feature.source.levels)) if k != dropped]
        found += [replace(feature, level=feature.source.levels[k]) for k in places]
    return found


def _text(value: Any, column: str, name: str, step: Any) -> str:
    """A level as files write it."""
    if isinstance(value, float) and value == int(value if value == value else 0):
        value = int(value)
    if value is None or isinstance(value, float) or not isinstance(value, str | int):
        what = "a missing value" if value is None or value != value else f"the {type(value).__name__} {value!r}"
        _refuse(
            name,
            step,
            f"{what} is a level of column {column!r}. Fill gaps before (SimpleImputer), and encode texts, whole "
            "numbers or Booleans.",
        )
    text = spelling(str(value))
    if text in MISSING or not text.strip():
        _refuse(name, step, f"the level {text!r} of column {column!r} means a missing value in files. Rename it.")
    return text


def _column_transformer(step: Any, features: list[_Feature], name: str) -> list[_Feature]:
    parts: list[tuple[int, list[_Feature]]] = []
    names = [feature.source.name for feature in features]
    for inner, each, columns in step.transformers_:
        place = step.output_indices_[inner]
        chosen = [features[j] for j in _places(columns, names)]
        if not chosen or (isinstance(each, str) and each == "drop"):
            continue
        parts.append((place.start, _after(each, chosen, f"{name}__{inner}")))
    return [feature for _, part in sorted(parts, key=lambda each: each[0]) for feature in part]


def _places(columns: Any, names: Sequence[str]) -> list[int]:
    """The positions of the columns that a transformer names, in one of scikit-learn's ways."""
    if isinstance(columns, slice):
        ends = [names.index(end) if isinstance(end, str) else end for end in (columns.start, columns.stop)]
        if isinstance(columns.stop, str):
            ends[1] += 1  # a slice of names includes its end
        return list(range(len(names)))[ends[0] : ends[1] : columns.step]
    chosen = np.atleast_1d(np.asarray(columns)).tolist()
    if chosen and all(isinstance(each, bool) for each in chosen):
        return np.flatnonzero(chosen).tolist()
    return [names.index(each) if isinstance(each, str) else int(each) for each in chosen]


_STEPS: dict[str, Callable[[Any, list[_Feature], str], list[_Feature]]] = {
    "Pipeline": _pipeline,
    "FunctionTransformer": _function,
    "StandardScaler": _standard,
    "RobustScaler": _robust,
    "MaxAbsScaler": _max_abs,
    "MinMaxScaler": _min_max,
    "SimpleImputer": _imputer,
    "OneHotEncoder": _one_hot,
    "ColumnTransformer": _column_transformer,
}


def _as_columns(found: list[_Feature], has_names: bool) -> tuple[Features, NDArray[np.int64]]:
    """The columns of the features, and for each feature of the columns its place among `found`."""
    by_source: dict[str, list[int]] = {}
    for place, feature in enumerate(found):
        by_source.setdefault(feature.source.name, []).append(place)
    columns: list[Column] = []
    order: list[int] = []
    for name, places in by_source.items():
        source = found[places[0]].source
        keys = {(found[k].level, found[k].is_gap): k for k in places}
        if len(keys) < len(places) or (source.levels is not None and (None, False) in keys):
            raise TypeError(f"save: column {name!r} is used by two steps side by side. Use it once, or copy it.")
        gap = (None, True) in keys
        if source.levels is None:
            columns.append(Column(name, None, source.fill, gap=gap, booleans=True))
            wanted: list[Any] = [(None, False)]
        else:
            words = tuple(level for level in source.levels if level is not _RARE)
            columns.append(Column(name, words, source.fill, gap=gap, pooled=_RARE in source.levels))
            wanted = [(level, False) for level in source.levels]
        order += [keys.get(key, -1) for key in [*wanted, *([(None, True)] if gap else [])]]
    centre = np.array([0.0 if k < 0 else found[k].centre for k in order])
    width = np.array([1.0 if k < 0 else found[k].width for k in order])
    features = Features.of_table(columns, None)
    if not has_names and features.is_plain and order == list(range(len(found))) and len(columns) == len(found):
        features = Features("array", len(found))
    if centre.any() or (width != 1.0).any():
        features = replace(features, scale=Scale(centre, width))
    return features, np.array(order, dtype=np.int64)


def reordered(fitted: dict[str, Any], order: NDArray[np.int64], fit_intercept: bool) -> dict[str, Any]:
    """Fitted attributes with their features in another order. A feature of order -1 has weight 0."""

    def moved(values: Any, before: int = 0) -> NDArray[Any]:
        dense = np.asarray(values.toarray() if hasattr(values, "toarray") else values)
        found = np.zeros((len(dense), before + len(order)), dense.dtype)
        found[:, :before] = dense[:, :before]
        found[:, before:][:, order >= 0] = dense[:, before:][:, order[order >= 0]]
        return found

    changed: dict[str, Any] = {
        name: moved(fitted[name]) for name in ("coef_", "last_coef_", "support_vectors_") if name in fitted
    }
    if "starts_" in fitted:
        changed["starts_"] = moved(fitted["starts_"], int(fit_intercept))
    # A certificate is about the features in the order in which they were fitted.
    return {name: value for name, value in (fitted | changed).items() if not name.startswith("certificate")}
