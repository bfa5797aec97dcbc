"""A secret of each browser, without which nobody gets its sessions, even with their ids.

Streamlit gives a session to whoever connects with its id and has the same ``st.user`` as the browser that began it. This
middleware passes the browser's secret on in a header, which ``server.trustedUserHeaders`` makes a part of ``st.user``: with
another secret, or with none, Streamlit begins a new session.
"""

import secrets

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "dashboard_browser"  # with the secret; scripts of the page cannot read it
HEADER = "x-dashboard-browser"  # .streamlit/config.toml names it, too


class BrowserIdentity:
    """ASGI middleware: a browser has the cookie from its first page on, and its websocket connections the header."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            scope = _identified(scope)
        elif scope["type"] == "http" and COOKIE not in HTTPConnection(scope).cookies:
            send = _with_cookie(send)
        await self.app(scope, receive, send)


def _identified(scope: Scope) -> Scope:
    """The scope with the secret of its cookie in the header, and without what the client wrote there."""
    headers = MutableHeaders(raw=list(scope["headers"]))
    headers[HEADER] = HTTPConnection(scope).cookies.get(COOKIE, "")
    return {**scope, "headers": headers.raw}


def _with_cookie(send: Send) -> Send:
    """``send`` that gives the cookie with a page: scripts and styles are fetched side by side, and each would have its own."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            if headers.get("content-type", "").startswith("text/html"):
                headers.append("Set-Cookie", f"{COOKIE}={secrets.token_urlsafe()}; Path=/; HttpOnly; SameSite=Lax")
        await send(message)

    return sending
