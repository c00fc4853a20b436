"""An installed package is whole. Needs only pytest and the package: a built wheel is tested by this file alone."""

import ast
import re
import subprocess
import sys
from importlib.metadata import entry_points, metadata, version
from pathlib import Path

import numpy as np
import pytest

import rosenblatt
from rosenblatt.core import Rows, _core
from rosenblatt.learning.examples import Examples
from rosenblatt.learning.fit import fit
from rosenblatt.learning.parameters import Parameters

PACKAGE = Path(rosenblatt.__file__).parent
PYPROJECT = Path(__file__).parents[1] / "pyproject.toml"


def stub():
    """The package's own folder may be a source tree (editable); the stub lies beside the core's Python either way."""
    return ast.parse((PACKAGE / "core" / "_core.pyi").read_text(encoding="utf-8"))


def names_of(body):
    found = set()
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
    return found


def public(thing):
    return {name for name in vars(thing) if not name.startswith("_")}


def test_the_version_stands_in_one_place():
    assert rosenblatt.__version__ == version("rosenblatt")
    if PYPROJECT.exists():
        declared = re.search(r'^version = "(.+)"$', PYPROJECT.read_text(encoding="utf-8"), flags=re.MULTILINE)
        assert declared is not None
        assert rosenblatt.__version__ == declared[1]


def test_type_information_is_shipped():
    assert (PACKAGE / "py.typed").exists()


def test_the_stub_has_every_name_of_the_core():
    declared = names_of(stub().body)
    assert public(_core) <= declared
    assert {name for name in declared if not name.startswith("_")} <= public(_core)


@pytest.mark.parametrize("name", sorted(name for name in public(_core) if isinstance(getattr(_core, name), type)))
def test_the_stub_has_every_member_of_a_class_of_the_core(name):
    (declared,) = [node for node in stub().body if isinstance(node, ast.ClassDef) and node.name == name]
    members = {member for member in names_of(declared.body) if not member.startswith("_")}
    assert members == public(getattr(_core, name))


def test_the_metadata_say_what_it_is():
    found = metadata("rosenblatt")
    assert found["License-Expression"] == "BSD-3-Clause"
    assert "Typing :: Typed" in found.get_all("Classifier")
    assert [point.value for point in entry_points(name="rosenblatt")] == ["rosenblatt.__main__:run"]


def test_the_engine_learns():
    """Needs NumPy only, so that `tools/wheel` can run it where scikit-learn and python-flint have no wheels (musl)."""
    X, codes = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 0, 0, 1], np.int32)
    rows = Rows.dense(X)
    examples = Examples(X, rows, np.arange(2), codes, None, None)
    found = fit(Parameters.of("Perceptron", {"order": "cyclic"}), examples).attributes()
    assert found["n_mistakes_"] == 18
    assert ((rows.scores(found["coef_"], found["intercept_"]) > 0).ravel() == codes).all()


def test_a_perceptron_learns_and_a_proof_holds():
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]
    assert rosenblatt.Perceptron(order="cyclic").fit(X, y).n_mistakes_ == 18
    assert rosenblatt.separability(X, [0, 1, 1, 0]).verify()


def test_the_command_runs():
    command = [sys.executable, "-m", "rosenblatt", "train", "@and", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "separated" in done.stdout
