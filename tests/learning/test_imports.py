"""The engine does without scikit-learn and joblib, whose import takes longer than most fits."""

import ast
from pathlib import Path

import pytest

import rosenblatt

ENGINE = ("learning", "theory", "trace", "core", "textbook", "conventions")
FORBIDDEN = {"sklearn", "joblib", "threadpoolctl"}


def imported(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


@pytest.mark.parametrize("part", ENGINE)
def test_no_module_of_the_engine_imports_scikit_learn(part):
    files = sorted((Path(rosenblatt.__file__).parent / part).rglob("*.py"))
    assert files
    for file in files:
        roots = {name.partition(".")[0] for name in imported(ast.parse(file.read_text(encoding="utf-8")))}
        assert not roots & FORBIDDEN, file
