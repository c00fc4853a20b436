"""Labs for tests: the installed command in a process of its own, or the same server in a thread."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import urllib.request

from rosenblatt.lab.server.app import lab_app
from rosenblatt.lab.server.http_server import LabServer
from rosenblatt.lab.server.worker_pool import Workers

PATIENCE = 60  # seconds, after which a test calls an answer late: far more than any limit that it waits for


class Lab:
    """A running `rosenblatt lab`."""

    def __init__(self, *arguments, browser=False, stderr=None, env=None):
        command = [sys.executable, "-m", "rosenblatt", "lab", *arguments, "--port", "0"]
        self.process = subprocess.Popen(
            command if browser else [*command, "--no-browser"],
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
            env=os.environ | {"PYTHONUNBUFFERED": "1"} | (env or {}),
        )
        line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/\?token=(\S+)", line)
        assert found, f"the lab did not say where it is: {line!r}"
        self.address = found[0]
        self.root = self.address.partition("/?")[0]
        self.port, self.token = int(found[1]), found[2]

    def stop(self, how=signal.SIGINT):
        if self.process.poll() is None:
            self.process.send_signal(how)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self.stop()


class ThreadLab:
    """The same server in a thread of this process, so that a test can look at its workers and change its limits."""

    token = "t"

    def __init__(self, port):
        self.port = port
        self.workers = Workers(1)
        self.server = LabServer(lab_app(port=port, token=self.token, workers=self.workers), self.workers)


@contextlib.contextmanager
def serving():
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()  # so that who connects waits for the server
    lab = ThreadLab(listener.getsockname()[1])
    thread = threading.Thread(target=lab.server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield lab
    finally:
        lab.server.should_exit = True
        thread.join(20)
        listener.close()


def headers_of(lab):
    """The headers of a request that the lab's own page sends."""
    return {
        "Host": f"127.0.0.1:{lab.port}",
        "Origin": f"http://127.0.0.1:{lab.port}",
        "Cookie": f"rosenblatt_lab_{lab.port}={lab.token}",
        "Content-Type": "application/json",
    }


def ask(lab, job, question):
    """The last event of a job and its data."""
    request = urllib.request.Request(f"http://127.0.0.1:{lab.port}/api/{job}", data=question, headers=headers_of(lab))
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return last_event(answer.read())


def last_event(body):
    event, data = body.decode().strip().split("\n\n")[-1].split("\n")
    return event.removeprefix("event: "), json.loads(data.removeprefix("data: "))


def raw_request(lab, method, path, body=b""):
    """A request of the lab's own page, as the bytes that go over a socket."""
    lines = [f"{name}: {value}" for name, value in headers_of(lab).items()]
    return "\r\n".join([f"{method} {path} HTTP/1.1", *lines, f"Content-Length: {len(body)}", "\r\n"]).encode() + body
