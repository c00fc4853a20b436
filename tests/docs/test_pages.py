"""Every code block of the documentation runs, in the order of its page, and prints what it shows."""

import doctest
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rosenblatt import data
from tests.docs.pages import ROOT, blocks, commands, name_of, pages

WITH_PYTHON = [page for page in pages() if any(block.language == "python" for block in blocks(page))]
WITH_COMMANDS = [page for page in [ROOT / "README.md", *pages()] if commands(page)]


#: Packages that some pages show next to ours, and that only the extra `docs` brings.
COMPANIONS = ("statsmodels", "formulaic", "pandas")


def _needs_what_is_not_here(text):
    return any(f"import {name}" in text and importlib.util.find_spec(name) is None for name in COMPANIONS)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A reader's folder: empty but for the files that the pages speak of."""
    iris = data.load("iris")
    header = ["sepal_length", "sepal_width", "petal_length", "petal_width"]
    rows = [",".join([*map(str, x), species]) for x, species in zip(iris.X.tolist(), iris.y, strict=True)]
    (tmp_path / "flowers.csv").write_text("\n".join([",".join([*header, "species"]), *rows]) + "\n")
    (tmp_path / "new.csv").write_text("\n".join([",".join(header), *(row.rsplit(",", 1)[0] for row in rows[::7])]))
    clicks = [f"{i % 2} {1 + i % 5}:1 {6 + i % 2}:{i / 10}" for i in range(60)]
    (tmp_path / "clicks.svm").write_text("\n".join(clicks) + "\n")
    mails = [("cheap pills now", "spam") if i % 2 else (f"minutes of meeting {i}", "ham") for i in range(40)]
    (tmp_path / "mails.csv").write_text("\n".join(["body,label", *(",".join(mail) for mail in mails)]) + "\n")
    sales = {"year": [2015 + i % 9 for i in range(90)], "price": [i % 7 for i in range(90)]}
    table = pa.table(sales | {"bought": ["no" if price > 3 else "yes" for price in sales["price"]]})
    pq.write_table(table, tmp_path / "sales.parquet")
    (tmp_path / "trials.csv").write_text("dose,sex,cured\n1,f,0\n2,m,0\n2,f,1\n3,m,1\n")
    (tmp_path / "trade.csv").write_text("exporter,importer,flow\nA,X,0\nA,Y,0\nB,X,3\nB,Y,1\nC,X,2\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    return tmp_path


@pytest.mark.parametrize("page", WITH_PYTHON, ids=name_of)
def test_every_python_block_of_a_page_runs_and_prints_what_it_shows(page, folder):
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    runner, names = doctest.DocTestRunner(optionflags=flags), {"__name__": "page"}
    for block in blocks(page):
        if block.language != "python":
            continue
        if _needs_what_is_not_here(block.text):
            continue
        if ">>>" not in block.text:
            exec(compile("\n" * block.line + block.text, str(page), "exec"), names)
            continue
        test = doctest.DocTestParser().get_doctest(block.text, names, name_of(page), str(page), block.line)
        said: list[str] = []
        result = runner.run(test, out=said.append, clear_globs=False)
        names = test.globs
        assert not result.failed, "".join(said)


@pytest.mark.slow
@pytest.mark.parametrize("page", WITH_COMMANDS, ids=name_of)
def test_every_command_of_a_page_succeeds(page, folder):
    scripts = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}", "PYTHONWARNINGS": "default"}
    for command in commands(page):
        done = subprocess.run(command, shell=True, cwd=folder, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
