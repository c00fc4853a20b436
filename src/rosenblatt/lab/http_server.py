"""The HTTP server: uvicorn, with limits on connections, and an end that answers the requests in hand.

On one machine all clients have the same address, so no limit by address keeps one program from locking out another.
Instead, a connection that waits for its client has little time, and the one that has waited longest is closed when
there are too many: a new one always gets in. A client without the token is answered at once, so it can only wait.
"""

import asyncio
import socket
from collections.abc import Callable
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from rosenblatt.lab.asgi import ASGIApp
from rosenblatt.lab.limits import HEAD_SECONDS, MAX_CONNECTIONS, STALL_SECONDS
from rosenblatt.lab.workers import Workers


class LimitedProtocol(H11Protocol):
    """One connection. Idle means that no request is being answered: its head has not arrived yet."""

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
    """Ends the workers first when it stops, so that every request in hand is answered in words.

    `at_end` is called last, also where the process is then ended by SIGTERM and no `finally` is reached.
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
