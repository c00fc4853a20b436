"""No name of a column and no class can leave the comment or the string that it stands in, in an exported C header."""

import csv
import json
import subprocess

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rosenblatt import Perceptron, boolean
from rosenblatt.data import DataError
from rosenblatt.data.features import Column, Features
from rosenblatt.models import Record, to_c
from rosenblatt.models.export.c_code import c_name
from rosenblatt.models.files import model_file
from tests.cli.running import done
from tests.models.exported import BUILDS, compiled, labels_by_c
from tests.programs import program

ASCII = [chr(b) for b in range(128)]
PAIRS = [a + b for a in ASCII[32:127] for b in "/*\\\n"]
HOSTILE = [
    "*\\\n/ int evil(void); /*",
    "*??/\n/ int evil(void); /*",
    "a\\\nint evil(void);",
    "*/ int evil; /*",
    "**/",
    "/*",
    "*",
    "/",
    "\\",
    "??/\nint evil;",
    *(f"??{c}" for c in "=/'()!<>-"),
    "a\r\\\r\nint evil;",
    "\u2028int evil;",
    "\u202eevil\u202c",
    "\u2066",
    "\x85int evil;",
    '"); evil("',
    "%s%n",
    "ünï 🙂",
    "",
]


def record_of(names, classes=("no", "yes")):
    """A linear model of these columns, as a file could hold it: of many classes, the k-th unit vector has the k-th."""
    n, k = len(names), len(classes)
    coef, intercept = (np.ones((1, n)), [-0.5]) if k == 2 else (np.eye(k, n), np.zeros(k))
    fitted = {"coef_": coef, "intercept_": np.array(intercept), "classes_": np.array(classes)}
    features = Features.of_table([Column(name) for name in names], None)
    return Record("Perceptron", Perceptron(multi_class="ova").get_params(), fitted, features)


def tokens(header, folder, build):
    """What the preprocessor leaves of the header itself: comments are gone."""
    (folder / "h.h").write_bytes(header.encode())
    compiler, standard = build
    command = [program(compiler), f"-std={standard}", "-E", "-P", "-x", "c", "h.h"]
    out = subprocess.run(command, cwd=folder, capture_output=True, check=True).stdout.decode()
    return out[out.index("static const char *const model_classes") :]


@pytest.mark.slow
@pytest.mark.parametrize("build", BUILDS, ids=" ".join)
@pytest.mark.parametrize("names", [ASCII, HOSTILE, PAIRS], ids=["ascii", "hostile", "pairs"])
def test_a_column_name_stays_in_its_comment(tmp_path, build, names):
    header = to_c(record_of(names))
    plain = to_c(record_of([f"x{k}" for k in range(len(names))]))
    assert tokens(header, tmp_path, build) == tokens(plain, tmp_path, build)
    X = np.vstack([np.zeros(len(names)), np.ones(len(names))])
    assert labels_by_c(header, X, tmp_path, build) == ["no", "yes"]


@pytest.mark.slow
@pytest.mark.parametrize("build", BUILDS, ids=" ".join)
def test_a_class_stays_in_its_string(tmp_path, build):
    classes = sorted({*ASCII[1:], *HOSTILE, *(f"{c}7f" for c in ASCII[1:])})
    record = record_of([f"x{k}" for k in range(len(classes))], classes)
    assert labels_by_c(to_c(record), np.eye(len(classes)), tmp_path, build) == classes


def test_the_command_writes_no_code_from_a_column_name(tmp_path):
    with open(tmp_path / "t.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["*\\\n/ int evil(void); /*", "b", "class"])
        writer.writerows([k, k % 3, "??/\nno" if k < 5 else "yes"] for k in range(10))
    done("train", tmp_path / "t.csv", "-q", "-o", tmp_path / "m.json")
    done("export", tmp_path / "m.json", "--c", tmp_path / "model.h")
    record = model_file.read(tmp_path / "m.json")
    X = np.array([[k, k % 3] for k in range(10)], dtype=float)
    for build in BUILDS:
        found = labels_by_c((tmp_path / "model.h").read_text(), X, tmp_path, build)
        assert found == record.classes[record.predicted_codes(X)].tolist()
        assert "evil" not in tokens((tmp_path / "model.h").read_text(), tmp_path, build)


def test_a_forged_file_writes_no_code_either(tmp_path):
    done("train", "@and", "-q", "-o", tmp_path / "m.json")
    document = json.loads((tmp_path / "m.json").read_text())
    document["features"]["columns"][0]["name"] = "*/ int evil; /*\\\n"
    (tmp_path / "m.json").write_bytes(b"".join(model_file._sealed(document)))
    done("export", tmp_path / "m.json", "--c", tmp_path / "m.h")
    (tmp_path / "main.c").write_text('#include "m.h"\nint main(void) { return m_predict((double[2]){0, 0}); }\n')
    compiled(tmp_path, BUILDS[0], "main.c", "-o", "main")
    unit = boolean.ThresholdUnit([1, 1], -1.5, ["*/ int evil; /*", "b\\\n"])
    assert labels_by_c(to_c(unit), [[1, 1], [0, 1]], tmp_path) == ["1", "0"]


@pytest.mark.slow
@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=12), min_size=40, max_size=80, unique=True))
def test_any_text_is_safe_as_a_name_and_as_a_class(tmp_path, names):
    classes = sorted({name.replace("\0", "") for name in names})
    record = record_of(names, classes)
    for build in (BUILDS[0], BUILDS[3]):
        assert labels_by_c(to_c(record), np.eye(len(classes), len(names)), tmp_path, build) == classes


def test_a_class_with_a_nul_is_refused():
    with pytest.raises(DataError, match=r"the class 'a\\x00b' has a NUL"):
        to_c(record_of(["x"], ["a\0b", "c"]))


def test_printable_names_are_written_as_they_are():
    assert '/* features: km/h, größe, 価格, say "hi" */' in to_c(record_of(["km/h", "größe", "価格", 'say "hi"']))


@pytest.mark.parametrize(
    ("path", "name"), [("a/spam-model.h", "spam_model"), ("-", "model"), ("_Model.h", "Model"), ("3d.h", "model")]
)
def test_functions_are_named_after_the_file(path, name):
    assert c_name(path) == name
