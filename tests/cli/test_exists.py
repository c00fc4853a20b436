"""`rosenblatt exists`: the existence of estimates, from a file."""

import json

import pytest

from tests.cli.running import as_json, done, error, run


@pytest.fixture
def trials(tmp_path):
    path = tmp_path / "trials.csv"
    path.write_text("dose,site,w,cured\n1,a,1,0\n2,b,1,0\n2,a,1,1\n3,b,1,1\n0,a,0,1\n")
    return path


def test_exists_explains_separation_and_says_that_the_proof_holds(trials):
    text = done("exists", trials, "--family", "binomial", "--weights", "w", "--drop", "site")
    assert "Quasi-complete separation" in text
    assert "dose         +inf" in text
    assert "certificate checked in exact arithmetic: it holds" in text


def test_exists_prints_the_certificate_as_json(trials):
    told = as_json("exists", trials, "--family", "binomial", "--weights", "w", "--drop", "site")
    assert told["exists"] is False
    assert told["verified"] is True
    assert told["separated"] == [0, 3]
    assert told["direction"] == {"intercept": "-2", "dose": "1"}


def test_exists_names_dummies_and_takes_fixed_effects(trials):
    told = as_json("exists", trials, "--family", "binomial", "--drop", "w")
    assert list(told["coefficients"]) == ["intercept", "dose", "site=b"]
    told = as_json("exists", trials, "--family", "poisson", "--drop", "w", "--fixed-effect", "site")
    assert list(told["coefficients"]) == ["dose"]
    assert told["effects"] == ["site"]


def test_exists_takes_grouped_counts_and_built_in_sets(tmp_path):
    path = tmp_path / "grouped.csv"
    path.write_text("dose,cured,not\n1,0,5\n2,3,2\n3,4,0\n")
    told = as_json("exists", path, "--family", "binomial", "--target", "cured", "--failures", "not")
    assert told["coefficients"] == {"intercept": "-inf", "dose": "+inf"}
    assert as_json("exists", "@iris", "--family", "multinomial")["kind"] == "quasi-complete"


def test_the_order_of_ordinal_outcomes_can_be_given(tmp_path):
    path = tmp_path / "pain.csv"
    path.write_text("dose,pain\n1,severe\n2,mild\n3,severe\n2,none\n4,none\n5,mild\n")
    assert "The order of the outcomes is mild < none < severe." in done("exists", path, "--family", "ordinal")
    told = as_json("exists", path, "--family", "ordinal", "--order", "none, mild,severe")
    assert list(told["coefficients"]) == ["none|mild", "mild|severe", "dose"]
    assert "the outcome 'mild' is not in --order none,severe" in error(
        "exists", path, "--family", "ordinal", "--order", "none,severe"
    )
    assert run("exists", path, "--family", "multinomial", "--order", "none,mild,severe").exit_code == 2


def test_strict_exits_with_3_unless_estimates_exist(trials):
    assert run("exists", trials, "--family", "binomial", "--weights", "w", "--drop", "site", "--strict").exit_code == 3
    assert run("exists", trials, "--family", "binomial", "--drop", "site", "--drop", "w", "--strict").exit_code == 0


def test_exists_refuses_bad_input_in_one_line(trials, tmp_path):
    assert "has no column 'age' (--offset). It has: dose" in error(
        "exists", trials, "--family", "poisson", "--offset", "age"
    )
    assert "Missing option '--family'. Choose from: binomial, multinomial, ordinal, poisson, log-binomial." in error(
        "exists", trials, code=2
    )
    assert "logit is the family 'binomial' here." in error("exists", trials, "--family", "logit", code=2)
    (tmp_path / "gap.csv").write_text("x,y\n1,0\n,1\n2,1\n")
    assert "Column 'x' has no value in row 1" in error("exists", tmp_path / "gap.csv", "--family", "binomial")
    (tmp_path / "negative.csv").write_text("x,y\n1,0\n1,-1\n2,1\n")
    assert "never negative" in error("exists", tmp_path / "negative.csv", "--family", "poisson")
    (tmp_path / "rows.svm").write_text("1 1:2\n0 1:3\n")
    assert "has no named columns" in error("exists", tmp_path / "rows.svm", "--family", "binomial")


def test_a_budget_ends_undecided(tmp_path):
    rows = "\n".join(f"{(i * 37) % 101},{(i * 53) % 97},{i % 2}" for i in range(200))
    (tmp_path / "noise.csv").write_text("a,b,y\n" + rows + "\n")
    result = run("exists", tmp_path / "noise.csv", "--family", "binomial", "--budget", 10, "--json")
    assert json.loads(result.stdout)["exists"] is None
    assert json.loads(result.stdout)["verified"] is False
