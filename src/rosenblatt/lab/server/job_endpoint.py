"""Handles one job request over HTTP: JSON body in, server-sent events out. Closing the connection cancels the job."""

import asyncio
import contextlib

from rosenblatt.lab.limits import BODY_SECONDS, MAX_BODY
from rosenblatt.lab.server.asgi import Receive, Scope, Send
from rosenblatt.lab.server.safety import refuse, respond
from rosenblatt.lab.server.worker_pool import BusyError, Workers

_MALFORMED = "malformed"  # event for a body that is not JSON; the page never sends one


class GoneError(Exception):
    """The client has closed the connection."""


class JobEndpoint:
    """ASGI endpoint: a `POST` request runs one job on `workers`."""

    def __init__(self, workers: Workers, job: str) -> None:
        self._workers = workers
        self._job = job

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "POST":
            await refuse(send, 405, "use POST")
            return
        try:
            async with asyncio.timeout(BODY_SECONDS):
                body = await _body(scope, receive)
        except TimeoutError:
            await refuse(send, 408, "the request took too long to arrive")
            return
        except asyncio.CancelledError:  # the server is shutting down
            await refuse(send, 503, "the lab was stopped before the request had arrived")
            return
        except GoneError:
            return
        if body is None:
            await refuse(send, 413, f"a request has at most {MAX_BODY >> 20} MB")
            return
        answer = asyncio.ensure_future(self._answer(body, _tab(scope), send))
        gone = asyncio.ensure_future(_disconnected(receive))
        try:
            await asyncio.wait({answer, gone}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (answer, gone):
                task.cancel()
            await asyncio.gather(gone, return_exceptions=True)
        with contextlib.suppress(asyncio.CancelledError):
            await answer

    async def _answer(self, body: bytes, tab: str, send: Send) -> None:
        started = False
        try:
            async with contextlib.aclosing(self._workers.ask(self._job, body, tab)) as events:
                async for event, data in events:
                    if not started:
                        if event == _MALFORMED:
                            await respond(send, 400, b"application/json", data)
                            return
                        started = True
                        headers = [(b"content-type", b"text/event-stream")]
                        await send({"type": "http.response.start", "status": 200, "headers": headers})
                    content = b"event: " + event.encode() + b"\ndata: " + data + b"\n\n"
                    await send({"type": "http.response.body", "body": content, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        except BusyError as error:
            await refuse(send, 503, str(error).rstrip("."))


async def _body(scope: Scope, receive: Receive) -> bytes | None:
    """Returns the whole body, or None if its declared or actual length exceeds `MAX_BODY`."""
    declared = dict(scope["headers"]).get(b"content-length", b"0")
    if not declared.isdigit() or int(declared) > MAX_BODY:
        return None
    parts, size = [], 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise GoneError
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > MAX_BODY:
            return None
        if not message.get("more_body", False):
            return b"".join(parts)


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _tab(scope: Scope) -> str:
    """Returns the client-supplied tab id. A false id is harmless: it only makes requests with that id wait in line."""
    headers: dict[bytes, bytes] = dict(scope["headers"])
    return headers.get(b"x-lab-tab", b"")[:64].decode("latin-1")
