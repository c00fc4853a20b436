"""Work is limited: in number, in time, one job a tab; and what nobody waits for is ended."""

import asyncio
import contextlib
import json
import socket
import threading
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest
import uvicorn

from rosenblatt.lab.app import lab_app
from rosenblatt.lab.workers import BusyError, Workers

QUICK = json.dumps({"name": "lecture4"}).encode()
POINTS = {"x": [[k % 97 / 7, k % 89 / 5] for k in range(3000)], "y": [k % 2 for k in range(3000)]}
SLOW = json.dumps(
    POINTS | {"rule": {"order": "misclassified", "multi_class": "joint", "max_steps": 200_000, "eta0": 0.1}}
).encode()


async def final(workers, job, question, tab="tab"):
    async with contextlib.aclosing(workers.ask(job, question, tab)) as events:
        return [event async for event in events][-1]


def told(story):
    """Runs a story in a thread of its own: in this one a browser's event loop may be running."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(story())).result()


@contextlib.asynccontextmanager
async def pool(count=1, seconds=20.0):
    workers = Workers(count, seconds=seconds)
    workers.start()
    try:
        yield workers
    finally:
        await workers.close()


@pytest.mark.slow
def test_a_job_that_takes_too_long_is_ended_and_the_next_one_runs():
    async def story():
        async with pool(seconds=0.3) as workers:
            await final(workers, "data", QUICK)
            event, data = await final(workers, "run", SLOW)
            assert event == "failed"
            assert "longer than 0.3 seconds" in json.loads(data)["message"]
            workers._seconds = 20.0
            assert (await final(workers, "data", QUICK))[0] == "answer"
            assert workers.in_hand == 0

    told(story)


@pytest.mark.slow
def test_one_tabs_heavy_run_does_not_hold_up_another():
    async def story():
        async with pool(count=2) as workers:
            await asyncio.gather(*(final(workers, "data", QUICK, f"warm{k}") for k in range(2)))
            heavy = asyncio.ensure_future(final(workers, "run", SLOW, "heavy"))
            waiting = asyncio.ensure_future(final(workers, "run", SLOW, "heavy"))
            await asyncio.sleep(0.1)
            assert (await final(workers, "data", QUICK, "light"))[0] == "answer"
            assert not heavy.done()
            for task in (heavy, waiting):
                task.cancel()
            await asyncio.gather(heavy, waiting, return_exceptions=True)

    told(story)


@pytest.mark.slow
def test_a_job_that_nobody_waits_for_is_given_up():
    async def story():
        async with pool() as workers:
            await final(workers, "data", QUICK)
            (first,) = workers._all
            task = asyncio.ensure_future(final(workers, "run", SLOW))
            await asyncio.sleep(0.2)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            assert workers.in_hand == 0
            assert (await final(workers, "data", QUICK))[0] == "answer"
            assert first not in workers._all
            assert len(workers._all) == 1

    told(story)


def test_too_many_waiting_requests_are_turned_away():
    async def story():
        async with pool() as workers:
            tasks = [asyncio.ensure_future(final(workers, "data", QUICK, str(k))) for k in range(32)]
            await asyncio.sleep(0)
            with pytest.raises(BusyError, match="waiting"):
                await final(workers, "data", QUICK, "late")
            assert {event for event, _ in await asyncio.gather(*tasks)} == {"answer"}

    told(story)


@contextlib.contextmanager
def serving():
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()  # so that who connects waits for the server
    port = listener.getsockname()[1]
    workers = Workers(1)
    server = uvicorn.Server(
        uvicorn.Config(lab_app(port=port, token="t", workers=workers), log_level="error", ws="none")
    )
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield port, workers
    finally:
        server.should_exit = True
        thread.join(20)
        listener.close()


@pytest.mark.slow
def test_closing_the_connection_ends_the_run_and_the_lab_goes_on():
    with serving() as (port, workers):
        head = (
            f"POST /api/run HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
            f"Cookie: rosenblatt_lab_{port}=t\r\nContent-Type: application/json\r\nContent-Length: {len(SLOW)}\r\n\r\n"
        )
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(head.encode() + SLOW)
            deadline = time.monotonic() + 30
            while workers.in_hand == 0 and time.monotonic() < deadline:
                time.sleep(0.02)
            assert workers.in_hand == 1
        while workers.in_hand and time.monotonic() < deadline:
            time.sleep(0.02)
        assert workers.in_hand == 0
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}/api/data",
            data=QUICK,
            headers={
                "Origin": f"http://127.0.0.1:{port}",
                "Cookie": f"rosenblatt_lab_{port}=t",
                "Content-Type": "application/json",
            },
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            assert b"event: answer" in answer.read()


def test_the_lab_listens_on_this_machine_only():
    from rosenblatt.lab.server import _listening

    with _listening(0) as listener:
        assert listener.getsockname()[0] == "127.0.0.1"
        with pytest.raises(OSError, match="cannot be used"):
            _listening(listener.getsockname()[1])
