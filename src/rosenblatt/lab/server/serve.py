"""Starts the lab on this machine."""

import contextlib
import secrets
import socket
import threading
import webbrowser
from collections.abc import Callable

from rosenblatt.conventions import Convention
from rosenblatt.lab.jobs.pasted_tables import Table
from rosenblatt.lab.limits import MAX_CONNECTIONS
from rosenblatt.lab.server.redirect import redirect_file

#: The year of Rosenblatt's paper.
PORT = 1958


def serve(
    given: Table | None = None,
    *,
    port: int | None = None,
    open_browser: bool = True,
    say: Callable[[str], object] = print,
    convention: Convention | None = None,
) -> None:
    """Serves the lab on 127.0.0.1 until interrupted. Without a port, uses 1958 or, if that is taken, any free port.

    `convention` is the dialect with which the page opens: one of the lectures' or your own.

    Examples
    --------
    >>> from rosenblatt import lab
    >>> lab.serve()  # doctest: +SKIP
    """
    try:
        from rosenblatt.lab.server.app import lab_app, workers_for
        from rosenblatt.lab.server.http_server import LabServer
    except ModuleNotFoundError as error:
        if error.name not in ("uvicorn", "starlette"):
            raise
        raise ModuleNotFoundError(f"the lab needs {error.name}: pip install 'rosenblatt[lab]'.") from error

    token = secrets.token_urlsafe(24)
    with _listening(port) as listener, contextlib.ExitStack() as opened:
        actual = listener.getsockname()[1]
        workers = workers_for(given)
        app = lab_app(port=actual, token=token, given=given, workers=workers, convention=convention)
        address = f"http://127.0.0.1:{actual}/?token={token}"
        say(f"The lab is at {address}\nStop it with Ctrl-C.")
        if open_browser:
            page = opened.enter_context(redirect_file(address))
            # In a thread, because `webbrowser.open` may block until the browser is closed.
            threading.Thread(target=webbrowser.open, args=(page,), daemon=True).start()
        with contextlib.suppress(KeyboardInterrupt):  # Ctrl-C is the normal way to stop the lab
            LabServer(app, workers, at_end=opened.close).run(sockets=[listener])


def _listening(port: int | None) -> socket.socket:
    for candidate in (PORT, 0) if port is None else (port,):
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", candidate))
        except OSError as error:
            listener.close()
            if port is not None:
                raise OSError(error.errno, f"port {port} cannot be used ({error.strerror}). Choose another") from error
            continue
        listener.listen(MAX_CONNECTIONS)
        return listener
    raise OSError("no port is free on 127.0.0.1")
