"""The files that automate testing and releases fit their schemas, call scripts that exist and agree on the version."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.skipif(not (ROOT / ".github").exists(), reason="an sdist has no automation")

WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))


def check(schema, *paths):
    done = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, *map(str, paths)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_the_workflows_fit_the_schema_of_github_actions():
    assert {path.stem for path in WORKFLOWS} == {"docs", "tests", "wheels"}
    check("vendor.github-workflows", *WORKFLOWS)


def test_the_settings_of_dependabot_and_the_citation_fit_their_schemas():
    check("vendor.dependabot", ROOT / ".github/dependabot.yml")
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["cff-version"] == "1.2.0"
    assert citation["authors"] == [{"name": "The rosenblatt developers"}]


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_every_script_that_a_workflow_runs_exists_and_is_executable(workflow):
    jobs = yaml.safe_load(workflow.read_text(encoding="utf-8"))["jobs"].values()
    commands = " ".join(step["run"] for job in jobs for step in job["steps"] if "run" in step)
    scripts = re.findall(r"(?:tools|\.ci)/\w+", commands)
    assert scripts or workflow.stem == "wheels"
    for script in scripts:
        assert (ROOT / script).stat().st_mode & 0o111, script


def test_the_version_is_the_same_everywhere():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["version"] == version
    assert f'{{% set version = "{version}" %}}' in (ROOT / "tools/conda/meta.yaml").read_text(encoding="utf-8")


def test_the_recipe_of_conda_asks_for_what_the_package_asks_for():
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    recipe = (ROOT / "tools/conda/meta.yaml").read_text(encoding="utf-8")
    for requirement in asked:
        name, limit = requirement.split(">=")
        assert f"- {name} >={limit}\n" in recipe
