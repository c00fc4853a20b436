"""The command line: what a person types first."""

import subprocess
import sys

import pytest
from click.testing import CliRunner

from rosenblatt.cli import main


def run(*arguments):
    return CliRunner().invoke(main, list(arguments))


def test_train_on_a_built_in_set_prints_the_report():
    result = run("train", "@wine", "--max-iter", "20")
    assert result.exit_code == 0
    assert "magnesium" in result.output
    assert "classes are separable" in result.output


def test_a_convention_is_spoken():
    result = run("train", "@and", "--convention", "L3")
    assert "mistakes  10" in result.output


def test_an_unknown_set_is_a_usage_error_that_lists_the_known():
    result = run("train", "@irises")
    assert result.exit_code == 2
    assert "iris" in result.output


def test_datasets_are_listed():
    result = run("datasets")
    assert "@iris" in result.output
    assert "@xor" in result.output


@pytest.mark.parametrize("command", [["-m", "rosenblatt", "--help"], ["-m", "rosenblatt", "--version"]])
def test_help_does_not_import_scikit_learn(command):
    code = f"import sys, runpy; sys.argv = {['rosenblatt', command[-1]]!r}\n"
    code += "try: runpy.run_module('rosenblatt', run_name='__main__')\nexcept SystemExit: pass\n"
    code += "assert 'sklearn' not in sys.modules, 'sklearn was imported'"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
