"""The table of the lectures' statements is whole, and every test that it names exists."""

import ast
import re

import pytest

import rosenblatt
from tests.docs.pages import DOCS, ROOT, name_of

PAGES = sorted((DOCS / "lectures").glob("*.md"))
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


def statements():
    text = (DOCS / "lectures" / "index.md").read_text(encoding="utf-8")
    return [row.split("|") for row in re.findall(r"^\| \d+ \|.*\|$", text, flags=re.MULTILINE)]


def test_every_statement_has_a_row_and_a_test():
    rows = statements()
    # Statements 6 and 14 are about the dual, which KernelPerceptron shows.
    shown = set(range(1, 28)) if hasattr(rosenblatt, "KernelPerceptron") else set(range(1, 28)) - {6, 14}
    assert [int(row[1]) for row in rows] == sorted(shown)
    assert {lecture for row in rows for lecture in re.findall(r"L\d", row[2])} == {"L0", "L1", "L2", "L3", "L4"}
    for row in rows:
        assert NAMED.search("|".join(row)), f"statement {row[1]} names no test"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_named_test_exists(page):
    for file, test in NAMED.findall(page.read_text(encoding="utf-8")):
        tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        names = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        assert test in names, f"{file} has no {test}"
