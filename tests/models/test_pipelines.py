"""scikit-learn pipelines around an estimator become model files with the same predictions, or are refused by name."""

import csv
import io

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer, make_column_selector, make_column_transformer
from sklearn.decomposition import PCA
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.feature_selection import SelectKBest
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    MaxAbsScaler,
    MinMaxScaler,
    OneHotEncoder,
    PolynomialFeatures,
    RobustScaler,
    StandardScaler,
)

from rosenblatt import AveragedPerceptron, KernelPerceptron, Perceptron, VotedPerceptron, load, models, save
from rosenblatt.data import DataError
from tests.cli.running import as_json, done, error
from tests.models.exported import labels_by_c, run_onnx

pytestmark = pytest.mark.filterwarnings("ignore:(Kernel)?Perceptron ended")


@pytest.fixture
def frame():
    rng = np.random.default_rng(5)
    n = 120
    made = pd.DataFrame(
        {
            "age": rng.integers(18, 90, n).astype(float),
            "income": rng.normal(3e4, 1e4, n).round(2),
            "town": rng.choice(["Ulm", "Bonn", "Trier", "Jena"], n),
            "kind": rng.choice([1, 2, 3], n),
        }
    )
    made["y"] = np.where(
        made.age / 40 + made.income / 3e4 + (made.town == "Ulm") + rng.normal(0, 0.4, n) > 2.5, "yes", "no"
    )
    made.loc[::7, "age"] = np.nan
    made.loc[3::11, "town"] = None
    return made


NUMBERS, WORDS = ["age", "income"], ["town", "kind"]


def prepared(*numeric, words=("most_frequent", {"handle_unknown": "ignore"})):
    """The usual ColumnTransformer."""
    strategy, encoding = words
    return ColumnTransformer(
        [
            ("words", make_pipeline(SimpleImputer(strategy=strategy), OneHotEncoder(**encoding)), ["town"]),
            ("kind", OneHotEncoder(handle_unknown="ignore"), ["kind"]),
            ("numbers", make_pipeline(*numeric), NUMBERS),
        ]
    )


PIPELINES = {
    "scaler": make_pipeline(SimpleImputer(), StandardScaler()),
    "scaler first": make_pipeline(StandardScaler(), SimpleImputer(strategy="median")),
    "minmax": make_pipeline(SimpleImputer(strategy="constant", fill_value=-1), MinMaxScaler((-1, 3))),
    "maxabs": make_pipeline(SimpleImputer(strategy="most_frequent"), MaxAbsScaler()),
    "robust twice": make_pipeline(SimpleImputer(), RobustScaler(), StandardScaler(with_mean=False)),
    "indicator": make_pipeline(SimpleImputer(add_indicator=True), StandardScaler()),
    "columns": prepared(SimpleImputer(strategy="median"), StandardScaler()),
    "columns with indicator": prepared(SimpleImputer(add_indicator=True), StandardScaler()),
    "dropped level": prepared(SimpleImputer(), StandardScaler(), words=("most_frequent", {"drop": "first"})),
    "rare levels": prepared(
        SimpleImputer(), words=("most_frequent", {"min_frequency": 30, "handle_unknown": "infrequent_if_exist"})
    ),
    "scaled levels": make_pipeline(prepared(SimpleImputer()), StandardScaler(with_mean=False)),
    "selected": make_pipeline(prepared(SimpleImputer(), StandardScaler()), SelectKBest(k=4)),
    "selectors": make_column_transformer(
        (OneHotEncoder(), ["kind"]),
        (make_pipeline(SimpleImputer(), StandardScaler()), make_column_selector(dtype_include=float)),
        ("drop", ["town"]),
    ),
    "remainder": ColumnTransformer(
        [("kind", OneHotEncoder(), slice("kind", "kind")), ("fill", SimpleImputer(), [True, False, False])],
        remainder="passthrough",
    ),
}


@pytest.mark.parametrize("name", PIPELINES)
def test_a_pipeline_becomes_a_model_file_with_the_same_predictions(tmp_path, frame, name):
    step = clone(PIPELINES[name])
    has_columns = name in ("selectors", "remainder") or "columns" in name or "level" in name or name == "selected"
    X = frame.drop(columns="y") if has_columns else frame[NUMBERS]
    if name == "remainder":
        X = X.drop(columns="town")
    model = make_pipeline(step, AveragedPerceptron(max_iter=20)).fit(X, frame.y)
    expected = model.predict(X).tolist()
    path, table = tmp_path / "m.json", tmp_path / "new.csv"
    save(model, path)
    X.to_csv(table, index=False)
    assert as_json("predict", path, table)["predictions"] == expected
    assert load(path).predict(X).tolist() == expected
    frame.to_csv(tmp_path / "labelled.csv", index=False)
    found = as_json("evaluate", path, tmp_path / "labelled.csv", "--target", "y")
    assert found["accuracy"] == pytest.approx(model.score(X, frame.y))
    assert "AveragedPerceptron" in done("inspect", path)
    record = models.read(path)
    if all(column.vocabulary is None for column in record.features.columns):
        inputs = {"X": X[[column.name for column in record.features.columns]].to_numpy(float)}
    else:
        inputs = {
            column.name: (
                X[[column.name]].astype(object).where(X[[column.name]].notna(), "").astype(str).to_numpy(object)
                if column.vocabulary is not None
                else X[[column.name]].to_numpy(float)
            )
            for column in record.features.columns
        }
    assert run_onnx(models.to_onnx(record), inputs).tolist() == expected
    assert labels_by_c(models.to_c(record), c_rows(record.features, X), tmp_path) == expected


def c_rows(features, X):
    """The features that the C code takes: levels as 0 and 1, a gap as NaN in all features of its column."""
    parts = []
    for column in features.columns:
        values = X[column.name]
        if column.vocabulary is None:
            part = [[v] for v in values.to_numpy(float)]
        else:
            words = column.vocabulary
            part = [
                [np.nan] * (column.width - column.gap)
                if pd.isna(v)
                else [*(float(str(v) == w) for w in words), *([float(str(v) not in words)] * column.pooled)]
                for v in values
            ]
        parts.append(np.array([[*row, *([0.0] * column.gap)] for row in part]))
    return np.hstack(parts)


@pytest.mark.parametrize(
    "estimator", [Perceptron(max_iter=5), VotedPerceptron(max_iter=3), KernelPerceptron(max_iter=5)]
)
def test_every_estimator_can_end_a_pipeline(tmp_path, frame, estimator):
    X, y = frame.drop(columns="y"), frame.y
    model = make_pipeline(prepared(SimpleImputer(add_indicator=True), StandardScaler()), estimator).fit(X, y)
    save(model, tmp_path / "m.json")
    assert load(tmp_path / "m.json").predict(X).tolist() == model.predict(X).tolist()
    names = models.read(tmp_path / "m.json").features.names()
    assert names == ["town=Bonn", "town=Jena", "town=Trier", "town=Ulm", "kind=1", "kind=2", "kind=3", "age",
                     "age is missing", "income"]  # fmt: skip


def test_the_best_pipeline_of_a_search_is_saved(tmp_path, frame):
    model = Pipeline(
        [("prepare", prepared(SimpleImputer(), StandardScaler())), ("model", AveragedPerceptron(max_iter=9))]
    )
    search = GridSearchCV(model, {"model__eta0": [0.1, 1.0]}, cv=2).fit(frame.drop(columns="y"), frame.y)
    save(search, tmp_path / "m.json")
    assert load(tmp_path / "m.json").predict(frame).tolist() == search.predict(frame.drop(columns="y")).tolist()
    unfit = GridSearchCV(model, {"model__eta0": [0.1, 1.0]}, cv=2, refit=False).fit(frame.drop(columns="y"), frame.y)
    with pytest.raises(TypeError, match=r"best estimator of the GridSearchCV: fit it, with refit=True"):
        save(unfit, tmp_path / "m.json")


def test_a_search_inside_a_pipeline_is_saved(tmp_path, frame):
    search = GridSearchCV(AveragedPerceptron(max_iter=9), {"eta0": [0.1, 1.0]}, cv=2)
    X = frame[["income"]]
    model = make_pipeline(StandardScaler(), search).fit(X, frame.y)
    save(model, tmp_path / "m.json")
    assert load(tmp_path / "m.json").predict(X).tolist() == model.predict(X).tolist()


def test_a_pipeline_on_arrays_takes_arrays(tmp_path, frame):
    X = frame[NUMBERS].to_numpy()
    model = make_pipeline(SimpleImputer(), StandardScaler(), AveragedPerceptron()).fit(X, frame.y)
    save(model, tmp_path / "m.json")
    assert load(tmp_path / "m.json").predict(X).tolist() == model.predict(X).tolist()
    scaled = make_pipeline(StandardScaler(), AveragedPerceptron()).fit(X[:, 1:], frame.y)
    save(scaled, tmp_path / "m.json")
    assert models.read(tmp_path / "m.json").features.kind == "array"
    np.save(tmp_path / "X.npy", X[:, 1:])
    text = done("predict", tmp_path / "m.json", tmp_path / "X.npy")
    assert [row[0] for row in csv.reader(io.StringIO(text))][1:] == scaled.predict(X[:, 1:]).tolist()


class OwnScaler(StandardScaler):
    """A subclass may do anything."""


REFUSED = {
    "PCA": ([PCA(1)], "step 'pca' is a PCA"),
    "polynomials": ([PolynomialFeatures()], "step 'polynomialfeatures' is a PolynomialFeatures"),
    "own class": ([OwnScaler()], "step 'ownscaler' is a OwnScaler"),
    "function": ([FunctionTransformer(np.log1p)], "a function of yours cannot be stored"),
    "union": ([FeatureUnion([("a", StandardScaler())])], "step 'featureunion' is a FeatureUnion"),
    "clip": ([MinMaxScaler(clip=True)], "Use clip=False"),
    "missing zeros": ([SimpleImputer(missing_values=0)], "missing_values=0 cannot be stored"),
    "twice": (
        [ColumnTransformer([("a", StandardScaler(), ["income"]), ("b", MinMaxScaler(), ["income"])])],
        "column 'income' is used by two steps",
    ),
    "inner": (
        [ColumnTransformer([("a", make_pipeline(StandardScaler(), PCA(1)), ["income"])])],
        "step 'columntransformer__a__pca' is a PCA",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_steps_that_a_model_file_cannot_store_are_refused_by_name(tmp_path, frame, name):
    steps, message = REFUSED[name]
    model = make_pipeline(*steps, AveragedPerceptron()).fit(frame[["income"]], frame.y)
    with pytest.raises(TypeError, match=message):
        save(model, tmp_path / "m.json")
    assert not (tmp_path / "m.json").exists()


def test_levels_that_files_cannot_write_are_refused_by_name(tmp_path, frame):
    def saved(values, *steps):
        save(make_pipeline(*steps, AveragedPerceptron()).fit(pd.DataFrame({"c": values}), frame.y), tmp_path / "m.json")

    with pytest.raises(TypeError, match="a missing value is a level of column 'c'"):
        saved(frame.town, OneHotEncoder())
    with pytest.raises(TypeError, match=r"float 1\.5 is a level of column 'c'"):
        saved(np.where(frame.income > 3e4, 1.5, 2.0), OneHotEncoder())
    with pytest.raises(TypeError, match="the level 'NA' of column 'c' means a missing value in files"):
        saved(np.where(frame.income > 3e4, "NA", "DE"), OneHotEncoder())
    with pytest.raises(TypeError, match="must be encoded as it is in the data"):
        saved(np.where(frame.income > 3e4, 1, 2), StandardScaler(), OneHotEncoder())


def test_a_kernel_with_a_dropped_level_is_refused(tmp_path, frame):
    steps = OneHotEncoder(drop="first"), KernelPerceptron(max_iter=3)
    with pytest.raises(TypeError, match=r"OneHotEncoder\(drop=None\)"):
        save(make_pipeline(*steps).fit(frame[["kind"]], frame.y), tmp_path / "m.json")


def test_other_estimators_and_texts_name_the_remedy(tmp_path, frame):
    logistic = make_pipeline(StandardScaler(), LogisticRegression()).fit(frame[["income"]], frame.y)
    with pytest.raises(TypeError, match=r"LogisticRegression\. rosenblatt\.Perceptron\.from_sklearn"):
        save(logistic, tmp_path / "m.json")
    texts = make_pipeline(TfidfVectorizer(), Perceptron()).fit(["a fine day", "a grey day"] * 5, [1, 0] * 5)
    with pytest.raises(TypeError, match="rosenblatt train FILE --text COLUMN"):
        save(texts, tmp_path / "m.json")


def test_whole_numbers_as_levels_are_found_in_a_csv_file_that_writes_them_with_a_point(tmp_path):
    groups = [1.0, 2.0, 3.0, np.nan] * 15
    frame = pd.DataFrame({"group": groups})
    y = ["a" if group == 2.0 else "b" for group in groups]
    encoder = OneHotEncoder(handle_unknown="ignore")
    model = make_pipeline(SimpleImputer(strategy="most_frequent"), encoder, AveragedPerceptron(max_iter=20)).fit(
        frame, y
    )
    save(model, tmp_path / "model.json")
    frame.to_csv(tmp_path / "new.csv", index=False)
    expected = model.predict(frame).tolist()
    assert done("predict", tmp_path / "model.json", tmp_path / "new.csv").split()[1:] == expected
    texts = np.array([["" if group != group else str(group)] for group in groups], dtype=object)
    assert run_onnx(models.to_onnx(models.read(tmp_path / "model.json")), {"group": texts}).tolist() == expected


def test_a_boolean_column_that_passes_through_is_read_from_csv_and_parquet(tmp_path, frame):
    X = frame[NUMBERS].fillna(40.0).assign(member=frame.age.isna())
    model = make_pipeline(
        make_column_transformer((StandardScaler(), NUMBERS), ("passthrough", ["member"])), Perceptron(max_iter=20)
    ).fit(X, frame.y)
    save(model, tmp_path / "m.json")
    X.to_csv(tmp_path / "new.csv", index=False)
    X.to_parquet(tmp_path / "new.parquet")
    for name in ("new.csv", "new.parquet"):
        assert as_json("predict", tmp_path / "m.json", tmp_path / name)["predictions"] == model.predict(X).tolist()
    X.assign(member="perhaps").to_csv(tmp_path / "new.csv", index=False)
    assert "line 2, column 'member': 'perhaps' is not a number. Correct it." in error(
        "predict", tmp_path / "m.json", tmp_path / "new.csv"
    )


def test_a_loaded_pipeline_ignores_unseen_categories_like_its_original_with_a_warning(tmp_path, frame):
    steps = prepared(SimpleImputer(), StandardScaler())
    model = make_pipeline(steps, AveragedPerceptron(max_iter=20)).fit(frame, frame.y)
    save(model, tmp_path / "m.json")
    new = frame.assign(town=["Paris", *frame.town[1:]])
    loaded = load(tmp_path / "m.json")
    with pytest.warns(UserWarning, match=r"column 'town': 1 value is not in the training data, such as 'Paris'"):
        assert loaded.predict(new).tolist() == model.predict(new).tolist()
    with pytest.raises(DataError, match="is not among the 4 values seen in training"):
        loaded.set_params(features__unseen="error").predict(new)


def test_a_pipeline_that_is_not_fitted_says_so(tmp_path):
    with pytest.raises(NotFittedError, match="This Perceptron instance is not fitted yet"):
        save(make_pipeline(StandardScaler(), Perceptron()), tmp_path / "m.json")
