"""The lab as an ASGI application: a page, its files, and jobs."""

import contextlib
from collections.abc import AsyncIterator

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rosenblatt.lab.asgi import ASGIApp
from rosenblatt.lab.assets import assets
from rosenblatt.lab.catalogue import catalogue
from rosenblatt.lab.export import shell
from rosenblatt.lab.jobs import JobEndpoint
from rosenblatt.lab.safety import Guard
from rosenblatt.lab.service import JOBS, encoded
from rosenblatt.lab.tables import Table, to_message
from rosenblatt.lab.workers import Workers


def workers_for(given: Table | None) -> Workers:
    """The two workers of a lab, which know the table that it was started with."""
    return Workers(2, encoded(to_message(given)) if given else b"null")


def lab_app(*, port: int, token: str, given: Table | None = None, workers: Workers | None = None) -> ASGIApp:
    """The application behind its guard, for one port and one token."""
    pool = workers or workers_for(given)

    @contextlib.asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        pool.start()
        try:
            yield
        finally:
            await pool.close()

    async def page(_request: Request) -> Response:
        return _asset("index.html")

    async def asset(request: Request) -> Response:
        return _asset(request.path_params["name"])

    async def known(_request: Request) -> Response:
        return Response(encoded(catalogue(given)), media_type="application/json")

    async def replay(_request: Request) -> Response:
        return Response(shell(), media_type="text/plain")  # to be filled in by the page and saved, not shown

    routes = [
        Route("/", page),
        Route("/static/{name:path}", asset),
        Route("/api/catalogue", known),
        Route("/api/shell", replay),
        *(Route(f"/api/{job}", JobEndpoint(pool, job)) for job in JOBS),
    ]
    return Guard(Starlette(routes=routes, lifespan=lifespan), port=port, token=token)


def _asset(name: str) -> Response:
    if name not in assets():
        return Response(f"404: the lab has no file {name[:80]!r}.\n", status_code=404, media_type="text/plain")
    media_type, content = assets()[name]
    return Response(content, headers={"content-type": media_type})
