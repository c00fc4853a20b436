"""Work is limited: in number, in time, one job a tab; and what nobody waits for is ended."""

import asyncio
import contextlib
import json
import os
import signal
import socket
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from rosenblatt.lab.server import worker_process
from rosenblatt.lab.server.worker_pool import BusyError, Workers
from tests.lab.servers import PATIENCE, ask, raw_request, serving

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
async def pool(count=1):
    workers = Workers(count)
    workers.start()
    try:
        yield workers
    finally:
        await workers.close()


@pytest.mark.slow
def test_a_job_that_takes_too_long_is_ended_and_the_next_one_runs():
    async def story():
        async with pool() as workers:
            await final(workers, "data", QUICK)
            workers._seconds = 0.3
            event, data = await final(workers, "run", SLOW)
            assert event == "failed"
            assert "longer than 0.3 seconds" in json.loads(data)["message"]
            workers._seconds = 20.0
            assert (await final(workers, "data", QUICK))[0] == "answer"
            assert workers.pending == 0

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
def test_a_job_that_nobody_waits_for_is_given_up(monkeypatch):
    monkeypatch.setattr(worker_process, "GRACE_SECONDS", 0.05)  # a fast machine completes the job within half a second

    async def story():
        async with pool() as workers:
            await final(workers, "data", QUICK)
            (first,) = workers._all
            task = asyncio.ensure_future(final(workers, "run", SLOW))
            await asyncio.sleep(0.2)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            assert workers.pending == 0
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


def test_a_request_that_waits_too_long_for_a_worker_is_told_so(monkeypatch):
    monkeypatch.setattr("rosenblatt.lab.server.worker_pool.WAIT_SECONDS", 0.1)

    async def story():
        async with pool(count=0) as workers:  # as if all were at work
            for tab in ("a", "b"):
                event, data = await final(workers, "data", QUICK, tab)
                assert event == "failed"
                assert "no worker was free for 0.1 seconds" in json.loads(data)["message"]
            assert workers.pending == 0

    told(story)


@pytest.mark.slow
def test_a_worker_that_hangs_while_it_starts_is_reported_and_another_is_started(monkeypatch):
    monkeypatch.setattr("rosenblatt.lab.server.worker_process.START_SECONDS", 0.1)

    async def story():
        async with pool() as workers:
            event, data = await final(workers, "data", QUICK)
            assert event == "failed"
            assert "was not ready after 0.1 seconds" in json.loads(data)["message"]
            assert not workers._all
            monkeypatch.setattr("rosenblatt.lab.server.worker_process.START_SECONDS", 60.0)
            assert (await final(workers, "data", QUICK))[0] == "answer"

    told(story)


@pytest.mark.slow
def test_workers_that_are_killed_again_and_again_leave_no_request_without_an_answer():
    async def story():
        async with pool(count=2) as workers:

            async def kill():
                while True:
                    for worker in list(workers._all):
                        with contextlib.suppress(ProcessLookupError):
                            os.kill(worker._process.pid, signal.SIGKILL)
                    await asyncio.sleep(0.3)

            killing = asyncio.ensure_future(kill())
            events = await asyncio.gather(*(final(workers, "data", QUICK, str(tab)) for tab in range(8)))
            assert {event for event, _ in events} <= {"answer", "failed"}
            killing.cancel()
            await asyncio.gather(killing, return_exceptions=True)
            while (await final(workers, "data", QUICK))[0] != "answer":  # the last to be killed may be noticed here
                pass
            assert workers.pending == 0

    told(story)


@pytest.mark.slow
def test_closing_the_connection_ends_the_run_and_the_lab_goes_on():
    with serving() as lab:
        with socket.create_connection(("127.0.0.1", lab.port)) as connection:
            connection.sendall(raw_request(lab, "POST", "/api/run", SLOW))
            deadline = time.monotonic() + PATIENCE
            while lab.workers.pending == 0 and time.monotonic() < deadline:
                time.sleep(0.02)
            assert lab.workers.pending == 1
        while lab.workers.pending and time.monotonic() < deadline:
            time.sleep(0.02)
        assert lab.workers.pending == 0
        assert ask(lab, "data", QUICK)[0] == "answer"


def test_the_lab_listens_on_this_machine_only():
    from rosenblatt.lab.server.serve import _listening

    with _listening(0) as listener:
        assert listener.getsockname()[0] == "127.0.0.1"
        with pytest.raises(OSError, match="cannot be used"):
            _listening(listener.getsockname()[1])
