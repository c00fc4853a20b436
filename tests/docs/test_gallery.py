"""The gallery is whole: every example has its place and a title, and compiles."""

import ast
import runpy

import pytest

from tests.docs.pages import DOCS

EXAMPLES = sorted((DOCS / "gallery").glob("*.py"))


def test_there_are_at_least_twelve_examples():
    assert len(EXAMPLES) >= 12
    assert all(example.name.startswith("plot_") for example in EXAMPLES), "only plot_*.py are run by the site"


def test_every_example_has_its_place_in_the_order_of_reading():
    text = (DOCS / "_ext" / "gallery_order.py").read_text(encoding="utf-8")
    (order,) = [ast.literal_eval(node.value) for node in ast.parse(text).body if isinstance(node, ast.Assign)]
    assert sorted(order) == [example.stem.removeprefix("plot_") for example in EXAMPLES]


def test_what_an_example_needs_is_said_of_examples_that_exist():
    needs = runpy.run_path(str(DOCS / "_ext" / "gallery_needs.py"))
    assert set(needs["NEEDS"]) <= {example.stem.removeprefix("plot_") for example in EXAMPLES}
    assert needs["is_there"]("rosenblatt.data.load")
    assert not needs["is_there"]("rosenblatt.data.no_such_name")
    assert not needs["is_there"]("rosenblatt.no_such_part.name")


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.stem)
def test_every_example_has_a_title_and_a_first_sentence(example):
    documentation = ast.get_docstring(ast.parse(example.read_text(encoding="utf-8")))
    title, underline, blank, *rest = documentation.splitlines()
    assert underline == "=" * len(title)
    assert blank == ""
    assert rest
