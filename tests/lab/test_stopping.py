"""Workers that do not start, that die, and a lab that is stopped: every request is answered in words."""

import json
import os
import signal
import socket
import subprocess

import pytest

from tests.lab.servers import PATIENCE, Lab, ask, raw_request

QUICK = json.dumps({"name": "lecture4"}).encode()

# Python imports this module first in every process: here it spoils the start of the lab's workers only.
SPOILER = """\
import os, sys, time
if "rosenblatt.lab.server.worker" in sys.orig_argv and os.path.exists({flag!r}):
    {fault}
"""


@pytest.fixture
def spoiled(tmp_path):
    """Makes the start of workers fail while a file exists; gives the file and the environment."""

    def made(fault):
        flag = tmp_path / "flag"
        flag.touch()
        (tmp_path / "sitecustomize.py").write_text(SPOILER.format(flag=str(flag), fault=fault))
        return flag, {"PYTHONPATH": os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])}

    return made


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("os._exit(3)", "died while it started (exit status 3)"),
        ("os.kill(os.getpid(), 9)", "died while it started (signal 9)"),
        (
            "import resource; resource.setrlimit(resource.RLIMIT_AS, (50 << 20, 50 << 20)); bytearray(1 << 30)",
            "died while it started (",
        ),
    ],
    ids=["exit", "killed", "memory"],
)
def test_workers_that_die_while_they_start_are_reported_and_the_next_request_starts_them(spoiled, fault, words):
    flag, env = spoiled(fault)
    with Lab(env=env, stderr=subprocess.DEVNULL) as lab:
        for _ in range(2):
            event, data = ask(lab, "data", QUICK)
            assert event == "failed"
            assert words in data["message"]
        flag.unlink()
        assert ask(lab, "data", QUICK)[0] == "answer"
        assert ask(lab, "data", QUICK)[0] == "answer"


@pytest.mark.slow
def test_a_lab_that_is_stopped_answers_the_requests_in_hand_in_words(spoiled, tmp_path):
    _, env = spoiled("time.sleep(1000)")  # so that a request is in hand for certain
    with (tmp_path / "said").open("w+") as said, Lab(env=env, stderr=said) as lab:
        with socket.create_connection(("127.0.0.1", lab.port), timeout=PATIENCE) as connection:
            connection.sendall(raw_request(lab, "GET", "/api/catalogue"))
            assert connection.recv(1 << 16).startswith(b"HTTP/1.1 200")
            with socket.create_connection(("127.0.0.1", lab.port), timeout=PATIENCE) as asking:
                asking.sendall(raw_request(lab, "POST", "/api/proof", QUICK))
                lab.process.send_signal(signal.SIGINT)
                answer = b"".join(iter(lambda: asking.recv(1 << 16), b""))
        assert answer.startswith(b"HTTP/1.1 200")
        assert b'{"message": "the lab was stopped."}' in answer
        assert lab.process.wait(PATIENCE) == 0
        said.seek(0)
        assert said.read() == ""
