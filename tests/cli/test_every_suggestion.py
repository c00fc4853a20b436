"""Every option that a message about data suggests is run as printed, and no place that makes one is left out.

`rosenblatt.data.errors.option` writes all of these suggestions. The test records which of its calls are reached, and
compares them with those in the source.
"""

import ast
import re
import shlex
import sys
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

import rosenblatt
from rosenblatt import data
from rosenblatt.data import errors
from rosenblatt.models import Plan, train
from tests.cli.running import done, run

PACKAGE = Path(rosenblatt.__file__).parent
ROADS = [[], ["--stream"]]
N = 60

Y = [k % 2 for k in range(N)]
A = [k * k % 97 for k in range(N)]
B = [k % 7 for k in range(N)]
KIND = ["ab"[k % 2] for k in range(N)]
NAMES = [f"n{k}" for k in range(N)]
MANY = range(2600)

TABLES = {
    "good.csv": {"a": A, "y": KIND},
    "no labels.csv": {"a": A},
    "empty target.csv": {"a": A, "kind": KIND, "y": [None] * N},
    "one class.csv": {"a": A, "kind": KIND, "y": ["x"] * N},
    "many classes.csv": {"a": KIND, "b": B, "y": NAMES},
    "continuous.csv": {"a": KIND, "y": [k / 7 for k in range(N)]},
    "all left out.csv": {"the name": NAMES, "y": Y},
    "names.csv": {"the name": NAMES, "b": B, "y": Y},
    "numbers.csv": {"no": [3 * k for k in range(N)], "b": B, "y": Y},
    "strays.csv": {"a": [*A[:-1], "soon"], "y": Y},
    "gaps.csv": {"the a": [None, *A[1:]], "b": B, "y": Y},
    "words.csv": {"w": [f"w{k}" for k in MANY], "b": [k % 7 for k in MANY], "y": [k % 2 for k in MANY]},
    "text.csv": {"t": [f"some words on number {k}" for k in range(N)], "a": A, "b": B, "y": Y},
    "wide.csv": {f"v {j}": [k * (j + 3) % 31 for k in range(N)] for j in range(14)} | {"y": Y},
    "codes.csv": {"a zip": [["01067", "80331", "20095"][k % 3] for k in range(N)], "b": B, "y": Y},
    "days.csv": {"a day": [f"2023{k % 12 + 1:02}15" for k in range(N)], "b": B, "y": Y},
    "limits.csv": {"crp": [f"<{a}" if a % 5 == 0 else a for a in A], "b": B, "y": Y},
    "paces.csv": {"pace": [f"{k % 50 + 10}:30 /km" for k in range(N)], "b": B, "y": Y},
    "sexes.csv": {"sex": ["MFmf"[k % 4] for k in range(N)], "b": B, "y": Y},
    "cases.csv": {"a": A, "y": [["yes", "no", "YES"][k % 3] for k in range(N)]},
    "lengths.csv": {"length": ["37:30", "1:02:45", "59:10"] * (N // 3), "b": B, "y": Y},
    "seconds.csv": {"made at": [1_700_000_000 + 9000 * a for a in A], "b": B, "y": Y},
    "people.csv": {"population": [1_400_000_000 + 9000 * a for a in A], "b": B, "y": Y},
    "missing codes.csv": {"temp": [-999 if k % 9 == 0 else a for k, a in enumerate(A)], "b": B, "y": Y},
    "error codes.csv": {"press": ["E01" if k % 6 == 0 else f"{1010 + k % 4} hPa" for k in range(N)], "b": B, "y": Y},
    "wordy.csv": {"when": ["12"] * 25 + [f"no{k % 3}" for k in range(35)], "b": B, "y": Y},
}


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, columns in TABLES.items():
        pd.DataFrame(columns).to_csv(name, index=False)
    rows = b"".join(b"%d,no,%d\n" % (k * k, k % 2) for k in range(160_000))
    Path("latin1.csv").write_bytes(b"a,word,y\n" + rows + "1,größer,1\n".encode("cp1252"))
    text = "a,y\n" + "".join(f"{k * k % 97},{k % 2}\n" for k in range(N))
    Path("utf16.csv").write_bytes(text.encode("utf-16")[2:])
    Path("semicolons.csv").write_text("a b,c;d;y\n" + "".join(f"{k * k % 97};{k % 5};{k % 2}\n" for k in range(N)))
    parquet.write_table(pa.table({"a": A, "a list": [[1, 2]] * N, "y": Y}), "lists.parquet")
    parquet.write_table(pa.table({"a": A, "raw bytes": [b"\xff", b"\xfe"] * (N // 2), "y": Y}), "bytes.parquet")
    parquet.write_table(pa.table({"a": [*map(str, A[1:]), "many"], "y": KIND}), "texts.parquet")
    Path("text in numbers.csv").write_text(text + "many,1\n")
    done("train", "good.csv", "-q", "-o", "model.json")
    done("train", "good.csv", "--no-impute", "-q", "-o", "strict.json")
    done("train", "gaps.csv", "--category", "b", "-q", "-o", "levels.json")
    done("train", "paces.csv", "-q", "--drop", "pace", "-o", "pair.json")
    Path("commas.csv").write_text("b;x\n1,5;2\n2,5;3\n")
    pd.DataFrame(TABLES["gaps.csv"]).assign(b=8).to_csv("unseen.csv", index=False)
    return tmp_path


#: A command, and the column for a suggestion of `--target COLUMN`.
SCENARIOS = [
    ("evaluate model.json 'no labels.csv'", None),
    ("train 'empty target.csv'", "kind"),
    ("train 'one class.csv'", "kind"),
    ("train 'many classes.csv'", "a"),
    ("train continuous.csv", "a"),
    ("train 'all left out.csv'", None),
    ("train names.csv", None),
    ("train numbers.csv", None),
    ("train strays.csv", None),
    ("train gaps.csv --no-impute", None),
    ("train words.csv --keep w --no-pool", None),
    ("train text.csv --interactions all", None),
    ("train wide.csv --interactions all", None),
    ("train codes.csv", None),
    ("train days.csv", None),
    ("train limits.csv", None),
    ("train paces.csv", None),
    ("train sexes.csv", None),
    ("train cases.csv", None),
    ("train lengths.csv", None),
    ("train seconds.csv", None),
    ("train people.csv", None),
    ("train 'missing codes.csv'", None),
    ("train 'error codes.csv'", None),
    ("train wordy.csv --number when", None),
    ("predict pair.json commas.csv", None),
    ("train latin1.csv", None),
    ("train utf16.csv", None),
    ("train semicolons.csv --delimiter ,", None),
    ("train semicolons.csv --delimiter '|'", None),
    ("train lists.parquet", None),
    ("train bytes.parquet", None),
    ("predict levels.json unseen.csv --unseen error", None),
    ("predict strict.json 'text in numbers.csv'", None),
    ("predict strict.json texts.parquet", None),
]


def calls_in_source() -> set[tuple[str, str]]:
    """Each call of `option` in data/ and models/: its file and the function around it."""
    found = set()
    for path in [path for part in ("data", "models") for path in sorted((PACKAGE / part).rglob("*.py"))]:
        tree = ast.parse(path.read_text())
        for function in ast.walk(tree):
            if isinstance(function, ast.FunctionDef):
                for node in ast.walk(ast.Module(function.body, [])):
                    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "option":
                        found.add((path.relative_to(PACKAGE).as_posix(), function.name))
    return found


def spy_on_option(monkeypatch) -> set[tuple[str, str]]:
    """Records the calls of `option` in all modules."""
    reached, original = set(), errors.option

    def spy(*args, **kwargs):
        frame = sys._getframe(1)
        while frame.f_code.co_name.startswith("<"):  # a comprehension or a lambda
            frame = frame.f_back
        reached.add((Path(frame.f_code.co_filename).relative_to(PACKAGE).as_posix(), frame.f_code.co_name))
        return original(*args, **kwargs)

    for module in list(sys.modules.values()):
        if module.__name__.startswith("rosenblatt") and getattr(module, "option", None) is original:
            monkeypatch.setattr(module, "option", spy)
    return reached


_SUGGESTION = re.compile(r"(--[a-z-]+(?:[ =](?:'[^']*'|[^\s;()]+))?); in Python")


@pytest.mark.slow
def test_every_suggestion_is_reached_and_runs_as_printed(files, monkeypatch):
    done("train", "good.csv", "--stream")  # imports all modules
    reached, failed = spy_on_option(monkeypatch), []
    for command, target in SCENARIOS:
        words = shlex.split(command)
        for road in ROADS if words[0] == "train" else [[]]:
            result = run(*words, *road)
            assert "Traceback" not in result.output
            suggested = _SUGGESTION.findall(result.stderr)
            if not suggested and words[0] != "predict":
                failed.append((command, road, "suggests nothing", result.output))
            for text in suggested:
                more = shlex.split(text.replace("COLUMN", target or "COLUMN"))
                if target is None and "COLUMN" in text:
                    continue  # the file has no other column
                kept = (
                    words[:2]
                    if words[2:3] and words[2].startswith("--") and words[2].split("=")[0] == more[0]
                    else words
                )
                kept = [word for word in kept if word != "--no-impute"] if more[0] == "--drop" else kept
                again = run(*kept, *road, *more)
                if again.exit_code:
                    failed.append((command, road, text, again.output))
    assert not failed
    no_labels_in_python()
    assert calls_in_source() <= reached


def no_labels_in_python():
    """Messages that commands do not reach, because they look at labels earlier."""
    record = train(data.read("good.csv"), Plan(parameters={"max_iter": 2})).record
    with pytest.raises(data.DataError, match="--target COLUMN"):
        data.read("no labels.csv", like=record.features).needs_labels()
    with pytest.raises(data.DataError, match="--target COLUMN"):
        train(data.scan("no labels.csv", like=record.features), Plan())
    with pytest.raises(data.DataError, match="--target COLUMN"):
        rosenblatt.models.evaluate(record, data.scan("no labels.csv", like=record.features))
    pd.DataFrame(TABLES["good.csv"]).assign(y=None).to_csv("unlabelled.csv", index=False)
    with pytest.raises(data.DataError, match="every label is missing"):
        data.read("unlabelled.csv", like=record.features).labelled()
