"""Starts the lab on this machine."""

import contextlib
import secrets
import socket
import webbrowser
from collections.abc import Callable

from rosenblatt.lab.tables import Table

#: The year of Rosenblatt's paper.
PORT = 1958


def serve(
    given: Table | None = None,
    *,
    port: int | None = None,
    open_browser: bool = True,
    say: Callable[[str], object] = print,
) -> None:
    """Serves the lab on 127.0.0.1 until interrupted; without a port, on 1958 or any that is free.

    Examples
    --------
    >>> from rosenblatt import lab
    >>> lab.serve()  # doctest: +SKIP
    """
    try:
        import uvicorn

        from rosenblatt.lab.app import lab_app
    except ModuleNotFoundError as error:
        if error.name not in ("uvicorn", "starlette"):
            raise
        raise ModuleNotFoundError(f"the lab needs {error.name}: pip install 'rosenblatt[lab]'.") from error

    token = secrets.token_urlsafe(24)
    with _listening(port) as listener:
        actual = listener.getsockname()[1]
        app = lab_app(port=actual, token=token, given=given)
        address = f"http://127.0.0.1:{actual}/?token={token}"
        say(f"The lab is at {address}\nStop it with Ctrl-C.")
        if open_browser:
            webbrowser.open(address)
        config = uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            ws="none",
            server_header=False,
            limit_concurrency=128,
            timeout_graceful_shutdown=1,
        )
        with contextlib.suppress(KeyboardInterrupt):  # which is how one stops it
            uvicorn.Server(config).run(sockets=[listener])


def _listening(port: int | None) -> socket.socket:
    for wish in (PORT, 0) if port is None else (port,):
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", wish))
        except OSError as error:
            listener.close()
            if port is not None:
                raise OSError(error.errno, f"port {port} cannot be used ({error.strerror}). Choose another") from error
            continue
        listener.listen(128)
        return listener
    raise OSError("no port is free on 127.0.0.1")
