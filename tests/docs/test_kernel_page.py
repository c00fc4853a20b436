"""The page about kernels says what is so: its code runs and prints what it shows."""

import doctest
import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "kernel.md"


def test_every_code_block_of_the_page_runs_and_prints_what_it_shows():
    text = PAGE.read_text(encoding="utf-8")
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
    assert len(blocks) > 5
    assert {language for language, _ in blocks} == {"python"}
    runner, names = doctest.DocTestRunner(), {}
    for number, (_, block) in enumerate(blocks, 1):
        test = doctest.DocTestParser().get_doctest(block, names, f"block {number}", str(PAGE), 0)
        assert test.examples, f"block {number} has no examples"
        said = []
        result = runner.run(test, out=said.append, clear_globs=False)
        names = test.globs
        if result.failed:
            pytest.fail("".join(said))
