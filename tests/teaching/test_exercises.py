"""Exercises: the key is the oracle's, two digits are enough, and all sheets of a topic are equally difficult.

`tools/exhaustive` does the same for 1,000 sheets of every topic.
"""

import json
import os
import re
import shutil
import subprocess
from fractions import Fraction

import numpy as np
import pytest

from rosenblatt import conventions
from rosenblatt.teaching import grade, make, read_exercise, write_sheets
from rosenblatt.teaching.exercises.make import RANGES, TOPICS
from rosenblatt.teaching.exercises.translation.languages import in_language
from rosenblatt.teaching.exercises.writers.write_markdown import markdown
from tests.cli.running import as_json, done, error, run
from tests.teaching import moodle_format
from tests.teaching.solved_by_hand import solve

EXHAUSTIVE = bool(os.environ.get("ROSENBLATT_EXHAUSTIVE"))


def numbers_of(text):
    return [Fraction(found) for found in re.findall(r"(?<![\w.])-?\d+(?:/\d+)?(?![\w])", text)]


def check(exercise):
    assert exercise.answers() == [str(answer) for answer in solve(exercise)]
    assert exercise.fits_two_digits
    assert set(exercise.difficulty) == set(RANGES[exercise.topic])
    for name, (low, high) in RANGES[exercise.topic].items():
        assert low <= exercise.difficulty[name] <= high


@pytest.mark.slow
@pytest.mark.parametrize("topic", TOPICS)
def test_the_key_is_what_a_careful_student_finds(topic):
    sheets = 1000 if EXHAUSTIVE else 5 if topic in ("witness", "separable") else 12
    for seed in range(sheets):
        check(make(topic, seed, seed % 3 + 1))


@pytest.mark.parametrize("name", ["L1", "L3", "L4"])
@pytest.mark.parametrize("topic", TOPICS)
def test_a_sheet_follows_its_dialect(topic, name):
    check(make(topic, 5, dialect=conventions.find(name)))


@pytest.mark.parametrize("topic", TOPICS)
def test_seeds_and_students_get_different_sheets_and_the_same_seed_the_same(topic):
    made = [make(topic, seed, number) for seed in (1, 2) for number in (1, 2, 3)]
    assert len({str(exercise.blocks) for exercise in made}) == len(made)
    assert make(topic, 2, 3) == made[-1]


@pytest.mark.parametrize("dialect", [conventions.L0, conventions.L1, {"tie": "mistake", "eta0": 0.5}], ids=str)
@pytest.mark.parametrize("topic", TOPICS)
def test_a_german_sheet_has_the_same_numbers_and_no_english_word(topic, dialect):
    for seed in (1, 2):
        english, german = (make(topic, seed, dialect=dialect, language=language) for language in ("en", "de"))
        assert german.numbers() == english.numbers()
        assert german.answers() == [in_language(answer, "de") for answer in english.answers()]
        assert german.wrong(german.answers()) == []
        assert german.run == english.run
        text = markdown(german, key=False)
        assert not re.search(r"\b(the|of|is|and|or|with|score|yes|no|example|mistake|step)\b", text), text


def test_german_sheets_are_written_in_every_format(tmp_path):
    told = as_json("teach", "make", "--topic", "and", "--seed", 3, "--language", "de", "--out", tmp_path)
    assert len(told["files"]) == 8
    key = (tmp_path / "and-3-001-key.md").read_text(encoding="utf-8")
    assert key.startswith("# Ein Perzeptron lernt eine Boolesche Funktion\n\nBlatt ")
    assert "| Schritt | Beispiel | x | y | Wert | Fehler? | w danach |" in key
    [(name, text, answers)] = moodle_format.read((tmp_path / "and-3.xml").read_text(encoding="utf-8"))
    assert name.startswith("Ein Perzeptron lernt eine Boolesche Funktion, Blatt ")
    assert "Füllen Sie die Tabelle aus." in text
    assert answers[1] in (["ja"], ["nein"])
    execute(tmp_path / "and-3-001-key.ipynb")
    with pytest.raises(AssertionError, match="noch einmal ansehen"):
        execute(tmp_path / "and-3-001.ipynb")
    with pytest.raises(ValueError, match="there is no language 'fr'; there are: en, de"):
        make("and", 1, language="fr")


def test_the_sheets_are_the_same_on_every_machine():
    assert make("by-hand", 7).code == "KRBD"
    assert make("by-hand", 7).run["X"] == [[-1, 2], [1, -1], [1, 3], [2, -1]]


def test_wrong_answers_are_numbered():
    exercise = make("bound", 3)
    answers = exercise.answers()
    answers[1], answers[4] = "77", None
    assert exercise.wrong(answers) == [2, 5]
    with pytest.raises(ValueError, match=f"{len(answers)} answers are needed"):
        exercise.wrong(answers[1:])


@pytest.mark.parametrize("topic", TOPICS)
def test_every_format_has_the_sheet_without_and_the_key_with_the_answers(topic, tmp_path):
    written = write_sheets(tmp_path, topic, seed=4, students=2)
    assert len(written) == 2 * 7 + 1
    assert {file.name for file in tmp_path.iterdir()} == {file.name for file in written}
    for number in (1, 2):
        exercise = make(topic, 4, number)
        stem = f"{topic}-4-{number:03d}"
        sheet, key = ((tmp_path / f"{stem}{part}.md").read_text(encoding="utf-8") for part in ("", "-key"))
        assert sheet.count("____") == len(exercise.gaps())
        assert re.findall(r"\*\*(.+?)\*\*", key) == exercise.answers()
        assert all(abs(n.numerator) < 100 and n.denominator < 100 for n in numbers_of(key))
        tex = (tmp_path / f"{stem}.tex").read_text(encoding="utf-8")
        assert tex.count(r"\gap") == len(exercise.gaps()) + 1  # and its definition
    questions = moodle_format.read((tmp_path / f"{topic}-4.xml").read_text(encoding="utf-8"))
    for (name, _, answers), number in zip(questions, (1, 2), strict=True):
        exercise = make(topic, 4, number)
        assert exercise.code in name
        assert len(answers) == len(exercise.gaps())
        for right, gap in zip(answers, exercise.gaps(), strict=True):
            assert gap.answer in right if isinstance(gap.answer, str) else right == [float(gap.answer)]


def test_a_step_sheets_loop_can_be_graded(tmp_path):
    for topic in ("and", "by-hand", "pocket"):
        file = write_sheets(tmp_path, topic, seed=2, formats=[])[0]
        X, y, dialect = read_exercise(file)
        gaps = iter(make(topic, 2).answers())
        assert grade([], X, y, dialect=dialect).correct is False
        assert next(gaps)
    with pytest.raises(ValueError, match="asks for no loop"):
        read_exercise(write_sheets(tmp_path, "bound", seed=2, formats=[])[0])
    (tmp_path / "other.json").write_text("{}")
    with pytest.raises(ValueError, match="is not an exercise file"):
        read_exercise(tmp_path / "other.json")


def test_bad_input_is_said():
    with pytest.raises(ValueError, match="there is no topic 'svm'; there are: and, by-hand"):
        make("svm", 1)
    with pytest.raises(ValueError, match="they come in turn"):
        make("and", 1, dialect=conventions.L2)
    with pytest.raises(ValueError, match="seed must be"):
        make("and", -1)


def execute(file):
    """Runs the code cells of a notebook in order, as a kernel would."""
    space = {}
    for cell in json.loads(file.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), space)


@pytest.mark.parametrize("topic", TOPICS)
def test_the_key_notebook_passes_its_own_checks_and_the_sheet_does_not(topic, tmp_path):
    write_sheets(tmp_path, topic, seed=6, formats=["notebook"])
    execute(tmp_path / f"{topic}-6-001-key.ipynb")
    with pytest.raises(AssertionError, match="look again at"):
        execute(tmp_path / f"{topic}-6-001.ipynb")


@pytest.mark.slow
@pytest.mark.parametrize("topic", TOPICS)
def test_three_sheets_of_a_topic_are_compiled(topic, tmp_path):
    program = shutil.which("pdflatex")
    assert program, "install it: tools/test_programs"
    write_sheets(tmp_path, topic, seed=8, students=3, formats=["latex"])
    write_sheets(tmp_path, topic, seed=9, formats=["latex"], language="de")
    for file in sorted(tmp_path.glob("*.tex")):
        command = [program, "-interaction=nonstopmode", "-halt-on-error", file.name]
        told = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert told.returncode == 0, told.stdout[-800:]
        assert "Overfull \\hbox" not in told.stdout, file.name
        assert file.with_suffix(".pdf").stat().st_size > 5000


@pytest.mark.slow
def test_the_commands_make_sheets_and_grade_a_file(tmp_path):
    told = as_json("teach", "make", "--topic", "and", "--seed", 7, "--students", 2, "--out", tmp_path)
    assert told["rule"] == "zero counts as +1, start at 0, in turn (L0)"
    assert len(told["files"]) == 15
    sheet = tmp_path / "and-7-001.json"
    X, y, dialect = read_exercise(sheet)
    right = f"from rosenblatt import textbook\n\ndef fit(X, y):\n    run = textbook.online(X, y, **{dialect})\n"
    (tmp_path / "right.py").write_text(f"{right}    return [step.w_after for step in run if step.mistake]\n")
    assert "All steps are right." in done("teach", "grade", tmp_path / "right.py", "--exercise", sheet)
    (tmp_path / "wrong.py").write_text("def fit(X, y):\n    while True: pass\n")
    result = run("teach", "grade", tmp_path / "wrong.py", "--exercise", sheet, "--seconds", 1, "--json")
    assert result.exit_code == 3
    assert json.loads(result.stdout)["message"].startswith("Your program did not end within 1 seconds")
    (tmp_path / "own.toml").write_text('name = "CS101"\ntie = "negative"\neta0 = 0.5\n')
    own = ("teach", "make", "--topic", "by-hand", "--convention", tmp_path / "own.toml", "--out", tmp_path / "own")
    assert "zero counts as −1, start at 0, in turn, step 0.5 (CS101)" in done(*own)
    assert "1/2 times y times x" in (tmp_path / "own" / "by-hand-0-001.md").read_text(encoding="utf-8")
    assert "they come in turn" in error("teach", "make", "--topic", "and", "--convention", "L2", "--out", tmp_path)
    assert np.array(X).shape == (4, 2)
    assert len(y) == 4
