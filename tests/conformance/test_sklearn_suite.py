"""scikit-learn's own test files pass with `rosenblatt.compat.Perceptron` in the place of its Perceptron."""

import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

HERE = Path(__file__).parent

#: Tests of `test_sgd.py` that scikit-learn's own Perceptron does not pass either, and why.
NOT_OF_A_PERCEPTRON = {
    "test_sgd_l1_ratio_not_used": "Perceptron's l1_ratio may not be None, SGDClassifier's may",
    "test_sgd_failing_penalty_validation": "Perceptron's l1_ratio may not be None, SGDClassifier's may",
    "test_class_weights": "a solution that the hinge loss finds, and zero-margin updates do not",
    "test_sample_weights": "a solution that the hinge loss finds, and zero-margin updates do not",
    "test_balanced_weight": "a score above 0.96 that the hinge loss reaches",
    "test_multi_thread_multi_class_and_early_stopping": "a score above 0.8 that the hinge loss reaches",
    "test_multi_core_gridsearch_and_early_stopping": "a score above 0.8 that the hinge loss reaches",
}

#: Tests that look into scikit-learn's implementation instead of at its behaviour.
OF_THE_IMPLEMENTATION = {
    "test_sgd_predict_proba_method_access": "reads SGDClassifier's table of losses",
    "test_validation_mask_correctly_subsets": "replaces a private class of scikit-learn's by a mock",
}

SGD = "linear_model.tests.test_sgd"


def run(module, swap, where, chosen=None, without=()):
    """The outcome of every test of a module of scikit-learn's, by name: 'passed', 'failed' or 'skipped: why'."""
    report = where / "report.xml"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "swap_perceptron", "-p", "no:cacheprovider", "--pyargs"]
    command += [f"sklearn.{module}", f"--junitxml={report}", "-W", "ignore", "--tb=short"]
    words = [f"({' or '.join(chosen)})"] if chosen else []
    words += [f"not {name}" for name in without]
    if words:
        command += ["-k", " and ".join(words)]
    environment = dict(os.environ, ROSENBLATT_SWAP=swap, PYTHONPATH=str(HERE))
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


def test_every_test_of_scikit_learns_perceptron_passes(tmp_path):
    outcomes, output = run("linear_model.tests.test_perceptron", "ours", tmp_path)
    assert set(outcomes.values()) == {"passed"}, output
    names = {name.partition("[")[0] for name in outcomes}
    assert names >= {
        "test_perceptron_accuracy",
        "test_perceptron_correctness",
        "test_undefined_methods",
        "test_perceptron_l1_ratio",
    }


@pytest.mark.slow
def test_the_tests_of_sgd_classifier_that_apply_to_a_perceptron_pass(tmp_path):
    others = ("Regressor", "OneClass", "oneclass", "ocsvm")
    excluded = (*NOT_OF_A_PERCEPTRON, *OF_THE_IMPLEMENTATION)
    outcomes, output = run(SGD, "ours", tmp_path, without=(*others, *excluded))
    assert not failed(outcomes), output
    assert len(passed(outcomes)) >= 75
    skipped = [outcome for outcome in outcomes.values() if outcome.startswith("skipped")]
    assert all("not a perceptron:" in why for why in skipped)


@pytest.mark.slow
def test_no_test_is_excluded_that_scikit_learns_own_perceptron_would_pass(tmp_path):
    outcomes, output = run(SGD, "theirs", tmp_path, chosen=tuple(NOT_OF_A_PERCEPTRON), without=("Regressor",))
    assert not passed(outcomes), output
    assert {name.partition("[")[0] for name in failed(outcomes)} == set(NOT_OF_A_PERCEPTRON)


@pytest.mark.slow
@pytest.mark.parametrize(("module", "least"), [("tests.test_multiclass", 50), ("ensemble.tests.test_bagging", 100)])
def test_tests_that_use_a_perceptron_as_a_component_pass(module, least, tmp_path):
    outcomes, output = run(module, "ours", tmp_path)
    assert not failed(outcomes), output
    assert len(passed(outcomes)) >= least


def test_the_swap_reaches_the_tests(tmp_path):
    (tmp_path / "test_which.py").write_text(
        "from sklearn.linear_model import Perceptron\n"
        "def test_which():\n    assert Perceptron.__module__ == 'rosenblatt.compat.perceptron'\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "swap_perceptron", "-p", "no:cacheprovider", "test_which.py"]
    environment = dict(os.environ, ROSENBLATT_SWAP="ours", PYTHONPATH=str(HERE))
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert "1 passed" in done.stdout, done.stdout
