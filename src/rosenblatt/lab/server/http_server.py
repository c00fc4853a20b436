"""The HTTP server: uvicorn with connection limits, and a shutdown that answers all pending requests.

On one machine all clients have the same IP address, so a limit per address cannot stop one program from locking out
another. Instead, idle connections time out quickly, and if there are too many connections, the one that has been idle
longest is closed: a new connection is always accepted. A client without the token is refused at once, so its
connections are idle.
"""

import asyncio
import socket
from collections.abc import Callable
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from rosenblatt.lab.limits import HEAD_SECONDS, MAX_CONNECTIONS, STALL_SECONDS
from rosenblatt.lab.server.asgi import ASGIApp
from rosenblatt.lab.server.worker_pool import Workers


class LimitedProtocol(H11Protocol):
    """One connection. It is idle while no request is being answered: the next request head has not arrived yet."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._idle_since = 0.0
        self._head_timer: asyncio.TimerHandle | None = None
        self._stall_timer: asyncio.TimerHandle | None = None

    @property
    def is_idle(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._expect_head()
        if len(self.connections) >= MAX_CONNECTIONS:
            others = [other for other in self.connections if isinstance(other, LimitedProtocol) and other is not self]
            idle = [other for other in others if other.is_idle]
            if idle:
                min(idle, key=lambda other: other._idle_since)._drop()

    def connection_lost(self, exc: Exception | None) -> None:
        for timer in (self._head_timer, self._stall_timer):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._expect_head()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._stall_timer = self.loop.call_later(STALL_SECONDS, self._drop)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._stall_timer is not None:
            self._stall_timer.cancel()

    def _expect_head(self) -> None:
        self._idle_since = self.loop.time()
        if self._head_timer is not None:
            self._head_timer.cancel()
        self._head_timer = self.loop.call_later(HEAD_SECONDS, self._drop_if_idle)

    def _drop_if_idle(self) -> None:
        if self.is_idle:
            self._drop()

    def _drop(self) -> None:
        self.connections.discard(self)
        self.transport.abort()


class LabServer(uvicorn.Server):
    """A server whose shutdown first ends the workers, so that every pending request is answered with a message.

    `at_end` is called last. This also happens if SIGTERM then ends the process before any `finally` block runs.
    """

    def __init__(self, app: ASGIApp, workers: Workers, at_end: Callable[[], None] = lambda: None) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http=LimitedProtocol,
                ws="none",
                log_level="warning",
                access_log=False,
                server_header=False,
                backlog=MAX_CONNECTIONS,
                limit_concurrency=MAX_CONNECTIONS,
                timeout_graceful_shutdown=1,
            )
        )
        self._workers = workers
        self._at_end = at_end

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._workers.close()
        await super().shutdown(sockets)
        self._at_end()
