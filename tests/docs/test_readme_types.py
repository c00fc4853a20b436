"""The Python snippets of the README pass a static type checker."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import rosenblatt
from tests.docs.pages import ROOT, blocks

pytestmark = pytest.mark.slow


def check(folder: Path, snippets: list[str]) -> list[str]:
    """The errors that basedpyright (a pyright that needs no download at run time) finds in the snippets."""
    for number, snippet in enumerate(snippets):
        (folder / f"snippet_{number}.py").write_text(snippet, encoding="utf-8")
    source = Path(rosenblatt.__file__).parents[1]
    settings = {"include": ["."], "typeCheckingMode": "standard", "extraPaths": [str(source)]}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    command = [sys.executable, "-m", "basedpyright", "--pythonpath", sys.executable, "--outputjson"]
    done = subprocess.run([*command, "--project", str(folder)], capture_output=True, text=True, timeout=300)
    report = json.loads(done.stdout)
    assert report["summary"]["filesAnalyzed"] == len(snippets), done.stdout + done.stderr
    return [found["message"] for found in report["generalDiagnostics"] if found["severity"] == "error"]


def test_every_python_block_of_the_readme_passes_pyright(tmp_path):
    snippets = [block.text for block in blocks(ROOT / "README.md") if block.language == "python"]
    assert len(snippets) >= 6
    assert check(tmp_path, snippets) == []


def test_pyright_knows_the_types_of_the_package(tmp_path):
    wrong = [
        "from rosenblatt import Perceptron\nPerceptron(eta=1.0)\n",
        "from rosenblatt import separability\nseparability([[0], [1]], [0, 1]).pairs\n",
    ]
    errors = check(tmp_path, wrong)
    assert len(errors) == 2
    assert '"eta"' in errors[0]
    assert '"pairs"' in errors[1]
