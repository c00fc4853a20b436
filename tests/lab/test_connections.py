"""Connections that send nothing, or read nothing, keep nobody out; they are closed after a while."""

import contextlib
import socket
import time
import urllib.request

import pytest

from rosenblatt.lab.limits import MAX_CONNECTIONS
from rosenblatt.lab.server import http_server
from tests.lab.servers import PATIENCE, Lab, raw_request, serving


@pytest.fixture(scope="module")
def lab():
    with Lab() as running:
        yield running


@contextlib.contextmanager
def connected(port, sent=b""):
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        connection.sendall(sent)
        yield connection


def rest(connection):
    """All that the server sends until it closes the connection."""
    parts = []
    with contextlib.suppress(ConnectionResetError):
        while part := connection.recv(1 << 16):
            parts.append(part)
    return b"".join(parts)


def wait_until(condition):
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


HALF = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"


@pytest.mark.parametrize("sent", [b"", HALF, HALF + b"\r\n"], ids=["silent", "half a head", "kept alive, no token"])
def test_many_idle_connections_lock_nobody_out(lab, sent):
    with contextlib.ExitStack() as open_ones:
        idle = [open_ones.enter_context(connected(lab.port, sent)) for _ in range(MAX_CONNECTIONS + 12)]
        for _ in range(3):
            with urllib.request.urlopen(lab.address, timeout=PATIENCE) as page:
                assert page.status == 200
        assert len(idle) > MAX_CONNECTIONS


@pytest.mark.parametrize("sent", [b"", HALF], ids=["silent", "half a head"])
@pytest.mark.parametrize("answered", [False, True])
def test_a_connection_that_does_not_finish_the_head_of_a_request_is_closed(monkeypatch, answered, sent):
    monkeypatch.setattr(http_server, "HEAD_SECONDS", 0.2)
    with serving() as lab, connected(lab.port) as connection, contextlib.suppress(ConnectionError):
        if answered:
            connection.sendall(HALF + b"\r\n")
            connection.recv(1 << 16)
        connection.sendall(sent)
        rest(connection)  # a connection that stays open ends this with a time-out


@pytest.mark.slow
def test_a_request_that_is_being_answered_is_not_closed_as_idle():
    with serving() as lab, connected(lab.port, raw_request(lab, "POST", "/api/data", b'{"name": "xor"}')) as connection:
        wait_until(lambda: lab.workers.pending == 1)
        (protocol,) = lab.server.server_state.connections
        protocol.loop.call_soon_threadsafe(protocol._drop_if_idle)
        received = b""
        while b"event: answer" not in received:
            part = connection.recv(1 << 16)
            assert part, received
            received += part


@pytest.mark.slow
def test_a_client_that_reads_nothing_of_its_answers_is_dropped(monkeypatch):
    monkeypatch.setattr(http_server, "STALL_SECONDS", 0.2)
    with serving() as lab, connected(lab.port, raw_request(lab, "GET", "/static/ui/style.css")) as connection:
        assert connection.recv(1)
        connection.settimeout(1)  # the server stops reading, too
        with contextlib.suppress(TimeoutError, ConnectionError):
            connection.sendall(raw_request(lab, "GET", "/static/ui/style.css") * 1500)
        wait_until(lambda: not lab.server.server_state.connections)
