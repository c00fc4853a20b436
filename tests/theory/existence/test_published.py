"""The examples that detectseparation documents, by name."""

from pathlib import Path

import pandas as pd
import pytest

from rosenblatt import theory

DATA = Path(__file__).parent / "published"


def test_neovasculization_in_the_endometrial_study_has_an_infinite_coefficient():
    data = pd.read_csv(DATA / "endometrial.csv")
    found = theory.existence(data[["NV", "PI", "EH"]], data["HG"], family="binomial")
    assert found.kind == "quasi-complete"
    assert found.coefficients == {"intercept": "finite", "NV": "+inf", "PI": "finite", "EH": "finite"}
    assert found.direction == {"intercept": 0, "NV": 1, "PI": 0, "EH": 0}
    assert found.separated.tolist() == data.index[data["NV"] == 1].tolist()
    assert found.n_identified == 3


def test_the_counts_of_lizards_have_finite_estimates():
    data = pd.read_csv(DATA / "lizards.csv")
    habitat = ["height", "diameter", "light", "time"]
    found = theory.existence(data[habitat], data[["grahami", "opalinus"]], family="binomial")
    assert found.exists
    assert set(found.coefficients) == {
        "intercept",
        "height=>=5ft",
        "diameter=>2in",
        "light=sunny",
        "time=late",
        "time=midday",
    }
    assert set(found.coefficients.values()) == {"finite"}


def test_the_interaction_of_all_habitats_of_the_lizards_is_separated():
    data = pd.read_csv(DATA / "lizards.csv")
    cells = data["height"] + " " + data["diameter"] + " " + data["light"]
    found = theory.existence(
        pd.DataFrame({"cell": cells, "time": data["time"]}), data[["grahami", "opalinus"]], family="binomial"
    )
    high_thin_sunny = data.index[cells == ">=5ft <=2in sunny"].tolist()  # only grahami was seen there
    assert found.separated.tolist() == high_thin_sunny
    assert found.coefficients["cell=>=5ft <=2in sunny"] == "+inf"


@pytest.mark.parametrize("family", ["log-binomial", "poisson"])
def test_a_group_without_events_goes_to_minus_infinity(family):
    X = pd.DataFrame({"group": list("aaabbbccc")})
    found = theory.existence(X, [0, 1, 0, 1, 0, 0, 0, 0, 0], family=family)
    assert found.coefficients == {"intercept": "finite", "group=b": "finite", "group=c": "-inf"}
    assert found.separated.tolist() == [6, 7, 8]


def test_log_binomial_estimates_on_the_boundary_exist():
    found = theory.existence([[0], [0], [1], [1]], [0, 1, 1, 1], family="log-binomial")
    assert found.exists
    assert not theory.existence([[0], [0], [1], [1]], [0, 1, 1, 1], family="binomial").exists


def test_a_sign_that_the_data_do_not_determine_is_said_to_be_undefined():
    """Either column alone separates these points: its coefficient may go anywhere while the other one goes to +∞."""
    found = theory.existence([[-1, -1], [1, 1]], [0, 1], family="binomial", fit_intercept=False)
    assert found.kind == "complete"
    assert found.coefficients == {"x0": "undefined", "x1": "undefined"}
    assert found.aliased == ["x0", "x1"]
    other = theory.existence([[-1, -2], [1, 1]], [0, 1], family="binomial", fit_intercept=False)
    assert other.coefficients == {"x0": "undefined", "x1": "undefined"}
    assert other.aliased == []
