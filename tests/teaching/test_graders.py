"""nbgrader and otter-grader, from the lecturer's notebook to the score of each student, as their manuals say."""

import csv
import json
import os
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path
from textwrap import indent

import pytest

from rosenblatt.teaching import write_sheets

LOOP = """
    import numpy as np
    Z, w, path = np.column_stack([np.ones(len(X)), X]), np.array({start}), []
    for _ in range(50):
        for x, label in zip(Z, y):
            if (1 if w @ x {comparison} 0 else -1) != label:
                w = w + label * x
                path.append(w)
    return path
"""
ENDLESS = "\n    while True: pass\n"


def script_folder(package, name):
    """The folder of a package's command, which need not be on the path: nbgrader calls alembic by its name."""
    for file in distribution(package).files or ():
        if Path(file.name).stem == name and file.suffix in ("", ".exe"):
            return str(Path(file.locate()).resolve().parent)
    raise AssertionError(f"{package} has no command {name}")


def called(folder, *command):
    path = os.pathsep.join([script_folder("alembic", "alembic"), os.environ["PATH"]])
    done = subprocess.run(
        [sys.executable, "-m", *map(str, command)], cwd=folder, env={**os.environ, "PATH": path},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]


def cells_of(file):
    notebook = json.loads(file.read_text(encoding="utf-8"))
    return notebook, {cell["metadata"].get("nbgrader", {}).get("grade_id"): cell for cell in notebook["cells"]}


@pytest.mark.slow
def test_nbgrader_releases_the_key_without_its_answers_and_grades_what_students_hand_in(tmp_path):
    write_sheets(tmp_path / "sheets", "and", seed=7, formats=["notebook"])
    source = tmp_path / "source" / "week1"
    source.mkdir(parents=True)
    key, key_cells = cells_of(tmp_path / "sheets" / "and-7-001-key.ipynb")
    (source / "and.ipynb").write_text(json.dumps(key), encoding="utf-8")
    called(tmp_path, "nbgrader", "generate_assignment", "week1", "--create")
    released, cells = cells_of(tmp_path / "release" / "week1" / "and.ipynb")
    assert "def fit(X, y):" in "".join(cells["fit"]["source"])
    assert "textbook" not in "".join(cells["fit"]["source"])
    template = "".join(cells["answers"]["source"])
    assert "None,  # (1)" in template
    assert "'yes'" not in template
    start = eval("".join(key_cells["examples"]["source"]).partition("dialect = ")[2])["start"]
    head = 'def fit(X, y):\n    """Returns the weights."""'
    submissions = {
        "right": (key_cells["answers"]["source"], head + LOOP.format(start=start, comparison=">=")),
        "wrong": (key_cells["answers"]["source"], head + LOOP.format(start=start, comparison=">")),
        "endless": (cells["answers"]["source"], head + ENDLESS),
    }
    for student, (answers, loop) in submissions.items():
        cells["answers"]["source"], cells["fit"]["source"] = answers, loop
        place = tmp_path / "submitted" / student / "week1"
        place.mkdir(parents=True)
        (place / "and.ipynb").write_text(json.dumps(released), encoding="utf-8")
    called(tmp_path, "nbgrader", "autograde", "week1", "--create", "--ExecutePreprocessor.timeout=300")
    called(tmp_path, "nbgrader", "export", "--to", "grades.csv")
    with (tmp_path / "grades.csv").open(encoding="utf-8") as file:
        grades = {row["student_id"]: (float(row["score"]), float(row["max_score"])) for row in csv.DictReader(file)}
    most = grades["right"][1]
    assert grades == {"right": (most, most), "wrong": (most - 10, most), "endless": (0, most)}
    graded = (tmp_path / "autograded" / "wrong" / "week1" / "and.ipynb").read_text(encoding="utf-8")
    assert "A score of exactly zero counts as +1 here" in graded  # the student reads the cause
    stopped = (tmp_path / "autograded" / "endless" / "week1" / "and.ipynb").read_text(encoding="utf-8")
    assert "did not end within 10 seconds: does its loop ever stop?" in stopped


def raw(text):
    return {"cell_type": "raw", "metadata": {}, "source": text}


def code(text):
    return {"cell_type": "code", "metadata": {}, "source": text, "execution_count": None, "outputs": []}


@pytest.mark.slow
def test_otter_grader_makes_the_assignment_and_grades_what_students_hand_in(tmp_path):
    head = "def fit(X, y):"
    right, wrong = (head + LOOP.format(start=[0, 0, 0], comparison=sign) for sign in (">=", ">"))
    check = (
        "from rosenblatt import conventions\nfrom rosenblatt.teaching import grade\n"
        "result = grade(fit, [[0, 0], [0, 1], [1, 0], [1, 1]], [-1, -1, -1, 1], dialect=conventions.L0)\n"
        "assert result.correct, result.message"
    )
    solution = f"{head}\n    # BEGIN SOLUTION{LOOP.format(start=[0, 0, 0], comparison='>=')}    # END SOLUTION\n"
    cells = [
        raw("# ASSIGNMENT CONFIG\nname: week1\ninit_cell: true\nexport_cell: false\ntests:\n    ok_format: false"),
        raw("# BEGIN QUESTION\nname: q1\npoints: 4"),
        raw("# BEGIN SOLUTION"), code(solution), raw("# END SOLUTION"),
        raw("# BEGIN TESTS"), code(f"def test_fit(fit):\n{indent(check, '    ')}\ntest_fit(fit)"),
        raw("# END TESTS"), raw("# END QUESTION"),
    ]  # fmt: skip
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    notebook = {"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 4}
    (tmp_path / "week1.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    called(tmp_path, "otter", "assign", "week1.ipynb", "dist")  # runs the tests on the solution, too
    [autograder] = (tmp_path / "dist" / "autograder").glob("*.zip")
    student = json.loads((tmp_path / "dist" / "student" / "week1.ipynb").read_text(encoding="utf-8"))
    place = next(
        k for k, cell in enumerate(student["cells"]) if "..." in "".join(cell["source"]) and cell["cell_type"] == "code"
    )
    for name, loop, points in (("right", right, 4), ("wrong", wrong, 0)):
        student["cells"][place]["source"] = loop
        (tmp_path / f"{name}.ipynb").write_text(json.dumps(student), encoding="utf-8")
        (tmp_path / name).mkdir()
        called(tmp_path, "otter", "run", "-a", autograder, "-o", tmp_path / name, f"{name}.ipynb")
        results = json.loads((tmp_path / name / "results.json").read_text(encoding="utf-8"))
        assert sum(test.get("score", 0) for test in results["tests"]) == points
        assert ("A score of exactly zero counts as +1 here" in json.dumps(results, ensure_ascii=False)) is (points == 0)
