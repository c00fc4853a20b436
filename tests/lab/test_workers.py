"""Work is limited: in number, in time, one job a tab; and what nobody waits for is ended."""

import asyncio
import contextlib
import json
import socket
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from rosenblatt.lab.workers import BusyError, Workers
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


@pytest.mark.slow
def test_closing_the_connection_ends_the_run_and_the_lab_goes_on():
    with serving() as lab:
        with socket.create_connection(("127.0.0.1", lab.port)) as connection:
            connection.sendall(raw_request(lab, "POST", "/api/run", SLOW))
            deadline = time.monotonic() + PATIENCE
            while lab.workers.in_hand == 0 and time.monotonic() < deadline:
                time.sleep(0.02)
            assert lab.workers.in_hand == 1
        while lab.workers.in_hand and time.monotonic() < deadline:
            time.sleep(0.02)
        assert lab.workers.in_hand == 0
        assert ask(lab, "data", QUICK)[0] == "answer"


def test_the_lab_listens_on_this_machine_only():
    from rosenblatt.lab.server import _listening

    with _listening(0) as listener:
        assert listener.getsockname()[0] == "127.0.0.1"
        with pytest.raises(OSError, match="cannot be used"):
            _listening(listener.getsockname()[1])
