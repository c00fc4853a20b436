"""Models of statsmodels and formulas."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
import statsmodels.api as sm
from statsmodels.miscmodels.ordinal_model import OrderedModel

from rosenblatt import theory

DATA = pd.DataFrame({"dose": [1, 2, 2, 3], "group": list("abab"), "cured": [0, 0, 1, 1]})


@pytest.mark.parametrize("model", [sm.Logit, sm.Probit])
def test_a_binary_model_gives_its_own_names(model):
    found = theory.existence.of(model(DATA["cured"], sm.add_constant(DATA[["dose"]])))
    assert found.coefficients == {"const": "-inf", "dose": "+inf"}
    assert found.separated.tolist() == [0, 3]


def test_results_are_taken_as_well():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = sm.Logit(DATA["cured"], sm.add_constant(DATA[["dose"]])).fit(disp=False)
    assert not theory.existence.of(results).exists


def test_a_multinomial_model_names_its_outcomes():
    outcome = pd.Series(list("xyzxyz"))
    found = theory.existence.of(sm.MNLogit(outcome, sm.add_constant(pd.DataFrame({"d": [1, 2, 3, 2, 1, 3]}))))
    assert set(found.coefficients) == {"y:const", "y:d", "z:const", "z:d"}
    assert not found.exists


def test_an_ordered_model_names_its_thresholds():
    outcome = pd.Series(pd.Categorical(list("abcabc"), ordered=True))
    found = theory.existence.of(OrderedModel(outcome, pd.DataFrame({"d": [1, 2, 3, 2, 2, 3]})))
    assert set(found.coefficients) == {"a|b", "b|c", "d"}


def test_generalised_linear_models_by_family_and_link():
    X = sm.add_constant(pd.DataFrame({"d": [0, 0, 1, 1]}))
    poisson = sm.GLM([2, 1, 0, 0], X, family=sm.families.Poisson())
    assert theory.existence.of(poisson).coefficients == {"const": "finite", "d": "-inf"}
    assert theory.existence.of(sm.Poisson([2, 1, 0, 0], X)).separated.tolist() == [2, 3]
    outcome = [0, 1, 1, 1]
    assert not theory.existence.of(sm.GLM(outcome, X, family=sm.families.Binomial())).exists
    log = sm.families.Binomial(link=sm.families.links.Log())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert theory.existence.of(sm.GLM(outcome, X, family=log)).exists
    grouped = sm.GLM([[3, 0], [1, 2], [0, 4], [0, 1]], X, family=sm.families.Binomial(), freq_weights=[1, 1, 1, 0])
    assert theory.existence.of(grouped).n_observations == 3


@pytest.mark.parametrize("link", ["Logit", "Probit", "Cauchy", "CLogLog", "LogLog"])
def test_a_binomial_link_onto_the_line_gives_the_binomial_answer(link):
    X = sm.add_constant(DATA[["dose"]])
    family = sm.families.Binomial(link=getattr(sm.families.links, link)())
    assert theory.existence.of(sm.GLM(DATA["cured"], X, family=family)).separated.tolist() == [0, 3]


@pytest.mark.parametrize("link", ["Identity", "LogC"])
def test_a_binomial_link_that_bounds_the_predictor_is_refused(link):
    """Separation is no obstacle there: the likelihood of bounded predictors has its maximum."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        family = sm.families.Binomial(link=getattr(sm.families.links, link)())
        model = sm.GLM(DATA["cured"], sm.add_constant(DATA[["dose"]]), family=family)
    with pytest.raises(TypeError, match=f"the family Binomial and the link {link} is not supported; supported are"):
        theory.existence.of(model)


def test_models_without_a_family_here_are_refused():
    X = np.ones((4, 1))
    with pytest.raises(TypeError, match="the family Gaussian and the link Identity"):
        theory.existence.of(sm.GLM([1, 2, 3, 4], X))
    with pytest.raises(TypeError, match="class OLS"):
        theory.existence.of(sm.OLS([1, 2, 3, 4], X))
    with pytest.raises(TypeError, match="not a statsmodels model"):
        theory.existence.of([1, 2])


@pytest.mark.parametrize("frame", [DATA, pl.from_pandas(DATA)], ids=["pandas", "polars"])
def test_a_formula_is_taken_with_its_names(frame):
    found = theory.existence.formula("cured ~ dose", frame, family="binomial")
    assert found.coefficients == {"Intercept": "-inf", "dose": "+inf"}
    crossed = theory.existence.formula("cured ~ C(group)", frame, family="binomial")
    assert crossed.coefficients == {"Intercept": "finite", "C(group)[T.b]": "finite"}


def test_a_bar_in_a_formula_names_fixed_effects():
    data = pd.DataFrame({"y": [0, 0, 2, 1], "x": [1, 2, 1, 1], "firm": list("aabb"), "w": [1, 1, 1, 0]})
    found = theory.existence.formula("y ~ x | firm", data, family="poisson", weights="w")
    assert found.n_observations == 3
    assert found.effect_directions["firm"].keys() == {"a", "b"}
    assert found.separated.tolist() == [0, 1]


def test_a_dot_in_a_formula_means_the_columns_without_another_role():
    data = DATA.assign(n=[1, 1, 2, 1], firm=list("uuvv"))
    found = theory.existence.formula("cured ~ .", data[["dose", "cured"]], family="binomial")
    assert found.coefficients == {"Intercept": "-inf", "dose": "+inf"}
    found = theory.existence.formula("cured ~ . - group | firm", data, family="binomial", weights="n")
    assert list(found.coefficients) == ["dose"]


def test_a_response_may_have_a_space_in_its_name():
    data = DATA[["dose", "cured"]].rename(columns={"cured": "was cured"})
    for formula in ("was cured ~ dose", "was cured ~ .", "`was cured` ~ ."):
        found = theory.existence.formula(formula, data, family="binomial")
        assert found.coefficients == {"Intercept": "-inf", "dose": "+inf"}


def test_bad_formulas_get_a_sentence():
    with pytest.raises(ValueError, match="has no response"):
        theory.existence.formula("dose", DATA, family="binomial")
    with pytest.raises(ValueError, match="does not fit these data"):
        theory.existence.formula("cured ~ age", DATA, family="binomial")
    with pytest.raises(ValueError, match="An offset is an argument, not a term: offset='column'"):
        theory.existence.formula("cured ~ offset(dose)", DATA, family="binomial")
    with pytest.raises(ValueError, match=r"on the left: 'successes [+] failures ~ x'"):
        theory.existence.formula("cbind(cured, dose) ~ 1", DATA, family="binomial")
    with pytest.raises(ValueError, match=r"Drop the rows with gaps \(pandas: data.dropna\(\)\) or fill them"):
        theory.existence.formula("cured ~ dose", DATA.assign(dose=[1, None, 2, 3]), family="binomial")
    with pytest.raises(ValueError, match="no column 'firm'; they have dose"):
        theory.existence.formula("cured ~ dose | firm", DATA, family="binomial")
    with pytest.raises(ValueError, match=r"Operator `\+\*` is incorrectly used") as caught:
        theory.existence.formula("cured ~ dose +* 2", DATA, family="binomial")
    assert "\x1b" not in str(caught.value)
    with pytest.raises(TypeError, match="formula is 3; it must be a text such as"):
        theory.existence.formula(3, DATA, family="binomial")
    with pytest.raises(TypeError, match="data is of the type dict; a formula needs a frame"):
        theory.existence.formula("cured ~ dose", {"cured": [0, 1], "dose": [1, 2]}, family="binomial")
