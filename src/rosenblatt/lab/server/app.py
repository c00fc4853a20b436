"""The lab as an ASGI application: the page, its static files, and the job endpoints."""

import contextlib
from collections.abc import AsyncIterator

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rosenblatt.conventions import Convention
from rosenblatt.lab.jobs.catalogue import catalogue
from rosenblatt.lab.jobs.pasted_tables import Table, to_message
from rosenblatt.lab.jobs.service import JOBS, encoded
from rosenblatt.lab.page.assets import assets
from rosenblatt.lab.page.replay_file import shell
from rosenblatt.lab.server.asgi import ASGIApp
from rosenblatt.lab.server.job_endpoint import JobEndpoint
from rosenblatt.lab.server.safety import Guard
from rosenblatt.lab.server.worker_pool import Workers


def workers_for(given: Table | None) -> Workers:
    """Returns a pool of two workers, initialized with the table that the lab was started with."""
    return Workers(2, encoded(to_message(given)) if given else b"null")


def lab_app(
    *,
    port: int,
    token: str,
    given: Table | None = None,
    workers: Workers | None = None,
    convention: Convention | None = None,
) -> ASGIApp:
    """Returns the application, wrapped in `Guard` for one port and one token."""
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
        return Response(encoded(catalogue(given, convention)), media_type="application/json")

    async def replay(_request: Request) -> Response:
        return Response(shell(), media_type="text/plain")  # the page fills in the data and saves it as a file

    routes = [
        Route("/", page),
        # Compressed, for labs that are opened through a tunnel.
        Route("/static/{name:path}", asset, middleware=[Middleware(GZipMiddleware)]),
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
