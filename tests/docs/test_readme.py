"""The README's code runs as written."""

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import rosenblatt

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
ROOT = Path(__file__).parents[2]
BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.DOTALL)


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.splitlines()[0])
def test_every_python_block_of_the_readme_runs(block):
    exec(compile(block, "README.md", "exec"), {})


def modules():
    return [
        info.name
        for info in pkgutil.walk_packages(rosenblatt.__path__, "rosenblatt.")
        if not info.name.endswith(("__main__", "_core"))
    ]


@pytest.mark.parametrize("name", modules())
def test_examples_in_docstrings_give_what_they_show(name):
    results = doctest.testmod(importlib.import_module(name), optionflags=FLAGS)
    assert results.failed == 0
