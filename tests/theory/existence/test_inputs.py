"""What is taken, and the sentence that each bad input gets."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp

from rosenblatt import theory

X, y = [[1], [2], [2], [3]], [0, 0, 1, 1]


def ask(X=X, y=y, family="binomial", **options):
    return theory.existence(X, y, family=family, **options)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"family": "logit"}, "log-binomial. logit is the family 'binomial' here."),
        ({"family": "Poisson"}, "Poisson is the family 'poisson' here."),
        (
            {"y": "y"},
            r"y is the text 'y'; .* Give y=data\['y'\], and X without that column; or name columns in a formula",
        ),
        ({"family": "gaussian"}, "family is 'gaussian'; it must be one of binomial, multinomial, ordinal"),
        ({"y": ["a"] * 4}, r"y has 1 class \('a'\); a binomial response has 2. Code the response as 0 and 1."),
        ({"y": list("abca")}, "y has 3 classes .* Use family='multinomial' or 'ordinal'."),
        ({"y": [0, 1, 2, 3]}, r"y\[2\] is 2; a binomial response is 0 or 1"),
        ({"y": [1, 1, 1, 1], "family": "multinomial"}, r"y has 1 class \(1\); a multinomial response has at least 2"),
        ({"y": ["a"] * 4, "family": "ordinal"}, r"y has 1 class \('a'\); an ordinal response has at least 2"),
        ({"X": pd.DataFrame({"a": [None] * 4})}, "Column 'a' has no value in any row. Leave it out."),
        ({"X": pl.DataFrame({"a": [None] * 4})}, "Column 'a' has no value in any row. Leave it out."),
        ({"X": pd.DataFrame({"a": [np.nan] * 4})}, "Column 'a' has no value in any row. Leave it out."),
        (
            {"X": pd.DataFrame([[1, 2]] * 4, columns=["a", "a"])},
            "Two columns of X are named 'a'. Rename one: coefficients are identified by name.",
        ),
        ({"y": [0, -1, 2, 3], "family": "poisson"}, r"y\[1\] is -1; a Poisson response is a count, never negative"),
        ({"y": [[1, 2]] * 4, "family": "poisson"}, "y has 2 columns; a Poisson response is one column"),
        ({"y": [[1, 2, 3]] * 4}, "y has 3 columns; grouped binomial counts are successes and failures"),
        ({"y": [[1, -2]] * 4}, r"y\[0, 1\] is -2; counts are never negative"),
        ({"y": [0, 1, float("nan"), 1]}, "y has no finite value in row 2"),
        ({"y": pd.array([False, None, True, True], dtype="boolean")}, "y has no finite value in row 1"),
        ({"y": pd.array(["a", None, "b", "b"], dtype="string")}, "Column 'y' has no value in row 1"),
        (
            {"y": pd.Categorical(list("aabb"), categories=list("abc"))},
            r"No observation has the outcome 'c', which y declares. .* y.cat.remove_unused_categories\(\)",
        ),
        ({"y": [0, 1]}, "X has 4 rows and y has 2 values"),
        ({"X": [1, 2, 2, 3]}, r"A single column is X.reshape\(-1, 1\)"),
        ({"X": pd.Series([1, 2, 2, 3])}, r"X is a series; .* X.to_frame\(\)"),
        ({"X": pl.LazyFrame({"a": [1, 2, 2, 3]})}, r"X is a LazyFrame, .* X.collect\(\)"),
        ({"X": np.ma.array(X, mask=[[0], [1], [0], [0]])}, "X is masked in row 1. Drop the row or fill the gap"),
        (
            {"X": {"a": np.ma.array([1, 2, 2, 3], mask=[0, 0, 1, 0])}},
            "a is masked in row 2. Drop the row or fill the gap",
        ),
        (
            {"y": np.ma.array(y, mask=[0, 1, 0, 0])},
            r"y is masked in row 1. Drop the row or fill the gap: y.filled\(value\)",
        ),
        ({"weights": np.ma.array([1] * 4, mask=[1, 0, 0, 0])}, "weights is masked in row 0"),
        ({"fixed_effects": np.ma.array([1, 1, 2, 2], mask=[0, 0, 0, 1])}, "fixed_effects is masked in row 3"),
        ({"X": [[1], [2], [np.nan], [3]]}, "Column 'x0' has nan in row 2. .* drop the row or fill the gap"),
        ({"X": sp.csr_matrix([[1], [2], [np.inf], [3]])}, "Column 'x0' has inf"),
        ({"X": np.array([[1j], [2], [3], [4]])}, "Column 'x0' holds complex128"),
        ({"X": np.array([[1], [None], [3], [4]], dtype=object)}, "Column 'x0' has None in row 1"),
        ({"X": pd.DataFrame({"when": pd.date_range("2020", periods=4)})}, "Column 'when' holds dates"),
        ({"X": pd.DataFrame({"g": ["a", None, "b", "b"]})}, "Column 'g' has no value in row 1"),
        ({"X": pl.DataFrame({"a": [1, None, 2, 3]})}, "Column 'a' has no value in row 1"),
        ({"X": pd.DataFrame(np.ones((4, 2)), columns=["a", "a"])}, "named 'a'|unique"),
        ({"X": {"a": [1, 2]}}, r"Column 'a' has shape \(2,\)"),
        ({"weights": [0, 0, 0, 0]}, "all weights are zero"),
        ({"weights": [1, -1, 1, 1]}, r"weights\[1\] is -1"),
        ({"weights": [1, 1]}, r"weights has shape \(2,\)"),
        ({"offset": [0, np.inf, 0, 0]}, r"offset\[1\] is inf; it must be finite"),
        ({"fixed_effects": [1, 2]}, "fixed_effects has 2 rows and y has 4 values"),
        ({"fixed_effects": ["firm", "year"]}, r"names of columns, give fixed_effects=data\[\['firm', 'year'\]\]"),
        ({"fixed_effects": [1, np.nan, 2, 2]}, "Fixed effect 'effect0' has no level in row 1"),
        (
            {"fixed_effects": pd.DataFrame({"month": pd.period_range("2020", periods=4, freq="M")})},
            "Fixed effect 'month' holds values of the type .* Convert its levels to text",
        ),
        ({"X": None, "fit_intercept": False}, "The model has no coefficients"),
        ({"family": "ordinal", "fit_intercept": False}, "thresholds of an ordinal model are its intercepts"),
        ({"budget": -1}, "budget is -1"),
        ({"y": np.array([1j, 0, 1, 1], dtype=object)}, "y holds 1j in row 0; a binomial response is 0 or 1"),
        ({"y": np.array([1j, 0, 1, 1], dtype=object), "family": "poisson"}, "y holds 1j in row 0; .* is a count"),
        ({"y": np.array([1j, 0, 1, 1]), "family": "poisson"}, "y holds complex128; a Poisson response is a count"),
    ],
)
def test_bad_input_gets_a_sentence(arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        ask(**arguments)


def test_an_identifier_is_no_category():
    names = pd.DataFrame({"name": list("abcdefgh")})
    with pytest.raises(ValueError, match="'name' has a different text in each of the 8 rows: it identifies"):
        ask(names, [0, 1] * 4)
    with pytest.raises(ValueError, match="looks like a number or an identifier"):
        ask(np.arange(50).reshape(-1, 1), np.arange(50), "multinomial")


def test_an_outcome_that_is_never_seen_is_refused_and_a_level_never_seen_is_aliased():
    outcome = pd.Series(pd.Categorical(list("abab"), categories=["a", "b", "c"]))
    with pytest.raises(ValueError, match="No observation has the outcome 'c'"):
        ask(y=outcome, family="multinomial")
    level = pd.DataFrame({"g": pd.Categorical(list("aabb"), categories=["a", "b", "c"])})
    found = ask(level, [0, 1, 0, 1])
    assert found.exists
    assert found.coefficients == {"intercept": "finite", "g=b": "finite", "g=c": "undefined"}
    assert found.aliased == ["g=c"]
    assert "rank deficient" in found.explain()
    assert "Zero in all observations, as a category that never occurs: g=c. Leave it out." in found.explain()
    assert "linear combinations of each other" not in found.explain()


GRADES = pd.Categorical(["low", "low", "mid", "mid", "high", "high"], categories=["low", "mid", "high"], ordered=True)


@pytest.mark.parametrize(
    "y",
    [
        GRADES,
        pd.Series(GRADES),
        pd.CategoricalIndex(GRADES),
        pd.DataFrame({"grade": GRADES}),
        pl.Series(list(GRADES), dtype=pl.Enum(["low", "mid", "high"])),
    ],
    ids=["Categorical", "Series", "Index", "one-column frame", "polars"],
)
def test_the_declared_order_of_an_ordinal_response_is_kept(y):
    dose = [1.0, 3.0, 2.0, 4.0, 3.5, 5.0]
    found = ask(np.reshape(dose, (-1, 1)), y, "ordinal")
    assert list(found.coefficients) == ["low|mid", "mid|high", "x0"]
    assert "The order of the outcomes is low < mid < high." in found.explain()
    assert found.verify()


def test_a_mapping_may_hold_categories_with_their_order():
    found = ask({"grade": GRADES, "dose": pl.Series([1.0, 3, 2, 4, 3, 5])}, [0, 1, 0, 1, 1, 0])
    assert list(found.coefficients) == ["intercept", "grade=mid", "grade=high", "dose"]


def test_one_outcome_only_is_complete_separation():
    found = ask(X, [0, 0, 0, 0])
    assert found.kind == "complete"
    assert "All observations have the same outcome" in found.explain()


def test_more_columns_than_rows_is_rank_deficiency_and_separation():
    rng = np.random.default_rng(0)
    found = ask(rng.integers(0, 9, (4, 10)), [0, 1, 0, 1])
    assert found.kind == "complete"
    assert "It has more columns (11) than observations (4)" in found.explain()
    assert found.aliased
    assert found.verify()


@pytest.mark.parametrize(
    "table",
    [
        np.array(X, dtype=np.float32),
        sp.csr_matrix(X),
        pd.DataFrame(X),
        pl.DataFrame(X, orient="row"),
        np.array([[Fraction(a, 3)] for (a,) in X], dtype=object),
        np.array([[Decimal(a) / 10] for (a,) in X], dtype=object),
        {"dose": np.array([a for (a,) in X])},
    ],
    ids=["float32", "csr", "pandas", "polars", "fraction", "decimal", "mapping"],
)
def test_every_container_gives_the_same_answer(table):
    found = ask(table)
    assert found.separated.tolist() == [0, 3]
    assert list(found.coefficients.values()) == ["-inf", "+inf"]


def test_decimals_are_exact_where_floats_are_not():
    """0.1 + 0.2 is not 0.3 in binary: as floats the third column is independent, as decimals it is aliased."""
    rows = [["0.1", "0.2", "0.3"], ["0.2", "0.2", "0.4"], ["0.1", "0.3", "0.4"], ["0.7", "0.1", "0.8"]]
    decimals = np.array([[Decimal(a) for a in row] for row in rows], dtype=object)
    assert ask(decimals).aliased == ["x0", "x1", "x2"]
    assert not ask(decimals.astype(float)).aliased


def test_integers_of_any_length_are_exact():
    big = np.array([[2**70], [2**70 + 1], [2**70 + 1], [2**70 + 2]], dtype=object)
    assert ask(big).separated.tolist() == [0, 3]


@pytest.mark.parametrize("low", [-(2**63), -(2**63) + 1], ids=["lowest", "next"])
def test_no_integer_of_64_bits_overflows(low):
    """The value that both outcomes share is the largest, so the other two values must not separate."""
    assert ask(np.array([[low], [2**63 - 1], [2**63 - 1], [5]])).exists


def test_integers_beside_floats_are_not_rounded():
    rows = [[2**53, 0.5], [2**53 + 1, 0.5], [2**53 + 1, 0.5], [2**53 + 2, 0.5]]
    assert ask(rows).separated.tolist() == [0, 3]


def test_integers_beside_floats_are_not_rounded_in_columns_labels_and_effects_either():
    """As float64, 2⁵³ + 1 is 2⁵³, and 2⁶³ beside a negative integer is rounded too."""
    assert ask({"dose": [2**53, 2**53 + 1, 2**53 + 1, 2.0**53 + 2]}).separated.tolist() == [0, 3]
    assert ask({"dose": [2**63, 2**63 + 1, 2**63 + 1, -1]}, [0, 1, 0, 0]).separated.tolist() == [0, 3]
    labels = [2**53, 2**53 + 1, 2.0, 2**53 + 1]
    assert ask([[0], [1], [0], [1]], labels, "multinomial").specification.outcomes.classes == [2, 2**53, 2**53 + 1]
    found = ask(None, [0, 1, 0, 1], fixed_effects=[[2**53, 2.0], [2**53 + 1, 2.0], [2**53, 2.0], [2**53 + 1, 2.0]])
    assert found.separated.tolist() == [0, 1, 2, 3]


_PRIME = 2**61 - 1  # ranks are computed modulo this number first


@pytest.mark.parametrize(
    ("rows", "outcomes", "family", "separated"),
    [
        ([[_PRIME + 1, 2**53 + 1, 0], [2**62 - 1, 2**53 + 1, 0]], [0, 0], "poisson", [0, 1]),
        ([[0, 2**62 - 1], [0, _PRIME + 1], [0, 2**62 - 1]], [[0, 2], [1, 2], [0, 1]], "binomial", [0, 2]),
        (
            [[1, 2**62 + 1], [_PRIME + 1, 2**62 + 1], [1, _PRIME + 1], [1, 2**62 + 1]],
            [[1, 0, 0], [1, 2, 0], [0, 0, 3], [0, 3, 2]],
            "multinomial",
            [2],
        ),
    ],
)
def test_differences_that_are_multiples_of_the_prime_do_not_count_as_zero(rows, outcomes, family, separated):
    found = ask(np.array(rows, dtype=object), outcomes, family)
    assert found.separated.tolist() == separated
    assert found.verify()


def test_signs_of_coefficients_from_two_to_the_63_on_are_compared_as_integers():
    """Directions of both signs exist, with integers that NumPy takes as unsigned."""
    rows = [[2**62 - 1, 2**63, 5e-324], [-(2**62), 2**63, 1e-300], [2**61, 2**63, 1e-300]]
    found = ask(np.array(rows, dtype=object), [1, 0, 0], "log-binomial", fit_intercept=False)
    assert list(found.coefficients.values()) == ["undefined"] * 3


def test_shares_may_be_fractions_and_decimals():
    """An observation with a share below 1 has both outcomes, even if a float would round the share to 1."""
    nearly = Fraction(10**30 - 1, 10**30)
    assert ask(y=np.array([Fraction(0), Fraction(0), Fraction(1), nearly], dtype=object)).separated.tolist() == []
    assert ask(y=np.array([Decimal(0), Decimal("0.5"), Decimal(1), Decimal(1)], dtype=object)).separated.tolist() == [
        0,
        3,
    ]


def test_no_positive_weight_or_count_is_rounded_to_zero():
    overlapping = [[1], [2], [2], [3], [0]], [0, 0, 1, 1, 1]
    tiny = Fraction(1, 10**400)
    assert ask(*overlapping, weights=[1, 1, 1, 1, tiny]).n_observations == 5
    assert ask([[0], [1]], [tiny, 0], "poisson").separated.tolist() == [1]
    assert ask([[0], [1]], [10**400, 0], "poisson").separated.tolist() == [1]


def test_effects_may_be_a_mapping_and_minus_zero_is_zero():
    found = ask(None, fixed_effects={"firm": list("aabb"), "year": [0.0, -0.0, 1.0, 1.0]})
    assert found.effect_directions["year"].keys() == {0.0, 1.0}
    assert found.effect_directions["firm"].keys() == {"a", "b"}


def test_weights_of_zero_leave_rows_out_and_offsets_make_no_difference():
    overlapping = [[1], [2], [2], [3], [0]], [0, 0, 1, 1, 1]
    assert ask(*overlapping).exists
    found = ask(*overlapping, weights=[1, 2, 0.5, 1, 0], offset=[5.0] * 5)
    assert found.separated.tolist() == [0, 3]
    assert found.n_observations == 4


def test_data_are_never_changed():
    table, outcome = np.array(X, dtype=float), np.array(y)
    before = table.copy(), outcome.copy()
    found = ask(table, outcome)
    assert np.array_equal(table, before[0])
    assert np.array_equal(outcome, before[1])
    table[0] = 9
    assert not found.verify()


def test_a_budget_ends_undecided():
    rng = np.random.default_rng(0)
    found = ask(rng.normal(size=(300, 6)), rng.integers(0, 2, 300), budget=10)
    assert found.exists is None
    assert (found.kind, found.coefficients, found.verify()) == ("undecided", {}, False)
    assert "budget" in found.explain()


def test_texts_as_ordinal_outcomes_are_said_to_be_in_alphabetical_order():
    outcomes = ["mild", "none", "severe", "none"]
    found = ask(y=outcomes, family="ordinal").explain()
    assert "mild < none < severe. It is alphabetical; for another one, give y as ordered categories" in found
    declared = pd.Categorical(outcomes, categories=["none", "mild", "severe"], ordered=True)
    assert "The order of the outcomes is none < mild < severe.\n" in ask(y=declared, family="ordinal").explain()
