"""The command line as a process: exit codes, errors, interrupts, kills, and what it imports."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import rosenblatt
from tests.cli.running import error, run


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["train", "nowhere.csv"], "nowhere.csv: No such file or directory"),
        (["train", "/usr"], "the folder has no files whose names end as data do (.csv, "),
        (["train", "@and", "--plot", "x.gif"], "png, svg, pdf"),
        (["train", "@iris", "--plot", "x.png", "--pair", "a,b"], "--pair takes two features"),
        (["train", "@iris", "--plot", "x.png", "--plot-kind", "margins"], "drawn for 2 classes"),
        (["train", "@and", "-o", "/nowhere/m.json"], "there is no folder /nowhere"),
        (["train", "@and", "--cv", "3"], "need at least 2 examples of every class"),
        (["predict", "nowhere.json", "@and"], "nowhere.json: No such file"),
        (["inspect", "/dev/null"], "not complete JSON"),
    ],
)
def test_errors_are_reported_in_one_line(tmp_path, monkeypatch, args, message):
    monkeypatch.chdir(tmp_path)
    assert message in error(*args)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "args",
    [
        ["train"],
        ["train", "@nope"],
        ["train", "@and", "--order", "sideways"],
        ["train", "@and", "--eta0", "-1"],
        ["train", "@and", "--set", "eta0=-1"],
        ["train", "@and", "--set", "nope=1"],
        ["train", "@and", "--algorithm", "Oracle"],
        ["train", "@and", "--set", "x"],
        ["train", "@and", "--quiet", "--json"],
        ["train", "@and", "--delimiter", "xy"],
        ["fly"],
    ],
)
def test_wrong_usage_exits_with_2(args):
    assert run(*args).exit_code == 2


def test_an_interrupt_exits_with_130(monkeypatch):
    def interrupted(*_args, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr("rosenblatt.data.reader.read", interrupted)
    result = run("train", "@and")
    assert result.exit_code == 130
    assert "nothing was written" in result.stderr


@pytest.mark.slow
def test_ctrl_c_exits_with_130_in_one_line(tmp_path):
    command = [sys.executable, "-m", "rosenblatt", "train", "-", "-o", str(tmp_path / "m.json")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        time.sleep(2)  # by then it waits for its input
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130
        assert process.stderr.read().strip() == b"Interrupted: nothing was written."
    assert not (tmp_path / "m.json").exists()


def test_a_place_where_nothing_can_be_written_is_refused_before_any_work(tmp_path):
    assert "no folder" in error("train", "@iris", "-o", tmp_path / "absent" / "m.json")
    assert "is a folder" in error("train", "@iris", "-o", tmp_path)


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="a file that opens and cannot be read")
@pytest.mark.parametrize("command", [["train"], ["train", "--stream"], ["check"], ["inspect"]])
def test_a_file_that_cannot_be_read_is_named(command):
    assert error(*command, "/proc/self/mem").startswith("Error: /proc/self/mem: I")


def limited(*args, size=20_000, **how):
    """Runs a command that may write no file of more bytes, as on a full disk."""
    resource = pytest.importorskip("resource")
    command = [sys.executable, "-m", "rosenblatt", *map(str, args)]
    limit = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))}
    return subprocess.run(command, capture_output=True, text=True, check=False, **limit, **how)


def test_a_full_disk_names_the_file_that_could_not_be_written(tmp_path):
    (tmp_path / "t.svm").write_text("".join(f"{k % 2} 1:{k % 2} {k + 2}:1\n" for k in range(20_000)))
    told = limited("train", "t.svm", "-q", "-o", "m.json", cwd=tmp_path)
    assert (told.returncode, told.stderr) == (1, "Error: m.json: File too large.\n")
    subprocess.run(
        [sys.executable, "-m", "rosenblatt", "train", "t.svm", "-q", "-o", "m.json"], cwd=tmp_path, check=True
    )
    told = limited("predict", "m.json", "t.svm", "-o", "p.csv", cwd=tmp_path)
    assert (told.returncode, told.stderr) == (1, "Error: p.csv: File too large.\n")
    told = limited("export", "m.json", "--c", "m.h", cwd=tmp_path)
    assert (told.returncode, told.stderr) == (1, "Error: m.h: File too large.\n")
    with (tmp_path / "t.svm").open() as file:
        told = limited(
            "train", "-", "--stream", "-q", cwd=tmp_path, stdin=file, env=os.environ | {"TMPDIR": str(tmp_path)}
        )
    assert told.returncode == 1
    assert told.stderr.startswith(f"Error: the disk is full: {tmp_path} has no room for a copy of standard input")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m.json", "t.svm"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
def test_a_full_device_is_named():
    assert error("train", "@and", "-q", "-o", "/dev/full") == "Error: /dev/full: No space left on device."


@pytest.mark.parametrize("options", [[], ["--stream"]])
def test_a_closed_standard_input_is_an_error(options):
    command = [sys.executable, "-m", "rosenblatt", "train", "-", *options]
    closed = {"preexec_fn": lambda: os.close(0)}
    told = subprocess.run(command, capture_output=True, text=True, check=False, **closed)
    assert told.returncode == 1
    assert told.stderr.startswith("Error: standard input is closed. ")


def test_a_missing_extra_is_named(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    monkeypatch.delitem(sys.modules, "rosenblatt.plot.picture", raising=False)
    assert "pip install 'rosenblatt[plot]'" in error("train", "@and", "--plot", tmp_path / "x.png")


def test_python_m_rosenblatt_is_the_command_line():
    told = subprocess.run(
        [sys.executable, "-m", "rosenblatt", "train", "@and", "--json"], capture_output=True, check=True
    )
    assert json.loads(told.stdout)["ending"]["status"] == "separated"


def test_help_imports_neither_numpy_nor_scikit_learn():
    code = "import sys, rosenblatt.cli; print([m for m in ('numpy', 'sklearn', 'pyarrow', 'rich') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_training_on_a_small_table_imports_no_scipy(tmp_path):
    """The import would take longer than the search, the fits and the verdict together."""
    table = tmp_path / "table.csv"
    rows = [f"{k % 7},{k % 5},{'yes' if (k % 7 > k % 5) != (k % 11 == 0) else 'no'}" for k in range(100)]
    table.write_text("\n".join(["a,b,answer", *rows]), encoding="utf-8")
    code = (
        "import sys; from rosenblatt.cli import main; "
        f"main(['train', {str(table)!r}, '--json'], standalone_mode=False); "
        "print([m for m in ('sklearn', 'scipy', 'pandas', 'narwhals') if m in sys.modules])"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    report, _, imported = told.rstrip("\n").rpartition("\n")
    assert json.loads(report)["separability"]["inseparable"] == 1
    assert imported == "[]"


@pytest.mark.slow
def test_killing_train_at_any_moment_leaves_the_old_model_or_the_new(tmp_path):
    """Fifty times: `rosenblatt train … -o` over an existing model, kill -9 at a random moment, and read what is there.

    Half of the moments are spread over the whole run, half over its end, where the files are written. Two data sets
    take turns, so that a whole model of either can be told from a mixture.
    """
    rng = np.random.default_rng(0)
    n = 300_000  # features, so that the weights take a while to write
    model = tmp_path / "m.json"
    for name, sign in (("a", 1), ("b", -1)):
        lines = [f"{sign * (-1) ** k:+d} {k + 1}:1 {n}:{k % 7}\n" for k in range(200)]
        (tmp_path / f"{name}.svm").write_text("".join(lines))

    def command(name):
        train = ["train", str(tmp_path / f"{name}.svm"), "--quiet", "--max-iter", "1", "-o", str(model)]
        return [sys.executable, "-m", "rosenblatt", *train]

    whole, seconds = {}, []
    for name in ("a", "b", "a"):
        begin = time.perf_counter()
        subprocess.run(command(name), check=True)
        seconds.append(time.perf_counter() - begin)
        whole[name] = rosenblatt.models.read(model)
    outcomes = []
    for k in range(50):
        name, last = ("b", "a") if k % 2 else ("a", "b")
        rosenblatt.models.write(whole[last], model)
        process = subprocess.Popen(command(name))
        if k % 10 == 9:
            process.wait()  # on a machine that has become busy, no other may get to its end
        else:
            time.sleep(min(seconds) * float(rng.uniform(0, 1.2) if k % 4 < 2 else rng.uniform(0.7, 1.2)))
        process.kill()
        process.wait()
        found = rosenblatt.models.read(model)
        source = Path(found.training["source"]).stem
        outcomes.append(source == name)
        np.testing.assert_array_equal(found.fitted["coef_"], whole[source].fitted["coef_"])
    assert any(outcomes)
    assert not all(outcomes)
    rosenblatt.models.write(whole["a"], model)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.svm", "b.svm", "m.json"]
