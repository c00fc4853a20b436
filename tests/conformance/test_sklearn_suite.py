"""scikit-learn's own test files pass with the classes of `rosenblatt.compat` in the place of its own."""

import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

HERE = Path(__file__).parent

#: Tests that look into scikit-learn's implementation instead of at its behaviour.
OF_THE_IMPLEMENTATION = {
    "test_sgd_predict_proba_method_access": "reads SGDClassifier's table of losses",
    "test_validation_mask_correctly_subsets": "replaces a private class of scikit-learn's by a mock",
}

SGD = "linear_model.tests.test_sgd"


def run(module, where, without=()):
    """The outcome of every test of a module of scikit-learn's, by name: 'passed', 'failed' or 'skipped: why'."""
    report = where / "report.xml"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "swap_classes", "-p", "no:cacheprovider", "--pyargs"]
    command += [f"sklearn.{module}", f"--junitxml={report}", "-W", "ignore", "--tb=short"]
    if without:
        command += ["-k", " and ".join(f"not {name}" for name in without)]
    environment = dict(os.environ, PYTHONPATH=str(HERE))
    done = subprocess.run(command, cwd=where, env=environment, capture_output=True, text=True, check=False)
    assert report.exists(), done.stdout + done.stderr
    outcomes = {}
    for case in ElementTree.parse(report).iter("testcase"):
        skipped = case.find("skipped")
        failed = case.find("failure") is not None or case.find("error") is not None
        outcomes[case.get("name")] = (
            "failed" if failed else "passed" if skipped is None else f"skipped: {skipped.get('message')}"
        )
    return outcomes, done.stdout


def passed(outcomes):
    return [name for name, outcome in outcomes.items() if outcome == "passed"]


def failed(outcomes):
    return [name for name, outcome in outcomes.items() if outcome == "failed"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "some"),
    [
        ("test_perceptron", {"test_perceptron_accuracy", "test_undefined_methods", "test_perceptron_l1_ratio"}),
        (
            "test_passive_aggressive",
            {"test_classifier_accuracy", "test_classifier_correctness", "test_regressor_correctness"},
        ),
    ],
)
def test_every_test_of_a_class_of_scikit_learns_passes(module, some, tmp_path):
    # The only one left out shows that constructing scikit-learn's class warns that it will be removed.
    outcomes, output = run(f"linear_model.tests.{module}", tmp_path, without=("deprecation",))
    assert set(outcomes.values()) == {"passed"}, output
    assert {name.partition("[")[0] for name in outcomes} >= some


@pytest.mark.slow
def test_the_tests_of_sgd_classifier_pass_but_for_losses_that_are_not_covered(tmp_path):
    others = ("Regressor", "OneClass", "oneclass", "ocsvm")
    outcomes, output = run(SGD, tmp_path, without=(*others, *OF_THE_IMPLEMENTATION))
    assert not failed(outcomes), output
    assert len(passed(outcomes)) >= 100
    skipped = [outcome for outcome in outcomes.values() if outcome.startswith("skipped")]
    assert all("is not covered by rosenblatt.compat" in why for why in skipped)


@pytest.mark.slow
@pytest.mark.parametrize(("module", "least"), [("tests.test_multiclass", 50), ("ensemble.tests.test_bagging", 100)])
def test_tests_that_use_a_perceptron_as_a_component_pass(module, least, tmp_path):
    outcomes, output = run(module, tmp_path)
    assert not failed(outcomes), output
    assert len(passed(outcomes)) >= least


@pytest.mark.slow
def test_the_swap_reaches_the_tests(tmp_path):
    (tmp_path / "test_which.py").write_text(
        "from sklearn.linear_model import Perceptron\n"
        "def test_which():\n    assert Perceptron.__module__ == 'rosenblatt.compat.perceptron'\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "swap_classes", "-p", "no:cacheprovider", "test_which.py"]
    environment = dict(os.environ, PYTHONPATH=str(HERE))
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert "1 passed" in done.stdout, done.stdout
