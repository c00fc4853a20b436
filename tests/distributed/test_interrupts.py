"""Ctrl-C while `rosenblatt train --workers 2` runs: the command and its workers as a terminal's process group."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import psutil
import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name == "nt", reason="a process group gets a signal on POSIX only"),
]


def endless(folder: Path) -> Path:
    """Examples that no hyperplane separates, so that a perceptron without a limit of epochs goes on for minutes."""
    random = np.random.default_rng(0)
    np.savetxt(folder / "t.csv", np.column_stack([random.normal(size=(300, 4)), np.arange(300) % 2]), delimiter=",")
    return folder / "t.csv"


def alive(group: int) -> list[int]:
    """The processes of a group that still run."""
    found = []
    for process in psutil.process_iter(["pid", "status"]):
        try:
            mine = os.getpgid(process.pid) == group
        except ProcessLookupError:
            continue
        if mine and process.info["status"] != psutil.STATUS_ZOMBIE:
            found.append(process.pid)
    return found


def interrupted(command: list[str], until: str, presses: int) -> tuple[int, list[str]]:
    """Runs a command in a group of its own, and presses Ctrl-C once stderr says `until`: exit code and stderr."""
    process = subprocess.Popen(
        [sys.executable, "-m", "rosenblatt", *command],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    said: list[str] = []
    try:
        while not said or until not in said[-1]:
            line = process.stderr.readline()
            assert line, said  # else it has ended
            said.append(line.rstrip())
        for _ in range(presses):
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGINT)
            time.sleep(0.1)
        said += process.stderr.read().splitlines()  # until the last process that could write has ended
        code, deadline = process.wait(), time.monotonic() + 30
        while alive(process.pid):  # files are closed a moment before a process is gone
            assert time.monotonic() < deadline, "a worker is left behind"
        return code, [line for line in said if line]
    finally:
        for pid in alive(process.pid):
            os.kill(pid, signal.SIGKILL)
        process.wait()
        process.stderr.close()


def but_for_progress(said: list[str]) -> list[str]:
    """What stderr says besides; on a busy machine a command comes some way before it gets the signal."""
    return [line for line in said if "epoch" not in line and not line.endswith("…")]


@pytest.mark.parametrize("presses", [1, 4])
def test_ctrl_c_ends_the_workers_too_and_is_told_in_one_line(tmp_path: Path, presses: int) -> None:
    place, model = tmp_path / "run.npz", tmp_path / "m.json"
    command = ["train", str(endless(tmp_path)), "--no-header", "--algorithm", "Perceptron", "--workers", "2"]
    code, said = interrupted([*command, "--checkpoint", str(place), "-o", str(model)], "epoch 1:", presses)
    assert code == 130
    assert said[-1] == f"Interrupted: no model was written; {place} is kept, and --resume goes on from it."
    assert but_for_progress(said) == said[-1:]
    assert place.stat().st_size
    assert not model.exists()


def test_ctrl_c_while_the_workers_start_is_told_in_one_line(tmp_path: Path) -> None:
    code, said = interrupted(["train", str(endless(tmp_path)), "--no-header", "--workers", "2"], "starting", 1)
    assert (code, but_for_progress(said)) == (130, ["Interrupted: nothing was written."])
