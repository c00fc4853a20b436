"""Access control: only the page that this server delivered, on this machine, may send requests.

A page of another site can send requests to a local server from its visitor's browser. So every request must have a
`Host` header with one of the lab's own hosts (this stops DNS rebinding) and the cookie that only the printed address
sets. A request for work must also come from the lab's own origin and have the content type JSON, which an HTML form of
another site cannot send.
"""

import hmac
import re
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs

from rosenblatt.lab.server.asgi import ASGIApp, Message, Receive, Scope, Send

POLICY = "; ".join(
    [
        "default-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
)

HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
    "cache-control": "no-store",
}

_HOST = re.compile(r"(127\.0\.0\.1|localhost|\[::1\]):(\d{1,5})")


class Guard:
    """ASGI middleware that checks every request. As pure ASGI it also sees WebSockets and streams."""

    def __init__(self, app: ASGIApp, *, port: int, token: str) -> None:
        self._app = app
        self._port = port
        self._token = token
        self.cookie = f"rosenblatt_lab_{port}"  # with the port, because all ports of a host share their cookies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008, "reason": "the lab has no WebSockets"})
            return
        entering = False
        refusal = self._wrong_host(scope)
        if refusal is None:
            entering = self._has_entry_token(scope)
            refusal = None if entering or self._has_cookie(scope) else (403, _ENTRY)
        if refusal is None and scope["method"] not in ("GET", "HEAD"):
            refusal = self._wrong_write(scope)

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = message.setdefault("headers", [])
                headers += [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                if entering:
                    cookie = f"{self.cookie}={self._token}; Path=/; HttpOnly; SameSite=Strict"
                    headers.append((b"set-cookie", cookie.encode()))
            await send(message)

        if refusal is not None:
            await refuse(guarded, *refusal)
        else:
            await self._app(scope, receive, guarded)

    def _wrong_host(self, scope: Scope) -> tuple[int, str] | None:
        hosts = _values(scope, b"host")
        match = _HOST.fullmatch(hosts[0]) if len(hosts) == 1 else None
        if match is None or int(match[2]) != self._port:
            return 421, f"the lab answers to 127.0.0.1:{self._port}, localhost:{self._port} and [::1]:{self._port} only"
        return None

    def _wrong_write(self, scope: Scope) -> tuple[int, str] | None:
        if _values(scope, b"origin") != [f"http://{_values(scope, b'host')[0]}"]:
            return 403, "a request that asks for work must come from the lab's own page (Origin)"
        types = _values(scope, b"content-type")
        if len(types) != 1 or types[0].partition(";")[0].strip().lower() != "application/json":
            return 415, "send application/json"
        return None

    def _has_entry_token(self, scope: Scope) -> bool:
        """Whether the request is a GET of `/` with the token, the address that the command line prints."""
        if scope["path"] != "/" or scope["method"] != "GET":
            return False
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [])
        return len(given) == 1 and self._is_token(given[0])

    def _has_cookie(self, scope: Scope) -> bool:
        for header in _values(scope, b"cookie"):
            try:
                cookies = SimpleCookie(header)
            except CookieError:
                continue
            if self.cookie in cookies and self._is_token(cookies[self.cookie].value):
                return True
        return False

    def _is_token(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self._token.encode())


_ENTRY = (
    "open the lab by the address that the command line printed; it has a token. A copied link is opened there by Paste"
)


def _values(scope: Scope, name: bytes) -> list[str]:
    headers: Iterable[tuple[bytes, bytes]] = scope["headers"]
    return [value.decode("latin-1") for key, value in headers if key == name]


async def refuse(send: Send, status: int, why: str) -> None:
    """Sends an error status with a message in plain text."""
    await respond(send, status, b"text/plain; charset=utf-8", f"{status}: {why}.\n".encode())


async def respond(send: Send, status: int, media_type: bytes, body: bytes) -> None:
    """Sends a whole response. `Guard` adds the headers of every response."""
    headers = [(b"content-type", media_type), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
