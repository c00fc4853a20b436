"""Bad input gets a clear error: cause, place, remedy; and leaves the estimator as it was."""

import re

import numpy as np
import pytest
import scipy.sparse as sp

from rosenblatt import Perceptron, compat
from rosenblatt.distributed import DaskPerceptron
from tests.family import FAMILY

X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0]])
y = np.array([0, 1, 1])


def with_value(value, dtype=np.float64):
    bad = X.astype(dtype)
    bad[2, 1] = value
    return bad


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_matrix, lambda X: X.astype(np.float32), np.asfortranarray])
def test_nan_and_infinity_are_refused_with_their_place(form, value):
    with pytest.raises(ValueError, match=r"NaN or infinity: row 2, column 1\..*SimpleImputer"):
        Perceptron().fit(form(with_value(value)), y)
    estimator = Perceptron().fit(X, y)
    with pytest.raises(ValueError, match="row 2, column 1"):
        estimator.predict(form(with_value(value)))


def test_the_place_of_a_nan_has_the_columns_name():
    import pandas

    with pytest.raises(ValueError, match="row 2, column 'height'"):
        Perceptron().fit(pandas.DataFrame(with_value(np.nan), columns=["weight", "height"]), y)


def test_one_class_is_refused_with_its_name():
    with pytest.raises(ValueError, match=r"y has 1 class \('spam'\); a perceptron needs at least 2"):
        Perceptron().fit(X, ["spam"] * 3)


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (X, [0, 1], "inconsistent numbers of samples"),
        (np.empty((0, 2)), [], "0 sample"),
        (np.empty((3, 0)), y, "0 feature"),
        (X, [0.5, 1.25, 3.7], "Unknown label type"),
        (X, np.array([1, "a", 2], dtype=object), "mixes numbers and text"),
        (X, [0, np.nan, 1], "NaN"),
        (X, None, "y"),
        ([["a", "b"]] * 3, y, r"column 0 of X holds text \(row 0: 'a'\)|2 columns of X hold text"),
        (X + 1j, y, "Complex data not supported"),
    ],
)
def test_invalid_examples_raise_an_error(X, y, message):
    with pytest.raises(ValueError, match=message):
        Perceptron().fit(X, y)


def table_of(library, columns):
    return pytest.importorskip(library).DataFrame(columns)


@pytest.mark.parametrize("kind", [*FAMILY, compat.Perceptron])
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_text_column_is_named_with_a_value_and_an_encoder_that_works(kind, library):
    from sklearn.compose import make_column_transformer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    table = table_of(library, {"size": [1.0, 2.0, 3.0], "colour": ["blue", "red", "red"]})
    with pytest.raises(
        ValueError, match=rf"{kind.__name__} needs numbers.*'colour' of X holds text \(row 0: 'blue'\)"
    ) as error:
        kind().fit(table, y)
    code = re.search(r"make_column_transformer\(.*'passthrough'\)", str(error.value)).group()
    encoder = eval(code, {"make_column_transformer": make_column_transformer, "OneHotEncoder": OneHotEncoder})
    assert len(make_pipeline(encoder, kind()).fit(table, y).predict(table)) == 3


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_mark_for_a_missing_value_among_numbers_is_named_with_its_row(library):
    table = table_of(library, {"size": ["1", "2", "?"], "weight": [1.0, 2.0, 3.0]})
    with pytest.raises(
        ValueError, match=r"column 'size' of X has the text '\?' in row 2\. 2 of its 3 .*to_numeric.*SimpleImputer"
    ):
        Perceptron().fit(table, y)


@pytest.mark.parametrize("form", [lambda rows: np.array(rows, dtype=object), np.array, list])
def test_the_column_of_an_array_or_a_list_is_converted_by_the_call_in_the_message(form):
    import pandas

    table = form([[1, "1"], [2, "?"], [3, "3"]])
    with pytest.raises(ValueError, match=r"column 1 of X has the text '\?' in row 1\.") as error:
        Perceptron().fit(table, y)
    code = re.search(r"pandas\.to_numeric\(.*'coerce'\)", str(error.value)).group()
    np.testing.assert_array_equal(eval(code, {"pandas": pandas, "X": table}), [1, np.nan, 3])


def test_a_series_is_refused_as_scikit_learn_does():
    import pandas

    with pytest.raises(ValueError, match=r"Expected (a )?2"):
        Perceptron().fit(pandas.Series([1.0, 2.0, 3.0]), y)


@pytest.mark.parametrize("beside", [1.5, "a"])
def test_an_integer_beyond_the_largest_float_is_named_with_its_place(beside):
    table = np.array([[1, beside], [10**400, beside], [2, beside]], dtype=object)
    with pytest.raises(ValueError, match=r"below 1\.8e308, but column 0 of X has a larger one in row 1"):
        Perceptron().fit(table if beside == 1.5 else table[:, :1], y)
    with pytest.raises(ValueError, match="column 0 of X has a larger one in row 1"):
        Perceptron().fit(table, y)


def test_a_column_of_dates_is_named():
    import pandas

    table = pandas.DataFrame({"size": [1.0, 2.0, 3.0], "sold": pandas.to_datetime(["2024-05-01"] * 3)})
    with pytest.raises(ValueError, match=r"column 'sold' of X holds dates \(row 0: '2024-05-01"):
        Perceptron().fit(table, y)


def test_a_lazy_frame_is_refused_with_the_call_that_reads_it():
    lazy = table_of("polars", {"a": [1.0, 2.0, 3.0]}).lazy()
    with pytest.raises(ValueError, match=r"LazyFrame.*X\.collect\(\)"):
        Perceptron().fit(lazy, y)


@pytest.mark.parametrize(
    "labels",
    [
        ["a", None, "b"],
        [1.0, np.nan, 0.0],
        table_of("pandas", {"y": ["a", None, "b"]})["y"],
        table_of("pandas", {"y": [1, None, 0]})["y"].astype("Int64"),
        table_of("polars", {"y": ["a", None, "b"]})["y"],
    ],
    ids=["list", "floats", "pandas text", "pandas integers", "polars"],
)
def test_a_missing_label_is_named_with_its_row(labels):
    with pytest.raises(ValueError, match=r"y contains NaN or None: row 1\. Leave out the rows without a label"):
        Perceptron().fit(X, labels)


def test_one_class_of_positive_weight_is_refused_with_the_reason():
    with pytest.raises(ValueError, match=r"1 class \(1\) among the examples with sample_weight > 0"):
        Perceptron().fit(X, y, sample_weight=[0, 1, 1])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("eta0", 0.0),
        ("eta0", -1),
        ("eta0", np.inf),
        ("eta0", "fast"),
        ("tie", "draw"),
        ("error_tie", "draw"),
        ("order", "sorted"),
        ("init", "ones"),
        ("max_iter", 0),
        ("max_iter", 2.5),
        ("max_steps", 0),
        ("max_updates", -1),
        ("max_error", 1.5),
        ("patience", 0),
        ("multi_class", "all"),
        ("class_weight", "heavy"),
        ("fit_intercept", "yes"),
        ("callback", 3),
        ("random_state", -1),
    ],
)
def test_a_parameter_out_of_range_is_named_with_its_value(name, value):
    with pytest.raises(ValueError, match=f"Perceptron: {name} must be .*; got {value!r}"):
        Perceptron(**{name: value}).fit(X, y)


KINDS = [*FAMILY, compat.Perceptron, DaskPerceptron]
COUNTS = ("max_iter", "max_steps", "max_updates", "patience", "n_iter_no_change", "random_state", "degree", "budget")


@pytest.mark.parametrize("value", [2**64, 10**30])
@pytest.mark.parametrize(
    ("kind", "name"),
    [(kind, name) for kind in KINDS for name in COUNTS if name in kind().get_params()],
    ids=lambda part: part if isinstance(part, str) else f"{part.__module__.split('.')[1]}.{part.__name__}",
)
def test_a_count_of_more_than_64_bits_is_refused_with_its_name_and_range(kind, name, value):
    estimator = kind(**{name: value})
    ways = [estimator._check] if kind is DaskPerceptron else [lambda: estimator.fit(X, y)]
    if hasattr(kind, "partial_fit"):
        ways.append(lambda: estimator.partial_fit(X, y, classes=[0, 1]))
    for way in ways:
        with pytest.raises(ValueError, match=rf"{name}.* must be .*(< 2\*\*64|4294967295\]).*{value}"):
            way()
    assert not hasattr(estimator, "coef_")


@pytest.mark.parametrize("name", ["max_iter", "max_steps", "max_updates", "patience", "random_state"])
def test_the_largest_64_bit_count_is_accepted(name):
    assert Perceptron(**{name: 2**64 - 1}).fit(X, y).status_ == "separated"


def test_an_integer_beyond_the_largest_float_is_refused_by_name():
    with pytest.raises(ValueError, match="Perceptron: eta0 must be a finite number > 0"):
        Perceptron(eta0=10**400).fit(X, y)


def test_the_number_of_features_must_agree_at_prediction():
    estimator = Perceptron().fit(X, y)
    with pytest.raises(ValueError, match="X has 3 features, but Perceptron is expecting 2 features"):
        estimator.predict(np.ones((1, 3)))


@pytest.mark.parametrize("form", [np.asarray, sp.csr_matrix])
def test_weights_that_overflow_are_an_error_with_a_remedy(form):
    huge = np.array([[1e200, 1e200], [-1e200, 1e200], [1e200, -1e200], [1e200, 1e200]])
    with pytest.raises(ValueError, match=r"epoch \d+\. Scale the data"):
        Perceptron(order="cyclic", max_iter=10, eta0=1e150).fit(form(huge), [0, 1, 0, 1])


def test_csr_with_an_index_out_of_range_is_refused():
    matrix = sp.csr_matrix(X)
    matrix.indices = matrix.indices.copy()
    matrix.indices[0] = 7
    with pytest.raises(ValueError, match="column index out of range at position 0"):
        Perceptron().fit(matrix, y)


def test_csr_with_broken_row_pointers_is_refused():
    matrix = sp.csr_matrix(X)
    matrix.indptr = np.array([0, 3, 1, 4], dtype=matrix.indptr.dtype)
    with pytest.raises(ValueError, match="row pointers of the CSR matrix are broken"):
        Perceptron().fit(matrix, y)


@pytest.mark.parametrize(
    ("weights", "message"),
    [([1, -1, 1], r"sample_weight\[1\] is -1.0"), ([0, 0, 0], "at least one non-zero"), ([1, 1], "shape")],
)
def test_invalid_sample_weights_raise_an_error(weights, message):
    with pytest.raises(ValueError, match=message):
        Perceptron().fit(X, y, sample_weight=weights)


def test_a_start_of_the_wrong_shape_is_refused():
    with pytest.raises(ValueError, match=r"coef_init has shape \(3,\); these data need \(1, 2\)"):
        Perceptron().fit(X, y, coef_init=[1, 2, 3])
    with pytest.raises(ValueError, match="coef_init must be finite"):
        Perceptron().fit(X, y, coef_init=[1, np.nan])


def test_a_callback_that_raises_ends_the_fit_and_leaves_the_estimator_unchanged():
    estimator = Perceptron().fit(X, y)
    before = {name: value for name, value in vars(estimator).items() if name.endswith("_")}

    def fail(progress):
        raise RuntimeError(f"no further than epoch {progress.epoch}")

    estimator.callback = fail
    with pytest.raises(RuntimeError, match="no further than epoch 1"):
        estimator.fit(np.hstack([X, X]), y)
    after = {name: value for name, value in vars(estimator).items() if name.endswith("_")}
    assert before.keys() == after.keys()
    assert all(before[name] is after[name] for name in before)


def test_inputs_are_never_changed():
    arrays = {"X": X.copy(), "y": y.copy(), "weight": np.ones(3), "coef": np.array([[1.0, 2.0]]), "offset": np.ones(1)}
    for array in arrays.values():
        array.setflags(write=False)
    Perceptron().fit(arrays["X"], arrays["y"], arrays["coef"], arrays["offset"], arrays["weight"])
    Perceptron().partial_fit(arrays["X"], arrays["y"], classes=[0, 1], sample_weight=arrays["weight"])


def test_an_unknown_label_in_a_later_part_says_how_to_declare_it():
    estimator = Perceptron().partial_fit(X, y, classes=[0, 1])
    with pytest.raises(ValueError, match=r"not declared: \[2\].*classes="):
        estimator.partial_fit(X, [0, 1, 2])
    with pytest.raises(ValueError, match="classes must be passed on the first call"):
        Perceptron().partial_fit(X, y)


def test_balanced_class_weights_are_refused_by_partial_fit():
    with pytest.raises(ValueError, match="compute_class_weight"):
        Perceptron(class_weight="balanced").partial_fit(X, y, classes=[0, 1])
