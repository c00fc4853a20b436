"""Ctrl-C while `rosenblatt train --workers 2` runs: the command and its workers as a terminal's process group."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import psutil
import pytest

from rosenblatt.distributed.cluster.engine import Cluster

pytestmark = pytest.mark.skipif(os.name == "nt", reason="a process group gets a signal on POSIX only")


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


class InterruptedClient:
    """A client that gets Ctrl-C while it submits a task."""

    def __init__(self) -> None:
        self.submitted = 0

    def submit(self, function: object, *args: object, pure: bool) -> None:
        signal.raise_signal(signal.SIGINT)
        self.submitted += 1  # an interrupt that is not delayed is raised before this line


@pytest.fixture
def python_s_own_interrupt() -> Iterator[None]:
    """Ctrl-C raises KeyboardInterrupt, whatever tests before have left."""
    mask = signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, handler)
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)


@pytest.mark.usefixtures("python_s_own_interrupt")
def test_ctrl_c_while_a_task_is_submitted_waits_until_it_is_submitted() -> None:
    client = InterruptedClient()
    with pytest.raises(KeyboardInterrupt):
        Cluster(client, None).submit(print)
    assert client.submitted == 1
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.slow
@pytest.mark.parametrize("presses", [1, 4])
def test_ctrl_c_ends_the_workers_and_is_reported_in_one_line(tmp_path: Path, presses: int) -> None:
    place, model = tmp_path / "run.npz", tmp_path / "m.json"
    command = ["train", str(endless(tmp_path)), "--no-header", "--algorithm", "Perceptron", "--workers", "2"]
    code, said = interrupted([*command, "--checkpoint", str(place), "-o", str(model)], "epoch 1:", presses)
    assert code == 130
    assert said[-1] == f"Interrupted: no model was written; {place} is kept, and --resume continues from it."
    assert but_for_progress(said) == said[-1:]
    assert place.stat().st_size
    assert not model.exists()


@pytest.mark.slow
def test_ctrl_c_while_the_workers_start_is_reported_in_one_line(tmp_path: Path) -> None:
    code, said = interrupted(["train", str(endless(tmp_path)), "--no-header", "--workers", "2"], "starting", 1)
    assert (code, but_for_progress(said)) == (130, ["Interrupted: nothing was written."])
